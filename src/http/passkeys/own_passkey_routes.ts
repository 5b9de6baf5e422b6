/** `/account/passkeys`: a person adds, renames and removes their passkeys (PK-2, PK-11). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "../../admin/faults.ts";
import { removePasskey, renamePasskey } from "../../identity/passkeys/change_passkey.ts";
import { ownPasskey, type Passkey } from "../../identity/passkeys/own_passkeys.ts";
import type { PasskeyKind } from "../../identity/passkeys/passkey_options.ts";
import { askToRegister } from "../../identity/passkeys/passkey_questions.ts";
import { offeredPasskeySite, type PasskeySite } from "../../identity/passkeys/passkey_site.ts";
import { type RegisterOutcome, registerPasskey } from "../../identity/passkeys/register_passkey.ts";
import { isProvedByOlder } from "../../identity/passkeys/young_passkeys.ts";
import { isUuid } from "../../records/check.ts";
import { isPlainText } from "../../records/plain_text.ts";
import { sudoAge } from "../../records/sign_in_methods.ts";
import { removePasskeyPage, renamePasskeyPage } from "../../web/account/change_passkey_page.ts";
import { newPasskeyPage } from "../../web/account/new_passkey_page.ts";
import { signedOutPage } from "../../web/pages/signed_out_page.ts";
import type { PasskeyFailure } from "../../web/passkeys/passkey_form.ts";
import { postNotice } from "../account/account_notices.ts";
import { type AccountPerson, accountPages, backTo } from "../account/account_person.ts";
import { securityPath } from "../account/security_routes.ts";
import type { HttpContext } from "../context.ts";
import { clearCookie } from "../cookies.ts";
import { localeOf } from "../language.ts";
import { sendPage } from "../page.ts";
import { originOf } from "../request_origin.ts";
import { localRedirect } from "../same_origin.ts";

const path = "/account/passkeys";
const longestName = 64;

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

function enrolmentRoutes(pages: Pages, site: PasskeySite, context: HttpContext): void {
  const { server, identity } = context;
  const server_name = new URL(server.issuer).host;

  async function sendForm(
    person: AccountPerson,
    reply: FastifyReply,
    status: number,
    { name, failure }: { readonly name?: string; readonly failure?: PasskeyFailure } = {},
  ): Promise<FastifyReply> {
    const { page, csrf_token, signedIn } = person;
    const kind = kindOf(person);
    const asked = { holder: csrf_token, site, server_name };
    const options = await askToRegister(kind, signedIn.user, asked, identity);
    const redirect = person.params.get("redirect");
    const fields = { csrf_token, kind, ...(redirect !== undefined && { redirect }) };
    const form = { ceremony: "create", options, action: path, fields, renew_href: securityPath } as const;
    return sendPage(reply, newPasskeyPage({ ...page, kind, form, name, failure }), { status });
  }

  // Posted, so that the proof of who it is comes before the authenticator is asked.
  pages.post(`${path}/new`, (person, _, reply) => sendForm(person, reply, 200), sudo);

  pages.post(
    path,
    async (person, request, reply) => {
      const { params, csrf_token, signedIn } = person;
      const name = nameIn(person);
      const typed = { name: params.get("name") ?? "" };
      if (name === undefined) return sendForm(person, reply, 422, { ...typed, failure: "name" });
      const given = {
        kind: kindOf(person),
        name,
        answer: params.get("answer") ?? "",
        holder: csrf_token,
      };
      const made = { site, origin: originOf(request) };
      const outcome = await registerPasskey(given, signedIn, made, identity);
      if (outcome.type !== "registered") {
        return sendForm(person, reply, 422, { ...typed, failure: failureOf(outcome) });
      }
      postNotice(context, { kind: "passkey_added", user: signedIn.user, request, name });
      // From the offer after a sign-in the person goes on to where they were going.
      const redirect = params.get("redirect");
      if (redirect !== undefined) {
        return reply.redirect(localRedirect(redirect, server.issuer).location, 303);
      }
      return backTo(reply, securityPath, "passkey_added");
    },
    sudo,
  );
}

function failureOf(outcome: Exclude<RegisterOutcome, { type: "registered" }>): PasskeyFailure {
  if (outcome.type === "expired") return "expired";
  const { fault } = outcome;
  return fault === "taken" || fault === "too_many" ? fault : "refused";
}

function changeRoutes(pages: Pages, context: HttpContext): void {
  const { identity, secure } = context;

  async function own({ signedIn, id }: AccountPerson): Promise<Passkey> {
    const passkey = isUuid(id) ? await ownPasskey(signedIn.user, id, identity) : undefined;
    if (passkey === undefined) throw notFound("passkeys", id);
    return passkey;
  }

  pages.get(`${path}/:id/rename`, async (person, _, reply) => {
    const { id, name } = await own(person);
    return sendPage(reply, renamePasskeyPage({ ...person.page, csrf_token: person.csrf_token, id, name }));
  });

  pages.post(
    `${path}/:id/rename`,
    async (person, request, reply) => {
      const passkey = await own(person);
      const name = nameIn(person);
      if (name === undefined) {
        const typed = { id: passkey.id, name: person.params.get("name") ?? "", wrong: true };
        const page = renamePasskeyPage({ ...person.page, csrf_token: person.csrf_token, ...typed });
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
    const answer = removePasskeyPage({ ...page, csrf_token, id, name, refused });
    return sendPage(reply, answer, { status: refused === undefined ? 200 : 409 });
  };

  pages.get(`${path}/:id/remove`, async (person, _, reply) => sendRemoval(person, await own(person), reply));

  pages.post(
    `${path}/:id/remove`,
    async (person, request: FastifyRequest, reply) => {
      const passkey = await own(person);
      const { signedIn } = person;
      const since = new Date(identity.now().getTime() - sudoAge);
      if (!(await isProvedByOlder(signedIn, since, identity))) {
        return sendRemoval(person, passkey, reply, "too_young");
      }
      const outcome = await removePasskey(passkey, signedIn, originOf(request), identity);
      if (outcome.type === "last_way") return sendRemoval(person, passkey, reply, "last_way");
      postNotice(context, { kind: "passkey_removed", user: signedIn.user, request, name: passkey.name });
      if (outcome.here === "goes_on") return backTo(reply, securityPath, "passkey_removed");
      clearCookie(reply, "session", secure);
      return sendPage(reply, signedOutPage(localeOf(request, "/logout")));
    },
    sudo,
  );
}

/** The name that was typed, where it is one of the definition. */
function nameIn({ params }: AccountPerson): string | undefined {
  const name = (params.get("name") ?? "").trim();
  return name !== "" && name.length <= longestName && isPlainText(name, "line") ? name : undefined;
}
