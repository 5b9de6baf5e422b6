/** Tells people that their passkeys changed, or that one may have been copied, where mail can be sent. */
import type { FastifyRequest } from "fastify";
import type { PasskeyProof } from "../../identity/passkeys/prove_passkey.ts";
import type { User } from "../../records/definition.ts";
import { deviceOf } from "../../web/account/device.ts";
import { type PasskeyNotice, passkeyMail } from "../../web/mails/passkey_mails.ts";
import { wordsOf } from "../../web/words/words.ts";
import type { HttpContext } from "../context.ts";
import { languageOf } from "../language.ts";
import { originOf } from "../request_origin.ts";

/** The page with a person's passkeys. */
export const passkeysPath = "/account/passkeys";

export function postPasskeyNotice(
  happened: PasskeyNotice["happened"],
  { user, name }: { readonly user: Pick<User, "email">; readonly name: string },
  request: FastifyRequest,
  { mail, server }: Pick<HttpContext, "mail" | "server">,
): void {
  const language = languageOf(request);
  const { browser, system } = deviceOf(originOf(request).user_agent);
  const notice = {
    words: wordsOf(language),
    language,
    server_name: new URL(server.issuer).host,
    happened,
    name,
    at: server.now(),
    device: [browser, system].filter((part) => part !== undefined).join(", ") || undefined,
    passkeys_href: server.issuer + passkeysPath,
  };
  mail?.post(async () => ({ to: user.email, ...passkeyMail(notice) }));
}

/** The mail about a counter that went back, where that is why a passkey was refused (PK-5). */
export function postCounterNotice(proof: PasskeyProof, request: FastifyRequest, context: HttpContext): void {
  if (proof.type !== "refused" || proof.fault !== "counter" || proof.by === undefined) return;
  const { user, passkey } = proof.by;
  postPasskeyNotice("counter", { user, name: passkey.name }, request, context);
}
