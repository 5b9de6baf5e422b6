/**
 * Creates API records for APIs that an app names in `metadata`. Earlier versions had no API records and
 * stored the names there.
 */
import type { ApiResource, NewRow, OAuthApp } from "../../records/definition/definition.ts";
import { resourcesInMetadata } from "../../records/formats/metadata.ts";
import { identifierKey } from "../../records/names/resource_identifiers.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import type { AdminContext } from "../access/actor.ts";
import type { AdminEvent } from "../changes/audit.ts";
import { type Transaction, writeChange, writeNew } from "../changes/changes.ts";

export type Naming = Pick<OAuthApp, "id" | "name" | "organization_id" | "metadata" | "resources">;

export interface CarriedResource {
  readonly identifier: string;
  readonly current: ApiResource | undefined;
  readonly values: NewRow<"resources"> | Partial<ApiResource>;
}

type Reads = Pick<Verbs, "find">;

/** Returns the API records to create or change when an app's `metadata` changes. */
export async function carriedResources(
  reads: Reads,
  before: Naming | undefined,
  after: Naming,
  { id, at }: { readonly id: () => string; readonly at: Date },
): Promise<CarriedResource[]> {
  const was = resourcesInMetadata(before?.metadata ?? null);
  const is = resourcesInMetadata(after.metadata);
  const carried: CarriedResource[] = [];
  const known = (identifier: string) => reads.find("resources", { identifier });
  for (const identifier of is.own.filter((uri) => !was.own.includes(uri))) {
    const current = await known(identifier);
    if (current === undefined) {
      const { organization_id, name } = after;
      const values = await newResource(reads, { id: id(), identifier, name, organization_id }, at);
      carried.push({ identifier, current, values: { ...values, app_ids: [after.id] } });
    } else if (!current.app_ids.includes(after.id)) {
      carried.push({ identifier, current, values: { app_ids: [...current.app_ids, after.id] } });
    }
  }
  for (const identifier of was.own.filter((uri) => !is.own.includes(uri))) {
    const current = await known(identifier);
    if (current === undefined || !current.app_ids.includes(after.id)) continue;
    const app_ids = current.app_ids.filter((each) => each !== after.id);
    carried.push({ identifier, current, values: { app_ids } });
  }
  const made = new Set(carried.map(({ identifier }) => identifier));
  for (const identifier of after.resources) {
    if (!is.requested.includes(identifier) || made.has(identifier)) continue;
    if ((await known(identifier)) !== undefined) continue;
    const of = { id: id(), identifier, name: identifier.slice(0, 255), organization_id: null };
    carried.push({ identifier, current: undefined, values: await newResource(reads, of, at) });
  }
  return carried;
}

async function newResource(
  reads: Reads,
  of: Pick<NewRow<"resources">, "id" | "identifier" | "name" | "organization_id">,
  at: Date,
): Promise<NewRow<"resources">> {
  const key = identifierKey(of.identifier) ?? null;
  const other = key === null ? undefined : await reads.find("resources", { identifier_key: key });
  const identifier_key = other === undefined ? key : null;
  return { ...of, who_may_ask: "listed", identifier_key, created_at: at, updated_at: at };
}

/** Writes the changes that `carriedResources` returns. Call it in the transaction that writes the app. */
export async function carryResources(
  tx: Transaction,
  context: AdminContext,
  before: Naming | undefined,
  after: Naming,
  note: (event: AdminEvent) => void,
): Promise<void> {
  const at = context.now();
  const carried = await carriedResources(tx, before, after, { id: () => context.store.newId(at), at });
  for (const { current, values } of carried) {
    const written =
      current === undefined
        ? await writeNew(tx, context, "resources", values as NewRow<"resources">)
        : await writeChange(tx, context, "resources", current, values as Partial<ApiResource>, at);
    note(written.event);
  }
}
