/**
 * Two versions run on one database during an upgrade (docs/operations/upgrading.md); `npm run drill:upgrade`
 * is the long form.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { newestMigration } from "../../src/storage/migrations.ts";
import { runBeside } from "../../tools/interop/upgrade/run_beside.ts";
import { firstBeside, hasCommit } from "../storage/released/releases.ts";
import { atEnd } from "../support/at_end.ts";
import { postgresDatabase } from "../support/postgres.ts";

const skip = hasCommit(firstBeside.commit) ? false : "the history of the repository is not here";

test("a server of the previous version answers while a new one migrates, and each accepts the other's tokens", {
  skip,
}, async () => {
  const { url, drop } = await postgresDatabase();
  atEnd(drop);
  const { errors, answered, before, after } = await runBeside({
    ...{ commit: firstBeside.commit, database_url: url, rounds: 2, clients: 3 },
  });
  assert.deepEqual(errors, []);
  assert.deepEqual([before, after], [firstBeside.schema, newestMigration]);
  assert.ok(answered.old > 0 && answered.now > 0);
});
