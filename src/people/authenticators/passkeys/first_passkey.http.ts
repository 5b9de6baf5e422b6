/** A passkey in place of the password, on forms where a one-time link creates an account (SS-2). */
import type { FastifyReply, FastifyRequest } from "fastify";
import { localeOf } from "../../../http/language.ts";
import type { Params } from "../../../oauth/core/params.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { PersonWords } from "../../../web/words/en/catalogue.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { postNotice } from "../../core/notices/account_notices.http.ts";
import { rememberMethod } from "../../core/pages/last_method.http.ts";
import type { FirstCredential } from "./first_credential.ts";
import { offerFirstPasskey } from "./first_passkey.ts";
import type { Passkey } from "./own_passkeys.ts";
import type { PasskeyQuestion } from "./passkey_form.view.ts";
import { offeredPasskeySite } from "./passkey_site.ts";

/** Returns the options for creating a passkey; undefined if passkeys are not offered. */
export function firstPasskeyQuestion(
  requested: { readonly token: string; readonly email: string; readonly csrf_token: string },
  here: string,
  { server, identity }: HttpContext,
): PasskeyQuestion | undefined {
  const site = offeredPasskeySite(server.issuer, identity);
  if (site === undefined) return undefined;
  const server_name = new URL(server.issuer).host;
  const options = offerFirstPasskey(requested, { holder: requested.csrf_token, site, server_name }, identity);
  return { ceremony: "create", options, renew_href: here };
}

/** Returns the credential in the form: the passkey if the script added one, otherwise the password. */
export function credentialIn(
  params: Params,
  request: FastifyRequest,
  { server, identity }: HttpContext,
): FirstCredential {
  const site = offeredPasskeySite(server.issuer, identity);
  const answer = params.get("answer") ?? "";
  if (site === undefined || answer === "") return { password: params.get("password") ?? "" };
  const name = localeOf(request).words.passkeys.enrol.suggested;
  return { passkey: { answer, holder: params.get("csrf_token") ?? "", site, name } };
}

/**
 * Emails a notice of the new account's passkey (SS-8). Also records in a cookie that a passkey is this
 * browser's last sign-in method. The notice warns if the passkey exists on one device only (PK-14).
 */
export function notifyFirstPasskey(
  passkey: Passkey | undefined,
  user: User,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  context: HttpContext,
): void {
  if (passkey === undefined) return;
  rememberMethod({ kind: "passkey" }, request, reply, context);
  const { name, backed_up } = passkey;
  const alone = backed_up ? {} : { more: (words: PersonWords) => [words.passkeys.card.single] };
  postNotice(context, { kind: "passkey_added", user, request, name, ...alone });
}
