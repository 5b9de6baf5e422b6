/** Checks a second factor within the limits on guessing (MF-4). */
import type { User } from "../../records/definition/definition.ts";
import type { FactorKind } from "../../records/definition/factor_kinds.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import type { IdentityContext } from "../core/context/context.ts";
import type { FactorProof } from "../core/factor_proof.ts";
import { countProof } from "../core/throttle.ts";

interface FactorTry {
  readonly user: User;
  readonly kind: FactorKind;
  readonly guessable: boolean;
  readonly origin: RequestOrigin;
  readonly browser_marks: string | undefined;
  /** Throws an OverloadedError if too many hashes are waiting. */
  prove(): Promise<FactorProof>;
}

/** Counts an attempt before it is verified, and forgives a correct one. `retry_after` is in seconds. */
export async function tryFactor(
  { user, kind, guessable, origin, browser_marks, prove }: FactorTry,
  context: IdentityContext,
): Promise<FactorProof | { readonly type: "throttled"; readonly retry_after: number }> {
  const failed = (reason: string) =>
    context.report({
      type: "sign_in",
      outcome: "failure",
      actor: { kind: "user", id: user.id },
      origin,
      details: { reason, method: kind },
    });
  const guess = { client_ip: origin.client_ip, browser_marks };
  const attempt = await countProof(user, guess, { guessable, code: guessable }, context);
  const { retry_after } = attempt;
  if (retry_after !== undefined) {
    failed("throttled");
    return { type: "throttled", retry_after };
  }
  let proof: FactorProof;
  try {
    proof = await prove();
  } catch (error) {
    await attempt.withdraw();
    throw error;
  }
  if (proof.type === "proved") await attempt.forgive();
  else if (proof.type !== "expired") failed(`wrong_${kind}`);
  return proof;
}

const hour = 3_600_000;

/** Returns whether to notify the user of a wrong second factor; true at most once an hour (MF-4). */
export async function isFirstWrongFactor(
  { id }: Pick<User, "id">,
  { store, sealer, now }: Pick<IdentityContext, "store" | "sealer" | "now">,
): Promise<boolean> {
  const key = Buffer.from(sealer.mac("ephemera", JSON.stringify(["wrong factor told", id])), "base64url");
  const at = now();
  return (await store.countUp("throttle", key, new Date(at.getTime() + hour), at)) === 1;
}
