import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { noteForwardingPeer } from "../../src/admin/reports/one_address.ts";
import {
  examineAddresses,
  examineDeletions,
  examineImported,
  examineIssuer,
  examinePasskeys,
} from "../../src/cli/doctor/checks.ts";
import { followIssuer } from "../../src/server/stored_issuer.ts";
import { insertAny } from "../storage/any_row.ts";
import { testServer } from "../support/authorization_server.ts";
import { aMembership, anApp, anOrganization, aToken, aUser, start } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { aPasskey } from "../support/passkeys.ts";

const [first, second] = ["https://first.example", "https://second.example"];

for (const database of databasesInForm)
  test(`if the base URL changes after tokens were issued, the start and doctor warn once, on ${database.name}`, async () => {
    const store = await database.open();
    /** Returns the warnings of a start. */
    const started = async (base_url: string | undefined) => {
      const warnings: string[] = [];
      const log = { warn: (_: object, message: string) => void warnings.push(message) };
      await followIssuer({ base_url }, { store, log, now: () => start });
      return warnings;
    };
    const examined = async (issuer: string) => (await examineIssuer(store, issuer, start)).ok;

    for (const base_url of [undefined, second, first, undefined]) {
      assert.deepEqual(await started(base_url), [], "nothing was issued");
    }
    await aToken(store);
    assert.deepEqual([await examined(first), await examined(second)], [true, false]);
    const [warning = "", ...others] = await started(second);
    assert.match(warning, /^the issuer changed from https:\/\/first\.example to https:\/\/second\.example: /);
    assert.deepEqual(others, []);
    assert.deepEqual(await started(second), []);
    assert.deepEqual([await examined(first), await examined(second)], [false, true]);
  });

for (const database of databasesInForm)
  test(`H-4: doctor names a reverse proxy that forwards requests but is not trusted, on ${database.name}`, async () => {
    const store = await database.open();
    const now = new Date("2030-02-01T00:00:00Z");
    const of = (trust_proxy: string[], at = now) =>
      examineAddresses(store, { base_url: undefined, trust_proxy }, at);
    assert.equal((await of([])).ok, true);
    await noteForwardingPeer(store, "10.0.0.5", now);
    const { ok, detail } = await of([]);
    assert.equal(ok, false);
    assert.match(detail, /^10\.0\.0\.5 forwards requests and is not trusted: .*POSTERN_TRUST_PROXY/);
    assert.equal((await of(["10.0.0.0/8"])).ok, true);
    assert.equal((await of([], new Date(now.getTime() + 3_600_001))).ok, true);
  });

for (const database of databasesInForm)
  describe(`doctor's check of passkeys on ${database.name}`, () => {
    test("PK-12 counts passkeys by host, and reports those that another host registered as wrong", async () => {
      const { server } = await testServer(await database.open());
      const { store, memory, passwords, sealer, now, report } = server;
      const context = { store, memory, passwords, sealer, now, report, throttle: true };
      assert.equal(await examinePasskeys(store, "https://id.example"), undefined);
      const user = await aUser(store);
      await aPasskey(user, context);
      await aPasskey(user, context);
      assert.deepEqual(await examinePasskeys(store, "https://id.example:8443"), {
        check: "passkeys",
        ok: true,
        detail: "2 for id.example",
      });
      const moved = await examinePasskeys(store, "https://login.example");
      assert.equal(moved?.ok, false);
      assert.match(
        moved?.detail ?? "",
        /^2 for id\.example: login\.example cannot use passkeys of other hosts/,
      );
      const address = await examinePasskeys(store, "http://127.0.0.1:8080");
      assert.match(address?.detail ?? "", /browsers do not use passkeys on an IP address/);
    });
  });

for (const database of databasesInForm)
  test(`MG-4 doctor counts the users who still have an imported hash, on ${database.name}`, async () => {
    const store = await database.open();
    assert.equal(await examineImported(store), undefined);
    const { id } = await aUser(store);
    await insertAny(store, "foreign_passwords", { users: id });
    const { ok, detail = "" } = (await examineImported(store)) ?? {};
    assert.equal(ok, true);
    assert.match(detail, /^1 not used here yet; /);
  });

for (const database of databasesInForm)
  test(`SS-12 doctor names accounts with an overdue deletion and the reason, on ${database.name}`, async () => {
    const store = await database.open();
    const now = new Date("2030-02-01T00:00:00Z");
    const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
    await aUser(store, { active: false, deletion_at: hoursAgo(0.9) });
    await aUser(store, { active: false, deletion_at: hoursAgo(-1) });
    await aUser(store, { active: false });
    assert.deepEqual(await examineDeletions(store, now), {
      check: "accounts to delete",
      ok: true,
      detail: "none is overdue",
    });
    const { id: organization_id } = await anOrganization(store, { name: "Acme" });
    const owner = await aUser(store, { active: false, deletion_at: hoursAgo(2) });
    await aMembership(store, { user_id: owner.id, organization_id, role: "owner" });
    await anApp(store, { owner_id: owner.id, organization_id });
    const found = await examineDeletions(store, now);
    assert.equal(found.ok, false);
    const wants = "another active owner of Acme and a successor for 1 apps and service accounts";
    assert.ok(
      found.detail.startsWith(
        `1 overdue: ${owner.id} since 2030-01-31T22:00:00.000Z, which still needs ${wants}`,
      ),
    );
  });
