/** The test files that run separately, in the serializable profile of the storage. */

/** Names the profile: with `serializable`, tests use only databases of the serializable profile. */
export const profileVariable = "TEST_PROFILE";

/**
 * Files that run in the serializable profile: the storage, OAuth, and code that changes records concurrently.
 */
const rooms = [
  /^storage\//,
  /^oauth\//,
  /^faults\/issuing\./,
  /^admin\/(?:guards|people|manage|machines|key_pairs|app_members)\./,
  /^identity\/(?:invitations|setup|sessions|registration|delayed_recovery|remembered_devices)\./,
];

/**
 * Files of those folders that do not: they test PostgreSQL's native profile or SQLite, or start programs
 * without a profile.
 */
const others = [
  "storage/postgres_driver.test.ts",
  "storage/postgres_errors.test.ts",
  "storage/replica.test.ts",
  "oauth/resource_reads.test.ts",
  "storage/plans.test.ts",
  "storage/listing_plans.test.ts",
  "storage/running_beside.test.ts",
  "storage/sqlite_damage.test.ts",
  "storage/sqlite_presence.test.ts",
  "storage/sqlite_turns.test.ts",
  "storage/group_commit.test.ts",
  "storage/writable.test.ts",
];

export function runsInProfile(file: string): boolean {
  return rooms.some((room) => room.test(file)) && !others.includes(file);
}
