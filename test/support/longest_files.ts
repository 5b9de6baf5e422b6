/**
 * The test files that take longest and wait for other processes, longest first: started before all others,
 * and alone. Those of `interop` from twenty seconds on, because a browser and a server's modules are dear to
 * start.
 */
export const longestFiles: readonly string[] = [
  "interop/accessibility.test.ts",
  "faults/database_away.test.ts",
  "interop/tour.test.ts",
  "interop/secrecy.test.ts",
  "interop/package.test.ts",
  "release/release.test.ts",
  "bench/bench.test.ts",
  "faults/torture.test.ts",
  "interop/journeys.test.ts",
  "interop/lost_database.test.ts",
  "interop/process.test.ts",
  "interop/passkeys.test.ts",
  "faults/torture_network.test.ts",
  "storage/postgres_faults.test.ts",
  "faults/torture_sqlite.test.ts",
  "faults/flood.test.ts",
  "faults/hostile.test.ts",
];
