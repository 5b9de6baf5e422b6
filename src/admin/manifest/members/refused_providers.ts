/**
 * Changes to providers and linked accounts that a manifest may not make. A linked account could otherwise
 * sign in a different user (EP-2).
 */
import { reason } from "../../../errors/field_errors.ts";
import type { Provider } from "../../../records/definition/definition.ts";
import { recordLock, userLock } from "../../../records/names/lock_names.ts";
import { linkErrors } from "../../access/provider_of_link.ts";
import { differing } from "../../changes/changes.ts";
import { definitionsLock } from "../../guards/attribute_rules.ts";
import type { Outcome, Refused } from "../../manage/manifest_passage.ts";
import type { ManifestRules } from "../../manage/manifest_rules.ts";
import { repointingErrors } from "../../records/providers.ts";

function readsOf(outcome: Outcome): Parameters<typeof linkErrors>[0] {
  return { find: async (table, where) => (await outcome.list(table, where as never))[0] };
}

export const refusingProviders: Pick<ManifestRules<"providers">, "refusals" | "locks"> = {
  async refusals({ id, before, after }, outcome) {
    if (before === undefined) return [];
    const links = (await outcome.list("oauth_accounts", { provider_id: id })).length;
    if (after === undefined) {
      return links === 0 ? [] : [["links_exist", reason("still_linked", { links })]];
    }
    const changes: Partial<Provider> = differing<"providers">(before, after);
    return repointingErrors(before, changes, links).map(
      ({ code, params }): Refused => ["links_exist", { code, params } as Refused[1]],
    );
  },
  locks: ({ id, after }) => [
    recordLock("providers", id),
    ...(after?.attribute_claims ? [definitionsLock()] : []),
  ],
};

export const refusingLinks: Pick<ManifestRules<"oauth_accounts">, "refusals" | "locks"> = {
  async refusals({ before, after }, outcome) {
    if (before !== undefined || after === undefined) return [];
    const errors = await linkErrors(readsOf(outcome), after);
    return errors.map(({ code, params }): Refused => ["conflict", { code, params } as Refused[1]]);
  },
  // Deleting a linked account ends sessions of its user, under the user's lock.
  locks: ({ before, after }) =>
    before !== undefined && after === undefined ? [userLock(before.user_id)] : [],
};
