import type { OAuthAccount, Session } from "../../records/definition/definition.ts";
import type { Transaction } from "../database/database.ts";
import type { openedSessionRules } from "./opened_sessions.ts";
import type { providedAttributeRules } from "./provided_attributes.ts";
import type { unlinkedRules } from "./unlinked_accounts.ts";
import type { upstreamRevocationRules } from "./upstream_revocations.ts";

type Rules = ReturnType<typeof openedSessionRules> &
  ReturnType<typeof unlinkedRules> &
  Pick<ReturnType<typeof upstreamRevocationRules>, "enqueueRevocation"> &
  Pick<ReturnType<typeof providedAttributeRules>, "provideAttributes">;

export interface EndedLink {
  /**
   * Identifies the account at the provider. Absent if the provider itself is deleted, because its earlier
   * responses then have no effect.
   */
  readonly account_key?: Buffer;
  readonly at: Date;
  readonly here?: Pick<Session, "id"> | undefined;
}

export function endedLinkRules(rules: Rules) {
  const { markUnlinked, enqueueRevocation, endOpenedSessions, provideAttributes } = rules;
  return {
    /**
     * Ends what depends on a removed link to a provider: attributes, the provider's tokens (EP-19), and
     * sessions. With `account_key`, also invalidates earlier proofs that the user controls the account at the
     * provider (EP-11). Call it while holding the user's lock.
     */
    async endLink(
      tx: Transaction,
      link: OAuthAccount,
      { account_key, at, here }: EndedLink,
    ): Promise<"goes_on" | "ended"> {
      if (account_key !== undefined) await markUnlinked(tx, account_key, at);
      await enqueueRevocation(tx, link, at);
      const provider =
        link.provider_id === null ? undefined : await tx.find("providers", { id: link.provider_id });
      const cause = { actor_kind: "system" } as const;
      if (provider !== undefined)
        await provideAttributes(tx, link.user_id, { provider, values: {}, cause, at });
      return endOpenedSessions(tx, link.id, link.user_id, at, here);
    },
  };
}
