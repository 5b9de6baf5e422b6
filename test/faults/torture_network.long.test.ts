/**
 * The short form of `npm run torture` (docs/testing.md) with one process on a bad network, and a PostgreSQL
 * that responds incorrectly.
 */
import {
  demotedPrimary,
  frozenDatabase,
  lateDatabase,
  readOnlyDatabase,
} from "../../tools/torture/scenarios/broken_database.ts";
import { cutConnections, stalledConnections } from "../../tools/torture/scenarios/broken_network.ts";
import { failover } from "../../tools/torture/scenarios/failover.ts";
import { killedServer } from "../../tools/torture/scenarios/killed_server.ts";
import { tortured } from "../../tools/torture/short_form.ts";

tortured({ database: "PostgreSQL", workers: 1, proxy: true }, [
  { title: "a server killed under load loses nothing that was answered", scenario: killedServer },
  {
    title: "reliability finding 1: a server that starts before its database waits for it",
    scenario: lateDatabase,
  },
  {
    title: "reliability finding 1: connections that the network resets under load end no process",
    scenario: cutConnections,
  },
  {
    title: "reliability finding 4: a network that stands still loses nothing",
    scenario: stalledConnections,
  },
  { title: "reliability finding 4: a PostgreSQL that stands still loses nothing", scenario: frozenDatabase },
  {
    title: "reliability finding 12: a read-only database takes readiness away and loses nothing",
    scenario: readOnlyDatabase,
  },
  {
    title: "reliability finding 12: a demoted primary takes readiness away and loses nothing",
    scenario: demotedPrimary,
  },
  { title: "a failover to a synchronous standby loses nothing that was answered", scenario: failover },
]);
