import type { FastifyReply, FastifyRequest } from "fastify";
import { localeOf } from "../../../http/language.ts";
import { leadOnTo } from "../../../http/lead_on_to.ts";
import { sendPage } from "../../../http/page.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import { type EnrolledMethods, sudoAge } from "../../../records/names/sign_in_methods.ts";
import { sealFields } from "../carried_fields.ts";
import { recoveryDelay } from "../delayed_recovery.ts";
import type { HttpContext } from "../http_context.http.ts";
import { findSavedForm, type SavedForm } from "../saved_forms.ts";
import { type SudoError, sudoPage } from "./sudo.page.ts";
import { type MissingProofs, missingProofs, reauthenticates } from "./sudo.ts";

interface SudoPerson {
  readonly signedIn: SignedIn;
  readonly enrolled: EnrolledMethods;
  readonly passkeys_lost?: true | undefined;
}

export const sudoReturnPath = "/account/confirm";

export const lostPasskeyPath = "/account/lost-passkey";

/** Returns the input shared by all authenticators of the sudo page. */
export const sudoRequest = (
  { signedIn, enrolled }: Pick<SudoPerson, "signedIn" | "enrolled">,
  request: FastifyRequest,
) => ({ at: "sudo", user: signedIn.user, signedIn, enrolled, request, holder: signedIn.session.id }) as const;

/** Returns the missing proofs; `browser` is the form cookie. */
export async function findMissing(
  { signedIn, enrolled, passkeys_lost }: SudoPerson,
  browser: string | undefined,
  { identity }: Pick<HttpContext, "identity">,
): Promise<MissingProofs> {
  const form =
    !enrolled.password && enrolled.providers.some(reauthenticates)
      ? await findSavedForm({ signedIn, browser }, identity)
      : undefined;
  return missingProofs(signedIn, enrolled, identity.now(), {
    mailbox_too: form?.unproved === true,
    passkeys_lost: passkeys_lost === true,
  });
}

interface SudoQuestion extends SudoPerson {
  readonly missing: MissingProofs;
  readonly form: SavedForm;
  readonly csrf_token: string;
  readonly error?: SudoError | undefined;
  /** Seconds until the next attempt is allowed. */
  readonly retry_after?: number | undefined;
}

/** Sends the sudo page, whose form repeats the original request with its fields encrypted. */
export async function sendSudoPage(
  { signedIn, enrolled, missing, form, csrf_token, error, retry_after }: SudoQuestion,
  request: FastifyRequest,
  reply: FastifyReply,
  context: HttpContext,
): Promise<FastifyReply> {
  const locale = localeOf(request);
  const requested = { ...sudoRequest({ signedIn, enrolled }, request), locale };
  const open = missing.map((kinds) => context.authenticators.filter(({ kind }) => kinds.includes(kind)));
  const groups = await Promise.all(
    open.map(async (each) => {
      const parts = each.map((authenticator) =>
        authenticator.part(
          { ...requested, error: error === authenticator.kind ? "wrong" : undefined },
          context,
        ),
      );
      return (await Promise.all(parts)).filter((part) => part !== undefined);
    }),
  );
  const buttons_alone = groups.some((parts) => parts.length > 0 && parts.every(({ button }) => button));
  if (retry_after !== undefined) reply.header("retry-after", retry_after);
  const { url, fields, cancel_href, leads_to } = form;
  const asks_passkey = missing.some((kinds) => kinds.every((kind) => kind === "passkey"));
  // A passkey submits the form without a button.
  const passkey_alone = asks_passkey && missing.length === 1;
  const page = {
    ...locale,
    action: url,
    csrf_token,
    carried: fields === null ? undefined : sealFields(fields, { signedIn, url }, context.identity),
    lasts: sudoAge,
    cancel_href,
    groups: groups.map((parts) => parts.map(({ html }) => html)),
    error,
    retry_after,
    lost_href: asks_passkey && recoveryDelay(context.identity) > 0 ? lostPasskeyPath : undefined,
    leaves: passkey_alone || buttons_alone,
  };
  const elsewhere = open.flat().flatMap(({ leads_to: place }) => place ?? []);
  const redirect = fields?.find(([name]) => name === "redirect")?.[1];
  if (redirect !== undefined) await leadOnTo(redirect, reply, context);
  return sendPage(reply, sudoPage(page), {
    status: statusOf(error),
    leads_to: [leads_to ?? undefined, ...elsewhere],
  });
}

function statusOf(error: SudoError | undefined): number {
  if (error === undefined) return 200;
  return error === "throttled" ? 429 : error === "changed_meanwhile" ? 409 : 401;
}
