/** Every check that depends on the owner of a row agrees with an oracle that was written independently. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { mayDo, visibility } from "../../src/admin/access/access.ts";
import { permissionsOfActor } from "../../src/admin/access/actor.ts";
import { organizationIdOf, ownerOfNew, ownerOfRow } from "../../src/admin/access/owners.ts";
import { recheckPermission } from "../../src/admin/guards/guards.ts";
import { resources } from "../../src/admin/resources/resources.ts";
import { Problem } from "../../src/errors.ts";
import { fieldsOf, type Row, type TableName, tables } from "../../src/records/definition/definition.ts";
import {
  isRole,
  type Permission,
  rolePermissions,
  selfPermissions,
} from "../../src/records/definition/permissions.ts";
import type { Store } from "../../src/storage/store.ts";
import { start } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { inForm } from "../support/form.ts";
import { anyGraph, type OwnedFixture, type OwnedRow, ownedFixture, type Whose } from "./owned_fixture.ts";

const sorted = (ids: Iterable<string>) => [...new Set(ids)].sort();
const all = ({ organizations, readers = [] }: Whose) => [...organizations, ...readers];
const typeOf = new Map(
  Object.values(resources).map(({ table, resourceType }) => [table as TableName, resourceType]),
);

/** Returns whether the user has the permission, through memberships or for their own records. */
function may(
  fixture: OwnedFixture,
  user_id: string,
  permission: Permission,
  user: string | null,
  among: readonly string[],
) {
  if (user === user_id && selfPermissions.includes(permission)) return true;
  return fixture.memberships.some(
    (membership) =>
      membership.user_id === user_id &&
      among.includes(membership.organization_id) &&
      ((isRole(membership.role) && rolePermissions[membership.role].includes(permission)) ||
        membership.permissions?.includes(permission)),
  );
}

/** Returns every row of a table that the actor may see and that has this value in this column. */
async function listed<T extends TableName>(
  store: Store,
  table: T,
  visible: { organization_ids: readonly string[]; user_id: string | null },
  where: Record<string, unknown>,
) {
  const { rows, next_cursor } = await store.listPage(table, { where: where as never, visible, limit: 200 });
  assert.equal(next_cursor, null, table);
  return rows.map((row) => (row as { id: string }).id).sort();
}

/** Returns the columns with ids, by which lists find the owner of a row. */
const idColumns = (table: TableName) =>
  Object.entries(fieldsOf(table)).flatMap(([name, { kind }]) =>
    (kind === "uuid" && name !== "id") || name === "actor_id" ? [name] : [],
  );

const viewer = fc.record({ organizations: fc.subarray([0, 1, 2]), user: fc.option(fc.nat(2)) });

for (const database of databases)
  describe(`H-22: organizations and owners of rows on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    const property = (
      title: string,
      runs: number,
      holds: (
        fixture: OwnedFixture,
        by: typeof viewer extends fc.Arbitrary<infer V> ? V : never,
      ) => Promise<void>,
    ) =>
      test(title, async () => {
        await fc.assert(
          fc.asyncProperty(anyGraph, viewer, async (graph, by) =>
            holds(await ownedFixture(store, graph), by),
          ),
          { numRuns: inForm(Math.ceil(runs / (database.name === "SQLite" ? 2 : 4)), runs) },
        );
      });

    property(
      "H-22: a look-up, the check under the lock, the check before a write and the audit agree",
      12,
      async ({ rows }) => {
        assert.deepEqual(sorted(rows.map(({ table }) => table)), Object.keys(tables).sort());
        await store.transaction(async (tx) => {
          for (const { table, row, whose } of rows) {
            const said = await store.ownerOf(table, row.id);
            assert.deepEqual(sorted(said?.organization_ids ?? []), sorted(all(whose)), table);
            assert.equal(said?.user_id, whose.user, table);
            const inside = await ownerOfRow(tx, table, row);
            assert.deepEqual(sorted(inside.organization_ids), sorted(whose.organizations), table);
            assert.equal(inside.user_id, whose.user, table);
            assert.equal(await organizationIdOf(tx, table, row), whose.organizations[0] ?? null, table);
            const { added_to } = whose;
            assert.deepEqual(
              await ownerOfNew(store, table, row as never),
              {
                organization_ids: added_to && "organization" in added_to ? [added_to.organization] : [],
                user_id: added_to && "user" in added_to ? added_to.user : null,
              },
              table,
            );
          }
        });
      },
    );

    property(
      "H-22: a list holds exactly what belongs to its viewer, whatever it is narrowed by",
      8,
      async (fixture, by) => {
        const visible = {
          organization_ids: by.organizations.map((index) => fixture.organizations[index]?.id ?? ""),
          user_id: by.user === null ? null : (fixture.users[by.user]?.id ?? ""),
        };
        const isTheirs = ({ whose }: OwnedRow) =>
          (whose.user !== null && whose.user === visible.user_id) ||
          all(whose).some((id) => visible.organization_ids.includes(id));
        for (const table of Object.keys(tables) as TableName[]) {
          const here = fixture.rows.filter((each) => each.table === table);
          const idsOf = (rows: readonly OwnedRow[]) => rows.map(({ row }) => row.id).sort();
          assert.deepEqual(await listed(store, table, visible, {}), idsOf(here.filter(isTheirs)), table);
          for (const name of idColumns(table))
            for (const value of new Set(here.map(({ row }) => (row as Record<string, unknown>)[name]))) {
              const fitting = here.filter(({ row }) => (row as Record<string, unknown>)[name] === value);
              const found = await listed(store, table, visible, { [name]: value });
              assert.deepEqual(found, idsOf(fitting.filter(isTheirs)), `${table} of ${name} ${value}`);
            }
        }
        for (const table of ["users", "organizations", "oauth_apps", "service_accounts"] as const) {
          const here = fixture.rows.filter((each) => each.table === table);
          const named = await store.namesOf(
            table,
            here.map(({ row }) => row.id),
            visible,
          );
          assert.deepEqual(
            [...named.keys()].sort(),
            here
              .filter(isTheirs)
              .map(({ row }) => row.id)
              .sort(),
            table,
          );
        }
      },
    );

    property(
      "H-22: what somebody may read is what they see in lists, and what they may write passes under the lock",
      8,
      async (fixture) => {
        for (const user of fixture.users) {
          const context = { store, actor: { kind: "user", user } } as const;
          const actorPermissions = await permissionsOfActor(context);
          for (const [table, resourceType] of typeOf) {
            const here = fixture.rows.filter((each) => each.table === table);
            const [read, write] = [`${resourceType}:read`, `${resourceType}:write`] as const;
            const readable = here.filter(({ whose }) => may(fixture, user.id, read, whose.user, all(whose)));
            const visible = await visibility(context, resourceType).catch((error: unknown) => {
              assert.ok(error instanceof Problem && error.code === "forbidden");
              return { organization_ids: [], user_id: null };
            });
            assert.ok(visible !== undefined);
            assert.deepEqual(
              await listed(store, table, visible, {}),
              readable.map(({ row }) => row.id).sort(),
              table,
            );
            for (const each of here) {
              assert.equal(await mayDo(context, read, table, each.row.id), readable.includes(each), table);
              const writable = may(fixture, user.id, write, each.whose.user, all(each.whose));
              assert.equal(await mayDo(context, write, table, each.row.id), writable, table);
              const under_lock = store.transaction((tx) =>
                recheckPermission(tx, actorPermissions, table, each.row as Row<TableName>),
              );
              const passes = await under_lock.then(
                () => true,
                (error: unknown) => {
                  assert.ok(error instanceof Problem && error.code === "not_found");
                  return false;
                },
              );
              assert.equal(
                passes,
                may(fixture, user.id, write, each.whose.user, each.whose.organizations),
                table,
              );
            }
          }
        }
      },
    );

    property(
      "H-22: an event that names no organization is told to one that may read its target",
      6,
      async ({ rows }) => {
        for (const { table, row } of rows)
          store.queueEvent({
            type: "probe",
            outcome: "success",
            actor_kind: "system",
            actor_id: null,
            target_table: table,
            target_id: row.id,
            client_ip: null,
            user_agent: null,
            request_id: null,
            details: null,
            created_at: start,
          });
        await store.flushEvents();
        for (const { table, row, whose } of rows) {
          const [event] = await store.list("audit_events", { target_id: row.id });
          const reported = event?.organization_id ?? null;
          if (all(whose).length === 0) assert.equal(reported, null, table);
          else assert.ok(reported !== null && all(whose).includes(reported), table);
        }
      },
    );
  });
