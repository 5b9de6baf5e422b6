/** Webhooks: signed events, endpoints as cursors over the feed, and the cost of faulty receivers. */
import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { deliver } from "../../src/oauth/deliveries/deliver.ts";
import { type OutboundAnswer, OutboundError, type OutboundRequest } from "../../src/outbound/outbound.ts";
import type { Row } from "../../src/records/definition/definition.ts";
import { lastMoment } from "../../src/records/names/liveness.ts";
import { testContext } from "../admin/context.ts";
import { serverOn } from "../support/authorization_server.ts";
import { aDelivery, aFeedEvent, anOrganization } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

const url = "https://hooks.example.com/in";
const resource = resourceOf("webhook_endpoints");

const answer = (status: number, headers: Record<string, string> = {}): OutboundAnswer => ({
  ...{ status, headers },
  body: Buffer.from("a response body"),
});

for (const database of databases)
  describe(`webhooks on ${database.name}`, () => {
    const as = serverOn(
      { ...database, open: () => database.open({ events: true }) },
      { extra_features: ["events"] },
    );
    const context = () => ({
      ...testContext(as.store),
      now: as.clock.now,
      sealer: as.server.sealer,
      switches: { extra_features: ["events" as const] },
    });

    async function endpoint(given: object = {}) {
      const made = await resource.create?.(context(), { url, ...given });
      assert.ok(made && "row" in made);
      return { id: made.row.id, secret: made.once?.secret ?? "" };
    }
    const tell = async (subject_id?: string, given: Partial<Row<"events">> = {}) => {
      const event = await aFeedEvent(as.store, { ...given, ...(subject_id && { subject_id }) });
      await as.store.numberEvents();
      await as.store.fillWebhooks(as.clock.now());
      return event;
    };
    const rowsOf = (target_id: string, state: "waiting" | "done" | "given_up" = "waiting") =>
      as.store.list("deliveries", { target_id, state });

    /** Makes the attempts that are due for an endpoint, one after the other. */
    async function attempt(target_id: string, answers: () => OutboundAnswer) {
      const sent: OutboundRequest[] = [];
      const way = {
        async send(request: OutboundRequest) {
          sent.push(request);
          return answers();
        },
      };
      const outcomes: unknown[] = [];
      for (const due of await as.store.dueDeliveries(as.clock.now(), 2000, [])) {
        if (due.target_id !== target_id) continue;
        const [claimed] = await as.store.claimDeliveries([due], due.id, as.clock.now());
        if (claimed !== undefined)
          outcomes.push(
            await deliver(claimed, { server: as.server, outbound: { public: way, internal: way } }),
          );
      }
      return { sent, outcomes };
    }
    /** Verifies a request; the verifier compares the time of an attempt with its own clock. */
    function verified(secret: string, { body, headers = {} }: OutboundRequest) {
      mock.timers.enable({ apis: ["Date"], now: as.clock.now() });
      try {
        return new Webhook(secret).verify(body?.text ?? "", { ...headers }) as Record<string, unknown>;
      } finally {
        mock.timers.reset();
      }
    }

    test("EV-4: standardwebhooks verifies an event; each attempt has the same id and a new signature", async () => {
      const { id, secret } = await endpoint();
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      const event = await tell();
      const first = await attempt(id, () => answer(503));
      assert.deepEqual(first.outcomes, ["postponed"]);
      as.clock.advance(12);
      const second = await attempt(id, () => answer(204));
      assert.deepEqual(second.outcomes, ["done"]);
      const [one, two] = [first.sent[0], second.sent[0]] as [OutboundRequest, OutboundRequest];
      assert.deepEqual([one.url, one.method, one.body?.type], [url, "POST", "application/json"]);
      const body = verified(secret, one);
      assert.deepEqual(
        [body.id, body.type, body.subject_id, body.data],
        [event.id, event.type, event.subject_id, event.data],
      );
      assert.ok(!("arrived" in body));
      verified(secret, two);
      assert.equal(one.headers?.["webhook-id"], event.id);
      assert.equal(two.headers?.["webhook-id"], event.id);
      assert.notEqual(one.headers?.["webhook-signature"], two.headers?.["webhook-signature"]);
      assert.throws(() => verified(secret, { ...one, body: { type: "", text: `${one.body?.text} ` } }));
    });

    test("EV-4: after a rotation both secrets verify for a day, then only the new one, and no log shows either", async () => {
      const { id, secret } = await endpoint();
      const done = (await resource.verbs?.rotate_secret?.(context(), id, {})) as {
        once?: Record<string, string>;
      };
      const next = done.once?.secret ?? "";
      assert.notEqual(next, secret);
      await resource.verbs?.ping?.(context(), id, {});
      const [sent] = (await attempt(id, () => answer(200))).sent as [OutboundRequest];
      assert.equal(verified(secret, sent).type, "ping");
      assert.equal(verified(next, sent).type, "ping");
      as.clock.advance(86_401);
      await resource.verbs?.ping?.(context(), id, {});
      const [later] = (await attempt(id, () => answer(200))).sent as [OutboundRequest];
      assert.equal(later.headers?.["webhook-signature"]?.split(" ").length, 1);
      const audits = JSON.stringify(await as.store.list("audit_events", { target_id: id }));
      const stored = JSON.stringify(await as.store.find("webhook_endpoints", { id }));
      for (const text of [secret, next]) assert.ok(!`${audits}${stored}`.includes(text));
    });

    test("EV-4: deliveries fail with a reason if the endpoint's secret cannot be decrypted, and work after a rotation", async () => {
      const { id } = await endpoint();
      await as.store.update("webhook_endpoints", { id }, { secrets_sealed: "v1.damaged" });
      await resource.verbs?.ping?.(context(), id, {});
      assert.deepEqual(await attempt(id, () => answer(200)), { sent: [], outcomes: ["postponed"] });
      const [row] = await rowsOf(id);
      assert.match(`${row?.attempt} ${row?.last_fault}`, /^1 secret_unreadable: replace the secret/);
      assert.ok((await as.store.find("webhook_endpoints", { id }))?.failing_since);
      const done = (await resource.verbs?.rotate_secret?.(context(), id, {})) as {
        once?: Record<string, string>;
      };
      as.clock.advance(12);
      const { sent, outcomes } = await attempt(id, () => answer(200));
      assert.deepEqual(outcomes, ["done"]);
      assert.equal(verified(done.once?.secret ?? "", sent[0] as OutboundRequest).type, "ping");
    });

    test("EV-6: an endpoint with a damaged row does not make other endpoints lose events", async () => {
      const ids = [await endpoint(), await endpoint(), await endpoint()].map(({ id }) => id);
      const [first = "", damaged = "", last = ""] = ids;
      await as.store.update("webhook_endpoints", { id: damaged }, { types: ["damaged"] });
      await as.store.transaction(({ connection }) =>
        connection.run(
          "UPDATE webhook_endpoints SET types = 'null' WHERE CAST(types AS text) LIKE '%damaged%'",
          [],
        ),
      );
      await aFeedEvent(as.store);
      await as.store.numberEvents();
      await assert.rejects(as.store.fillWebhooks(as.clock.now()), {
        message: `events for the webhook endpoint ${damaged} could not be queued`,
      });
      assert.deepEqual([(await rowsOf(first)).length, (await rowsOf(last)).length], [1, 1]);
      await as.store.update("webhook_endpoints", { id: damaged }, { active: false });
    });

    test("FO-5: an endpoint has at most a hundred pending deliveries, and further events follow in order", async () => {
      const { id } = await endpoint();
      for (let index = 0; index < 130; index++) await aFeedEvent(as.store, { type: "user.created" });
      await as.store.numberEvents();
      await as.store.fillWebhooks(as.clock.now());
      await as.store.fillWebhooks(as.clock.now());
      assert.equal((await rowsOf(id)).length, 100);
      for (let turn = 0; turn < 131; turn++) {
        await attempt(id, () => answer(200));
        await as.store.fillWebhooks(as.clock.now());
      }
      const done = await rowsOf(id, "done");
      assert.equal(done.length, 130);
      const positions = await Promise.all(
        done.map(
          async ({ event_id }) => (await as.store.find("events", { id: event_id ?? "" }))?.position ?? 0,
        ),
      );
      assert.deepEqual(
        positions,
        positions.toSorted((a, b) => a - b),
      );
    });

    test("FO-5: a hundred events that the endpoint refuses do not delay an event about another subject", async () => {
      const { id } = await endpoint();
      for (let index = 0; index < 100; index++) await aFeedEvent(as.store, { type: "user.created" });
      const user = crypto.randomUUID();
      const later = await tell(user);
      await attempt(id, () => answer(422));
      await as.store.fillWebhooks(as.clock.now());
      const { sent } = await attempt(id, () => answer(200));
      assert.deepEqual(
        sent.map(({ headers }) => headers?.["webhook-id"]),
        [later.id],
      );
    });

    test("EV-6: a 410 disables the endpoint at once, and it can continue without a gap or from the current position", async () => {
      const { id } = await endpoint();
      const { newest: before } = await as.store.feedBounds();
      const user = crypto.randomUUID();
      const missed = [await tell(user), await tell(user)];
      assert.deepEqual((await attempt(id, () => answer(410))).outcomes, ["held"]);
      // Deliveries of an active endpoint would have been deleted after this time.
      as.clock.advance(31 * 86_400);
      await as.store.sweep(as.clock.now(), { retention: {} });
      const disabled = await as.store.find("webhook_endpoints", { id });
      assert.deepEqual([disabled?.active, disabled?.disabled_reason], [false, "gone"]);
      assert.equal(await as.store.webhookStoppedAt(id), before);
      missed.push(await tell(user));
      as.clock.advance(60);
      assert.deepEqual((await attempt(id, () => answer(200))).sent, []);
      await resource.update?.(context(), id, { active: true });
      const arrived: unknown[] = [];
      for (let turn = 0; turn < 4; turn++) {
        await as.store.fillWebhooks(as.clock.now());
        const { sent } = await attempt(id, () => answer(200));
        arrived.push(...sent.map(({ headers }) => headers?.["webhook-id"]));
      }
      assert.deepEqual(
        arrived,
        missed.map((event) => event.id),
      );

      await resource.update?.(context(), id, { active: false });
      await tell(user);
      await resource.update?.(context(), id, { active: true, resume: "now" });
      const later = await tell(user);
      const { sent } = await attempt(id, () => answer(200));
      assert.deepEqual(
        sent.map(({ headers }) => headers?.["webhook-id"]),
        [later.id],
      );
    });

    test("EV-6: an endpoint that fails for three days is disabled, and its pending events are kept", async () => {
      const { id } = await endpoint();
      await tell();
      const outcomes: unknown[] = [];
      for (let hours = 0; hours < 100 && !outcomes.includes("held"); hours += 1) {
        outcomes.push(...(await attempt(id, () => answer(500))).outcomes);
        as.clock.advance(3600);
      }
      assert.deepEqual(outcomes.at(-1), "held");
      const row = await as.store.find("webhook_endpoints", { id });
      assert.deepEqual([row?.active, row?.disabled_reason], [false, "failing"]);
      assert.equal((await rowsOf(id)).length, 1);
      const [audit] = await as.store.list("audit_events", {
        type: "webhook_endpoint.disabled",
        target_id: id,
      });
      assert.equal(audit?.actor_kind, "system");
    });

    test("EV-6: a redirect or a private address is recorded as an error of that name, and Retry-After is respected", async () => {
      const { id } = await endpoint();
      await tell();
      await attempt(id, () => answer(302));
      assert.match((await rowsOf(id))[0]?.last_fault ?? "", /^redirect: /);
      as.clock.advance(20);
      await attempt(id, () => {
        throw new OutboundError("internal_address", "hooks.example.com");
      });
      assert.match(
        (await rowsOf(id))[0]?.last_fault ?? "",
        /requires internal, which a platform administrator sets/,
      );
      as.clock.advance(600);
      await attempt(id, () => answer(429, { "retry-after": "7200" }));
      const [row] = await rowsOf(id);
      assert.ok((row?.due_at.getTime() ?? 0) - as.clock.now().getTime() >= 7_200_000);
    });

    test("EV-7: events can be sent again from a given time on, of which at most a thousand wait", async () => {
      const { id } = await endpoint({ types: ["user.deleted"] });
      const replay = async (input: object) => resource.verbs?.replay?.(context(), id, { ...input });
      const before = await tell();
      as.clock.advance(60);
      const since = as.clock.now();
      const created_at = since;
      const later = [0, 1, 2].map((ms) => as.store.newId(new Date(since.getTime() + ms)));
      for (const each of later.toReversed()) await tell(undefined, { id: each, created_at });
      await replay({ since: since.toISOString(), types: ["user.updated"] });
      const found = (await rowsOf(id)).map(({ event_id }) => event_id);
      assert.deepEqual(found, later.toReversed());
      assert.ok(!found.includes(before.id));
      await assert.rejects(replay({ since: new Date(since.getTime() + 9e9).toISOString() }), {
        code: "conflict",
      });
      for (let row = 3; row < 1000; row++)
        await aDelivery(as.store, { kind: "webhook", target_id: id, due_at: lastMoment });
      for (const verb of [
        () => replay({ event_id: before.id }),
        async () => resource.verbs?.ping?.(context(), id, {}),
      ])
        await assert.rejects(verb, { code: "conflict" });
    });

    test("EV-4: parallel pings of an endpoint do not exceed the limit", async () => {
      const { id } = await endpoint({ types: ["user.deleted"] });
      for (let row = 0; row < 98; row++) await aDelivery(as.store, { kind: "webhook", target_id: id });
      const pings = Array.from({ length: 8 }, async () => resource.verbs?.ping?.(context(), id, {}));
      const outcomes = await Promise.allSettled(pings);
      assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 2);
      assert.equal((await rowsOf(id)).length, 100);
    });

    test("EV-4: an organization's endpoint receives only its events of the chosen types, also when they are replayed", async () => {
      const acme = await anOrganization(as.store);
      const { id } = await endpoint({ organization_id: acme.id, types: ["membership.created"] });
      const given = { organization_id: acme.id, type: "membership.created" };
      const mine = await tell(undefined, given);
      await tell(undefined, { ...given, type: "membership.deleted" });
      const foreign = await tell();
      const ids = async () => (await rowsOf(id)).map(({ event_id }) => event_id);
      assert.deepEqual(await ids(), [mine.id]);
      await resource.verbs?.replay?.(context(), id, { after: 0 });
      assert.deepEqual(await ids(), [mine.id, mine.id]);
      await assert.rejects(async () => resource.verbs?.replay?.(context(), id, { event_id: foreign.id }), {
        code: "invalid_record",
      });
    });
  });
