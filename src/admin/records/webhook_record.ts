/** The record in the body of a webhook whose endpoint has `include: ["record"]` (EV-5). */
import type { Row } from "../../records/definition/definition.ts";
import { readScope } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { subjectTables, subjectTypes } from "../../records/names/feed_events.ts";
import { type Actor, type ManagementStore, permissionsOfActor } from "../access/actor.ts";
import { seenRows } from "../access/seen_rows.ts";
import { viewFor } from "../changes/record_view.ts";

type Endpoint = Pick<Row<"webhook_endpoints">, "id" | "organization_id">;

/**
 * Returns the actor with whose permissions records are read for an endpoint; undefined if the organization
 * was deleted.
 */
async function readerOf(
  store: ManagementStore,
  { id: api_key_id, organization_id }: Endpoint,
): Promise<Actor | undefined> {
  if (organization_id === null) return { kind: "system", label: "webhook" };
  const organization = await store.find("organizations", { id: organization_id });
  return organization && { kind: "organization", organization, api_key_id, scopes: [readScope] };
}

/**
 * Returns the user, organization or app of an event as the API now shows it to a platform administrator, or
 * to an API key of the endpoint's organization that reads everything. Returns undefined if the record was
 * deleted or its owner cannot read it.
 */
export async function recordForWebhook(
  store: ManagementStore,
  endpoint: Endpoint,
  { subject_kind, subject_id }: Pick<Row<"events">, "subject_kind" | "subject_id">,
): Promise<PublicView | undefined> {
  const actor = await readerOf(store, endpoint);
  if (actor === undefined) return undefined;
  const [row] = await seenRows({ store, actor }, subjectTypes[subject_kind], [subject_id]);
  return row && viewFor(await permissionsOfActor({ store, actor }), subjectTables[subject_kind], row);
}
