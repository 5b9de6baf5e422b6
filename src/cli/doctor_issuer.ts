/** What the doctor says of a base URL that is another one than at the last start. */
import { formerIssuer, sentenceOfFormer } from "../server/kept_issuer.ts";
import type { Codes, Rows } from "../storage/ports.ts";
import type { Finding } from "./findings.ts";

export async function examineIssuer(store: Codes & Rows, issuer: string, now: Date): Promise<Finding> {
  const former = await formerIssuer(store, issuer, now);
  const check = "issuer";
  return former === undefined
    ? { check, ok: true, detail: issuer }
    : { check, ok: false, detail: sentenceOfFormer(former, issuer) };
}
