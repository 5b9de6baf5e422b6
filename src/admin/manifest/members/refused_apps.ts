import { reason } from "../../../errors/field_errors.ts";
import { perObject } from "../../../lazily.ts";
import type { OAuthApp } from "../../../records/definition/definition.ts";
import { resourcesInMetadata } from "../../../records/formats/metadata.ts";
import { appLock, appResourcesLock } from "../../../records/names/lock_names.ts";
import type { Outcome, Passage, Refused } from "../../manage/manifest_passage.ts";
import type { ManifestRules } from "../../manage/manifest_rules.ts";

function resourcesAdded({ before, after }: Passage<"oauth_apps">): string[] {
  const had = resourcesInMetadata(before?.metadata ?? null).own;
  return resourcesInMetadata(after?.metadata ?? null).own.filter((resource) => !had.includes(resource));
}

const holdersOf = perObject(async (outcome: Outcome): Promise<Map<string, OAuthApp[]>> => {
  const holders = new Map<string, OAuthApp[]>();
  for (const app of await outcome.list("oauth_apps", {})) {
    for (const resource of resourcesInMetadata(app.metadata).own) {
      holders.set(resource, [...(holders.get(resource) ?? []), app]);
    }
  }
  return holders;
});

async function unknownResources(
  { before, after }: Passage<"oauth_apps">,
  outcome: Outcome,
): Promise<Refused[]> {
  const added = (after?.resources ?? []).filter((identifier) => !before?.resources.includes(identifier));
  const refused: Refused[] = [];
  for (const name of added) {
    const found = await outcome.list("resources", { identifier: name });
    if (found.length > 0) continue;
    refused.push(["conflict", reason("no_record_called", { record: "API", field: "identifier", name })]);
  }
  return refused;
}

const isMoved = ({ before, after }: Passage<"oauth_apps">) =>
  before !== undefined && after !== undefined && before.organization_id !== after.organization_id;

export const refusingApps: Pick<ManifestRules<"oauth_apps">, "refusals" | "locks"> = {
  async refusals(app, outcome) {
    const unknown = await unknownResources(app, outcome);
    const added = resourcesAdded(app);
    if (added.length === 0) return unknown;
    const holders = await holdersOf(outcome);
    const other = added.flatMap((resource) => holders.get(resource) ?? []).find(({ id }) => id !== app.id);
    if (other === undefined) return unknown;
    return [...unknown, ["conflict", reason("resource_of_other_app", { client_id: other.client_id })]];
  },
  locks: (app) => [
    ...(resourcesInMetadata(app.after?.metadata ?? null).own.length > 0 || isMoved(app)
      ? [appResourcesLock()]
      : []),
    ...(app.after === undefined ? [appLock(app.id)] : []),
  ],
};

/** An organization's API may list only apps of the same organization. */
export const refusingResources: Pick<ManifestRules<"resources">, "refusals" | "locks"> = {
  async refusals({ before, after }, outcome) {
    if (after === undefined || after.organization_id === null) return [];
    const isMoved = before?.organization_id !== after.organization_id;
    const added = isMoved ? after.app_ids : after.app_ids.filter((id) => !before?.app_ids.includes(id));
    for (const id of added) {
      const [app] = await outcome.list("oauth_apps", { id });
      if (app?.organization_id !== after.organization_id) {
        return [["conflict", reason("app_of_other_organization")]];
      }
    }
    return [];
  },
  // Prevents a listed app from moving to another organization meanwhile.
  locks: () => [appResourcesLock()],
};
