/**
 * The code of a registration. In the browser that requested it, the code is equivalent to the link in the
 * same email.
 */
import type { IdentityContext } from "../core/context/context.ts";
import { tryMailedCode } from "../core/proofs/mailed_codes.ts";
import { makeProof, newProofToken, redeemProof } from "../core/proofs/proofs.ts";

type CodeOutcome =
  /** `token` is that of a new link, equivalent to the mailed one. */
  | { readonly type: "right"; readonly token: string }
  | { readonly type: "wrong" }
  | { readonly type: "ended" };

/**
 * Exchanges the code of this browser for a link, once. After too many attempts, the mailed link still
 * works.
 */
export async function redeemRegistrationCode(
  { code: text, browser }: { readonly code: string; readonly browser: string | undefined },
  context: IdentityContext,
): Promise<CodeOutcome> {
  if (browser === undefined) return { type: "ended" };
  const tried = await tryMailedCode(
    "registration_code",
    { place: browser, bonds: { browser }, text, opens: ({ may_register }) => may_register },
    context,
  );
  if (tried.type === "ended") return tried;
  if (tried.type === "wrong") {
    if (!tried.last) return { type: "wrong" };
    if (tried.proof !== undefined) await redeemProof(context.store, tried.proof);
    return { type: "ended" };
  }
  if (!(await redeemProof(context.store, tried.proof))) return { type: "ended" };
  const { code: _, tried: __, ...data } = tried.proof.data;
  const token = newProofToken(context);
  await makeProof("registration", { place: token, bonds: {}, data }, context);
  return { type: "right", token };
}
