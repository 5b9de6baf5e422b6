import assert from "node:assert/strict";
import { test } from "node:test";
import { examineIssuer } from "../../src/cli/doctor_issuer.ts";
import { followIssuer } from "../../src/server/kept_issuer.ts";
import { aToken, start } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";

const [first, second] = ["https://first.example", "https://second.example"];

for (const database of databasesInForm)
  test(`another base URL over tokens is warned of once, and the doctor says it before, on ${database.name}`, async () => {
    const store = await database.open();
    /** The warnings of a start. */
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
    assert.match(warning, /^the issuer was https:\/\/first\.example and is https:\/\/second\.example: /);
    assert.deepEqual(others, []);
    assert.deepEqual(await started(second), []);
    assert.deepEqual([await examined(first), await examined(second)], [false, true]);
  });
