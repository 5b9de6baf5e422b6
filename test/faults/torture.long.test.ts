/**
 * The short form of `npm run torture` (docs/testing.md) with two workers and a PostgreSQL that becomes
 * unavailable.
 */
import {
  databaseOutage,
  restartedDatabase,
  terminatedConnections,
  workersKilledMeanwhile,
} from "../../tools/torture/scenarios/broken_database.ts";
import { tortured } from "../../tools/torture/short_form.ts";

tortured({ database: "PostgreSQL", workers: 2 }, [
  {
    title: "reliability finding 1: PostgreSQL restarts at once under load, and no process ends",
    scenario: restartedDatabase,
    rounds: 2,
  },
  {
    title: "reliability finding 1: all connections are terminated under load, and no process ends",
    scenario: terminatedConnections,
  },
  {
    title: "reliability finding 8: what was revoked during an outage is dead after it",
    scenario: databaseOutage,
  },
  {
    title: "reliability finding 2: workers killed in an outage come back with the database",
    scenario: workersKilledMeanwhile,
  },
]);
