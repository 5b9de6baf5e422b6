/**
 * Adds every member to every group in a database of Postern, given by its settings. A separate process,
 * because manifests cannot contain members of groups.
 */
import { readConfig } from "../../../src/config.ts";
import { openEnvironment } from "../../../src/server/environment.ts";

const now = new Date();
const environment = await openEnvironment(readConfig(process.env), { now: () => now });
const { store } = environment;
try {
  const [memberships, groups] = [await store.list("memberships"), await store.list("groups")];
  const rows = groups.flatMap(({ id: group_id }) =>
    memberships.map(({ id: membership_id, user_id }) => ({
      ...{ id: store.newId(now), group_id, user_id, membership_id, created_at: now },
    })),
  );
  await store.transaction((tx) => tx.insertAll("group_members", rows));
} finally {
  await environment.close();
}
