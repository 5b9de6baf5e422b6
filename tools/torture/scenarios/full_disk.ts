import { allowWrites, refuseWrites, whyNoFileLimit } from "../file_limit.ts";
import { becomes, demandNotReady, type Scenario, type Scene } from "../scenario.ts";
import { whyNoSmallDisk } from "../small_disk.ts";

const sqlite = { database: "SQLite", workers: 1 } as const;

async function noSpace(scene: Scene, take: () => void, giveBack: () => void): Promise<void> {
  const { setup, ledger, demand } = scene;
  const { server } = setup;
  const before = ledger.failures();
  // The write-ahead log has preallocated space, so it takes a moment until writes fail.
  const noticed = await becomes(() => {
    take();
    return ledger.failures() > before || !server.is_running;
  }, 20_000);
  demand(noticed, "no request failed, although the server could not write");
  if (server.is_running) await demandNotReady(scene);
  await scene.last(3);
  giveBack();
}

const onFullDisk = (scene: Scene) => {
  const { disk } = scene.setup;
  return noSpace(
    scene,
    () => disk.fill(),
    () => disk.empty(),
  );
};

export const fullDisk: Scenario = {
  id: "disk-full",
  title: "the disk of the database full for 3 s",
  setups: [{ ...sqlite, small_disk: true }],
  rounds: 3,
  unplayable: whyNoSmallDisk,
  round: onFullDisk,
};

export const fullDiskWithLog: Scenario = {
  id: "disk-full-log",
  title: "the disk of the database and the log full for 3 s",
  setups: [{ ...sqlite, small_disk: true, log_file: true }],
  rounds: 3,
  unplayable: whyNoSmallDisk,
  round: onFullDisk,
};

export const refusedWrites: Scenario = {
  id: "no-writes",
  title: "no file or log can be written for 3 s (RLIMIT_FSIZE)",
  setups: [{ ...sqlite, log_file: true }],
  rounds: 3,
  unplayable: whyNoFileLimit,
  round(scene) {
    const { server } = scene.setup;
    return noSpace(
      scene,
      () => refuseWrites(server.pid),
      // If the process has exited, the one that replaces it does not have the limit.
      () => server.is_running && allowWrites(server.pid),
    );
  },
};
