import type { Scenario } from "../scenario.ts";
import {
  databaseOutage,
  demotedPrimary,
  frozenDatabase,
  lateDatabase,
  readOnlyDatabase,
  restartedDatabase,
  terminatedConnections,
  workersKilledMeanwhile,
} from "./broken_database.ts";
import { cutConnections, resetConnections, silentConnections, stalledConnections } from "./broken_network.ts";
import { failover } from "./failover.ts";
import { fullDisk, fullDiskWithLog, refusedWrites } from "./full_disk.ts";
import { killedServer, killedWorker } from "./killed_server.ts";

export const allScenarios: readonly Scenario[] = [
  killedServer,
  killedWorker,
  restartedDatabase,
  databaseOutage,
  workersKilledMeanwhile,
  lateDatabase,
  terminatedConnections,
  cutConnections,
  resetConnections,
  stalledConnections,
  silentConnections,
  frozenDatabase,
  readOnlyDatabase,
  demotedPrimary,
  failover,
  fullDisk,
  fullDiskWithLog,
  refusedWrites,
];
