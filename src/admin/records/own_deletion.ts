/**
 * Lets users delete their own account (SS-12). At the request, the account is deactivated, and the user's
 * apps and service accounts in organizations go to a successor. The account is deleted `deletionDays` later.
 */
import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import type { User } from "../../records/definition/definition.ts";
import { deletionDue } from "../../records/names/deletion_days.ts";
import { isActive } from "../../records/names/liveness.ts";
import { recordLock, userLock } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import { notFound } from "../access/errors.ts";
import { type AdminEvent, logEvent } from "../changes/audit.ts";
import { finishEndings, type Transaction, writeChange } from "../changes/changes.ts";
import {
  hasOtherAdministrator,
  hasOtherOwner,
  keepAdministrator,
  keepOwners,
} from "../guards/people_rules.ts";
import { findUser } from "./users.ts";

type DeletionError = "successor" | "last_administrator" | "last_owner";

export type DeletionRequest =
  | { readonly type: "asked"; readonly until: Date }
  | { readonly type: "refused"; readonly reason: DeletionError };

interface Handover {
  readonly organization: string;
  readonly count: number;
}

async function countHandover(
  { store }: Pick<AdminContext, "store">,
  { id }: Pick<User, "id">,
): Promise<readonly Handover[]> {
  const { apps, accounts } = await handoverOf(store, id);
  const owners = [...apps, ...accounts].map(({ organization_id }) => organization_id ?? "");
  const handovers: Handover[] = [];
  for (const [organization_id, owned] of Map.groupBy(owners, (owner) => owner)) {
    const organization = await store.find("organizations", { id: organization_id });
    handovers.push({ organization: organization?.name ?? organization_id, count: owned.length });
  }
  return handovers.toSorted((one, other) => (one.organization < other.organization ? -1 : 1));
}

export interface ToSettle {
  readonly last_administrator: boolean;
  readonly owned: readonly string[];
  readonly handover: readonly Handover[];
}

export async function toSettle(
  context: Pick<AdminContext, "store">,
  user: Pick<User, "id" | "active" | "is_platform_admin">,
): Promise<ToSettle> {
  const { store } = context;
  const { id } = user;
  const last_administrator =
    user.is_platform_admin && isActive(user) && !(await hasOtherAdministrator(store, id));
  const owned: string[] = [];
  for (const membership of await store.list("memberships", { user_id: id, role: "owner" })) {
    if (await hasOtherOwner(store, membership)) continue;
    const { organization_id } = membership;
    owned.push((await store.find("organizations", { id: organization_id }))?.name ?? organization_id);
  }
  return { last_administrator, owned: owned.toSorted(), handover: await countHandover(context, user) };
}

/**
 * Deactivates the user's account and returns when it will be deleted, or why the request is refused.
 * `enqueueCancelLink` queues the email with the cancel link, in the same transaction.
 */
export async function requestDeletion(
  context: AdminContext,
  { id }: Pick<User, "id">,
  {
    successor,
    enqueueCancelLink,
  }: {
    readonly successor: string | undefined;
    readonly enqueueCancelLink: (tx: Transaction, until: Date) => Promise<void>;
  },
): Promise<DeletionRequest> {
  const at = context.now();
  const until = deletionDue(at);
  const changes = { active: false, deletion_at: until };
  try {
    const { current, events } = await context.store.transaction(async (tx) => {
      await tx.lock(userLock(id), recordLock("users", id));
      const current = await tx.find("users", { id });
      if (!isActive(current)) throw notFound("users", id);
      if (current.is_platform_admin) await keepAdministrator(tx, id);
      await keepOwners(tx, id);
      const events = await handOver(tx, context, id, successor, at);
      const written = await writeChange(tx, context, "users", current, changes, at, {
        verb: "deletion_asked",
      });
      await enqueueCancelLink(tx, until);
      return { current, events: [...events, written.event] };
    });
    await finishEndings(context, "users", current, changes, at);
    for (const event of events) logEvent(context, event);
    return { type: "asked", until };
  } catch (error) {
    const reason = error instanceof Problem ? errorOf(error.code) : undefined;
    if (reason === undefined) throw error;
    return { type: "refused", reason };
  }
}

function errorOf(code: string): DeletionError | undefined {
  if (code === "successor_required") return "successor";
  return code === "last_administrator" || code === "last_owner" ? code : undefined;
}

async function handoverOf(reads: Pick<Transaction, "list">, id: string) {
  const [made, accounts] = [
    await reads.list("oauth_apps", { owner_id: id }),
    await reads.list("service_accounts", { created_by: id }),
  ];
  return { apps: made.filter(({ organization_id }) => organization_id !== null), accounts };
}

const mostLookedThrough = 200;

/**
 * Returns whether deleting the user requires a successor. May return true without need if the user has very
 * many apps.
 */
export async function takesSuccessor(
  { store }: Pick<AdminContext, "store">,
  user_id: string,
): Promise<boolean> {
  const [account] = await store.list("service_accounts", { created_by: user_id }, { limit: 1 });
  if (account !== undefined) return true;
  const apps = await store.list("oauth_apps", { owner_id: user_id }, { limit: mostLookedThrough });
  return apps.length === mostLookedThrough || apps.some(({ organization_id }) => organization_id !== null);
}

async function handOver(
  tx: Transaction,
  context: AdminContext,
  id: string,
  successor: string | undefined,
  at: Date,
): Promise<AdminEvent[]> {
  const { apps, accounts } = await handoverOf(tx, id);
  if (apps.length + accounts.length === 0) return [];
  const heir = successor === undefined ? undefined : await findUser({ store: tx }, successor);
  const organizations = new Set([...apps, ...accounts].map(({ organization_id }) => organization_id));
  const counts = { apps: apps.length, service_accounts: accounts.length };
  const refused = new Problem("successor_required", detail("successor_required", counts));
  if (!isActive(heir) || heir.id === id) throw refused;
  for (const organization_id of organizations) {
    const where = { user_id: heir.id, organization_id: organization_id ?? "" };
    if ((await tx.find("memberships", where)) === undefined) throw refused;
  }
  const events: AdminEvent[] = [];
  for (const app of apps) {
    const { event } = await writeChange(tx, context, "oauth_apps", app, { owner_id: heir.id }, at);
    events.push(event);
  }
  for (const account of accounts) {
    const { event } = await writeChange(
      tx,
      context,
      "service_accounts",
      account,
      { created_by: heir.id },
      at,
    );
    events.push(event);
  }
  return events;
}
