/** Back-channel logout: the request to an app, and how the outbox handles its answers. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { OverloadedError, UnavailableError } from "../../src/errors.ts";
import { type Deliverer, deliver, deliveriesOf } from "../../src/oauth/deliveries/deliver.ts";
import { type OutboundAnswer, OutboundError, type OutboundRequest } from "../../src/outbound/outbound.ts";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import { addKey, issuer, serverOn, type TestServer } from "../support/authorization_server.ts";
import { aDelivery, anApp, anOrganization, aUser, later } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { codeFlow, credentialsOf, signedIn } from "../support/flows.ts";
import { until } from "../support/until.ts";

const [database] = databases;
const features = { extra_features: ["logout_notices"] } as const;
const uri = "https://app.example.com/logout";

const answer = (status: number, text = ""): OutboundAnswer => ({
  status,
  headers: {},
  body: Buffer.from(text),
});

/** Returns an app that answers as the test says, and the requests that it received. */
function receiver(answers: (request: OutboundRequest) => OutboundAnswer | Promise<OutboundAnswer>) {
  const sent: (OutboundRequest & { readonly way: "public" | "internal" })[] = [];
  const way = (name: "public" | "internal") => ({
    async send(request: OutboundRequest) {
      sent.push({ ...request, way: name });
      return answers(request);
    },
  });
  return { sent, outbound: { public: way("public"), internal: way("internal") } };
}

const tokenOf = (request: OutboundRequest | undefined) =>
  new URLSearchParams(request?.body?.text).get("logout_token") ?? "";

describe("back-channel logout notices to apps", () => {
  assert.ok(database);
  const as = serverOn(database, features);
  const off = serverOn(database);

  /** Creates a user and a session in which an app received a code; returns the user and the session's id. */
  async function metBy(app: OAuthApp, user: User, of: TestServer = as) {
    const who = await signedIn(of, user);
    const tokens = await codeFlow(of, app, await credentialsOf(of, app), who);
    return { session_id: who.session.id, tokens };
  }

  const anAppOf = (of: TestServer, given: Partial<OAuthApp> = {}) =>
    anApp(of.store, { first_party: true, backchannel_logout_uri: uri, ...given });

  /** Makes the one attempt that is due for a user. */
  async function attempt(user: User, parts: Pick<Deliverer, "outbound"> & Partial<Deliverer>) {
    const [row] = await as.store.list("deliveries", { subject_key: user.id });
    assert.ok(row);
    const [claimed] = await as.store.claimDeliveries([row], row.id, as.clock.now());
    assert.ok(claimed);
    const outcome = await deliver(claimed, { server: as.server, ...parts });
    return { outcome, row: await as.store.find("deliveries", { id: row.id }) };
  }

  test("BL-1, BL-7: jose verifies the logout token with the published keys; sub and sid equal those of the id_token", async () => {
    await addKey("ES256", { store: as.store, clock: as.clock, seal: as.server.sealer });
    for (const algorithm of [null, "ES256"] as const) {
      const user = await aUser(as.store);
      const app = await anAppOf(as, { id_token_signed_response_alg: algorithm });
      const { session_id, tokens } = await metBy(app, user);
      await as.store.endSession(session_id, as.clock.now());
      const rp = receiver(() => answer(200));
      await attempt(user, rp);
      const [sent] = rp.sent;
      assert.equal(sent?.method, "POST");
      assert.equal(sent?.url, uri);
      assert.equal(sent?.body?.type, "application/x-www-form-urlencoded");
      const keys = await as.server.keys();
      const { payload, protectedHeader } = await jwtVerify(
        tokenOf(sent),
        createLocalJWKSet(keys.jwks(as.clock.now()) as never),
        { issuer, audience: app.client_id, typ: "logout+jwt", currentDate: as.clock.now(), maxTokenAge: 120 },
      );
      assert.equal(protectedHeader.alg, algorithm ?? "RS256");
      const id_token = decodeJwt(tokens.id_token ?? "");
      assert.equal(payload.sub, id_token.sub);
      assert.equal(payload.sid, id_token.sid);
      assert.equal(payload.sid, session_id);
      assert.equal(typeof payload.aud, "string");
      assert.ok((payload.exp ?? 0) - (payload.iat ?? 0) <= 120);
      assert.ok(typeof payload.jti === "string" && payload.jti !== "");
      assert.deepEqual(payload.events, { "http://schemas.openid.net/event/backchannel-logout": {} });
      assert.equal("nonce" in payload, false);
    }
  });

  test("BL-5: if signing fails the attempt counts as failed; without a database the notice waits for its lease to end", async () => {
    const user = await aUser(as.store);
    const { session_id } = await metBy(await anAppOf(as), user);
    await as.store.endSession(session_id, as.clock.now());
    const keys = await as.server.keys();
    const errors: unknown[] = [];
    const failing = (error: Error) => {
      const signingKey: typeof keys.signingKey = (...given) => ({
        ...keys.signingKey(...given),
        sign: () => Promise.reject(error),
      });
      const server = { ...as.server, keys: async () => ({ ...keys, signingKey }) };
      return { server, ...receiver(() => answer(200)), onError: (said: unknown) => errors.push(said) };
    };
    const away = new UnavailableError("away", "the database cannot be reached", {});
    await assert.rejects(attempt(user, failing(away)), away);
    as.clock.advance(73);
    const down = new OverloadedError(2, "the signer failed to sign");
    const { outcome, row } = await attempt(user, failing(down));
    assert.deepEqual([outcome, row?.attempt], ["postponed", 1]);
    assert.match(row?.last_fault ?? "", /^signer_unavailable: /);
    assert.ok((row?.due_at.getTime() ?? 0) - as.clock.now().getTime() < 11_001);
    as.clock.advance(12);
    const defect = new TypeError("a defect");
    const again = await attempt(user, failing(defect));
    assert.match(again.row?.last_fault ?? "", /^internal: /);
    assert.deepEqual(errors, [down, defect]);
  });

  test("BL-5: logout notices are sent even if webhooks cannot be set up", async () => {
    const user = await aUser(as.store);
    const { session_id } = await metBy(await anAppOf(as), user);
    await as.store.endSession(session_id, as.clock.now());
    const damaged = new Error("a damaged endpoint");
    const store = { ...as.store, fillWebhooks: () => Promise.reject(damaged) };
    const rp = receiver(() => answer(200));
    const pass = deliveriesOf({ server: { ...as.server, store }, outbound: rp.outbound });
    await assert.rejects(pass(new AbortController().signal), damaged);
    await until(
      async () => (await as.store.count("deliveries", { subject_key: user.id, state: "done" })) === 1,
    );
  });

  test("FO-2: each attempt to send a notice has a new token", async () => {
    const user = await aUser(as.store);
    const { session_id } = await metBy(await anAppOf(as), user);
    await as.store.endSession(session_id, as.clock.now());
    const rp = receiver(() => answer(503));
    await attempt(user, rp);
    as.clock.advance(10);
    await attempt(user, rp);
    const [first, second] = rp.sent.map((each) => decodeJwt(tokenOf(each)));
    assert.notEqual(first?.jti, second?.jti);
    assert.equal((second?.iat ?? 0) - (first?.iat ?? 0), 10);
  });

  test("FO-7: a sign-in stores nothing more if the feature is off or the app has no address for notices", async () => {
    const user = await aUser(off.store);
    await metBy(await anAppOf(off), user, off);
    assert.equal(await off.store.count("session_apps"), 0);
    const before = await as.store.count("session_apps");
    await metBy(await anAppOf(as, { backchannel_logout_uri: null }), await aUser(as.store));
    assert.equal(await as.store.count("session_apps"), before);
    const app = await anAppOf(as);
    const who = await signedIn(as, await aUser(as.store));
    for (let turn = 0; turn < 2; turn++) await codeFlow(as, app, await credentialsOf(as, app), who);
    assert.equal(await as.store.count("session_apps"), before + 1);
  });

  for (const [what, status, text, state, fault] of [
    ["200", 200, "", "done", null],
    ["204", 204, "", "done", null],
    [
      "400",
      400,
      '{"error":"invalid_request","error_description":"a\\u0000b\\nc"}',
      "failed",
      "invalid_request: a b c",
    ],
    ["400 without JSON", 400, "<html>", "failed", null],
    ["a redirect", 302, "", "failed", null],
    ["404", 404, "", "failed", null],
    ["429", 429, "", "waiting", null],
    ["500", 500, '{"error":"x"}', "waiting", null],
  ] as const)
    test(`BL-5: after an app answers ${what}, the notice is ${state}`, async () => {
      const user = await aUser(as.store);
      const { session_id } = await metBy(await anAppOf(as), user);
      await as.store.endSession(session_id, as.clock.now());
      const { row } = await attempt(
        user,
        receiver(() => answer(status, text)),
      );
      assert.deepEqual([row?.state, row?.last_status, row?.last_fault], [state, status, fault]);
    });

  test("BL-5: only the status of an app's answer counts, however long the body is", async () => {
    const user = await aUser(as.store);
    const { session_id } = await metBy(await anAppOf(as), user);
    await as.store.endSession(session_id, as.clock.now());
    const rp = receiver(() => answer(200));
    await attempt(user, rp);
    assert.deepEqual([rp.sent[0]?.max_bytes, rp.sent[0]?.cut], [4096, true]);
  });

  test("BL-5: the error text that an app returns is truncated", async () => {
    const user = await aUser(as.store);
    const { session_id } = await metBy(await anAppOf(as), user);
    await as.store.endSession(session_id, as.clock.now());
    const text = JSON.stringify({ error: "e", error_description: "x".repeat(3000) });
    const { row } = await attempt(
      user,
      receiver(() => answer(400, text)),
    );
    assert.equal(row?.last_fault?.length, 200);
  });

  test("BL-5: failures are retried after 10 s, 1, 5 and 30 min, 2 h and every 6 h, and given up after a day", async () => {
    const user = await aUser(as.store);
    const { session_id } = await metBy(await anAppOf(as), user);
    await as.store.endSession(session_id, as.clock.now());
    const rp = receiver(() => {
      throw new OutboundError("unreachable", "app.example.com");
    });
    const pauses: number[] = [];
    for (;;) {
      const at = as.clock.now();
      const { outcome, row } = await attempt(user, rp);
      assert.equal(row?.last_fault, "unreachable");
      if (outcome === "given_up") break;
      const pause = ((row?.due_at.getTime() ?? 0) - at.getTime()) / 1000;
      pauses.push(pause);
      as.clock.advance(pause);
    }
    const [row] = await as.store.list("deliveries", { subject_key: user.id });
    // Each delay is up to a tenth longer, depending on the id, so notices that failed together are not
    // retried together.
    const longer = 1 + Number.parseInt(row?.id.slice(-4) ?? "", 16) / 0xffff / 10;
    assert.deepEqual(
      pauses.map((pause) => Math.round(pause / longer)),
      [10, 60, 300, 1800, 7200, 21_600, 21_600, 21_600],
    );
  });

  test("FO-4: a private address is refused unless the app's record permits it, and the error says how to permit it", async () => {
    for (const internal of [false, true]) {
      const user = await aUser(as.store);
      const app = await anAppOf(as, { backchannel_logout_internal: internal });
      const { session_id } = await metBy(app, user);
      await as.store.endSession(session_id, as.clock.now());
      const rp = receiver(() => {
        throw new OutboundError("internal_address", "app.example.com");
      });
      const { row } = await attempt(user, rp);
      assert.equal(rp.sent[0]?.way, internal ? "internal" : "public");
      assert.match(row?.last_fault ?? "", /backchannel_logout_internal.*POSTERN_OUTBOUND_ALLOW/);
    }
  });

  test("BL-1: an app that stopped receiving notices is sent none", async () => {
    const user = await aUser(as.store);
    const app = await anAppOf(as);
    const { session_id } = await metBy(app, user);
    await as.store.endSession(session_id, as.clock.now());
    await as.store.update("oauth_apps", { id: app.id }, { backchannel_logout_uri: null });
    const rp = receiver(() => answer(200));
    const { row } = await attempt(user, rp);
    assert.deepEqual([row?.state, row?.last_fault, rp.sent.length], ["failed", "no_receiver", 0]);
  });

  test("BL-1: notices wait while the app's organization is deactivated, and a deactivated or revoked app gets none", async () => {
    for (const [changes, told] of [
      [{ active: false }, ["failed", "no_receiver"]],
      [{ revoked_at: as.clock.now() }, ["failed", "no_receiver"]],
      [{}, ["waiting", null]],
    ] as const) {
      const user = await aUser(as.store);
      const { id: organization_id } = await anOrganization(as.store);
      const app = await anAppOf(as, { organization_id });
      const [before, after] = [await metBy(app, user), await metBy(app, user)];
      await as.store.endSession(before.session_id, as.clock.now());
      const isApp = Object.keys(changes).length > 0;
      if (isApp) await as.store.update("oauth_apps", { id: app.id }, changes);
      else await as.store.update("organizations", { id: organization_id }, { active: false });
      const rp = receiver(() => answer(200));
      const { row } = await attempt(user, rp);
      assert.deepEqual([row?.state, row?.last_fault, rp.sent.length], [...told, 0]);
      await as.store.endSession(after.session_id, as.clock.now());
      assert.equal(await as.store.count("deliveries", { target_id: app.id }), isApp ? 1 : 2);
      if (isApp) continue;
      await as.store.update("organizations", { id: organization_id }, { active: true });
      assert.equal((await attempt(user, rp)).row?.state, "done");
    }
  });

  test("FO-3: at most 4 attempts to a slow target, 8 of an organization and 32 of a process run; others continue", async () => {
    const { store, clock } = off;
    // The rows of other tests are not due at this time.
    clock.advance(1000);
    const signal = new AbortController();
    const held = Promise.withResolvers<OutboundAnswer>();
    const organization = await anOrganization(store);
    const app = (given: Partial<OAuthApp> = {}) => anAppOf(off, given);
    const hanging = await app({ backchannel_logout_uri: "https://hangs.example.com/" });
    const of_organization = [];
    for (let index = 0; index < 4; index++) {
      const backchannel_logout_uri = `https://of${index}.organization.example.com/`;
      of_organization.push(await app({ backchannel_logout_uri, organization_id: organization.id }));
    }
    const quick = await app({ backchannel_logout_uri: "https://quick.example.com/" });
    const waitsFor = async ({ id: target_id, organization_id }: OAuthApp, rows: number, due_at: Date) => {
      for (let index = 0; index < rows; index++) {
        await aDelivery(store, { target_id, organization_id, due_at, created_at: clock.now() });
      }
    };
    await waitsFor(hanging, 100, later(-1000, clock.now()));
    for (const each of of_organization) await waitsFor(each, 10, later(-500, clock.now()));
    await waitsFor(quick, 10, clock.now());
    const rp = receiver(({ url }) => (url.includes("quick") ? answer(200) : held.promise));
    const pass = deliveriesOf({ server: off.server, outbound: rp.outbound });
    await pass(signal.signal);
    const count = (part: string) => rp.sent.filter(({ url }) => url.includes(part)).length;
    await until(() => count("quick") === 10);
    assert.equal(count("hangs"), 4);
    assert.equal(count("organization"), 8);
    await until(async () => (await store.count("deliveries", { target_id: quick.id, state: "done" })) === 10);
    // A late answer frees a slot, and no attempt starts once the process stops.
    held.resolve(answer(200));
    await until(async () => (await store.count("deliveries", { state: "waiting" })) === 0);
    assert.equal(count("hangs"), 100);
    signal.abort();
  });

  test("FO-3: at most 16 attempts run to targets whose last attempt failed, and others continue", async () => {
    const { store, clock } = off;
    clock.advance(1000);
    const signal = new AbortController();
    const hung = Promise.withResolvers<OutboundAnswer>();
    const dead = [];
    for (let index = 0; index < 10; index++)
      dead.push(await anAppOf(off, { backchannel_logout_uri: `https://dead${index}.example.com/` }));
    const quick = await anAppOf(off, { backchannel_logout_uri: "https://quick.example.com/" });
    const waitFor = async ({ id: target_id }: OAuthApp, rows: number) => {
      for (let index = 0; index < rows; index++)
        await aDelivery(store, { target_id, due_at: clock.now(), created_at: clock.now() });
    };
    let hangs = false;
    const held: string[] = [];
    const rp = receiver(({ url }) => {
      if (url.includes("quick")) return answer(200);
      if (!hangs) return answer(503);
      held.push(url);
      return hung.promise;
    });
    const pass = deliveriesOf({ server: off.server, outbound: rp.outbound });
    for (const each of dead) await waitFor(each, 1);
    await pass(signal.signal);
    for (const { id: target_id } of dead)
      await until(async () => (await store.count("deliveries", { target_id, attempt: 1 })) === 1);
    hangs = true;
    clock.advance(3600);
    for (const each of dead) await waitFor(each, 4);
    await waitFor(quick, 10);
    await pass(signal.signal);
    await until(() => held.length >= 16);
    await until(async () => (await store.count("deliveries", { target_id: quick.id, state: "done" })) === 10);
    assert.equal(held.length, 16);
    hung.resolve(answer(200));
    await until(async () => (await store.count("deliveries", { state: "waiting" })) === 0);
    signal.abort();
  });

  test("FO-3: each attempt starts in its own turn of the event loop", async () => {
    const { store, clock } = off;
    clock.advance(1000);
    const signal = new AbortController();
    for (let index = 0; index < 20; index++)
      await aDelivery(store, { target_id: (await anAppOf(off)).id, created_at: clock.now() });
    let inTurn = 0;
    const most: number[] = [];
    // An attempt begins by reading its app.
    const findClientOfApp: typeof store.findClientOfApp = (id) => {
      inTurn += 1;
      most.push(inTurn);
      setImmediate(() => {
        inTurn = 0;
      });
      return store.findClientOfApp(id);
    };
    const server = { ...off.server, store: { ...store, findClientOfApp } };
    await deliveriesOf({ server, outbound: receiver(() => answer(200)).outbound })(signal.signal);
    await until(async () => (await store.count("deliveries", { state: "waiting" })) === 0);
    assert.deepEqual(most, Array(20).fill(1));
    signal.abort();
  });

  test("FO-3: at most 32 attempts run at once, and are claimed in one transaction", async () => {
    const { store, clock } = off;
    clock.advance(1000);
    const signal = new AbortController();
    const held = Promise.withResolvers<OutboundAnswer>();
    for (let index = 0; index < 20; index++) {
      const { id: target_id } = await anAppOf(off);
      for (let row = 0; row < 4; row++) await aDelivery(store, { target_id, created_at: clock.now() });
    }
    const rp = receiver(() => held.promise);
    const claims: number[] = [];
    const counted: typeof store.claimDeliveries = (due, ...rest) => {
      if (due.length > 0) claims.push(due.length);
      return store.claimDeliveries(due, ...rest);
    };
    const server = { ...off.server, store: { ...store, claimDeliveries: counted } };
    await deliveriesOf({ server, outbound: rp.outbound })(signal.signal);
    await until(() => rp.sent.length === 32);
    assert.deepEqual(claims, [32]);
    const waiting = await store.list("deliveries", { state: "waiting" }, { limit: 200 });
    assert.equal(waiting.filter(({ claimed_by }) => claimed_by !== null).length, 32);
    signal.abort();
    held.resolve(answer(200));
  });
});
