import type { PasswordHasher } from "../../../crypto/passwords.ts";
import { newRecoveryCodes, readRecoveryCode, shownRecoveryCode } from "../../../crypto/recovery_codes.ts";
import type { User } from "../../../records/definition/definition.ts";
import { type RequestOrigin, sourceOf } from "../../../records/definition/request_origin.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import { auditOwnAct } from "../../core/audit_own_act.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import type { FactorProof } from "../../core/factor_proof.ts";
import type { HashedRecoveryCode } from "../../core/proofs/purposes.ts";

interface NewRecoveryCodes {
  readonly shown: readonly string[];
  readonly hashed: readonly HashedRecoveryCode[];
}

/** Creates a set without storing it. Throws an OverloadedError if too many hashes are waiting. */
export async function makeRecoveryCodes(
  user: Pick<User, "id">,
  { passwords }: { readonly passwords: PasswordHasher },
): Promise<NewRecoveryCodes> {
  const codes = newRecoveryCodes();
  const hashed: HashedRecoveryCode[] = [];
  // Hashes one at a time, because a set needs ten hashes and other requests wait in the same queue.
  for (const { selector, secret } of codes) {
    hashed.push({ selector, code_hash: await passwords.hash(secret, "management", user.id) });
  }
  return { shown: codes.map(shownRecoveryCode), hashed };
}

/** Stores a set that replaces the previous one, and forgets every remembered browser of the user (MF-13). */
export async function replaceRecoveryCodes(
  tx: Transaction,
  user: Pick<User, "id">,
  codes: readonly HashedRecoveryCode[],
  { origin, at }: { readonly origin: RequestOrigin; readonly at: Date },
  context: Pick<IdentityContext, "store">,
): Promise<void> {
  const user_id = user.id;
  await tx.remove("recovery_codes", { user_id });
  await tx.remove("devices", { user_id });
  for (const code of codes) {
    await tx.insert("recovery_codes", {
      id: context.store.newId(at),
      user_id,
      ...code,
      used_at: null,
      created_at: at,
    });
  }
  await auditOwnAct(
    tx,
    context,
    { user, origin, at },
    {
      type: "recovery_codes.created",
      target_table: "users",
      target_id: user_id,
      details: { codes: codes.length },
    },
  );
}

/**
 * Returns a proof if this is one of the user's unused codes; `commitProof` consumes it. One hash is computed
 * for any well-formed code, so the response time does not reveal which codes exist. Throws an
 * `OverloadedError` if too many hashes are waiting.
 */
export async function findRecoveryCode(
  user: Pick<User, "id">,
  text: string,
  origin: RequestOrigin,
  context: Pick<IdentityContext, "store" | "passwords" | "now">,
): Promise<FoundRecoveryCode | { readonly type: "wrong" }> {
  const { store, passwords, now } = context;
  const code = readRecoveryCode(text);
  if (code === undefined) return { type: "wrong" };
  const user_id = user.id;
  const { selector, secret } = code;
  const source = sourceOf(origin.client_ip);
  const row = await store.find("recovery_codes", { user_id, selector, used_at: null });
  const right =
    row === undefined
      ? await passwords.verifyAgainstNothing(secret, "sign_in", source)
      : await passwords.verify(row.code_hash, secret, "sign_in", source);
  if (row === undefined || !right) return { type: "wrong" };
  const at = now();
  const codes_left = (await store.count("recovery_codes", { user_id, used_at: null })) - 1;
  return {
    type: "proved",
    method: { kind: "recovery_code", credential: row.id, at: at.getTime() },
    codes_left,
    async commitProof(tx) {
      if ((await tx.update("recovery_codes", { id: row.id, used_at: null }, { used_at: at })) === 0)
        return false;
      const details = { codes_left: await tx.count("recovery_codes", { user_id, used_at: null }) };
      const done = { type: "recovery_code.used", target_table: "users", target_id: user_id, details };
      await auditOwnAct(tx, context, { user, origin, at }, done);
      return true;
    },
  };
}

type FoundRecoveryCode = Required<Extract<FactorProof, { type: "proved" }>>;

/** Returns the number of the user's unused codes and when the set was created. */
export async function recoveryCodesOf(
  { id: user_id }: Pick<User, "id">,
  { store }: Pick<IdentityContext, "store">,
): Promise<{ readonly left: number; readonly made_at: Date } | undefined> {
  const codes = await store.list("recovery_codes", { user_id });
  const [first] = codes;
  if (first === undefined) return undefined;
  return { left: codes.filter(({ used_at }) => used_at === null).length, made_at: first.created_at };
}
