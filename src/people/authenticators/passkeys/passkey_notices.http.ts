import type { FastifyRequest } from "fastify";
import type { HttpContext } from "../../core/http_context.http.ts";
import { postNotice } from "../../core/notices/account_notices.http.ts";
import type { PasskeyProof } from "./prove_passkey.ts";

/** Emails the owner of a passkey that was rejected because its signature counter went back (PK-5). */
export function postCounterNotice(proof: PasskeyProof, request: FastifyRequest, context: HttpContext): void {
  if (proof.type !== "refused" || proof.error !== "counter" || proof.by === undefined) return;
  const { user, passkey } = proof.by;
  postNotice(context, { kind: "passkey_copied", user, request, name: passkey.name });
}
