/** What a manifest may not do to apps: each resource is one app's (design 6.7). */
import { reason } from "../../errors/field_errors.ts";
import type { OAuthApp } from "../../records/definition.ts";
import { appLock, appResourcesLock } from "../../records/lock_names.ts";
import { ownResources } from "../../records/metadata.ts";
import type { ManifestRules } from "./manifest_rules.ts";
import type { Outcome, Passage } from "./passage.ts";

/** The resources that the app becomes which it was not. */
function resourcesAdded({ before, after }: Passage<"oauth_apps">): string[] {
  const had = before === undefined ? [] : ownResources(before);
  return after === undefined ? [] : ownResources(after).filter((resource) => !had.includes(resource));
}

/** The apps that are a resource, by resource: asked once for each outcome. */
const holdersIn = new WeakMap<Outcome, Map<string, OAuthApp[]>>();

async function holdersOf(outcome: Outcome): Promise<Map<string, OAuthApp[]>> {
  const known = holdersIn.get(outcome);
  if (known !== undefined) return known;
  const holders = new Map<string, OAuthApp[]>();
  for (const app of await outcome.list("oauth_apps", {})) {
    for (const resource of ownResources(app)) holders.set(resource, [...(holders.get(resource) ?? []), app]);
  }
  holdersIn.set(outcome, holders);
  return holders;
}

export const refusingApps: Pick<ManifestRules<"oauth_apps">, "refusals" | "locks"> = {
  async refusals(app, outcome) {
    const added = resourcesAdded(app);
    if (added.length === 0) return [];
    const holders = await holdersOf(outcome);
    const other = added.flatMap((resource) => holders.get(resource) ?? []).find(({ id }) => id !== app.id);
    if (other === undefined) return [];
    return [["conflict", reason("resource_of_other_app", { client_id: other.client_id })]];
  },
  locks: (app) => [
    ...(resourcesAdded(app).length > 0 ? [appResourcesLock()] : []),
    ...(app.after === undefined ? [appLock(app.id)] : []),
  ],
};
