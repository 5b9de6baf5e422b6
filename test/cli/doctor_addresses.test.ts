import assert from "node:assert/strict";
import { test } from "node:test";
import { noteForwardingPeer } from "../../src/admin/reports/one_address.ts";
import { examineAddresses } from "../../src/cli/doctor_addresses.ts";
import { databasesInForm } from "../support/databases.ts";

for (const database of databasesInForm)
  test(`H-4: the doctor names a peer that forwards requests and is not trusted, on ${database.name}`, async () => {
    const store = await database.open();
    const now = new Date("2030-02-01T00:00:00Z");
    const of = (trust_proxy: string[], at = now) => examineAddresses(store, { trust_proxy }, at);
    assert.equal((await of([])).ok, true);
    await noteForwardingPeer(store, "10.0.0.5", now);
    const { ok, detail } = await of([]);
    assert.equal(ok, false);
    assert.match(detail, /^10\.0\.0\.5 forwards requests and is not trusted: .*POSTERN_TRUST_PROXY/);
    assert.equal((await of(["10.0.0.0/8"])).ok, true);
    assert.equal((await of([], new Date(now.getTime() + 3_600_001))).ok, true);
  });
