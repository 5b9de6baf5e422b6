/**
 * What a manifest may not do, however right each of its records is: it looks at the records as all of it
 * would leave them.
 */
import { isDeepStrictEqual } from "node:util";
import { detail } from "../../errors/details.ts";
import { type FieldError, type Reason, reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { OAuthApp, Row, TableName } from "../../records/definition.ts";
import {
  administratorsLock,
  appLock,
  appResourcesLock,
  type LockName,
  ownersLock,
  userLock,
} from "../../records/lock_names.ts";
import { ownResources } from "../../records/metadata.ts";
import type { Verbs } from "../../storage/verbs.ts";
import type { Values } from "./planned.ts";
import type { Prepared } from "./prepare.ts";
import type { PrunedRecord } from "./prune.ts";

type Reader = Pick<Verbs, "find" | "list">;

/** A row before and after the manifest; `after` is undefined when it goes. */
interface Passage {
  readonly table: TableName;
  readonly id: string;
  readonly label: string;
  readonly before: Values;
  readonly after: Values | undefined;
}

/** Every record that changes or goes; parts of records are none. */
function passagesOf(prepared: readonly Prepared[], pruned: readonly PrunedRecord[]): Passage[] {
  const changed = prepared.flatMap(({ record, rows }) =>
    rows.flatMap(({ table, current, values, part }): Passage[] =>
      current === undefined || part !== undefined
        ? []
        : [
            {
              table,
              id: record.id,
              label: record.label,
              before: current,
              after: { ...current, ...values },
            },
          ],
    ),
  );
  return [...changed, ...pruned.map(({ row, ...rest }) => ({ ...rest, before: row, after: undefined }))];
}

const isAdministrator = (user: Values | undefined) =>
  user?.is_platform_admin === true && user.active === true;
const isOwner = (membership: Values | undefined) => membership?.role === "owner";

/**
 * Throws 409 naming every record that the manifest may not change: `last_administrator`, `last_owner`, and
 * `successor_required` for a removed user who still owns records of organizations. `conflict` names other
 * records of people that belong to a removed one, and two apps that are one resource.
 */
export async function refuseManifest(
  reader: Reader,
  prepared: readonly Prepared[],
  pruned: readonly PrunedRecord[],
): Promise<void> {
  const passages = passagesOf(prepared, pruned);
  const after = outcomeOf(reader, prepared, pruned);
  const refusals: { readonly code: string; readonly error: FieldError }[] = [];

  for (const { table, id, label, before, after: is } of passages) {
    const refuse = (code: string, why: Reason) => refusals.push({ code, error: { path: label, ...why } });
    const goes = is === undefined;
    if (table === "users") {
      if (isAdministrator(before) && !isAdministrator(is)) {
        const administrators = await after.list("users", { is_platform_admin: true, active: true });
        if (administrators.length === 0) {
          refuse("last_administrator", reason("last_administrator"));
        }
      }
      const apps = goes ? await after.list("oauth_apps", { owner_id: id }) : [];
      const accounts = goes ? await after.list("service_accounts", { created_by: id }) : [];
      if (apps.length + accounts.length > 0) {
        const ofOrganizations = accounts.length > 0 || apps.some((app) => app.organization_id !== null);
        refuse(
          ofOrganizations ? "successor_required" : "conflict",
          reason("still_owns", { apps: apps.length, service_accounts: accounts.length }),
        );
      }
    }
    if (table === "organizations" && goes) {
      const apps = await after.list("oauth_apps", { organization_id: id });
      const accounts = await after.list("service_accounts", { organization_id: id });
      if (apps.length + accounts.length > 0) {
        refuse("conflict", reason("still_has", { apps: apps.length, service_accounts: accounts.length }));
      }
    }
    for (const organization_id of await ownershipsLost(reader, table, id, before, is)) {
      const organization = await reader.find("organizations", { id: organization_id });
      if (after.goes("organizations", organization_id) || (await after.hasOwner(organization_id))) continue;
      refuse("last_owner", reason("last_owner", { organization: String(organization?.slug) }));
    }
  }
  const added = resourcesAdded(prepared);
  const holders =
    added.length === 0 ? new Map<string, OAuthApp[]>() : holdersOf(await after.list("oauth_apps", {}));
  for (const { label, app, resources } of added) {
    const others = resources.flatMap((resource) => holders.get(resource) ?? []);
    const other = others.find(({ id }) => id !== app.id);
    if (other === undefined) continue;
    const why = reason("resource_of_other_app", { client_id: other.client_id });
    refusals.push({ code: "conflict", error: { path: label, ...why } });
  }
  const [first] = refusals;
  if (first === undefined) return;
  const errors = refusals.map(({ error }) => error);
  throw new Problem(409, first.code, detail("manifest_refused"), errors);
}

/** Apps that become resources which they were not: each resource is one app's (design 6.7). */
function resourcesAdded(prepared: readonly Prepared[]) {
  return prepared.flatMap(({ record, rows }) =>
    rows.flatMap(({ table, current, values }) => {
      if (table !== "oauth_apps" || values.metadata == null) return [];
      const app = { ...current, ...values } as unknown as OAuthApp;
      const had = current === undefined ? [] : ownResources(current as unknown as OAuthApp);
      const resources = ownResources(app).filter((resource) => !had.includes(resource));
      return resources.length === 0 ? [] : [{ label: record.label, app, resources }];
    }),
  );
}

/** The apps that are a resource, by resource. */
function holdersOf(apps: readonly OAuthApp[]): Map<string, OAuthApp[]> {
  const holders = new Map<string, OAuthApp[]>();
  for (const app of apps) {
    for (const resource of ownResources(app)) holders.set(resource, [...(holders.get(resource) ?? []), app]);
  }
  return holders;
}

/** The organizations that lose an owner with this passage. */
async function ownershipsLost(
  reader: Reader,
  table: TableName,
  id: string,
  before: Values,
  after: Values | undefined,
): Promise<string[]> {
  if (table === "memberships") {
    return isOwner(before) && !isOwner(after) ? [String(before.organization_id)] : [];
  }
  if (table !== "users" || after !== undefined) return [];
  const memberships = await reader.list("memberships", { user_id: id, role: "owner" });
  return memberships.map(({ organization_id }) => organization_id);
}

/** The records as they are once the manifest is written and what it prunes is gone. */
function outcomeOf(reader: Reader, prepared: readonly Prepared[], pruned: readonly PrunedRecord[]) {
  const going = new Set(pruned.map(({ table, id }) => `${table} ${id}`));
  const written = new Map<TableName, Map<unknown, Values>>();
  for (const { table, current, values } of prepared.flatMap(({ rows }) => rows)) {
    const rows = written.get(table) ?? new Map<unknown, Values>();
    written.set(table, rows.set((current ?? values).id, { ...current, ...values }));
  }

  /** The rows that stay for which all of `where` holds. */
  async function list<T extends TableName>(table: T, where: Partial<Row<T>>): Promise<Row<T>[]> {
    const rows = new Map<unknown, Values>();
    for (const row of (await reader.list(table, where as never)) as Values[]) rows.set(row.id, row);
    for (const [id, row] of written.get(table) ?? []) rows.set(id, { ...rows.get(id), ...row });
    const holds = (row: Values) =>
      Object.entries(where).every(([name, value]) => isDeepStrictEqual(row[name], value));
    return [...rows.values()].filter((row) => holds(row) && !going.has(`${table} ${row.id}`)) as Row<T>[];
  }

  return {
    list,
    goes: (table: TableName, id: string) => going.has(`${table} ${id}`),
    async hasOwner(organization_id: string): Promise<boolean> {
      for (const { user_id } of await list("memberships", { organization_id, role: "owner" })) {
        if ((await list("users", { id: user_id, active: true })).length > 0) return true;
      }
      return false;
    },
  };
}

/** The locks under which the refusals hold to the end of the transaction. */
export function locksOf(prepared: readonly Prepared[], pruned: readonly PrunedRecord[]): LockName[] {
  const prunedOf = (table: TableName) => pruned.filter((record) => record.table === table);
  const changes = passagesOf(prepared, pruned).flatMap(({ table, before, after }) => {
    if (table === "memberships" && isOwner(before) && !isOwner(after)) {
      return [ownersLock(String(before.organization_id))];
    }
    return table === "users" && isAdministrator(before) && !isAdministrator(after)
      ? [administratorsLock()]
      : [];
  });
  const names = [
    ...changes,
    ...(resourcesAdded(prepared).length > 0 ? [appResourcesLock()] : []),
    ...prunedOf("users").map(({ id }) => userLock(id)),
    ...prunedOf("oauth_consents").map(({ row }) => userLock(String(row.user_id))),
    ...prunedOf("oauth_apps").map(({ id }) => appLock(id)),
  ];
  return [...new Map(names.map((name) => [name.text, name])).values()];
}
