import { type PasswordWeakness, passwordWeakness, shortestBy } from "../../../crypto/password_rules.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import type { SignInMethod } from "../../../records/names/sign_in_methods.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { type FirstPasskey, proveFirstPasskey } from "./first_passkey.ts";
import type { Passkey } from "./own_passkeys.ts";
import { storePasskey } from "./register_passkey.ts";

export type FirstCredential =
  | { readonly password: string; readonly passkey?: undefined }
  | { readonly passkey: FirstPasskey; readonly password?: undefined };

export type PasskeyCredentialError = "passkey_refused" | "passkey_expired" | "passkey_taken";

export type CredentialError = PasswordWeakness | PasskeyCredentialError;

export interface MadeCredential {
  readonly method: SignInMethod;
  readonly passkey: Passkey | undefined;
}

interface ProvedCredential {
  readonly columns: Pick<User, "password_hash" | "webauthn_handle">;
  isTaken(tx: Transaction): Promise<boolean>;
  store(tx: Transaction, user: Pick<User, "id">, origin: RequestOrigin): Promise<MadeCredential>;
}

/** Returns why a password is rejected. A passkey is checked later, because its challenge works only once. */
export function weaknessOf(
  { password }: FirstCredential,
  { settings }: Pick<IdentityContext, "settings">,
): PasswordWeakness | undefined {
  return password === undefined ? undefined : passwordWeakness(password, shortestBy(settings));
}

/**
 * Hashes the password, or verifies that the passkey was created for the account that the link with this
 * `token` creates. Throws an `OverloadedError` if too many hashes are waiting.
 */
export async function proveCredential(
  { password, passkey }: FirstCredential,
  token: string,
  context: IdentityContext,
): Promise<ProvedCredential | PasskeyCredentialError> {
  if (passkey === undefined) {
    const password_hash = await context.passwords.hash(password);
    const method = { kind: "password", credential: null, at: context.now().getTime() } as const;
    return {
      columns: { password_hash, webauthn_handle: null },
      isTaken: async () => false,
      store: async () => ({ method, passkey: undefined }),
    };
  }
  const proof = await proveFirstPasskey(passkey, token, context);
  if (proof.type !== "proved") return proof.type === "expired" ? "passkey_expired" : "passkey_refused";
  const { passkey: proved, handle } = proof;
  const { credential_id } = proved;
  return {
    columns: { password_hash: null, webauthn_handle: handle },
    isTaken: async (tx) => (await tx.find("passkeys", { credential_id })) !== undefined,
    async store(tx, user, origin) {
      const stored = await storePasskey(tx, user, proved, origin, context);
      if ("error" in stored) throw new TypeError("a passkey was requested before its user was created");
      return stored;
    },
  };
}
