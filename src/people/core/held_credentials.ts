import type { MethodKind, SignInMethod } from "../../records/names/sign_in_methods.ts";
import type { Verbs } from "../../storage/database/verbs.ts";

type CredentialTable = "passkeys" | "totp_authenticators" | "oauth_accounts";

/** The table of the credentials of a kind of proof; undefined if they cannot be removed one at a time. */
const tableOfKind: Readonly<Record<MethodKind, CredentialTable | undefined>> = {
  password: undefined,
  passkey: "passkeys",
  totp: "totp_authenticators",
  recovery_code: undefined,
  provider: "oauth_accounts",
  mail_code: undefined,
};

/**
 * Whether each credential that these proofs were given with is the user's at this moment: no session begins
 * on one that was removed meanwhile (EP-13, PK-11). To be asked under the user's lock.
 */
export async function areHeld(
  user_id: string,
  methods: readonly SignInMethod[],
  tx: Pick<Verbs, "update">,
): Promise<boolean> {
  for (const { kind, credential } of methods) {
    const table = tableOfKind[kind];
    if (table === undefined || credential === null) continue;
    // A provider is deleted without the locks of its users, who may be very many. Its removal of the row
    // waits for this write, and sees the session that follows it.
    if ((await tx.update(table, { id: credential, user_id }, { user_id })) === 0) return false;
  }
  return true;
}
