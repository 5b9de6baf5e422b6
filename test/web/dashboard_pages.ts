import {
  openClientsConfirmation,
  openClientsPage,
  registerClientPage,
} from "../../src/console/apps/open_clients.page.ts";
import { type Activity, type DashboardPage, dashboardPage } from "../../src/console/dashboard.page.ts";
import { takeFactorsPage } from "../../src/console/endings/take_factors.page.ts";
import type { ConsoleLocale } from "../../src/console/frame/console_frame.view.ts";
import type { Mark } from "../../src/console/health_line.view.ts";
import { type HousekeepingPage, housekeepingPage } from "../../src/console/housekeeping.page.ts";
import { importPage } from "../../src/console/import.page.ts";
import { rotationPage, signingKeysPage } from "../../src/console/signing_keys.page.ts";
import { detail } from "../../src/errors/details.ts";
import { fieldError } from "../../src/errors/field_errors.ts";
import { signingAlgorithms } from "../../src/records/names/names.ts";
import type { Html } from "../../src/web/html/html.ts";
import type { ManagementLocale } from "../../src/web/words/page_locale.ts";
import { formsOf } from "./forms_of.ts";
import { aViewer, readable } from "./reader.ts";

const now = new Date("2030-05-06T07:08:09.000Z");
const hour = 3_600_000;
const id = "01920000-0000-7000-8000-000000000001";

/** Three hours with a few events of every kind. */
export const someActivity: Activity = {
  tokens: { count: 2345, before: 2000, change: 0.1725 },
  sign_ins: { count: 50, before: 100, change: -0.5 },
  sign_in_failures: { count: 60, before: 20, change: 2 },
  refusals: { count: 3, before: 2, change: undefined },
  moments: [2, 1, 0].map((hours) => new Date(now.getTime() - hours * hour)),
  counts: {
    tokens_code: [5, 0, 7],
    tokens_refresh: [1, 2, 3],
    tokens_machine: [100, 200, 300],
    sign_ins: [1, 1, 1],
    sign_in_failures: [0, 9, 0],
    refusals: [0, 0, 0],
  },
};

/** Returns a dashboard of a platform administrator, with `text` wherever other users' text appears. */
export function aDashboard(
  text: string,
  locale: ManagementLocale,
  overrides: Partial<DashboardPage> = {},
): DashboardPage {
  return {
    ...locale,
    viewer: aViewer(text, ["apps", "audit_events", "refusals", "signing_keys"]),
    health: health("fine"),
    period: "day",
    asks_for_one: false,
    activity: someActivity,
    apps: [{ id, name: text, client_id: text, tokens: 1234 }],
    refusals: [
      { short_id: "0123456789", error: "invalid_scope", description: text, created_at: now, app_name: text },
      { short_id: "ABCDEFGHJK", error: text, description: text, created_at: now, app_name: undefined },
    ],
    failed_sign_ins: [
      { id, client_ip: text, created_at: now, user: { id, email: text }, reason: "wrong_password" },
      { id, client_ip: null, created_at: now, user: undefined, reason: text },
    ],
    first_steps: false,
    ...overrides,
  };
}

function health(mark: Mark): NonNullable<DashboardPage["health"]> {
  return {
    database: { mark },
    signing_key: { mark, seconds: mark === "failure" ? undefined : 86_400 * 100 },
    hashing: { mark },
    mail: { mark },
    sweep: { mark: mark === "fine" ? "fine" : "caution", seconds: mark === "failure" ? undefined : 3 },
  };
}

export function aHousekeeping(
  text: string,
  locale: ManagementLocale,
  overrides: Partial<HousekeepingPage> = {},
): HousekeepingPage {
  return {
    ...locale,
    viewer: aViewer(text, ["signing_keys"]),
    csrf_token: text,
    now,
    swept: { day: 12, week: 3456 },
    expired: { oauth_tokens: 1, ephemera: 2, statistics: 0 },
    process: {
      version: text,
      started_at: new Date(now.getTime() - 50 * hour),
      workers: 4,
      hashing: { running: 1, waiting: 2, slots: 3, most_waiting: 400 },
      mail: { waiting: 5, failed: 6, failing: false },
      unwritten: { uses: 7, events: 8, refusals: 9, counts: 10 },
      swept_at: new Date(now.getTime() - 2000),
      retention: { audit_events: 0, addresses: 90, refusals: 7 },
    },
    database: { kind: "sqlite", size: 12_345_678, migrations: 4 },
    ...overrides,
  };
}

const openClient = {
  id,
  client_id: id,
  name: "",
  provenance: "dynamic_registration",
  client_ip: "192.0.2.1",
  created_at: now,
  last_used_at: now,
  people: 0,
} as const;

/** Returns the dashboard, the signing keys and the housekeeping in all of their variants. */
export function dashboardPages(text: string, locale: ManagementLocale): Record<string, Html> {
  const stranger: ConsoleLocale = {
    ...locale,
    viewer: aViewer(text, ["apps"], { is_platform_admin: false }),
  };
  const keys: ConsoleLocale = {
    ...locale,
    viewer: aViewer(text, ["signing_keys"]),
  };
  const nothing: Partial<DashboardPage> = { apps: [], refusals: [], failed_sign_ins: [], health: undefined };
  const { sign_ins, sign_in_failures, ...ofOrganization } = someActivity;
  const none = { count: 0, before: 0, change: undefined };
  const zeros = someActivity.moments.map(() => 0);
  const rotation = {
    ...keys,
    csrf_token: text,
    usual: 600,
    least: 5,
    most: 604_800,
    algorithms: signingAlgorithms,
    activates_in: "10 min",
    algorithm: "RS256" as const,
    error: false,
    replaces: false,
  };
  const requested = { ...keys, csrf_token: text };
  const user = { id, name: text };
  return {
    dashboard: dashboardPage(aDashboard(text, locale)),
    dashboardUnwell: dashboardPage(
      aDashboard(text, locale, { health: { ...health("failure"), mail: "missed" }, period: "month" }),
    ),
    dashboardWatched: dashboardPage(
      aDashboard(text, locale, { health: { ...health("caution"), mail: "off" }, period: "week" }),
    ),
    dashboardOfOrganization: dashboardPage(
      aDashboard(text, locale, {
        health: undefined,
        viewer: { ...stranger.viewer, resourceTypes: readable("apps", "refusals") },
        activity: ofOrganization,
      }),
    ),
    dashboardQuiet: dashboardPage(
      aDashboard(text, locale, {
        ...nothing,
        asks_for_one: true,
        activity: { tokens: none, moments: someActivity.moments, counts: { tokens_code: zeros } },
      }),
    ),
    dashboardAtFirst: dashboardPage(
      aDashboard(text, locale, { ...nothing, first_steps: true, activity: undefined }),
    ),
    dashboardOfSomebody: dashboardPage(
      aDashboard(text, locale, {
        ...stranger,
        health: undefined,
        activity: undefined,
        apps: [{ id, name: text, client_id: text, tokens: undefined }],
      }),
    ),
    dashboardOfNobody: dashboardPage(
      aDashboard(text, locale, { ...nothing, ...stranger, activity: undefined }),
    ),
    signingKeys: signingKeysPage({
      ...keys,
      keys: (["next", "signing", "retired", "expired"] as const).map((state, index) => ({
        id,
        kid: index === 0 ? text : "Kx1Zb9_aWnT4cVq7Rr0sLd3fGh6JkPmQtUvXyE2oIiA",
        algorithm: (["RS256", "ES256", "PS256", "EdDSA"] as const)[index] ?? "RS256",
        state,
        created_at: new Date(now.getTime() - index * 24 * hour),
        activates_at: now,
        expires_at: state === "signing" ? null : now,
      })),
      now,
      due_after: 90,
      done: "created",
    }),
    signingKeysNone: signingKeysPage({ ...keys, keys: [], now, due_after: undefined, done: undefined }),
    ...formsOf(rotationPage, rotation, {
      rotation: {},
      rotationRefused: { activates_in: "4", error: true, replaces: true },
    }),
    housekeeping: housekeepingPage(aHousekeeping(text, locale)),
    openClients: openClientsPage({
      ...requested,
      clients: [
        { ...openClient, name: text, client_id: text, client_ip: null },
        {
          ...openClient,
          provenance: "metadata_document",
          name: text,
          client_id: "https://client.example/app",
          people: 12,
        },
      ],
      count: 2,
      next: id,
      removed: 3,
    }),
    resetFactors: takeFactorsPage({
      ...requested,
      user,
      reason: text,
      error: fieldError("/reason", "empty"),
      errors: [detail("reset_takes_second_factor", { seconds: 300 })],
    }),
    removeFactor: takeFactorsPage({
      ...requested,
      user,
      factor: { id, name: text },
      reason: "",
      errors: [],
    }),
    registerClient: registerClientPage({
      ...requested,
      client: { id, client_id: text, name: text },
      name: text,
      error: fieldError("/name", "empty"),
      errors: [detail("stale")],
    }),
    ...importPages(text, requested),
    openClientsNone: openClientsPage({
      ...requested,
      clients: [],
      count: 0,
      next: undefined,
      nothing_chosen: true,
    }),
    openClientsConfirmed: openClientsConfirmation({
      ...requested,
      chosen: [{ ...openClient, name: text }],
    }),
    openClientsUnused: openClientsConfirmation({ ...keys, csrf_token: text, chosen: "never_used" }),
    housekeepingAlone: housekeepingPage(
      aHousekeeping(text, locale, { process: undefined, expired: undefined }),
    ),
    housekeepingWithoutMail: housekeepingPage(
      aHousekeeping(text, locale, {
        process: {
          version: text,
          started_at: now,
          workers: 1,
          hashing: { running: 0, waiting: 0, slots: 2, most_waiting: 100 },
          mail: undefined,
          unwritten: { uses: 0, events: 0, refusals: 0, counts: 0 },
          swept_at: undefined,
          retention: { audit_events: 365, addresses: 0, refusals: 7 },
        },
      }),
    ),
  };
}

/** Returns the page of imports before, during and after an import. */
function importPages(text: string, of: ConsoleLocale & { csrf_token: string }) {
  const state = {
    ...{ dry_run: true, system: text, source: text, heard_at: 0, done: 1, total: 2 },
    people: { created: 1, updated: 2, unchanged: 3, refused: 4 },
    records: { created: [text], stay: 5, refused: [text] },
    losses: [{ kind: text, count: 6 }],
    clients: [
      { client_id: text, changes: [text] },
      { client_id: text, changes: [] },
    ],
    other_subjects: 2,
  };
  const page = {
    ...{ ...of, systems: [text], most_bytes: 1_000_000, has_upload: true, is_running: false },
    runs: [{ created_at: now, by: text, details: { source: text, created: 7 } }],
  };
  const form = { system: text, source: text, organization: text };
  return {
    importChecked: importPage({ ...page, state: { ...state, phase: "checked" } }),
    importRunning: importPage({ ...page, state: { ...state, phase: "importing" }, is_running: true }),
    importStopped: importPage({ ...page, state: { ...state, phase: "importing", dry_run: false } }),
    importFailed: importPage({ ...page, state: { ...state, phase: "failed", error: text, losses: [] } }),
    importUnreadable: importPage({
      ...{ ...page, state: undefined, runs: [], form, has_upload: false },
      error: { type: "unreadable", message: text },
    }),
    importTooLarge: importPage({ ...page, state: undefined, form, error: { type: "too_large" } }),
    importWrongSource: importPage({ ...page, state: undefined, form, error: { type: "wrong_source" } }),
    importIncomplete: importPage({ ...page, state: undefined, form, error: { type: "incomplete" } }),
  };
}
