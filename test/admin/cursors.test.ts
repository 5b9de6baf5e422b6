import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { before, describe, test } from "node:test";
import type { Actor } from "../../src/admin/access/actor.ts";
import { listRecords } from "../../src/admin/manage/list_records.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { sealer } from "../../src/crypto/sealing.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { anApp, anOrganization, aToken, aUser, later } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { aMembership } from "../support/management_fixture.ts";
import { problem, type TestContext, testContext } from "./context.ts";

for (const database of databasesInForm)
  describe(`cursors of lists on ${database.name}`, () => {
    let context: TestContext;
    let people: { readonly one: User; readonly other: User };
    let app_id: string;
    const tokens = resourceOf("tokens");
    const by = (user: User, more: Partial<Extract<Actor, { kind: "user" }>> = {}): TestContext => ({
      ...context,
      actor: { kind: "user", user, ...more },
    });
    const refused = (of: TestContext, query: Readonly<Record<string, string>>, what?: string) =>
      assert.rejects(listRecords(of, tokens, query), problem("invalid_page"), what);

    before(async () => {
      context = testContext(await database.open());
      const { store } = context;
      const organization = await anOrganization(store);
      const member = async () => {
        const user = await aUser(store);
        await aMembership(store, { user_id: user.id, organization_id: organization.id, role: "owner" });
        return user;
      };
      people = { one: await member(), other: await member() };
      app_id = (await anApp(store, { owner_id: people.one.id, organization_id: organization.id })).id;
      for (let index = 0; index < 5; index++)
        await aToken(store, { app_id, user_id: people.one.id, created_at: later(index) });
    });

    test("H-15: a list cursor is encrypted, and valid only for its caller and its list (security finding 14)", async () => {
      const mine = by(people.one);
      const { data, next_cursor } = await listRecords(mine, tokens, { app_id, revoked: "false", limit: "2" });
      const cursor = next_cursor ?? "";
      const bytes = Buffer.from(cursor.split(".").at(-1) ?? "", "base64url").toString("latin1");
      for (const { id } of data) {
        const hex = String(id).replaceAll("-", "");
        for (const text of [cursor, bytes]) {
          assert.ok(!text.includes(String(id)) && !text.includes(hex.slice(0, 8)));
          assert.ok(!text.includes(Buffer.from(hex, "hex").subarray(0, 6).toString("latin1")));
        }
      }
      const query = { revoked: "false", app_id };
      // The cursor works with the filters in another order, with another page size, and for another
      // credential of the same caller.
      for (const caller of [mine, by(people.one, { scopes: ["postern:read"] })]) {
        const rest = await listRecords(caller, tokens, { cursor, limit: "9", ...query });
        assert.deepEqual([rest.data.length, rest.next_cursor], [3, null]);
      }
      await refused(by(people.other), { ...query, cursor }, "somebody else of the same organization");
      await refused(context, { ...query, cursor }, "the operator");
      await refused(mine, { app_id, cursor }, "fewer filters");
      await refused(mine, { ...query, revoked: "true", cursor }, "another value");
      await refused(mine, { ...query, created_from: "2020-01-01T00:00:00Z", cursor }, "more filters");
      await assert.rejects(
        listRecords(mine, resourceOf("auth_codes"), { app_id, cursor }),
        problem("invalid_page"),
        "another list",
      );
    });

    test("H-15: a list cursor that is malformed, altered, outdated, or encrypted by a deleted key is refused", async () => {
      const mine = by(people.one);
      const { data, next_cursor } = await listRecords(mine, tokens, { limit: "2" });
      const cursor = next_cursor ?? "";
      const old = Buffer.from(JSON.stringify([data.at(-1)?.id])).toString("base64url");
      const forged = mine.sealer.seal("cookie", JSON.stringify([data.at(-1)?.id]), "");
      const wrong = [
        "",
        "x",
        " ",
        "%%%",
        "\u{1f600}",
        old,
        forged,
        cursor.slice(0, -1),
        `${cursor}A`,
        `${cursor} `,
      ];
      for (const each of wrong) await refused(mine, { cursor: each }, each);
      for (let index = 0; index < cursor.length; index += 7) {
        const altered = `${cursor.slice(0, index)}${cursor[index] === "A" ? "B" : "A"}${cursor.slice(index + 1)}`;
        await refused(mine, { cursor: altered }, altered);
      }
      const [key, next] = [randomBytes(32), randomBytes(32)];
      const under = (...keys: Buffer[]) => ({ ...mine, sealer: sealer(keys) });
      const kept = (await listRecords(under(key), tokens, { limit: "2" })).next_cursor ?? "";
      assert.equal((await listRecords(under(next, key), tokens, { cursor: kept })).data.length, 3);
      await refused(under(next), { cursor: kept }, "the key is gone");
    });
  });
