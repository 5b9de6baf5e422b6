import assert from "node:assert/strict";
import { before, describe, mock, test } from "node:test";
import type { Grant, SecurityEvent } from "../../src/oauth/core/server.ts";
import { clientCredentials } from "../../src/oauth/token/grants/client_credentials.ts";
import { createLog } from "../../src/ops/log.ts";
import { createMetrics, noMetrics } from "../../src/ops/metrics.ts";
import { type StatisticKind, statisticKinds } from "../../src/records/names/statistics.ts";
import { flushInterval, startBackground } from "../../src/server/background.ts";
import { reporter } from "../../src/server/report.ts";
import type { Store } from "../../src/storage/store.ts";
import { aClientFixture } from "../oauth/client_fixture.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { anOrganization, aRefusal, later, start } from "../support/builders.ts";
import { databasesInForm, openStoreAt } from "../support/databases.ts";
import { origin } from "../support/flows.ts";
import { until } from "../support/until.ts";

const log = createLog({ level: "silent", destination: { write() {} } });

/** Returns the counts of a subject by kind, of all hours. */
async function counted(
  store: Store,
  subject: string | null,
): Promise<Partial<Record<StatisticKind, number>>> {
  const hours = await store.countsByHour(subject, statisticKinds, start, later(86_400));
  const sums: Partial<Record<StatisticKind, number>> = {};
  for (const { kind, count } of hours) sums[kind] = (sums[kind] ?? 0) + count;
  return sums;
}

for (const database of databasesInForm)
  describe(`statistics, audit events and logs of security events on ${database.name}`, () => {
    let scenario: TestServer;
    let store: Store;
    before(async () => {
      const plain = await testServer(await database.open());
      store = plain.store;
      const report = reporter({ store, log, metrics: noMetrics, now: plain.clock.now });
      scenario = { ...plain, server: { ...plain.server, report } };
    });

    test("every issued token is counted by its grant for the server, its app and the app's organization", async () => {
      const { id: organization_id } = await anOrganization(store);
      const fixture = await aClientFixture(scenario, {
        organization_id,
        allowed_grants: ["auth_code", "refresh", "client_credentials"],
      });
      const personal = await aClientFixture(scenario, { allowed_grants: ["client_credentials"] });
      const { refresh_token, access_token } = await fixture.flow();
      await fixture.refresh(refresh_token);
      await fixture.clientCredentials({ scope: "orders:read" });
      await fixture.clientCredentials({ scope: "orders:read" });
      await personal.clientCredentials({ scope: "orders:read" });
      await assert.rejects(fixture.clientCredentials({ scope: "nothing" }));
      assert.deepEqual(await fixture.introspect(access_token), { active: false });
      await store.flushCounts();

      const tokens = { tokens_code: 1, tokens_refresh: 1, tokens_machine: 2 };
      assert.deepEqual(await counted(store, fixture.app.id), tokens);
      assert.deepEqual(await counted(store, organization_id), tokens);
      assert.deepEqual(await counted(store, personal.app.id), { tokens_machine: 1 });
      const { tokens_code, tokens_refresh, tokens_machine, introspections } = await counted(store, null);
      assert.deepEqual([tokens_code, tokens_refresh, tokens_machine, introspections], [1, 1, 3, 1]);
    });

    test("a token is counted under the statistic that its grant defines", async () => {
      const ofPeople: Grant = { ...clientCredentials, statistic: "tokens_code" };
      const fixture = await aClientFixture(
        { ...scenario, server: { ...scenario.server, grants: [ofPeople] } },
        { allowed_grants: ["client_credentials"] },
      );
      await fixture.clientCredentials({ scope: "orders:read" });
      await store.flushCounts();
      assert.deepEqual(await counted(store, fixture.app.id), { tokens_code: 1 });
    });

    test("a sign-in is counted by its result, and results without a statistic are not counted", async () => {
      const report = reporter({ store, log, metrics: noMetrics, now: () => later(7200) });
      const event = (type: SecurityEvent["type"], outcome: SecurityEvent["outcome"]) =>
        report({ type, outcome, actor: { kind: "anonymous" }, origin });
      const before = await counted(store, null);
      event("sign_in", "success");
      event("sign_in", "failure");
      event("sign_in", "failure");
      for (const type of ["sign_out", "consent", "client_authentication", "token_revoked"] as const)
        event(type, "success");
      await store.flushCounts();
      assert.deepEqual(await counted(store, null), { ...before, sign_ins: 1, sign_in_failures: 2 });
    });

    test("a second factor skipped for a remembered browser is a separate method in the metrics", async () => {
      const metrics = await createMetrics();
      const report = reporter({ store, log, metrics, now: () => start });
      const event = {
        type: "sign_in",
        outcome: "success",
        actor: { kind: "user", id: "u" },
        origin,
      } as const;
      report({ ...event, details: { method: "password", remembered_device: true } });
      report({ ...event, details: { method: "password" } });
      report({ ...event, details: { method: "made up" } });
      const text = await metrics.text();
      for (const method of ["remembered_device", "password", "unknown"])
        assert.ok(text.includes(`postern_sign_ins_total{method="${method}",outcome="success"} 1`), text);
    });

    test("counts and refused requests are written in the background within about a second", async () => {
      const { stop } = startBackground(store, log, () => start, {});
      store.increment("sign_ins", ["01b8dac5-b400-70d9-b771-c9532d1957a4"], start);
      const { id: _, ...refusal } = await aRefusal(store);
      store.queueRefusal({ ...refusal, short_id: "0123456789" });
      const written = async () =>
        (await store.count("refusals", { short_id: "0123456789" })) +
        (await store.count("statistics", { subject: "01b8dac5-b400-70d9-b771-c9532d1957a4" }));
      await until(async () => (await written()) === 2, "both are written");
      await stop();
    });

    test("B-2: last uses, counts and events are written within a second; a killed process loses only those (reliability finding 11)", async () => {
      assert.equal(flushInterval, 1000);
      mock.timers.enable({ apis: ["setTimeout"] });
      let flushed = 0;
      const { stop } = startBackground(
        {
          ...store,
          async flush() {
            flushed += 1;
          },
          sweepSome: async () => undefined as never,
        },
        log,
        () => start,
        {},
      );
      mock.timers.tick(999);
      assert.equal(flushed, 0);
      mock.timers.tick(1);
      assert.equal(flushed, 1);
      mock.timers.reset();
      await stop();
    });

    test("B-1: a flood of failures writes a bounded number of events and log lines, which count the others (security finding 7)", async () => {
      const again = await database.open();
      let at = start;
      const now = () => at;
      const lines: string[] = [];
      const loud = createLog({ level: "info", destination: { write: (line) => lines.push(line) } });
      const metrics = await createMetrics();
      const report = reporter({ store: again, log: loud, metrics, now });
      const failure: SecurityEvent = {
        type: "client_authentication",
        outcome: "failure",
        actor: { kind: "anonymous" },
        origin: { ...origin, user_agent: "x".repeat(16_000) },
      };
      for (let n = 0; n < 2000; n += 1) report(failure);
      for (const details of [{ reason: "throttled" }, { error: "temporarily_unavailable" }])
        report({ ...failure, type: "sign_in", details });
      const success = {
        type: "sign_out",
        outcome: "success",
        actor: { kind: "user", id: "u" },
        origin,
      } as const;
      for (let n = 0; n < 100; n += 1) report(success);
      at = later(61);
      const { stop } = startBackground(again, loud, now, {});
      await stop();
      await again.flush();
      const written = await again.list("audit_events", { type: "client_authentication" });
      assert.equal(written.length, 21);
      assert.ok(written.every(({ user_agent }) => (user_agent ?? "").length < 600));
      const summary = written.filter(({ details }) => details?.more !== undefined);
      assert.deepEqual(
        summary.map(({ details, client_ip }) => [details, client_ip]),
        [[{ more: 1980, left_out_by: "source" }, origin.client_ip]],
      );
      assert.equal(await again.count("audit_events", { type: "sign_in" }), 0);
      assert.equal(await again.count("audit_events", { type: "sign_out" }), 100);
      assert.equal(lines.length, 20 + 100 + 1);
      assert.match(lines.at(-1) ?? "", /"more":1980/);
      assert.match(
        await metrics.text(),
        /postern_audit_events_left_out_total\{type="client_authentication",by="source"\} 1980/,
      );
    });

    test("B-2: during an outage of a minute, no event is lost that a healthy server would write (reliability finding 11)", async () => {
      const away = await openStoreAt(await database.address());
      const report = reporter({ store: away, log, metrics: noMetrics, now: () => start });
      const failures = (count: number) => {
        for (let n = 0; n < count; n += 1)
          report({
            type: "client_authentication",
            outcome: "failure",
            actor: { kind: "anonymous" },
            origin: { ...origin, client_ip: `192.0.2.${n % 10}` },
          });
      };
      for (let second = 0; second < 60; second += 1) {
        if (second < 10) failures(10);
        await assert.rejects(away.flush());
      }
      await away.migrate(start);
      await away.flush();
      assert.equal(await away.count("audit_events"), 100);
    });
  });
