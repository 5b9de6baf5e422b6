import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { roleLists } from "../../src/records/names/names.ts";
import { aGroup, aMembership, anInvitation, anOrganization } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

const holders = { memberships: aMembership, groups: aGroup, invitations: anInvitation } as const;

for (const database of databases)
  for (const list of roleLists)
    test(`OC-6: deleted roles are removed from the \`${list}\` of their organization, those of the server from all, on ${database.title}`, async () => {
      const store = await database.open();
      const [acme, other] = [await anOrganization(store), await anOrganization(store)];
      const [one, two, kept] = [randomUUID(), randomUUID(), randomUUID()];
      for (const { id: organization_id } of [acme, other])
        for (const make of Object.values(holders)) {
          await make(store, { organization_id, [list]: [one, kept, two] });
          await make(store, { organization_id });
        }
      const given = async ({ id: organization_id }: { readonly id: string }) => {
        const rows = Object.keys(holders).map((table) =>
          store.list(table as keyof typeof holders, { organization_id }, { order_by: "id" }),
        );
        return (await Promise.all(rows)).map((found) => found.map((row) => row[list].length).toSorted());
      };
      const forget = (ids: readonly string[], organization_id: string | null) =>
        store.transaction((tx) => store.forgetRoles(tx, list, ids, organization_id));
      const each = <V>(value: V) => Object.keys(holders).map(() => value);

      await forget([one, two, randomUUID()], acme.id);
      assert.deepEqual([await given(acme), await given(other)], [each([0, 1]), each([0, 3])]);
      const [membership] = (await store.list("memberships", { organization_id: acme.id })).filter(
        (row) => row[list].length > 0,
      );
      assert.deepEqual(membership?.[list], [kept]);
      await forget([one], null);
      assert.deepEqual(await given(other), each([0, 2]));
      await forget([], null);
      assert.deepEqual(await given(other), each([0, 2]));
    });
