/** The short form of `npm run torture` (docs/torture.md): two workers, and a PostgreSQL that goes away. */
import { terminatedConnections } from "./torture/scenarios/broken_database.ts";
import { tortured } from "./torture/short_form.ts";

tortured({ database: "PostgreSQL", workers: 2 }, [
  {
    title: "reliability finding 1: all connections are terminated under load, and no process ends",
    scenario: terminatedConnections,
  },
]);
