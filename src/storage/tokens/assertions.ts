/** Redeems the assertion of a service account: marks it as used and stores the token, in one transaction. */

import type { OAuthToken } from "../../records/definition/definition.ts";
import { hasPassed, stateOfApp, stateOfCredential, stateOfSwitch } from "../../records/names/liveness.ts";
import { assertionLock } from "../../records/names/lock_names.ts";
import type { Database, Transaction } from "../database/database.ts";
import type { FamilyRules } from "./families.ts";

/**
 * Other outcomes than `spent` and `already_used` name the record that has ended since the request was read.
 */
export type AssertionOutcome =
  | "spent"
  | "already_used"
  | "account_deleted"
  | "account_inactive"
  | "organization_inactive"
  | `key_${Exclude<ReturnType<typeof stateOfCredential>, "active">}`
  | "app_ended";

export interface RedeemAssertion {
  readonly once_key: Buffer;
  readonly once_ends_at: Date;
  readonly key_pair_id: string;
  readonly token: OAuthToken & { readonly service_account_id: string };
  readonly now: Date;
}

export function assertionRules(
  database: Database,
  { insertToken }: Pick<FamilyRules, "insertToken">,
  newId: (now: Date) => string,
) {
  const redeem = (redemption: RedeemAssertion) =>
    database.transaction(async (tx): Promise<AssertionOutcome> => {
      const { once_key, once_ends_at, key_pair_id, token, now } = redemption;
      await tx.lock(assertionLock(once_key.toString("hex")));
      const marked = await tx.find("ephemera", { kind: "assertion", key: once_key });
      if (marked !== undefined && !hasPassed(marked.expires_at, now)) return "already_used";
      if (!(await insertToken(token, { type: "key_pair", key_pair_id }, tx))) {
        return whatEnded(redemption, tx);
      }
      if (marked !== undefined) await tx.remove("ephemera", { id: marked.id });
      const row = {
        id: newId(now),
        kind: "assertion",
        key: once_key,
        expires_at: once_ends_at,
        created_at: now,
      };
      await tx.insert("ephemera", row);
      return "spent";
    });

  return {
    async redeemAssertion(redemption: RedeemAssertion): Promise<AssertionOutcome> {
      try {
        return await redeem(redemption);
      } catch (error) {
        // The failed reference may be to a record that was deleted since it was read.
        const { service_account_id, app_id } = redemption.token;
        const account = await database.find("service_accounts", { id: service_account_id });
        if (account === undefined) return "account_deleted";
        if ((await database.find("oauth_apps", { id: app_id })) === undefined) return "app_ended";
        throw error;
      }
    },
  };
}

async function whatEnded(
  { key_pair_id, token, now }: RedeemAssertion,
  tx: Transaction,
): Promise<Exclude<AssertionOutcome, "spent" | "already_used">> {
  const account = await tx.find("service_accounts", { id: token.service_account_id });
  if (account === undefined) return "account_deleted";
  const key = await tx.find("service_account_key_pairs", { id: key_pair_id });
  const key_state = key === undefined ? "revoked" : stateOfCredential(key, now);
  if (key_state !== "active") return `key_${key_state}`;
  const app = await tx.find("oauth_apps", { id: token.app_id });
  if (app === undefined || stateOfApp(app) !== "active") return "app_ended";
  const { organization_id } = account;
  if (stateOfSwitch(account) === "inactive" || organization_id === null) return "account_inactive";
  const organization = await tx.find("organizations", { id: organization_id });
  return organization && stateOfSwitch(organization) === "inactive"
    ? "organization_inactive"
    : "account_inactive";
}
