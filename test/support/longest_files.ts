/**
 * The test files that take more than ten seconds, longest first: started before all others, and alone. Those
 * of `interop` from twenty seconds on, because a browser and a server's modules are dear to start.
 */
export const longestFiles: readonly string[] = [
  "interop/accessibility.test.ts",
  "faults/database_away.test.ts",
  "interop/tour.test.ts",
  "interop/secrecy.test.ts",
  "interop/package.test.ts",
  "release/release.test.ts",
  "attacks/permission_probe.test.ts",
  "bench/bench.test.ts",
  "faults/torture.test.ts",
  "interop/journeys.test.ts",
  "interop/lost_database.test.ts",
  "interop/process.test.ts",
  "interop/passkeys.test.ts",
  "faults/torture_network.test.ts",
  "http/api/fuzz.test.ts",
  "storage/postgres_faults.test.ts",
  "storage/listing_plans.test.ts",
  "storage/released.test.ts",
  "oauth/revocation_backlog.test.ts",
  "admin/manifest_export.test.ts",
  "http/lost_methods.test.ts",
  "http/mail_links.test.ts",
  "faults/torture_sqlite.test.ts",
  "faults/flood.test.ts",
  "admin/matrix.test.ts",
];
