/** Accepts codes of authenticator apps (RFC 6238), each once. */
import { matchTotp } from "../../../crypto/totp.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import type { FactorProof } from "../../core/factor_proof.ts";
import { authenticatorAppsOf } from "./authenticator_apps.ts";

/**
 * Returns whether this is a code of one of the user's authenticator apps; `commitProof` of the result
 * consumes it. The step of an app only moves forward, by compare-and-set, so a code is accepted once across
 * all processes (MF-2). The caller has already counted the attempt.
 */
export async function findTotp(
  user: Pick<User, "id">,
  code: string,
  context: Pick<IdentityContext, "store" | "sealer" | "now">,
): Promise<FactorProof> {
  const { sealer, now } = context;
  let late = false;
  for (const { id, secret_sealed, last_step } of await authenticatorAppsOf(user, context)) {
    const match = await matchTotp(sealer.open("totp_authenticator", secret_sealed, id), code, now());
    if (match === undefined) continue;
    if ("late_by" in match) {
      late = true;
      continue;
    }
    if (match.step <= last_step) continue;
    const last_used_at = now();
    const used = { last_step: match.step, last_used_at };
    return {
      type: "proved",
      method: { kind: "totp", credential: id, at: last_used_at.getTime() },
      commitProof: async (tx) => (await tx.update("totp_authenticators", { id, last_step }, used)) > 0,
    };
  }
  return late ? { type: "late" } : { type: "wrong" };
}
