/**
 * The test files that take longest and wait for other processes, longest first; they start before all others,
 * each in its own process. Files of `interop` are included from twenty seconds on, because a browser and a
 * server take long to start.
 */
export const longestFiles: readonly string[] = [
  "interop/accessibility.test.ts",
  "faults/database_away.long.test.ts",
  "interop/tour.long.test.ts",
  "interop/secrecy.test.ts",
  "interop/package.long.test.ts",
  "release/release.long.test.ts",
  "bench/bench.long.test.ts",
  "faults/torture.long.test.ts",
  "interop/journeys.long.test.ts",
  "interop/lost_database.long.test.ts",
  "interop/process.test.ts",
  "interop/passkeys.test.ts",
  "faults/torture_network.long.test.ts",
  "storage/postgres_errors.test.ts",
  "faults/torture_sqlite.long.test.ts",
  "faults/flood.long.test.ts",
  "faults/hostile.test.ts",
];
