/** One batch with many users has the same results as individual imports, with few statements (MG-6). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hashSync } from "bcryptjs";
import { importPeople } from "../../src/admin/imports/import_people.ts";
import type { Connection, Driver } from "../../src/storage/database/driver.ts";
import type { Store } from "../../src/storage/store.ts";
import { anOrganization, aProvider, aRole } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { testContext } from "./context.ts";

const hash = hashSync("an example of a password", 4);
const options = { source: "old" };
const person = (name: string) => ({
  ...{ external_id: name, email: `${name}@example.com`, name: `Name of ${name}`, password: { hash } },
});

/** Users of whom some conflict with an earlier or later one. */
const people = [
  { ...person("a"), memberships: [{ organization: "acme", role: "member" }] },
  { ...person("b"), email: "A@example.com" },
  { ...person("c"), linked_accounts: [{ provider: "idp", provider_user_id: "1" }] },
  { external_id: "a", email: "other@example.com", memberships: [{ organization: "acme", role: "admin" }] },
  { ...person("d"), linked_accounts: [{ provider: "idp", provider_user_id: "1" }] },
  { ...person("e"), attributes: { preferred_username: "same" } },
  { ...person("f"), attributes: { preferred_username: "same" } },
  { ...person("g"), id: "0195f4f2-7c3e-7a10-8a51-9d2c4b6e8f01" },
  { ...person("h"), id: "0195F4F2-7C3E-7A10-8A51-9D2C4B6E8F01" },
  { external_id: "i", email: "i@example.com" },
  {
    external_id: "i",
    email: "i@example.com",
    totp: [{ otpauth: "otpauth://totp/x?secret=JBSWY3DPEHPK3PXP" }],
  },
  { ...person("j"), password: { hash: "$2b$99$" }, memberships: [{ organization: "gone", role: "member" }] },
  { external_id: "k", email: "no address" },
  "no object",
  person("l"),
  { ...person("m"), memberships: [{ organization: "acme", role: "editor" }] },
  { ...person("n"), memberships: [{ organization: "acme", role: "ed1tor" }] },
];

for (const database of databases)
  describe(`batches of imported users on ${database.title}`, () => {
    async function fixture(around?: (driver: Driver) => Driver) {
      const store = await database.open({
        ...{ events: true, audit_streams: ["audit_file", "audit_syslog"] },
        ...(around && { around }),
      });
      const { id: organization_id } = await anOrganization(store, { slug: "acme" });
      await aRole(store, { organization_id, name: "editor" });
      await aProvider(store, { slug: "idp" });
      return { store, admin: testContext(store) };
    }

    /** Returns the rows that a run wrote, without ids. */
    async function left(store: Store) {
      const users = await store.list("users");
      // The clock does not move, so ids are in no order.
      const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
      const emailOf = (id: unknown) => users.find((user) => user.id === id)?.email;
      const audit = await store.list("audit_events");
      const events = await store.list("events", {}, { order_by: "type" });
      return {
        users: sorted(
          users.map(({ email, name, password_hash, attributes, created_at, email_verified_at }) => ({
            ...{ email, name, attributes, created_at, email_verified_at },
            has_password: password_hash !== null,
          })),
        ),
        hashes: sorted(
          (await store.list("foreign_passwords")).map(({ user_id, hash: text }) => [emailOf(user_id), text]),
        ),
        imported: sorted(
          (await store.list("imported_people")).map(({ user_id, external_id, carried }) => [
            ...[emailOf(user_id), external_id, carried],
          ]),
        ),
        memberships: sorted(
          (await store.list("memberships")).map(({ user_id, role }) => [emailOf(user_id), role]),
        ),
        links: sorted((await store.list("oauth_accounts")).map(({ user_id }) => emailOf(user_id))),
        apps: sorted((await store.list("totp_authenticators")).map(({ user_id }) => emailOf(user_id))),
        audit: sorted(audit.map(({ type, details }) => [type, details?.source, Object.keys(details ?? {})])),
        events: sorted(events.map(({ type, subject_id }) => [type, emailOf(subject_id)])),
        marks: (await store.count("ephemera", { kind: "audit_file" })) - audit.length,
        found: (await store.listPage("users", { search: "name of", limit: 50 })).rows.length,
      };
    }

    const told = (results: Awaited<ReturnType<typeof importPeople>>) =>
      results.map(({ status, losses, errors }) => ({ status, losses, errors }));

    test("MG-6: a batch import has the same results, records and events as importing each user alone", async () => {
      const [whole, single] = [await fixture(), await fixture()];
      const planned = await importPeople(whole.admin, people, { ...options, dry_run: true });
      assert.equal(await whole.store.count("users"), 0);
      const results = told(await importPeople(whole.admin, people, options));
      const alone = [];
      for (const each of people) alone.push(...(await importPeople(single.admin, [each], options)));
      assert.deepEqual(results, told(alone));
      assert.deepEqual(
        results.map(({ status }) => status).join(" "),
        "created refused created unchanged created created created created refused created updated created refused refused created created created",
      );
      assert.equal(planned.length, people.length);
      for (const { losses } of results.slice(-2))
        assert.deepEqual(
          losses.map(({ path, code }) => [path, code]),
          [["/memberships/0/role", "custom_role"]],
        );
      for (const role of ["editor", "ed1tor"])
        assert.equal(await whole.store.count("memberships", { role }), 0);
      assert.deepEqual(await left(whole.store), await left(single.store));
      const again = await importPeople(whole.admin, people, options);
      assert.ok(again.every(({ status }) => status === "unchanged" || status === "refused"));
    });

    test("MG-6: importing a hundred users takes few statements, and two concurrent runs create each user once", async () => {
      let statements = 0;
      const heard =
        <Input extends unknown[], R>(call: (...input: Input) => R) =>
        (...input: Input): R => {
          statements += 1;
          return call(...input);
        };
      const counted = ({ all, queryUnprepared, first, run }: Connection): Connection => ({
        ...{ all: heard(all), queryUnprepared: heard(queryUnprepared), first: heard(first), run: heard(run) },
      });
      const { store, admin } = await fixture((driver) => ({
        ...driver,
        ...counted(driver),
        transaction: (work, more) => driver.transaction((connection) => work(counted(connection)), more),
      }));
      await importPeople(admin, [person("first")], options);
      statements = 0;
      const crowd = Array.from({ length: 100 }, (_, index) => person(`p${index}`));
      await importPeople(admin, crowd, options);
      // The feed needs one statement for each user.
      assert.ok(statements - crowd.length < 50, `${statements} statements`);
      const more = Array.from({ length: 100 }, (_, index) => person(`q${index}`));
      const runs = await Promise.all([
        importPeople(admin, more, options),
        importPeople(admin, more.toReversed(), options),
      ]);
      const created = runs.flat().filter(({ status }) => status === "created");
      assert.deepEqual([created.length, runs.flat().length], [100, 200]);
      assert.ok(runs.flat().every(({ status }) => status !== "refused"));
      assert.equal(await store.count("users"), 201);
      assert.equal(await store.count("audit_events", { type: "user.imported" }), 201);
    });
  });
