/** Codes that users copy from an email. */
import { equalBytes } from "../../../crypto/credentials.ts";
import { mailCodeText, newMailCode, readMailCode } from "../../../crypto/mail_codes.ts";
import type { IdentityContext } from "../context/context.ts";
import { changeProof, makeProof, type NewProof, type OpenProof, openProof } from "./proofs.ts";
import type { Bonds, MailedCode, ProofData, ProofPurpose } from "./purposes.ts";

/** Maximum attempts at one code (SS-2). */
const mostTries = 5;

export type CodePurpose = {
  [P in ProofPurpose]: ProofData[P] extends MailedCode ? P : never;
}[ProofPurpose];

type Parts = Pick<IdentityContext, "store" | "sealer" | "now">;

interface CodePlace<P extends CodePurpose> {
  readonly place: string;
  readonly bonds: Bonds<P>;
}

type CodeData<P extends CodePurpose> = Omit<ProofData[P], keyof MailedCode>;

/** Creates a code, which replaces an earlier one, and returns it formatted for an email. */
export async function storeMailedCode<P extends CodePurpose>(
  purpose: P,
  { data, ...where }: CodePlace<P> & Pick<NewProof<P>, "user"> & { readonly data: CodeData<P> },
  context: Parts,
): Promise<string> {
  const code = newMailCode();
  const kept = { ...where, data: { ...data, code, tried: 0 } };
  await makeProof(purpose, kept as unknown as NewProof<P>, context);
  return mailCodeText(code);
}

function isMailedCode(text: string, { code }: Pick<MailedCode, "code">): boolean {
  return equalBytes(readMailCode(text), code);
}

/** Returns whether a code is stored that may still be tried. */
export async function isCodeWaiting<P extends CodePurpose>(
  purpose: P,
  { place, bonds }: CodePlace<P>,
  context: Parts,
): Promise<boolean> {
  const proof = await openProof(purpose, place, bonds, context);
  return proof !== undefined && proof.data.tried < mostTries;
}

type CodeTry<P extends CodePurpose> =
  /** The caller consumes `proof` with `redeemProof`. */
  | { readonly type: "right"; readonly proof: OpenProof<P> }
  /** `proof` is undefined if another attempt was counted at the same time. */
  | { readonly type: "wrong"; readonly last: boolean; readonly proof: OpenProof<P> | undefined }
  | { readonly type: "ended" };

interface GivenCode<P extends CodePurpose> extends CodePlace<P> {
  readonly text: string;
  readonly user_id?: string;
  /** Returns false if the stored code must never be accepted, whatever the user typed. */
  readonly opens?: (data: ProofData[P]) => boolean;
}

/**
 * Checks a code. The attempt is counted before the check, so of several concurrent attempts only one is
 * checked.
 */
export async function tryMailedCode<P extends CodePurpose>(
  purpose: P,
  { text, place, bonds, user_id, opens = () => true }: GivenCode<P>,
  context: Parts,
): Promise<CodeTry<P>> {
  const found = await openProof(purpose, place, bonds, context);
  if (found === undefined || found.data.tried >= mostTries) return { type: "ended" };
  if (user_id !== undefined && found.user?.id !== user_id) return { type: "ended" };
  const tried = found.data.tried + 1;
  const proof = await changeProof(found, { ...found.data, tried }, context);
  if (proof === undefined) return { type: "wrong", last: false, proof };
  if (opens(proof.data) && isMailedCode(text, proof.data)) return { type: "right", proof };
  return { type: "wrong", last: tried >= mostTries, proof };
}
