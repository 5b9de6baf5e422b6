/** Paused or disabled streams of Shared Signals, whose pushes wait in the outbox. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decodeJwt } from "jose";
import { deliver } from "../../src/oauth/deliveries/deliver.ts";
import { pumpSignals } from "../../src/oauth/signals/pump.ts";
import { createStream, removeStream, setStatus, verifyStream } from "../../src/oauth/signals/streams.ts";
import type { OutboundRequest } from "../../src/outbound/outbound.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { controlTypes, type StreamState, signalTypes } from "../../src/records/names/signals.ts";
import { serverOn } from "../support/authorization_server.ts";
import { aDelivery, aFeedEvent, aMembership, anApp, anOrganization, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

const day = 86_400;
const { account_disabled, account_enabled } = signalTypes;
const delivery = { method: "urn:ietf:rfc:8935", endpoint_url: "https://receiver.example/events" };

for (const database of databases)
  describe(`shared-signals streams that are paused, on ${database.name}`, () => {
    const as = serverOn({ ...database, open: () => database.open({ events: true }) });

    async function aPushStream(organization_id: string | null = null) {
      const app = await anApp(as.store, {
        organization_id,
        allowed_grants: ["client_credentials"],
        allowed_scopes: ["ssf.manage"],
      });
      const stream = await createStream(app, { delivery }, as.server);
      const { id: subject_id } = await aUser(as.store);
      if (organization_id !== null) await aMembership(as.store, { user_id: subject_id, organization_id });
      return {
        stream,
        set: (status: StreamState) => setStatus(stream, { status, reason: null }, as.server),
        /** Reports a change of the same user, and queues it if the stream gets events. */
        async tell(type: "user.deactivated" | "user.reactivated") {
          await aFeedEvent(as.store, { subject_id, type, data: {} });
          await as.store.numberEvents();
          await pumpSignals(as.server);
        },
        due: async () =>
          (await as.store.dueDeliveries(as.clock.now(), 1000, [])).filter(
            ({ target_id }) => target_id === app.id,
          ),
        waiting: () => as.store.count("deliveries", { target_id: app.id, state: "waiting" }),
      };
    }
    type PushStream = Awaited<ReturnType<typeof aPushStream>>;

    /** Makes the attempts that are due; returns the types of the events sent, and the outcomes. */
    async function attempt(
      { due }: Pick<PushStream, "due">,
      status = 202,
      meanwhile?: () => Promise<unknown>,
    ) {
      const sent: string[] = [];
      const way = {
        async send({ body }: OutboundRequest) {
          sent.push(...Object.keys(decodeJwt(body?.text ?? "").events as object));
          await meanwhile?.();
          return { status, headers: {}, body: Buffer.alloc(0) };
        },
      };
      const outcomes: unknown[] = [];
      for (const each of await due())
        for (const claimed of await as.store.claimDeliveries([each], each.id, as.clock.now()))
          outcomes.push(
            await deliver(claimed, { server: as.server, outbound: { public: way, internal: way } }),
          );
      return { sent, outcomes };
    }

    for (const [status, kept] of [
      ["paused", [account_disabled, account_enabled, account_disabled]],
      ["disabled", []],
    ] as const)
      test(`SG-5, SG-6: a ${status} stream reports its status, pushes no queued event, and later continues in order`, async () => {
        const it = await aPushStream();
        // Another kind of delivery to the same app is not held back.
        const notice = await aDelivery(as.store, {
          ...{ target_id: it.stream.app_id, due_at: as.clock.now() },
          expires_at: new Date(as.clock.now().getTime() + 40 * day * 1000),
        });
        await it.tell("user.deactivated");
        await it.tell("user.reactivated");
        await it.set(status);
        await it.set(status);
        await it.tell("user.deactivated");
        assert.deepEqual((await it.due()).map(({ id }) => id).includes(notice.id), true);
        await as.store.remove("deliveries", { id: notice.id });
        assert.deepEqual((await attempt(it)).sent, [controlTypes.updated]);
        // Deliveries to an enabled stream would have been deleted after this time.
        as.clock.advance(31 * day);
        await as.store.sweep(as.clock.now(), { retention: {} });
        assert.deepEqual([(await attempt(it)).sent, await it.waiting()], [[], status === "paused" ? 2 : 0]);
        await it.set("enabled");
        const first = await attempt(it, 503);
        assert.deepEqual(first.sent.toSorted(), [...kept.slice(0, 1), controlTypes.updated].toSorted());
        assert.deepEqual(new Set(first.outcomes), new Set(["postponed"]), "each has its day of attempts");
        as.clock.advance(12);
        await it.tell("user.reactivated");
        const sent: string[] = [];
        for (let round = 0; round < 4; round++) {
          await pumpSignals(as.server);
          sent.push(...(await attempt(it)).sent);
        }
        assert.deepEqual(
          sent.filter((type) => type !== controlTypes.updated),
          [...kept, account_enabled],
        );
      });

    test("SG-5: a stream that fails, for example with a damaged row, does not delay or lose events of others", async () => {
      const [damaged, sound] = [await aPushStream(), await aPushStream()];
      const { app_id } = damaged.stream;
      const findClientOfApp: typeof as.store.findClientOfApp = (id) =>
        id === app_id ? Promise.reject(new SyntaxError("damaged")) : as.store.findClientOfApp(id);
      await aFeedEvent(as.store, {
        subject_id: (await aUser(as.store)).id,
        type: "user.deactivated",
        data: {},
      });
      await as.store.numberEvents();
      await assert.rejects(pumpSignals({ ...as.server, store: { ...as.store, findClientOfApp } }), {
        message: `events for the stream of the app ${app_id} could not be queued`,
      });
      assert.deepEqual([await damaged.waiting(), await sound.waiting()], [0, 1]);
    });

    test("SG-5: an attempt that runs when its stream is paused is the last one", async () => {
      const it = await aPushStream();
      await it.tell("user.deactivated");
      const last = await attempt(it, 503, () => it.set("paused"));
      assert.deepEqual([last.sent, last.outcomes], [[account_disabled], ["postponed"]]);
      assert.deepEqual((await attempt(it)).sent, [controlTypes.updated]);
      as.clock.advance(12);
      assert.deepEqual(await attempt(it), { sent: [], outcomes: ["held"] });
      as.clock.advance(31 * day);
      await as.store.sweep(as.clock.now(), { retention: {} });
      await it.set("enabled");
      assert.ok((await attempt(it)).sent.includes(account_disabled));
    });

    for (const [what, off, on] of [
      ["app is deactivated", { active: false }, { active: true }],
      ["app lost ssf.manage", { allowed_scopes: ["ssf.read"] }, { allowed_scopes: ["ssf.manage"] }],
      ["app lost its grant", { allowed_grants: [] }, { allowed_grants: ["client_credentials"] }],
      ["organization is deactivated", { active: false }, { active: true }],
    ] as const)
      test(`SG-5: a stream whose ${what} pushes nothing, not even its own status, and continues afterwards`, async () => {
        const organization = await anOrganization(as.store);
        const it = await aPushStream(organization.id);
        const turn = (changes: Partial<OAuthApp>) =>
          what.startsWith("app")
            ? as.store.update("oauth_apps", { id: it.stream.app_id }, changes)
            : as.store.update("organizations", { id: organization.id }, { active: changes.active ?? true });
        await it.tell("user.deactivated");
        await verifyStream(it.stream, "still there?", as.server);
        await turn(off);
        await it.tell("user.reactivated");
        assert.deepEqual(await attempt(it), { sent: [], outcomes: ["postponed", "postponed"] });
        assert.equal(await it.waiting(), 2, "later events wait in the feed");
        await turn(on);
        as.clock.advance(301);
        const sent: string[] = [];
        for (let round = 0; round < 2; round++) {
          await pumpSignals(as.server);
          sent.push(...(await attempt(it)).sent);
        }
        assert.deepEqual(
          [
            sent.includes(controlTypes.verification),
            sent.filter((type) => type !== controlTypes.verification),
          ],
          [true, [account_disabled, account_enabled]],
        );
      });

    test("SG-5: events that wait for a revoked app are marked as failed", async () => {
      const it = await aPushStream();
      await it.tell("user.deactivated");
      await as.store.update("oauth_apps", { id: it.stream.app_id }, { revoked_at: as.clock.now() });
      assert.deepEqual(await attempt(it), { sent: [], outcomes: ["failed"] });
    });

    test("SG-5: events that wait for a deleted stream are not sent to a stream created later", async () => {
      const it = await aPushStream();
      await it.tell("user.deactivated");
      await it.set("paused");
      await removeStream(it.stream, as.server);
      assert.equal(await it.waiting(), 0);
    });
  });
