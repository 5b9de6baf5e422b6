/** The short form of `npm run torture` (docs/testing.md) with SQLite. */
import { fullDiskWithLog, refusedWrites } from "../../tools/torture/scenarios/full_disk.ts";
import { killedServer, killedWorker } from "../../tools/torture/scenarios/killed_server.ts";
import { tortured } from "../../tools/torture/short_form.ts";
import { whyNoSmallDisk } from "../../tools/torture/small_disk.ts";

const database = "SQLite";
const small_disk = whyNoSmallDisk() === undefined;

tortured({ database, workers: 1, log_file: true, small_disk }, [
  { title: "a server killed under load loses nothing that was answered", scenario: killedServer },
  {
    title: "reliability findings 7 and 8: nothing can be written for a while, and no process ends",
    scenario: refusedWrites,
  },
  {
    title: "reliability findings 7 and 8: a full disk, the log's too, ends no process",
    scenario: fullDiskWithLog,
  },
]);

tortured({ database, workers: 2 }, [
  { title: "a worker killed under load loses nothing that was answered", scenario: killedWorker },
]);
