/** The test files that take more than ten seconds, longest first: to be started before all others. */
export const longestFiles: readonly string[] = [
  "interop/accessibility.test.ts",
  "faults/database_away.test.ts",
  "interop/tour.test.ts",
  "interop/secrecy.test.ts",
  "interop/own_account.test.ts",
  "attacks/permission_probe.test.ts",
  "bench/bench.test.ts",
  "interop/workers.test.ts",
  "faults/torture.test.ts",
  "interop/browser.test.ts",
  "interop/dev.test.ts",
  "interop/journeys.test.ts",
  "interop/lost_database.test.ts",
  "interop/process.test.ts",
  "interop/registration.test.ts",
  "interop/endings.test.ts",
  "interop/stopping.test.ts",
  "interop/certification.test.ts",
  "faults/torture_network.test.ts",
  "http/api/fuzz.test.ts",
  "interop/account.test.ts",
  "interop/second_factors.test.ts",
  "storage/postgres_faults.test.ts",
  "interop/snippets.test.ts",
  "storage/listing_plans.test.ts",
  "interop/mcp.test.ts",
  "interop/invitation.test.ts",
  "oauth/revocation_backlog.test.ts",
  "admin/manifest_export.test.ts",
  "interop/full_device.test.ts",
  "interop/replay.test.ts",
  "interop/refresh_race.test.ts",
  "http/mail_links.test.ts",
  "interop/private_key_jwt.test.ts",
  "faults/torture_sqlite.test.ts",
  "faults/flood.test.ts",
  "admin/matrix.test.ts",
  "interop/password.test.ts",
];

/** The same files, the long ones before the others. */
export function longestFirst(files: readonly string[]): string[] {
  const others = files.filter((file) => !longestFiles.includes(file)).toSorted();
  return [...longestFiles.filter((file) => files.includes(file)), ...others];
}
