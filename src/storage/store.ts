/** The store, which implements all interfaces of `ports.ts`. */
import type { UnavailableError } from "../errors.ts";
import type { AuditStreamKind, DatabaseProfileName } from "../records/names/names.ts";
import { consentRules } from "./clients/consents.ts";
import { openClientRules } from "./clients/open_clients.ts";
import { passedOverScopeRules } from "./clients/passed_over_scopes.ts";
import { pushedRequestRules } from "./clients/pushed_requests.ts";
import { refusalRules } from "./clients/refusals.ts";
import { resourceReads } from "./clients/resources.ts";
import { cachedReads } from "./database/cached_reads.ts";
import { databaseOn } from "./database/database.ts";
import type { Driver } from "./database/driver.ts";
import { ephemeraRules } from "./database/ephemera.ts";
import { eventMarks } from "./database/event_marks.ts";
import { feedOf } from "./database/feed.ts";
import { idMaker } from "./database/ids.ts";
import { ownershipRules } from "./database/ownership.ts";
import { impactRules } from "./listing/impact.ts";
import { namedRules } from "./listing/named.ts";
import { roleHolderRules } from "./listing/role_holders.ts";
import { planMigrations } from "./migration_plan.ts";
import { migrate, migrationStatus, missingMigrations } from "./migrations.ts";
import { auditOutboxRules, exportedStreams } from "./operation/audit_outbox.ts";
import { deliveryRules } from "./operation/deliveries.ts";
import { eventLog } from "./operation/event_log.ts";
import { feedRules } from "./operation/feed.ts";
import { heldDeliveryRules } from "./operation/held_deliveries.ts";
import { keyRules } from "./operation/key_rows.ts";
import { manifestRows } from "./operation/manifest_rows.ts";
import { outboxRules } from "./operation/outbox.ts";
import { sealedValueRules } from "./operation/sealed_values.ts";
import { statisticRules } from "./operation/statistics.ts";
import { webhookRules } from "./operation/webhooks.ts";
import { attributeRules } from "./people/attributes.ts";
import { emailKeyRules } from "./people/email_keys.ts";
import { endedLinkRules } from "./people/ended_links.ts";
import { enrolledRules } from "./people/enrolled_methods.ts";
import { foreignPasswordRules } from "./people/foreign_passwords.ts";
import { forgottenPeopleRules } from "./people/forgotten_people.ts";
import { givenRoleRules } from "./people/given_roles.ts";
import { importedPeopleRules } from "./people/imported_people.ts";
import { lastUsed } from "./people/last_used.ts";
import { memberRules } from "./people/members.ts";
import { openedSessionRules } from "./people/opened_sessions.ts";
import { passkeyHostRules } from "./people/passkey_hosts.ts";
import { providedAttributeRules } from "./people/provided_attributes.ts";
import { providerReads } from "./people/providers.ts";
import { sessionPolicyRules } from "./people/session_policies.ts";
import { takenIdRules } from "./people/taken_ids.ts";
import { unlinkedRules } from "./people/unlinked_accounts.ts";
import { upstreamRevocationRules } from "./people/upstream_revocations.ts";
import type { DatabaseLimits, TargetSessionAttrs } from "./postgres/hosts.ts";
import type { Replica } from "./postgres/replica.ts";
import { reportReads } from "./reports.ts";
import { openSqlite } from "./sqlite/driver.ts";
import { expiredSessionRules } from "./sweep/expired_sessions.ts";
import { sweepRules } from "./sweep/sweep.ts";
import { tableFigureRules } from "./sweep/table_figures.ts";
import { assertionRules } from "./tokens/assertions.ts";
import { endedGrantRules } from "./tokens/ended_grants.ts";
import { endedTokenRules } from "./tokens/ended_tokens.ts";
import { familyRules } from "./tokens/families.ts";
import { grantRules } from "./tokens/grants.ts";
import { revocationRules } from "./tokens/revocations.ts";
import { changeProfile } from "./used_profile.ts";

export type DatabaseAddress =
  | { readonly kind: "sqlite"; readonly path: string }
  | {
      readonly kind: "postgres";
      readonly url: string;
      readonly further_urls?: readonly string[];
      readonly target_session_attrs?: TargetSessionAttrs;
      readonly profile?: DatabaseProfileName;
    };

export interface StoreOptions {
  readonly onError?: (error: Error) => void;
  readonly onUnavailable?: (kind: UnavailableError) => void;
  readonly connections?: number;
  readonly limits?: DatabaseLimits | undefined;
  readonly around?: ((driver: Driver) => Driver) | undefined;
  readonly replica?: Extract<DatabaseAddress, { kind: "postgres" }> | undefined;
  readonly onReplicaError?: (error: Error) => void;
  readonly audit_streams?: readonly AuditStreamKind[];
  readonly events?: boolean;
  /**
   * Writes events to the event feed and audit streams like the servers of this database. Commands set this,
   * because they may lack the servers' settings.
   */
  readonly as_servers?: boolean;
}

/** Opens a database for SQL statements only, without the methods of the store. */
export async function openDriver(
  address: DatabaseAddress,
  options: Pick<StoreOptions, "onError" | "onUnavailable" | "connections" | "limits"> = {},
): Promise<Driver> {
  if (address.kind === "sqlite") return openSqlite(address.path, options.onUnavailable);
  const { openPostgres } = await import("./postgres/driver.ts");
  const { target_session_attrs: target = "any", profile } = address;
  return openPostgres({ urls: urlsOf(address), target }, { ...options, profile });
}

/** Opens the database. A new database has no tables before `migrate`. */
export async function openStore(address: DatabaseAddress, options: StoreOptions = {}): Promise<Store> {
  const { around = (driver) => driver, replica, onError = () => {} } = options;
  const driver = around(await openDriver(address, options));
  const { audit_streams = [], as_servers = false } = options;
  const servers = as_servers ? await usesOfServers(driver) : { events: false, audit_streams: [] };
  const events = options.events === true || servers.events;
  const telling = {
    ...options,
    events,
    audit_streams: [...new Set([...audit_streams, ...servers.audit_streams])],
  };
  if (replica === undefined) return storeOn(driver, telling);
  const [{ openReplica }, { patientLimits }] = await Promise.all([
    import("./postgres/replica.ts"),
    import("./postgres/hosts.ts"),
  ]);
  const { limits = patientLimits } = options;
  const about = { connections: replicaConnections, limits, onError };
  const opened = openReplica(urlsOf(replica), driver, about);
  return storeOn(driver, telling, { ...opened, driver: around(opened.driver) });
}

const replicaConnections = 4;

const urlsOf = ({ url, further_urls = [] }: Extract<DatabaseAddress, { kind: "postgres" }>) => [
  url,
  ...further_urls,
];

/**
 * These tables have rows only if servers write to the event feed. The numbers are those of the migrations
 * that add them.
 */
const feedTables = { events: 59, webhook_endpoints: 60, signal_streams: 62 };

/**
 * Once servers have written events, the table `events` is never empty, because the newest event is never
 * deleted. Before that, a webhook endpoint or a signal stream already waits for the first event.
 */
async function usesOfServers(driver: Driver) {
  const { missing } = await missingMigrations(driver);
  const isMissing = (added: number) => missing.some(({ version }) => version === added);
  if (isMissing(feedTables.events)) return { events: false, audit_streams: [] };
  const rows = Object.entries(feedTables)
    .filter(([, added]) => !isMissing(added))
    .map(([table]) => `SELECT 1 AS one FROM ${table}`);
  const used = await driver.all(`${rows.join(" UNION ALL ")} LIMIT 1`, []);
  return { events: used.length > 0, audit_streams: await exportedStreams(driver) };
}

function storeOn(
  driver: Driver,
  { audit_streams = [], events: tells = false, onReplicaError = () => {} }: StoreOptions,
  replica?: Replica,
) {
  const newId = idMaker();
  const marks = eventMarks(driver.dialect, audit_streams, newId);
  const database = databaseOn(driver, marks, tells ? feedOf(driver.dialect, newId) : undefined);
  const feed = feedRules(database);
  const apis = resourceReads(database);
  const ephemera = ephemeraRules(database, newId);
  const endedTokens = endedTokenRules(database, newId);
  const endedGrants = endedGrantRules(database, endedTokens);
  const revocations = revocationRules(database, { ...endedTokens, ...endedGrants });
  const openedSessions = openedSessionRules(revocations.endSessionIn);
  const unlinked = unlinkedRules(newId);
  const upstreamRevocations = upstreamRevocationRules(database, newId);
  const provided = providedAttributeRules(newId);
  const keys = keyRules(database);
  const families = familyRules(database, { ...endedTokens, ...endedGrants });
  const uses = lastUsed(database);
  const openClients = openClientRules(database, newId);
  const owners = ownershipRules(database);
  const events = eventLog(database, newId, owners.ownerOf, marks);
  const statistics = statisticRules(database, newId);
  const refusals = refusalRules(database, newId);
  const { find, list, listColumns, count, insert, update, remove, transaction, onChange } = database;

  async function flush(): Promise<void> {
    const failures: unknown[] = [];
    for (const write of [
      uses.flushUses,
      events.flushEvents,
      refusals.flushRefusals,
      statistics.flushCounts,
    ]) {
      await write().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  return {
    dialect: driver.dialect.name,
    isCurrent: driver.isCurrent,
    expectJob: driver.expectJob,
    newId,
    ...{ find, list, listColumns, count, insert, update, remove, transaction, onChange },
    ...cachedReads(database, apis),
    ...memberRules(database),
    ...givenRoleRules(database),
    ...attributeRules(database),
    ...sessionPolicyRules(database),
    ...providerReads(database),
    ...apis,
    ...openClients,
    ...consentRules(database, newId),
    ...emailKeyRules(database),
    ...revocations,
    ...endedTokens,
    ...endedGrants,
    ...forgottenPeopleRules(database),
    ...foreignPasswordRules(database),
    ...importedPeopleRules(database),
    ...takenIdRules(database),
    ...openedSessions,
    ...unlinked,
    ...upstreamRevocations,
    ...provided,
    ...endedLinkRules({ ...openedSessions, ...unlinked, ...upstreamRevocations, ...provided }),
    ...outboxRules(database, newId),
    ...auditOutboxRules(database, newId),
    ...deliveryRules(database, newId),
    ...heldDeliveryRules(database),
    ...expiredSessionRules(database),
    ...feed,
    ...webhookRules(database, newId, feed),
    ...ephemera,
    ...passedOverScopeRules(ephemera),
    ...enrolledRules(database),
    ...passkeyHostRules(database),
    ...sealedValueRules(database),
    ...families,
    ...assertionRules(database, families, newId),
    ...grantRules(database, newId),
    ...reportReads(database, replica, onReplicaError),
    ...namedRules(database),
    ...manifestRows(database, newId),
    ...owners,
    ...pushedRequestRules(database, newId),
    ...keys,
    ...uses,
    ...events,
    ...statistics,
    ...refusals,
    ...impactRules(database),
    ...roleHolderRules(database),
    ...sweepRules(
      database,
      keys.removeExpiredSigningKeys,
      statistics.increment,
      openClients.sweepOpenClients,
    ),
    migrate: (now: Date, up_to?: number) => migrate(driver, now, up_to),
    migrationStatus: () => migrationStatus(driver),
    planMigrations: () => planMigrations(driver),
    changeProfile: () => changeProfile(driver),
    flush,
    async isEmpty() {
      const [row] = await driver.all(driver.dialect.tables, []);
      return Number(row?.found ?? 0) === 0;
    },
    ...tableFigureRules(database),
    connections: driver.connections,
    logSize: driver.logSize,
    async ping() {
      await driver.all("SELECT 1 AS one", []);
    },
    proveWritable: driver.proveWritable,
    ...(replica && { proveReplica: replica.catchUp }),
    async size() {
      const [row] = await driver.all(driver.dialect.size, []);
      return Number(row?.bytes ?? 0);
    },
    async close() {
      try {
        await flush();
      } finally {
        await replica?.close();
        await driver.close();
      }
    },
  };
}

export type Store = ReturnType<typeof storeOn>;
