/**
 * Tokens of providers that a link kept and that wait to be revoked there (EP-19), in the table `ephemera`:
 * written in the transaction that removes the link, so that no crash forgets them.
 */
import type { OAuthAccount, Provider } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import type { Verbs } from "../database/verbs.ts";
import { waitingRows } from "../database/waiting_rows.ts";

const kind = "upstream_revocation";

const minute = 60_000;
/** When each try is due after the link was removed, milliseconds; the last one is the end of it. */
const tries = [0, minute, 10 * minute, 60 * minute, 6 * 60 * minute] as const;
/** Whatever is left of them goes after a day. */
const kept = 24 * 60 * minute;
/** Tries claimed in one batch: a silent provider delays no more than these. */
const mostClaimed = 50;

/** The removed link, and the record of its provider at that time. */
interface TokensToRevoke {
  readonly link: Pick<OAuthAccount, "id" | "user_id" | "provider" | "access_token" | "refresh_token">;
  /** As in JSON: times are text. */
  readonly provider: Provider;
}

/** A try that one process alone makes. */
export interface RevocationTry extends TokensToRevoke {
  readonly row_id: string;
  /** No other one follows. */
  readonly last: boolean;
}

export function upstreamRevocationRules(database: Database, newId: (now: Date) => string) {
  const waiting = waitingRows(database, kind);
  return {
    /**
     * Keeps the tokens of a link that is being removed, sealed as they are; nothing if it has none, or no
     * record says where they came from.
     */
    async enqueueRevocation(
      tx: Pick<Verbs, "find" | "insert">,
      { id, user_id, provider: slug, provider_id, access_token, refresh_token }: OAuthAccount,
      at: Date,
    ): Promise<void> {
      if (access_token === "" || provider_id === null) return;
      const provider = await tx.find("providers", { id: provider_id });
      if (provider === undefined) return;
      const key = Buffer.from(id.replaceAll("-", "").repeat(2), "hex");
      // Another removal of the same link came first, for which this one waited.
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

    /**
     * The tries that are due, each for one caller alone: of several processes one gets it. A process that
     * ends meanwhile leaves the next try to any other one.
     */
    async claimRevocations(now: Date): Promise<RevocationTry[]> {
      const claimed: RevocationTry[] = [];
      for await (const { id: row_id, count, value, created_at } of waiting()) {
        if (claimed.length === mostClaimed) break;
        const due = tries[count];
        if (due === undefined || value === null) continue;
        // The first try has no pause, also where the clock was set back since (docs/decisions/operations.md).
        if (due > 0 && created_at.getTime() + due > now.getTime()) continue;
        const changed = await database.update("ephemera", { id: row_id, count }, { count: count + 1 });
        if (changed === 0) continue;
        const content = JSON.parse(value) as TokensToRevoke;
        claimed.push({ ...content, row_id, last: count + 1 === tries.length });
      }
      return claimed;
    },

    /** Forgets tokens that were revoked, or cannot be. */
    async forgetRevocation({ row_id }: Pick<RevocationTry, "row_id">): Promise<void> {
      await database.remove("ephemera", { id: row_id, kind });
    },
  };
}
