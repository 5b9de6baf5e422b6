/** Enrolls an authenticator app (MF-1). */
import { matchTotp, newTotpSecret, otpauthUri } from "../../../crypto/totp.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { makeProof, openProof, redeemProof } from "../../core/proofs/proofs.ts";
import type { ProvedTotp } from "../../core/proofs/purposes.ts";
import { type Enrolling, enrolFactor, type FactorEnrolment } from "../recovery_codes/enrol_factor.ts";
import { isAppName } from "./authenticator_apps.ts";

export function offersTotp({ settings }: Pick<IdentityContext, "settings">): boolean {
  return settings?.extra_sign_in?.includes("totp") === true;
}

const bindingOf = ({ session }: SignedIn) => ({ place: session.id, bonds: { session: session.id } });

export async function beginTotpEnrolment(signedIn: SignedIn, context: IdentityContext): Promise<void> {
  const secret = await newTotpSecret();
  await makeProof(
    "totp_enrolment",
    { ...bindingOf(signedIn), user: signedIn.user, data: { secret } },
    context,
  );
}

const pendingIn = (signedIn: SignedIn, context: IdentityContext) => {
  const { place, bonds } = bindingOf(signedIn);
  return openProof("totp_enrolment", place, bonds, context);
};

interface TotpSetUp {
  readonly secret: string;
  readonly uri: string;
}

/**
 * Returns the new secret of this session; undefined if there is none. `issuer` is the name that the app
 * displays.
 */
export async function pendingTotp(
  signedIn: SignedIn,
  issuer: string,
  context: IdentityContext,
): Promise<TotpSetUp | undefined> {
  const proof = await pendingIn(signedIn, context);
  if (proof === undefined) return undefined;
  const { secret } = proof.data;
  return { secret, uri: await otpauthUri(secret, { issuer, account: signedIn.user.email }) };
}

type TotpEnrolment = FactorEnrolment | { readonly type: "wrong" | "late" | "name" };

/**
 * Checks the app's first code and enrolls the app. Throws an OverloadedError if too many hashes are
 * waiting.
 */
export async function proveNewTotp(
  signedIn: SignedIn,
  { code, name, ...enrolling }: Enrolling & { readonly code: string; readonly name: string },
  context: IdentityContext,
): Promise<TotpEnrolment> {
  const proof = await pendingIn(signedIn, context);
  if (proof === undefined) return { type: "gone" };
  if (!isAppName(name)) return { type: "name" };
  const { secret } = proof.data;
  const match = await matchTotp(secret, code, context.now());
  if (match === undefined) return { type: "wrong" };
  if ("late_by" in match) return { type: "late" };
  const app: ProvedTotp = { secret, name, step: match.step };
  const commitProof = (tx: Pick<Transaction, "remove">) => redeemProof(tx, proof);
  return enrolFactor(signedIn, { kind: "totp", app }, { ...enrolling, commitProof }, context);
}
