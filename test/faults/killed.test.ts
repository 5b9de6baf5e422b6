import assert from "node:assert/strict";
import { test } from "node:test";
import { databases } from "../support/databases.ts";
import { torture } from "./torture.ts";

for (const database of databases) {
  // `node test/faults/torture.ts` does it a hundred times.
  test(`a process killed while it issues tokens loses none that was answered, on ${database.name}`, async () => {
    for (const answers of [3, 120]) {
      assert.deepEqual(await torture(await database.address(), answers), [], `after ${answers} answers`);
    }
  });
}
