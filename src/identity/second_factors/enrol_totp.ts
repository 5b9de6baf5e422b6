/**
 * Enrols an authenticator app (MF-1, MF-7): its secret waits in a proof until one code has shown that the app
 * has it. An account without recovery codes gets a set with it, and the app counts once that is confirmed.
 */
import { matchTotp, newTotpSecret, otpauthUri } from "../../crypto/totp.ts";
import type { User } from "../../records/definition.ts";
import { userLock } from "../../records/lock_names.ts";
import type { RequestOrigin, SignedIn } from "../../records/request_origin.ts";
import type { SignInMethod } from "../../records/sign_in_methods.ts";
import type { Transaction } from "../../storage/database.ts";
import { auditOwnAct } from "../audit_own_act.ts";
import type { IdentityContext } from "../context.ts";
import { makeProof, openProof, spendProof } from "../proofs/proofs.ts";
import type { HashedRecoveryCode, ProvedTotp } from "../proofs/purposes.ts";
import { followFactorChange, isAppName, mostAuthenticatorApps } from "./authenticator_apps.ts";
import { makeRecoveryCodes, replaceRecoveryCodes } from "./recovery_codes.ts";

/** Whether people may enrol authenticator apps here. */
export function offersTotp({ settings }: Pick<IdentityContext, "settings">): boolean {
  return settings?.extra_sign_in?.includes("totp") === true;
}

const bindingOf = ({ session }: SignedIn) => ({ place: session.id, bonds: { session: session.id } });

/** Makes a secret for this session, for ten minutes; one before gives way. */
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

/** What an app is set up with: base32, and the `otpauth://` link. */
export interface TotpSetUp {
  readonly secret: string;
  readonly uri: string;
}

/** The secret that waits for its first code in this session; `issuer` is the name that the app shows. */
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

export type TotpEnrolment =
  | { readonly type: "enrolled"; readonly enrolled: Enrolled }
  /** Recovery codes to show, which are to be confirmed. */
  | { readonly type: "confirm"; readonly codes: readonly string[] }
  | { readonly type: "wrong" | "late" | "name" | "too_many" }
  /** The secret is too old, or was never made. */
  | { readonly type: "gone" };

/** What was stored. */
export interface Enrolled {
  /** The authenticator app, and the code that proved it; undefined where only codes were made. */
  readonly app: { readonly id: string; readonly name: string; readonly method: SignInMethod } | undefined;
  /** Whether a new set of recovery codes came with it. */
  readonly codes: boolean;
}

/** Takes the first code of the app. Throws an OverloadedError when too many hashes are waiting. */
export async function proveNewTotp(
  signedIn: SignedIn,
  { code, name, origin }: { readonly code: string; readonly name: string; readonly origin: RequestOrigin },
  context: IdentityContext,
): Promise<TotpEnrolment> {
  const { store, now } = context;
  const { user } = signedIn;
  const proof = await pendingIn(signedIn, context);
  if (proof === undefined) return { type: "gone" };
  if (!isAppName(name)) return { type: "name" };
  const { secret } = proof.data;
  const match = await matchTotp(secret, code, now());
  if (match === undefined) return { type: "wrong" };
  if ("late_by" in match) return { type: "late" };
  const app: ProvedTotp = { secret, name, step: match.step };
  if ((await store.count("recovery_codes", { user_id: user.id, used_at: null })) === 0) {
    const made = await makeRecoveryCodes(user, context);
    // Before the codes wait for their confirmation: of two forms at once, one is answered by codes.
    if (!(await spendProof(store, proof))) return { type: "gone" };
    await keepShown(signedIn, made.hashed, app, context);
    return { type: "confirm", codes: made.shown };
  }
  return store.transaction(async (tx): Promise<TotpEnrolment> => {
    await tx.lock(userLock(user.id));
    if (!(await spendProof(tx, proof))) return { type: "gone" };
    const kept = await keepApp(tx, user, app, origin, context);
    return kept === undefined
      ? { type: "too_many" }
      : { type: "enrolled", enrolled: { app: kept, codes: false } };
  });
}

/**
 * Makes a set of recovery codes for this session to confirm within half an hour; the set before is good until
 * then. Answers what to show, once. Throws an OverloadedError when too many hashes are waiting.
 */
export async function showRecoveryCodes(
  signedIn: SignedIn,
  app: ProvedTotp | null,
  context: IdentityContext,
): Promise<readonly string[]> {
  const { shown, hashed } = await makeRecoveryCodes(signedIn.user, context);
  await keepShown(signedIn, hashed, app, context);
  return shown;
}

async function keepShown(
  signedIn: SignedIn,
  codes: readonly HashedRecoveryCode[],
  app: ProvedTotp | null,
  context: IdentityContext,
): Promise<void> {
  const { user } = signedIn;
  await makeProof("recovery_codes", { ...bindingOf(signedIn), user, data: { codes, app } }, context);
}

const shownIn = (signedIn: SignedIn, context: IdentityContext) => {
  const { place, bonds } = bindingOf(signedIn);
  return openProof("recovery_codes", place, bonds, context);
};

/** The authenticator app that waits for its recovery codes in this session, if there is one. */
export async function waitingApp(signedIn: SignedIn, context: IdentityContext): Promise<ProvedTotp | null> {
  return (await shownIn(signedIn, context))?.data.app ?? null;
}

/**
 * Stores the codes that were shown in this session, and the authenticator app that waits for them.
 * `gone` where none were shown, or too long ago.
 */
export async function confirmRecoveryCodes(
  signedIn: SignedIn,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<Enrolled | "gone" | "too_many"> {
  const { store, now } = context;
  const { user } = signedIn;
  const proof = await shownIn(signedIn, context);
  if (proof === undefined) return "gone";
  const { app, codes } = proof.data;
  return store.transaction(async (tx) => {
    await tx.lock(userLock(user.id));
    if (!(await spendProof(tx, proof))) return "gone";
    const kept = app === null ? undefined : await keepApp(tx, user, app, origin, context);
    if (app !== null && kept === undefined) return "too_many";
    await replaceRecoveryCodes(tx, user, codes, { origin, at: now() }, context);
    return { app: kept, codes: true };
  });
}

/** Stores an authenticator app whose first code was right; undefined where the user has too many. */
async function keepApp(
  tx: Transaction,
  user: Pick<User, "id">,
  { secret, name, step }: ProvedTotp,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<Enrolled["app"]> {
  const { store, sealer, now } = context;
  const user_id = user.id;
  if ((await tx.count("totp_authenticators", { user_id })) >= mostAuthenticatorApps) return undefined;
  const at = now();
  const id = store.newId(at);
  await tx.insert("totp_authenticators", {
    id,
    user_id,
    name,
    secret_sealed: sealer.seal("totp_authenticator", secret, id),
    last_step: step,
    last_used_at: at,
    created_at: at,
  });
  await followFactorChange(tx, user, context);
  await auditOwnAct(
    tx,
    context,
    { user, origin, at },
    {
      type: "authenticator_app.created",
      target_table: "totp_authenticators",
      target_id: id,
      details: { after: { name } },
    },
  );
  return { id, name, method: { kind: "totp", credential: id, at: at.getTime() } };
}
