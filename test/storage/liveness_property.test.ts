/**
 * The SQL conditions select the same rows as active as `src/records/names/liveness.ts`, at every boundary.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { type RawBuilder, sql } from "kysely";
import type { Row, TableName } from "../../src/records/definition/definition.ts";
import {
  endedGrantName,
  hasPassed,
  idleSince,
  stateOfAccess,
  stateOfCode,
  stateOfConsent,
  stateOfCredential,
  stateOfIdleSession,
  stateOfRefresh,
  stateOfSession,
  stateOfToken,
  stateSince,
} from "../../src/records/names/liveness.ts";
import { isEndedGrant } from "../../src/records/rules/dependencies.ts";
import { rowIsActive } from "../../src/storage/database/active_rows.ts";
import { type Database, databaseOn } from "../../src/storage/database/database.ts";
import type { Driver } from "../../src/storage/database/driver.ts";
import { arg, statement } from "../../src/storage/database/statement.ts";
import type { Store } from "../../src/storage/store.ts";
import { dead, deadRows, momentsOf } from "../../src/storage/sweep/conditions.ts";
import * as conditions from "../../src/storage/tokens/grant_conditions.ts";
import {
  aCode,
  aConsent,
  aKeyPair,
  anApiKey,
  anApp,
  anOrganization,
  aRefusal,
  aSecret,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
} from "../support/builders.ts";
import { everyDatabaseInForm, openDriver, openStoreAt, serializable } from "../support/databases.ts";
import { inForm } from "../support/form.ts";

const now = new Date("2031-01-01T00:00:00.000Z");
const idle = now.getTime() - idleSince(now).getTime();

/** Times around now and around the idle limit, to the millisecond. */
const moment = fc
  .tuple(fc.constantFrom(0, -idle, idle), fc.constantFrom(-1, 0, 1))
  .map(([far, near]) => new Date(now.getTime() + far + near));
const perhaps = fc.option(moment, { freq: 3 });
const flag = fc.boolean();
const ends = { active: flag, tokens_not_before: perhaps };

interface Kind {
  readonly table: TableName;
  readonly columns: fc.Arbitrary<object>;
  readonly add: (store: Store, overrides: never) => Promise<{ readonly id: string }>;
  readonly condition: RawBuilder<boolean>;
  readonly state: (row: never) => string | undefined;
}

const at = arg.time("now");
const kind = <T extends TableName>(
  table: T,
  columns: Record<string, fc.Arbitrary<unknown>>,
  add: (store: Store, overrides: Partial<Row<T>>) => Promise<{ readonly id: string }>,
  condition: RawBuilder<boolean>,
  state: (row: Row<T>) => string | undefined,
): Kind => ({ table, columns: fc.record(columns), add, condition, state }) as unknown as Kind;

const credential = { revoked: flag, expires_at: perhaps };
const session = { ended_at: perhaps, expires_at: moment, last_seen_at: moment, idle_ends_at: perhaps };
const token = {
  revoked: flag,
  access_expires_at: moment,
  refresh_expires_at: perhaps,
  rotated_at: fc.option(moment, { freq: 2 }),
};

const kinds: Readonly<Record<string, Kind>> = {
  secret: kind("oauth_app_secrets", credential, aSecret, rowIsActive.credential("t", at), (row) =>
    stateOfCredential({ ...row }, now),
  ),
  "API key": kind("api_keys", credential, anApiKey, rowIsActive.credential("t", at), (row) =>
    stateOfCredential({ ...row }, now),
  ),
  "key pair": kind(
    "service_account_key_pairs",
    { ...credential, active: flag },
    aKeyPair,
    rowIsActive.keyPair("t", at),
    (row) => stateOfCredential(row, now),
  ),
  code: kind(
    "oauth_auth_codes",
    { used: flag, expires_at: moment },
    aCode,
    rowIsActive.code("t", at),
    (row) => stateOfCode(row, now),
  ),
  consent: kind(
    "oauth_consents",
    { granted: flag, revoked: flag },
    aConsent,
    rowIsActive.consent("t"),
    stateOfConsent,
  ),
  session: kind("sessions", session, aSession, rowIsActive.session("t", at, arg.time("idle_since")), (row) =>
    stateOfSession(row, now),
  ),
  "session of a code": kind("sessions", session, aSession, rowIsActive.idleSession("t", at), (row) =>
    stateOfIdleSession(row, now),
  ),
  "access half": kind("oauth_tokens", token, aToken, rowIsActive.access("t", at), (row) =>
    stateOfAccess(row, now),
  ),
  "refresh half": kind("oauth_tokens", token, aToken, rowIsActive.refresh("t", at), (row) =>
    stateOfRefresh(row, now),
  ),
  token: kind("oauth_tokens", token, aToken, rowIsActive.token("t", at), (row) => stateOfToken(row, now)),
  user: kind("users", ends, aUser, rowIsActive.since("t", at), (row) => stateSince(row, now)),
  organization: kind("organizations", ends, anOrganization, rowIsActive.since("t", at), (row) =>
    stateSince(row, now),
  ),
  "service account": kind("service_accounts", ends, aServiceAccount, rowIsActive.since("t", at), (row) =>
    stateSince(row, now),
  ),
  app: kind("oauth_apps", { ...ends, revoked_at: perhaps }, anApp, rowIsActive.appSince("t", at), (row) =>
    stateSince(row, now),
  ),
};

for (const testDatabase of everyDatabaseInForm)
  describe(`active rows on ${testDatabase.name}`, () => {
    let store: Store;
    let driver: Driver;
    let database: Database;
    /** The records to which the rows refer. */
    let parents: { readonly app_id: string; readonly service_account_id: string; readonly user_id: string };
    before(async () => {
      const address = await testDatabase.tables();
      store = await openStoreAt(address);
      driver = await openDriver(address);
      database = databaseOn(driver);
      parents = {
        app_id: (await anApp(store)).id,
        service_account_id: (await aServiceAccount(store)).id,
        user_id: (await aUser(store)).id,
      };
    });
    after(() => driver.close());

    // The serializable profile runs the same conditions on PostgreSQL, so fewer runs suffice.
    const runs = (usual: number) =>
      testDatabase === serializable ? inForm(Math.ceil(usual / 4), usual) : usual;

    const args = () => ({ ...momentsOf(now, {}), idle_since: idleSince(now) });
    async function fitting(table: TableName, ids: readonly string[], condition: RawBuilder<boolean>) {
      const among = sql.join(ids.map((id) => sql`${database.dialect.encode("uuid", id)}`));
      const rows = await statement<{ id: string }>(
        database.dialect,
        table,
        () =>
          sql<{
            id: string;
          }>`SELECT t.id FROM ${sql.table(table)} t WHERE t.id IN (${among}) AND (${condition})`,
      ).all(driver, args());
      return rows.map(({ id }) => id).sort();
    }
    const holds = async (condition: RawBuilder<boolean>) =>
      (
        await statement(database.dialect, "users", () => sql`SELECT 1 AS one WHERE ${condition}`).all(
          driver,
          args(),
        )
      ).length === 1;

    for (const [name, { table, columns, add, condition, state }] of Object.entries(kinds))
      test(`H-23: ${name}: SQL and TypeScript agree on which are active`, async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(columns, { minLength: 1, maxLength: 12 }), async (several) => {
            const { app_id, service_account_id, user_id } = parents;
            const of: object =
              table === "oauth_consents"
                ? { app_id }
                : table === "oauth_app_secrets" || table === "oauth_auth_codes" || table === "oauth_tokens"
                  ? { app_id, ...(table !== "oauth_app_secrets" && { user_id }) }
                  : table === "service_account_key_pairs"
                    ? { service_account_id }
                    : table === "sessions"
                      ? { user_id }
                      : {};
            const rows = [];
            for (const overrides of several) rows.push(await add(store, { ...of, ...overrides } as never));
            const expected = rows.filter((row) => state(row as never) === "active").map(({ id }) => id);
            const ids = rows.map(({ id }) => id);
            assert.deepEqual(await fitting(table, ids, condition), expected.sort());
          }),
          { numRuns: runs(25) },
        );
      });

    /** Families or sessions that a user may have ended. */
    const endable = [randomUUID(), randomUUID()];

    test("H-23: the statement that stores a grant checks what it depends on as the code before it does", async () => {
      const graph = fc.record({
        app: fc.record({ ...ends, revoked_at: perhaps, first_party: flag }),
        organization: fc.option(fc.record(ends)),
        account: fc.record(ends),
        machines: fc.record(ends),
        consent: fc.option(fc.record({ granted: flag, revoked: flag })),
        session: fc.record(session),
        secret: fc.record(credential),
        key_pair: fc.record({ ...credential, active: flag }),
        ended: fc.option(fc.array(fc.tuple(fc.constantFrom("app", ...endable), moment), { maxLength: 3 })),
        tokens: fc.array(
          fc.record({
            family_id: fc.constantFrom(...endable),
            session_id: fc.option(fc.constantFrom(...endable)),
            scope: fc.constantFrom("openid", "openid offline_access", ""),
            created_at: moment,
          }),
          { minLength: 1, maxLength: 4 },
        ),
      });
      const id = (text: string) => sql<string>`${database.dialect.encode("uuid", text)}`;
      await fc.assert(
        fc.asyncProperty(graph, async (overrides) => {
          const organization =
            overrides.organization === null ? undefined : await anOrganization(store, overrides.organization);
          const app = await anApp(store, { ...overrides.app, organization_id: organization?.id ?? null });
          const machines = await anOrganization(store, overrides.machines);
          const account = await aServiceAccount(store, {
            ...overrides.account,
            organization_id: machines.id,
          });
          const { user_id } = parents;
          const consent =
            overrides.consent && (await aConsent(store, { ...overrides.consent, user_id, app_id: app.id }));
          const browser = await aSession(store, { ...overrides.session, user_id });
          const secret = await aSecret(store, { ...overrides.secret, app_id: app.id });
          const key_pair = await aKeyPair(store, { ...overrides.key_pair, service_account_id: account.id });
          const { appIsActive, consentIsActive, serviceAccountIsActive } = conditions;
          assert.equal(
            await holds(appIsActive(id(app.id), at)),
            [app, organization].every((each) => each === undefined || stateSince(each, now) === "active"),
          );
          assert.equal(
            await holds(consentIsActive(id(user_id), id(app.id))),
            app.first_party || (consent !== null && stateOfConsent(consent) === "active"),
          );
          assert.equal(
            await holds(serviceAccountIsActive(id(account.id), at)),
            [account, machines].every((each) => stateSince(each, now) === "active"),
          );
          assert.equal(
            await holds(conditions.sessionIsActive(id(browser.id), at)),
            stateOfIdleSession(browser, now) === "active",
          );
          assert.equal(
            await holds(conditions.secretIsActive(id(secret.id), at)),
            stateOfCredential({ ...secret }, now) === "active",
          );
          assert.equal(
            await holds(conditions.keyPairIsActive(id(key_pair.id), at)),
            stateOfCredential(key_pair, now) === "active",
          );
          const user = await aUser(store, {
            ...overrides.account,
            ended_grants:
              overrides.ended &&
              Object.fromEntries(
                overrides.ended.map(([of, up_to]) => [
                  endedGrantName(of === "app" ? app.id : of),
                  up_to.getTime(),
                ]),
              ),
          });
          const tokens = [];
          for (const { family_id, session_id, scope, created_at } of overrides.tokens) {
            const request_data = JSON.stringify({ grant_type: "authorization_code", scope });
            const made = {
              user_id: user.id,
              app_id: app.id,
              family_id,
              session_id,
              request_data,
              created_at,
            };
            tokens.push(await aToken(store, made));
          }
          const live = tokens.filter(
            (row) => stateSince(user, row.created_at) === "active" && !isEndedGrant(user, row),
          );
          const column = (name: string) => sql.ref<never>(`t.${name}`);
          assert.deepEqual(
            await fitting(
              "oauth_tokens",
              tokens.map((row) => row.id),
              conditions.userIsActive(database.dialect, column("user_id"), {
                app_id: column("app_id"),
                family_id: column("family_id"),
                session: { id: column("session_id"), request_data: column("request_data") },
                made_at: column("created_at"),
              }),
            ),
            live.map((row) => row.id).sort(),
          );
        }),
        { numRuns: runs(60) },
      );
    });

    test("H-23: expired rows are deleted, except token families that may still reveal a replay", async () => {
      const graph = fc.record({
        tokens: fc.array(fc.record({ ...token, code: fc.nat(2), isOfUser: flag }), {
          minLength: 1,
          maxLength: 6,
        }),
        codes: fc.tuple(...[0, 1, 2].map(() => fc.record({ used: flag, expires_at: moment }))),
        refusals: fc.array(moment, { minLength: 1, maxLength: 3 }),
      });
      await fc.assert(
        fc.asyncProperty(graph, async (overrides) => {
          const { app_id, user_id } = parents;
          const codes = [];
          for (const each of overrides.codes) codes.push(await aCode(store, { ...each, app_id, user_id }));
          const tokens: Row<"oauth_tokens">[] = [];
          for (const { code, isOfUser, ...each } of overrides.tokens) {
            const family_id = codes[code]?.id ?? randomUUID();
            tokens.push(
              await aToken(store, { ...each, app_id, user_id: isOfUser ? user_id : null, family_id }),
            );
          }
          /**
           * Returns whether a row keeps its family: a used refresh token reports a replay until its original
           * expiry.
           */
          const tells = (row: Row<"oauth_tokens">) =>
            row.user_id !== null &&
            (stateOfAccess(row, now) === "active" ||
              stateOfRefresh({ ...row, rotated_at: null }, now) === "active");
          const lives = (family: string) => tokens.some((row) => row.family_id === family && tells(row));
          const gone = tokens.filter(
            (row) =>
              hasPassed(row.access_expires_at, now) &&
              (row.revoked || row.refresh_expires_at === null || hasPassed(row.refresh_expires_at, now)) &&
              (row.user_id === null || row.refresh_expires_at === null || !lives(row.family_id)),
          );
          assert.ok(gone.every((row) => stateOfToken(row, now) !== "active"));
          const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
          assert.deepEqual(await fitting("oauth_tokens", ids(tokens), dead.oauth_tokens), ids(gone).sort());
          const swept = statement<{ id: string }>(database.dialect, "oauth_tokens", () =>
            deadRows("oauth_tokens", sql`t.app_id = ${arg.uuid("app_id")}`),
          );
          const found = await swept.all(driver, { ...args(), app_id });
          assert.deepEqual(
            ids(found)
              .filter((id) => ids(tokens).includes(id))
              .sort(),
            ids(gone).sort(),
          );
          const spent = codes.filter(
            (code) => hasPassed(code.expires_at, now) && !(code.used && lives(code.id)),
          );
          assert.deepEqual(
            await fitting("oauth_auth_codes", ids(codes), dead.oauth_auth_codes),
            ids(spent).sort(),
          );
          const refusals = [];
          for (const expires_at of overrides.refusals)
            refusals.push(await aRefusal(store, { app_id, expires_at }));
          const past = refusals.filter(({ expires_at }) => hasPassed(expires_at, now));
          assert.deepEqual(await fitting("refusals", ids(refusals), dead.refusals), ids(past).sort());
        }),
        { numRuns: runs(60) },
      );
    });
  });
