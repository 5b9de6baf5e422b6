/** Consents: a user's lasting permission for an app to use certain scopes (spec 2.10). */

import type { OAuthConsent } from "../../records/definition/definition.ts";
import { stateOfConsent } from "../../records/names/liveness.ts";
import { userLock } from "../../records/names/lock_names.ts";
import { withConsented } from "../../records/rules/consented_scopes.ts";
import type { Database } from "../database/database.ts";

export function consentRules(database: Database, newId: (now: Date) => string) {
  return {
    async findConsent(user_id: string, app_id: string): Promise<OAuthConsent | undefined> {
      const consent = await database.find("oauth_consents", { user_id, app_id });
      return consent !== undefined && stateOfConsent(consent) === "active" ? consent : undefined;
    },

    /**
     * Adds the scopes to the user's active consent, or creates one. A withdrawn consent, or one for another
     * version of the client's metadata document (`document_hash`), is replaced.
     */
    async grantConsent(
      user_id: string,
      app_id: string,
      scopes: readonly string[],
      now: Date,
      document_hash: string | null = null,
      resource_ids: readonly string[] = [],
    ) {
      await database.transaction(async (tx) => {
        await tx.lock(userLock(user_id));
        const granted = { type: "consent.granted", key: user_id, data: { app_id } } as const;
        await database.feed?.tell(tx.connection, granted, { at: now, actor_kind: "user" });
        const consent = await tx.find("oauth_consents", { user_id, app_id });
        if (consent === undefined) {
          await tx.insert("oauth_consents", {
            id: newId(now),
            user_id,
            app_id,
            scopes,
            granted_at: now,
            last_used_at: now,
            created_at: now,
            updated_at: now,
            document_hash,
            scopes_by_resource: withConsented(null, scopes, resource_ids),
          });
          return;
        }
        const isKept = stateOfConsent(consent) === "active" && consent.document_hash === document_hash;
        const kept = isKept ? consent.scopes : [];
        await tx.update(
          "oauth_consents",
          { id: consent.id },
          {
            scopes: [...new Set([...kept, ...scopes])],
            granted: true,
            granted_at: now,
            last_used_at: now,
            revoked: false,
            revoked_at: null,
            revoked_reason: null,
            updated_at: now,
            document_hash,
            scopes_by_resource:
              isKept && consent.scopes_by_resource === null
                ? null
                : withConsented(isKept ? consent.scopes_by_resource : null, scopes, resource_ids),
          },
        );
      });
    },
  };
}
