/** Reads the record that a webhook contains if its endpoint has `include: ["record"]` (EV-5). */
import type { Row } from "../../records/definition/definition.ts";
import { readScope } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { subjectTables, subjectTypes } from "../../records/names/feed_events.ts";
import { type Actor, type ManagementStore, permissionsOfActor } from "../access/actor.ts";
import { seenRows } from "../access/seen_rows.ts";
import { viewFor } from "../changes/record_view.ts";

type Endpoint = Pick<Row<"webhook_endpoints">, "id" | "organization_id">;

async function readerOf(
  store: ManagementStore,
  { id: api_key_id, organization_id }: Endpoint,
): Promise<Actor | undefined> {
  if (organization_id === null) return { kind: "system", label: "webhook" };
  const organization = await store.find("organizations", { id: organization_id });
  return organization && { kind: "organization", organization, api_key_id, scopes: [readScope] };
}

/**
 * Returns the event's user, organization or app with the fields that the endpoint's owner may see now.
 * Returns undefined if the record was deleted or the owner may not read it.
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
