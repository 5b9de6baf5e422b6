/** Ends everything that depends on a removed link to an account at a provider. */
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
   * The key of the account at the provider. Absent if the provider is deleted too, because proofs from it are
   * then worthless.
   */
  readonly account_key?: Buffer;
  readonly at: Date;
  readonly here?: Pick<Session, "id"> | undefined;
}

export function endedLinkRules(rules: Rules) {
  const { markUnlinked, enqueueRevocation, endOpenedSessions, provideAttributes } = rules;
  return {
    /**
     * Ends everything that depends on a link, in a transaction that holds the lock of the link's user or has
     * removed the link. Proofs of the linked account become void (EP-11). The tokens at the provider are
     * revoked after the commit (EP-19). Attributes that the provider wrote are removed (OC-7). Sessions that
     * depend on the link end, except the session `here` if it also depends on another proof. Returns whether
     * that session remains.
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
