/**
 * Queues the provider's tokens of removed links until the provider has revoked them or the last attempt has
 * failed (EP-19). They are written in the transaction that removes the link, so that a crash does not lose
 * them.
 */
import type { OAuthAccount, Provider } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import type { Verbs } from "../database/verbs.ts";
import { waitingRows } from "../database/waiting_rows.ts";

const kind = "upstream_revocation";

const minute = 60_000;
/** Milliseconds from the removal of the link to each attempt. */
const tries = [0, minute, 10 * minute, 60 * minute, 6 * 60 * minute] as const;
const kept = 24 * 60 * minute;
/**
 * Maximum number of attempts that are claimed at once. A provider that does not respond delays the other
 * ones.
 */
const mostClaimed = 50;

interface TokensToRevoke {
  readonly link: Pick<OAuthAccount, "id" | "user_id" | "provider" | "access_token" | "refresh_token">;
  /** Decoded from JSON, so times are strings. */
  readonly provider: Provider;
}

export interface RevocationTry extends TokensToRevoke {
  readonly row_id: string;
  readonly last: boolean;
}

export function upstreamRevocationRules(database: Database, newId: (now: Date) => string) {
  const waiting = waitingRows(database, kind);
  return {
    async enqueueRevocation(
      tx: Pick<Verbs, "find" | "insert">,
      { id, user_id, provider: slug, provider_id, access_token, refresh_token }: OAuthAccount,
      at: Date,
    ): Promise<void> {
      if (access_token === "" || provider_id === null) return;
      const provider = await tx.find("providers", { id: provider_id });
      if (provider === undefined) return;
      const key = Buffer.from(id.replaceAll("-", "").repeat(2), "hex");
      // A concurrent removal of the same link has already queued its tokens.
      if ((await tx.find("ephemera", { kind, key })) !== undefined) return;
      const link = { id, user_id, provider: slug, access_token, refresh_token };
      const content: TokensToRevoke = { link, provider };
      await tx.insert("ephemera", {
        id: newId(at),
        kind,
        key,
        value: JSON.stringify(content),
        count: 0,
        expires_at: new Date(at.getTime() + kept),
        created_at: at,
      });
    },

    /** Each attempt is returned to one caller only. */
    async claimRevocations(now: Date): Promise<RevocationTry[]> {
      const claimed: RevocationTry[] = [];
      for await (const { id: row_id, count, value, created_at } of waiting()) {
        if (claimed.length === mostClaimed) break;
        const due = tries[count];
        if (due === undefined || value === null) continue;
        // The first attempt is always due, even if the clock was set back (docs/decisions/operations.md).
        if (due > 0 && created_at.getTime() + due > now.getTime()) continue;
        const changed = await database.update("ephemera", { id: row_id, count }, { count: count + 1 });
        if (changed === 0) continue;
        const content = JSON.parse(value) as TokensToRevoke;
        claimed.push({ ...content, row_id, last: count + 1 === tries.length });
      }
      return claimed;
    },

    async forgetRevocation({ row_id }: Pick<RevocationTry, "row_id">): Promise<void> {
      await database.remove("ephemera", { id: row_id, kind });
    },
  };
}
