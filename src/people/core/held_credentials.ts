import type { MethodKind, SignInMethod } from "../../records/names/sign_in_methods.ts";
import type { Verbs } from "../../storage/database/verbs.ts";

type CredentialTable = "passkeys" | "totp_authenticators" | "oauth_accounts";

const tableOfKind: Readonly<Record<MethodKind, CredentialTable | undefined>> = {
  password: undefined,
  passkey: "passkeys",
  totp: "totp_authenticators",
  recovery_code: undefined,
  provider: "oauth_accounts",
  mail_code: undefined,
};

/**
 * Returns whether the user still has every credential of these proofs (EP-13, PK-11). Call this under the
 * user's lock.
 */
export async function areHeld(
  user_id: string,
  methods: readonly SignInMethod[],
  tx: Pick<Verbs, "update">,
): Promise<boolean> {
  for (const { kind, credential } of methods) {
    const table = tableOfKind[kind];
    if (table === undefined || credential === null) continue;
    // Deleting a provider takes no locks on its users, who may be numerous. This write makes that deletion
    // wait, so that it also sees the new session.
    if ((await tx.update(table, { id: credential, user_id }, { user_id })) === 0) return false;
  }
  return true;
}
