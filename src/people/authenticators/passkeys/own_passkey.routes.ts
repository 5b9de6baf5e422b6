/** `/account/passkeys`: users add, rename and remove their passkeys (PK-2, PK-11). */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "../../../admin/access/errors.ts";
import { sendPage } from "../../../http/page.ts";
import { originOf } from "../../../http/request_origin.ts";
import { longestOf } from "../../../records/definition/view.ts";
import { isUuid, isValueOf } from "../../../records/formats/check.ts";
import { lately, sudoAge } from "../../../records/names/sign_in_methods.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { postNotice } from "../../core/notices/account_notices.http.ts";
import { disownLink } from "../../core/notices/disown_link.http.ts";
import {
  type AccountPerson,
  accountPages,
  backTo,
  securityPath,
} from "../../core/pages/account_person.http.ts";
import { continuationOf } from "../../core/pages/continuation.http.ts";
import { browserMarks } from "../../core/pages/mark_browser.http.ts";
import { toSignedOut } from "../../core/pages/to_signed_out.http.ts";
import { needsMailbox } from "../mail_code/mailbox_code.ts";
import { mailboxStep } from "../mail_code/mailbox_step.http.ts";
import { enrolFactor } from "../recovery_codes/enrol_factor.ts";
import { enrollingOf, finishEnrolment } from "../recovery_codes/finish_enrolment.http.ts";
import { sendRecoveryCodes } from "../recovery_codes/send_recovery_codes.http.ts";
import { removePasskeyPage, renamePasskeyPage } from "./change_passkey.page.ts";
import { removePasskey, renamePasskey } from "./change_passkey.ts";
import type { NewPasskeyError } from "./new_passkey.page.ts";
import { newPasskeyPage } from "./new_passkey.page.ts";
import { ownPasskey, type Passkey } from "./own_passkeys.ts";
import type { PasskeyFailure } from "./passkey_form.view.ts";
import type { PasskeyKind } from "./passkey_options.ts";
import { requestRegistration } from "./passkey_questions.ts";
import { offeredPasskeySite, type PasskeySite } from "./passkey_site.ts";
import { proveNewPasskey, registrationPurpose } from "./register_passkey.ts";
import { isProvedByOlder, youngFor } from "./young_passkeys.ts";

const path = "/account/passkeys";

export function ownPasskeyRoutes(app: FastifyInstance, context: HttpContext): void {
  const { server, identity } = context;
  const pages = accountPages(app, context);
  const site = offeredPasskeySite(server.issuer, identity);
  if (site !== undefined) enrolmentRoutes(pages, site, context);
  changeRoutes(pages, context);
}

type Pages = ReturnType<typeof accountPages>;

const kindOf = ({ params }: AccountPerson): PasskeyKind =>
  params.get("kind") === "security_key" ? "security_key" : "passkey";

const sudo = { return_to: securityPath, sudo: true } as const;

const longest_name = longestOf("passkeys", "name");

function enrolmentRoutes(pages: Pages, site: PasskeySite, context: HttpContext): void {
  const { server, identity } = context;
  const server_name = new URL(server.issuer).host;

  async function sendForm(
    person: AccountPerson,
    reply: FastifyReply,
    status: number,
    { name, failure }: { readonly name?: string; readonly failure?: NewPasskeyError } = {},
  ): Promise<FastifyReply> {
    const { page, csrf_token, signedIn } = person;
    const kind = kindOf(person);
    const requested = { holder: csrf_token, site, server_name };
    const options = await requestRegistration(kind, signedIn.user, requested, identity);
    const continuation = continuationOf(person.params, context);
    const fields = { csrf_token, kind, ...continuation.fields };
    const form = { ceremony: "create", options, action: path, fields, renew_href: securityPath } as const;
    const answer = newPasskeyPage({ ...page, kind, form, name, longest_name, failure });
    return sendPage(reply, answer, { status });
  }

  const challengeMailbox = mailboxStep(
    pages,
    {
      path: `${path}/mailbox`,
      code_purpose: "factor",
      back_href: securityPath,
      carried: (person) => ({ kind: kindOf(person) }),
      goOn: (person, reply) => sendForm(person, reply, 200),
    },
    context,
  );

  // A POST, because only POST requests can require reauthentication (sudo) before the authenticator is
  // prompted.
  pages.post(`${path}/new`, challengeMailbox, sudo);

  pages.post(
    path,
    async (person, request, reply) => {
      const { params, csrf_token, signedIn } = person;
      const name = nameIn(person);
      const typed = { name: params.get("name") ?? "" };
      if (name === undefined) return sendForm(person, reply, 422, { ...typed, failure: "name" });
      const again = (failure: PasskeyFailure) => sendForm(person, reply, 422, { ...typed, failure });
      // Enforces the mailed code if the passkey form is sent without it (MF-12).
      if (await needsMailbox(signedIn, browserMarks(request, context), identity)) {
        return reply.redirect(securityPath, 303);
      }
      const kind = kindOf(person);
      const requested = { purpose: registrationPurpose[kind], holder: csrf_token };
      const answer = params.get("answer") ?? "";
      const proof = await proveNewPasskey({ kind, name, answer, requested }, site, identity);
      if (proof.type !== "proved") return again(proof.type);
      const factor = { kind: "passkey", passkey: proof.passkey } as const;
      // `proveNewPasskey` has already consumed the challenge.
      const input = { ...enrollingOf(person, request, context), commitProof: async () => true };
      const enrolment = await enrolFactor(signedIn, factor, input, identity);
      switch (enrolment.type) {
        case "enrolled":
          return finishEnrolment(enrolment.enrolled, person, { request, reply }, context);
        case "confirm":
          return sendRecoveryCodes(enrolment.codes, person, reply, context);
        case "refused":
          return again(enrolment.error);
        case "gone":
          return again("expired");
        default:
          return enrolment satisfies never;
      }
    },
    sudo,
  );
}

function changeRoutes(pages: Pages, context: HttpContext): void {
  const { identity } = context;

  async function own({ signedIn, id }: AccountPerson): Promise<Passkey> {
    const passkey = isUuid(id) ? await ownPasskey(signedIn.user, id, identity) : undefined;
    if (passkey === undefined) throw notFound("passkeys", id);
    return passkey;
  }

  pages.get(`${path}/:id/rename`, async (person, _, reply) => {
    const { id, name } = await own(person);
    return sendPage(
      reply,
      renamePasskeyPage({ ...person.page, csrf_token: person.csrf_token, longest_name, id, name }),
    );
  });

  pages.post(
    `${path}/:id/rename`,
    async (person, request, reply) => {
      const passkey = await own(person);
      const name = nameIn(person);
      if (name === undefined) {
        const typed = { id: passkey.id, name: person.params.get("name") ?? "", wrong: true };
        const page = renamePasskeyPage({
          ...person.page,
          csrf_token: person.csrf_token,
          longest_name,
          ...typed,
        });
        return sendPage(reply, page, { status: 422 });
      }
      await renamePasskey(passkey, name, originOf(request), identity);
      return backTo(reply, securityPath, "passkey_renamed");
    },
    { return_to: securityPath },
  );

  const sendRemoval = (
    { page, csrf_token }: AccountPerson,
    { id, name }: Passkey,
    reply: FastifyReply,
    refused?: "too_young" | "last_way",
  ) => {
    const answer = removePasskeyPage({ ...page, csrf_token, id, name, refused, young_for: youngFor });
    return sendPage(reply, answer, { status: refused === undefined ? 200 : 409 });
  };

  pages.get(`${path}/:id/remove`, async (person, _, reply) => sendRemoval(person, await own(person), reply));

  pages.post(
    `${path}/:id/remove`,
    async (person, request: FastifyRequest, reply) => {
      const passkey = await own(person);
      const { signedIn } = person;
      if (!(await isProvedByOlder(signedIn, lately(sudoAge, identity.now()), identity))) {
        return sendRemoval(person, passkey, reply, "too_young");
      }
      const outcome = await removePasskey(passkey, signedIn, originOf(request), identity);
      if (outcome.type === "last_way") return sendRemoval(person, passkey, reply, "last_way");
      const { user, session } = signedIn;
      const not_me_href = disownLink({ user, since: session.created_at }, context);
      postNotice(context, { kind: "passkey_removed", user, request, name: passkey.name, not_me_href });
      if (outcome.here === "goes_on") return backTo(reply, securityPath, "passkey_removed");
      return toSignedOut(reply, context);
    },
    sudo,
  );
}

function nameIn({ params }: AccountPerson): string | undefined {
  const name = (params.get("name") ?? "").trim();
  return isValueOf("passkeys", "name", name) ? name : undefined;
}
