import { becomes, demandNotReady, type Scenario, type Scene } from "../scenario.ts";
import { whyNoSmallDisk } from "../small_disk.ts";

const stage = { database: "SQLite", workers: 1 } as const;

async function fillAndEmpty(scene: Scene): Promise<void> {
  const { stage, ledger, demand } = scene;
  const { disk, server } = stage;
  const failures = () =>
    [...ledger.statuses].reduce((sum, [kind, count]) => sum + (/ 5\d\d/.test(kind) ? count : 0), 0);
  const before = failures();
  // The write-ahead log has room of its own until it is written back, so that it takes a moment.
  const full = await becomes(() => {
    disk.fill(0);
    return failures() > before || !server.is_running;
  }, 20_000);
  demand(full, "the full disk was never noticed");
  if (server.is_running) await demandNotReady(scene);
  await scene.last(3);
  disk.empty();
}

export const fullDisk: Scenario = {
  id: "disk-full",
  title: "the disk of the database full for 3 s",
  stages: [{ ...stage, small_disk: "database" }],
  rounds: 3,
  unplayable: whyNoSmallDisk,
  round: fillAndEmpty,
};

export const fullDiskWithLog: Scenario = {
  id: "disk-full-log",
  title: "the disk of the database and the log full for 3 s",
  stages: [{ ...stage, small_disk: "database and log" }],
  rounds: 3,
  unplayable: whyNoSmallDisk,
  round: fillAndEmpty,
};
