/**
 * Copies the database in the environment to the given address, and kills itself (SIGKILL) after this number
 * of batches.
 */

import { copyIntoTarget } from "../../src/cli/maintenance/migrate_copy.ts";
import { databaseUrl } from "../../src/config/database_url.ts";
import { openSource } from "../../src/storage/copy/copy.ts";

const [to = "", batches] = process.argv.slice(2);
let left = Number(batches);
const source = await openSource(databaseUrl(process.env.POSTERN_DATABASE_URL ?? ""));
await copyIntoTarget(source, databaseUrl(to), {
  now: new Date(),
  onRows() {
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
  },
});
