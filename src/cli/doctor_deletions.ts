/** What the doctor says of accounts that their users had deleted (SS-12). */

import type { ManagementStore } from "../admin/access/actor.ts";
import type { User } from "../records/definition/definition.ts";
import type { Finding } from "./findings.ts";

/** How long one may be overdue before something is wrong, milliseconds: the server looks each minute. */
const overdue = 3_600_000;
/** Overdue accounts that are named. */
const mostNamed = 5;

/** Names the accounts that should be gone by now, and what each waits for. */
export async function examineDeletions(store: ManagementStore, now: Date): Promise<Finding> {
  const { dueUsers } = await import("../admin/records/due_deletions.ts");
  const named: string[] = [];
  let all = 0;
  for await (const user of dueUsers({ store }, new Date(now.getTime() - overdue))) {
    all += 1;
    if (named.length < mostNamed) named.push(await sentenceOf(user, store));
  }
  const check = "accounts to delete";
  if (all === 0) return { check, ok: true, detail: "none is overdue" };
  const detail = `${all} overdue: ${named.join("; ")}; \`postern user delete\` with --successor removes one`;
  return { check, ok: false, detail };
}

async function sentenceOf(user: User, store: ManagementStore): Promise<string> {
  const { toSettle } = await import("../admin/records/own_deletion.ts");
  const { owned, handover } = await toSettle({ store }, user);
  const count = handover.reduce((sum, each) => sum + each.count, 0);
  const wants = [
    ...(owned.length > 0 ? [`another active owner of ${owned.join(", ")}`] : []),
    ...(count > 0 ? [`a successor for ${count} apps and service accounts of organizations`] : []),
  ];
  const since = user.deletion_at?.toISOString();
  return `${user.id} since ${since}${wants.length > 0 ? `, for want of ${wants.join(" and ")}` : ""}`;
}
