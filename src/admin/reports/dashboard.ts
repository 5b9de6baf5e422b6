import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import type { AuditEvent, OAuthApp, Refusal } from "../../records/definition/definition.ts";
import { type Permission, scopeOf } from "../../records/definition/permissions.ts";
import { builtInClientId } from "../../records/names/names.ts";
import { type StatisticKind, tokenKinds } from "../../records/names/statistics.ts";
import { narrowedTo, permissionsIn, requirePermission, visibility } from "../access/access.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";

export const periods = ["day", "week", "month"] as const;
export type Period = (typeof periods)[number];

const spans: Readonly<Record<Period, { readonly step_hours: number; readonly steps: number }>> = {
  day: { step_hours: 1, steps: 24 },
  week: { step_hours: 6, steps: 28 },
  month: { step_hours: 24, steps: 30 },
};

/**
 * `count` is the number in the last 24 hours, including the current hour. `before` is the number in the 24
 * hours before that.
 */
export interface DayFigure {
  readonly count: number;
  readonly before: number;
  /**
   * The relative change from the day before: 0.5 means 50 % more. Undefined if the counts are too small to
   * compare.
   */
  readonly change: number | undefined;
}

interface Activity {
  readonly tokens: DayFigure;
  readonly refusals?: DayFigure;
  readonly sign_ins?: DayFigure;
  readonly sign_in_failures?: DayFigure;
  /** The start of each step of the period in UTC, oldest first. */
  readonly moments: readonly Date[];
  readonly counts: Readonly<Partial<Record<StatisticKind, readonly number[]>>>;
}

export interface AppActivity extends Pick<OAuthApp, "id" | "name" | "client_id"> {
  /** Undefined if the actor may not see counts. */
  readonly tokens: number | undefined;
}

interface NewestRefusal
  extends Pick<Refusal, "short_id" | "error" | "description" | "endpoint" | "created_at"> {
  readonly app_name: string | undefined;
}

interface FailedSignIn extends Pick<AuditEvent, "id" | "client_ip" | "created_at"> {
  readonly user: { readonly id: string; readonly email: string } | undefined;
  /** The internal reason of the failure; undefined unless the actor administers the platform (L-9). */
  readonly reason: string | undefined;
}

export interface Dashboard {
  readonly period: Period;
  /** Whether the actor has too many organizations for one page of counts and must choose one. */
  readonly asks_for_one: boolean;
  /** Undefined if the actor may not see counts or must first choose an organization. */
  readonly activity: Activity | undefined;
  /** The apps with the most tokens in the period. If `activity` is undefined, apps that the actor may see. */
  readonly apps: readonly AppActivity[];
  readonly refusals: readonly NewestRefusal[];
  readonly failed_sign_ins: readonly FailedSignIn[];
  readonly first_steps: boolean;
}

const hourLength = 3_600_000;
const shown = 8;
/**
 * Maximum number of organizations whose counts are added up. The counts of each organization take a query.
 */
const mostTogether = 10;
/** A change between smaller counts is mostly chance. */
const leastToCompare = 20;

/** Returns the data of the console's start page. `within` limits the page to one organization. */
export async function dashboardOf(
  context: AdminContext,
  { period, within }: { readonly period: Period; readonly within?: string | undefined },
): Promise<Dashboard> {
  const { platform } = await permissionsOfActor(context);
  const readable = platform ? [] : (await organizationsWith(context, "tokens:read")).map(({ id }) => id);
  const theirs = within === undefined ? readable : readable.filter((id) => id === within);
  const asks_for_one = theirs.length > mostTogether;
  const subjects = platform ? [within ?? null] : asks_for_one ? [] : theirs;
  const [activity, refusals, failed_sign_ins, apps, first_steps] = await Promise.all([
    subjects.length === 0 ? undefined : activityOf(context, subjects, period),
    newestRefusals(context, within),
    failedSignIns(context, within),
    subjects.length === 0 ? visibleApps(context, shown, within) : busiestApps(context, subjects, period),
    lacksApps(context, within),
  ]);
  return {
    period,
    asks_for_one,
    activity,
    apps,
    refusals,
    failed_sign_ins,
    first_steps,
  };
}

export interface Statistics {
  readonly period: Period;
  /**
   * The organization to which the counts are limited; null if they cover everything that the actor may read.
   */
  readonly organization_id: string | null;
  readonly activity: Activity;
  readonly apps: readonly AppActivity[];
}

/**
 * Returns counts that the actor may read; `organization_id` limits them to one organization. Without it,
 * returns only the counts of the first organization if the actor has more than `mostTogether`.
 */
export async function statisticsOf(
  context: AdminContext,
  { period, organization_id }: { readonly period: Period; readonly organization_id?: string | undefined },
): Promise<Statistics> {
  const { platform, allowed } = await permissionsOfActor(context);
  if (!allowed.has("tokens:read")) {
    throw new Problem("forbidden", detail("scope_needed", { scope: scopeOf("tokens:read") }));
  }
  if (organization_id !== undefined) {
    await requirePermission(context, "tokens:read", "organizations", organization_id);
  }
  const own = platform ? [] : (await organizationsWith(context, "tokens:read")).map(({ id }) => id);
  if (!platform && own.length === 0) {
    throw new Problem("forbidden", detail("permission_needed", { permission: "tokens:read" }));
  }
  const chosen = organization_id?.toLowerCase() ?? (own.length > mostTogether ? own[0] : undefined);
  const subjects = chosen !== undefined ? [chosen] : platform ? [null] : own;
  const [activity, apps] = await Promise.all([
    activityOf(context, subjects, period),
    busiestApps(context, subjects, period),
  ]);
  return { period, organization_id: chosen ?? null, activity, apps };
}

async function organizationsWith(
  context: Pick<AdminContext, "actor" | "store">,
  permission: Permission,
): Promise<{ id: string; name: string }[]> {
  const actorPermissions = await permissionsOfActor(context);
  const ids = [...actorPermissions.organizations.keys()].filter((id) =>
    permissionsIn(actorPermissions, id).has(permission),
  );
  const found = await Promise.all(ids.map((id) => context.store.find("organizations", { id })));
  return found
    .flatMap((organization) =>
      organization === undefined ? [] : [{ id: organization.id, name: organization.name }],
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

type Subject = string | null;

/**
 * Sign-ins are counted only for the whole server, because a failed one may belong to no user and thus to no
 * organization.
 */
async function kindsFor(
  context: Pick<AdminContext, "actor" | "store">,
  subjects: readonly Subject[],
): Promise<readonly StatisticKind[]> {
  const actorPermissions = await permissionsOfActor(context);
  const refusals = subjects.every(
    (id) => id === null || permissionsIn(actorPermissions, id).has("refusals:read"),
  );
  const { allowed } = actorPermissions;
  const sign_ins = subjects.includes(null) && allowed.has("audit_events:read");
  return [
    ...tokenKinds,
    ...(refusals && allowed.has("refusals:read") ? (["refusals"] as const) : []),
    ...(sign_ins ? (["sign_ins", "sign_in_failures"] as const) : []),
  ];
}

type Count = (kinds: readonly StatisticKind[], from: number, before: number) => number;

async function activityOf(
  context: AdminContext,
  subjects: readonly Subject[],
  period: Period,
): Promise<Activity> {
  const now = context.now().getTime();
  const { moments, step } = momentsOf(period, now);
  const hour = Math.floor(now / hourLength) * hourLength;
  const from = Math.min(moments[0] ?? hour, hour - 47 * hourLength);
  const kinds = await kindsFor(context, subjects);
  const counted = await Promise.all(
    subjects.map((subject) =>
      context.store.countsByHour(subject, kinds, new Date(from), new Date(hour + hourLength)),
    ),
  );
  const rows = counted.flat();
  const count: Count = (wanted, since, before) =>
    rows.reduce((total, row) => {
      const at = row.hour.getTime();
      return wanted.includes(row.kind) && at >= since && at < before ? total + row.count : total;
    }, 0);
  const figure = (wanted: readonly StatisticKind[]) => dayFigure(wanted, count, now);
  const counts = Object.fromEntries(
    kinds.map((kind) => {
      const steps = moments.map(() => 0);
      for (const row of rows) {
        const index = Math.floor((row.hour.getTime() - (moments[0] ?? 0)) / step);
        if (row.kind === kind && index >= 0) steps[index] = (steps[index] ?? 0) + row.count;
      }
      return [kind, steps];
    }),
  );
  return {
    tokens: figure(tokenKinds),
    ...(kinds.includes("refusals") && { refusals: figure(["refusals"]) }),
    ...(kinds.includes("sign_ins") && {
      sign_ins: figure(["sign_ins"]),
      sign_in_failures: figure(["sign_in_failures"]),
    }),
    moments: moments.map((moment) => new Date(moment)),
    counts,
  };
}

/** `moments` and `step` are in milliseconds. */
function momentsOf(period: Period, now: number): { moments: readonly number[]; step: number } {
  const { step_hours, steps } = spans[period];
  const step = step_hours * hourLength;
  const last = Math.floor(now / step) * step;
  return { moments: Array.from({ length: steps }, (_, index) => last - (steps - 1 - index) * step), step };
}

function dayFigure(kinds: readonly StatisticKind[], count: Count, now: number): DayFigure {
  const hour = Math.floor(now / hourLength) * hourLength;
  const [began, earlier] = [hour - 23 * hourLength, hour - 47 * hourLength];
  const before = count(kinds, earlier, began);
  const sofar = count(kinds, began, hour + hourLength);
  // The current hour is not over, so only the same part of the same hour a day earlier is compared. Otherwise
  // the change would look negative at the start of every hour.
  const sameHour = count(kinds, began - hourLength, began);
  const expected = before - sameHour * (1 - (now - hour) / hourLength);
  const change = Math.min(before, expected) < leastToCompare ? undefined : sofar / expected - 1;
  return { count: sofar, before, change };
}

/** Leaves out apps that the actor may not see, because a list of token counts would reveal their names. */
async function busiestApps(
  context: AdminContext,
  subjects: readonly Subject[],
  period: Period,
): Promise<AppActivity[]> {
  const { store } = context;
  const ids = subjects.filter((subject) => subject !== null);
  const now = context.now().getTime();
  const busiest = await store.busiestApps({
    from: new Date(momentsOf(period, now).moments[0] ?? 0),
    before: new Date((Math.floor(now / hourLength) + 1) * hourLength),
    limit: shown,
    ...(ids.length > 0 && { organization_ids: ids }),
  });
  const { allowed } = await permissionsOfActor(context);
  if (!allowed.has("apps:read")) return [];
  const visible = await visibility(context, "apps");
  const ids_of_apps = busiest.map(({ app_id }) => app_id);
  const rows = await store.rowsSeen("oauth_apps", ids_of_apps, visible);
  const apps = new Map(rows.map((row) => [row.id, row]));
  return busiest.flatMap(({ app_id, tokens }) => {
    const app = apps.get(app_id);
    return app === undefined ? [] : [{ id: app.id, name: app.name, client_id: app.client_id, tokens }];
  });
}

async function visibleApps(
  context: AdminContext,
  limit: number,
  within: string | undefined,
): Promise<AppActivity[]> {
  const visible = narrowedTo(within, "oauth_apps", await visibility(context, "apps"));
  const { rows } = await context.store.listPage("oauth_apps", {
    limit: limit + 1,
    ...(visible && { visible }),
  });
  return rows
    .filter(({ client_id }) => client_id !== builtInClientId)
    .slice(0, limit)
    .map(({ id, name, client_id }) => ({ id, name, client_id, tokens: undefined }));
}

async function lacksApps(context: AdminContext, within: string | undefined): Promise<boolean> {
  const { platform } = await permissionsOfActor(context);
  const writable = platform ? [] : await organizationsWith(context, "apps:write");
  const mayMake = platform || writable.some(({ id }) => within === undefined || id === within);
  return mayMake && (await visibleApps(context, 1, within)).length === 0;
}

async function newestRefusals(context: AdminContext, within: string | undefined): Promise<NewestRefusal[]> {
  const { store } = context;
  const visible = narrowedTo(within, "refusals", await visibility(context, "refusals"));
  const found = await store.listPage("refusals", { visible, limit: 4 * shown, descending: true });
  const rows = found.rows.filter(({ endpoint }) => endpoint !== "/login").slice(0, shown);
  const ids = [...new Set(rows.flatMap(({ app_id }) => app_id ?? []))];
  const apps = await Promise.all(ids.map((id) => store.find("oauth_apps", { id })));
  const names = new Map(apps.flatMap((app) => (app === undefined ? [] : [[app.id, app.name]])));
  return rows.map(({ short_id, error, description, endpoint, created_at, app_id }) => ({
    short_id,
    error,
    description,
    endpoint,
    created_at,
    app_name: app_id === null ? undefined : names.get(app_id),
  }));
}

async function failedSignIns(context: AdminContext, within: string | undefined): Promise<FailedSignIn[]> {
  const { store } = context;
  const { platform } = await permissionsOfActor(context);
  const visible = narrowedTo(within, "audit_events", await visibility(context, "audit_events"));
  const { rows } = await store.listPage("audit_events", {
    visible,
    where: { type: "sign_in", outcome: "failure" },
    limit: shown,
    descending: true,
  });
  return Promise.all(
    rows.map(async ({ id, client_ip, created_at, actor_kind, actor_id, details }) => {
      const user =
        actor_kind === "user" && actor_id !== null ? await store.find("users", { id: actor_id }) : undefined;
      const reason = platform && typeof details?.reason === "string" ? details.reason : undefined;
      return { id, client_ip, created_at, user: user && { id: user.id, email: user.email }, reason };
    }),
  );
}
