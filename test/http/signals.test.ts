/** The transmitter of shared signals over HTTP (SSF 1.0, RFC 8417, RFC 8935, RFC 8936). */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { deliver } from "../../src/oauth/deliveries/deliver.ts";
import { mostTokens } from "../../src/oauth/signals/poll.ts";
import { pumpSignals } from "../../src/oauth/signals/pump.ts";
import type { OutboundRequest } from "../../src/outbound/outbound.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { controlTypes, signalTypes } from "../../src/records/names/signals.ts";
import { type TestApp, testApp } from "../support/app.ts";
import {
  aFeedEvent,
  aGroup,
  aGroupMember,
  aMembership,
  anApp,
  anEvent,
  anOrganization,
  aRole,
  aSession,
  aToken,
  aUser,
} from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { credentialsOf, formOf } from "../support/flows.ts";
import { until } from "../support/until.ts";
import { withoutConversions } from "../support/without_conversions.ts";

const database = databases[0] ?? assert.fail("no database");
const push = "urn:ietf:rfc:8935";
const day = 86_400;

type Json = Record<string, unknown>;
interface Receiver {
  readonly app: OAuthApp;
  readonly bearer: string;
}

describe("shared signals (SSF) for receivers", () => {
  let it: TestApp;
  before(async () => {
    const settings = { extra_features: ["ssf"] as const };
    it = await testApp({ store: await database.open({ events: true }), settings, throttle: false });
  });

  async function aReceiver(given: Partial<OAuthApp> = {}, scope = "ssf.manage"): Promise<Receiver> {
    const app = await anApp(it.store, {
      allowed_grants: ["client_credentials"],
      allowed_scopes: ["ssf.manage", "ssf.read"],
      organization_id: null,
      ...given,
    });
    return { app, bearer: await aTokenOf(app, scope) };
  }
  async function aTokenOf(app: OAuthApp, scope: string): Promise<string> {
    const answer = await it.app.inject({
      method: "POST",
      url: "/oauth/token",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        authorization: String(await credentialsOf(it, app)),
      },
      payload: formOf({ grant_type: "client_credentials", scope }),
    });
    assert.equal(answer.statusCode, 200, answer.body);
    return `Bearer ${answer.json().access_token}`;
  }
  async function ask(
    { bearer }: Pick<Receiver, "bearer">,
    method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE",
    url: string,
    body?: unknown,
  ) {
    const headers = {
      ...(bearer !== "" && { authorization: bearer }),
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const payload =
      body === undefined ? {} : { payload: typeof body === "string" ? body : JSON.stringify(body) };
    const {
      statusCode,
      body: text,
      headers: answered,
    } = await it.app.inject({ method, url, headers, ...payload });
    return { status: statusCode, headers: answered, json: (text === "" ? {} : JSON.parse(text)) as Json };
  }
  const streamFor = async (receiver: Receiver, members: Json = {}) => {
    const { status, json } = await ask(receiver, "POST", "/ssf/streams", members);
    assert.equal(status, 201, JSON.stringify(json));
    return String(json.stream_id);
  };
  async function verified(token: string, { app }: Receiver): Promise<Json> {
    const keys = (await it.server.keys()).jwks(it.clock.now());
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), {
      ...{ issuer: it.server.issuer, audience: app.client_id, typ: "secevent+jwt", algorithms: ["RS256"] },
      currentDate: it.clock.now(),
    });
    assert.equal(protectedHeader.alg, "RS256");
    return payload;
  }
  async function poll(receiver: Receiver, stream_id: string, members: Json = {}) {
    const url = `/ssf/poll/${stream_id}`;
    const { status, json } = await ask(receiver, "POST", url, { returnImmediately: true, ...members });
    assert.equal(status, 200, JSON.stringify(json));
    const tokens = await Promise.all(
      Object.entries(json.sets as Record<string, string>).map(async ([jti, token]) => {
        const payload = await verified(token, receiver);
        assert.equal(payload.jti, jti);
        return payload;
      }),
    );
    return { tokens, jtis: tokens.map(({ jti }) => String(jti)), more: json.moreAvailable };
  }
  const typesOf = (tokens: readonly Json[]) => tokens.flatMap(({ events }) => Object.keys(events as Json));
  const eventOf = ({ events }: Json) => Object.values(events as Json)[0] as Json;

  test("SG-1: the metadata names the endpoints, and without the feature none exists", async () => {
    const { json } = await ask({ bearer: "" }, "GET", "/.well-known/ssf-configuration");
    const at = "https://id.example";
    assert.deepEqual(json, {
      spec_version: "1_0",
      issuer: at,
      jwks_uri: `${at}/.well-known/jwks.json`,
      delivery_methods_supported: [push, "urn:ietf:rfc:8936"],
      configuration_endpoint: `${at}/ssf/streams`,
      status_endpoint: `${at}/ssf/status`,
      add_subject_endpoint: `${at}/ssf/subjects:add`,
      remove_subject_endpoint: `${at}/ssf/subjects:remove`,
      verification_endpoint: `${at}/ssf/verify`,
      authorization_schemes: [{ spec_urn: "urn:ietf:rfc:6749" }],
      default_subjects: "ALL",
    });
    const off = await testApp();
    for (const url of ["/.well-known/ssf-configuration", "/ssf/streams", "/ssf/status"])
      assert.equal((await off.app.inject(url)).statusCode, 404, url);
  });

  test("SG-2: a receiver can create, read, change, replace and delete one stream", async () => {
    const receiver = await aReceiver();
    assert.deepEqual((await ask(receiver, "GET", "/ssf/streams")).json, []);
    const made = await ask(receiver, "POST", "/ssf/streams", {
      delivery: {
        method: push,
        endpoint_url: "https://receiver.example/events",
        authorization_header: "Bearer s3cret",
      },
      events_requested: [signalTypes.session_revoked, "https://other.example/type"],
      description: "SIEM",
    });
    assert.equal(made.status, 201);
    const { stream_id } = made.json;
    assert.deepEqual(made.json, {
      stream_id,
      iss: "https://id.example",
      aud: receiver.app.client_id,
      delivery: { method: push, endpoint_url: "https://receiver.example/events" },
      events_supported: Object.values(signalTypes),
      events_requested: [signalTypes.session_revoked, "https://other.example/type"],
      events_delivered: [signalTypes.session_revoked],
      min_verification_interval: 5,
      inactivity_timeout: 30 * day,
      description: "SIEM",
      format: "iss_sub",
    });
    assert.equal((await ask(receiver, "POST", "/ssf/streams", {})).status, 409);
    assert.deepEqual((await ask(receiver, "GET", "/ssf/streams")).json, [made.json]);
    const changed = await ask(receiver, "PATCH", "/ssf/streams", { ...made.json, description: "another" });
    assert.deepEqual(changed.json, { ...made.json, description: "another" });
    const lies = { stream_id, aud: "another", description: "lost" };
    assert.equal((await ask(receiver, "PATCH", "/ssf/streams", lies)).status, 400);
    const replaced = await ask(receiver, "PUT", "/ssf/streams", { stream_id });
    assert.deepEqual(
      [
        replaced.json.description,
        (replaced.json.delivery as Json).endpoint_url,
        replaced.json.events_requested,
      ],
      [undefined, `https://id.example/ssf/poll/${stream_id}`, Object.values(signalTypes)],
    );
    assert.deepEqual((await ask(receiver, "GET", `/ssf/status?stream_id=${stream_id}`)).json, {
      stream_id,
      status: "enabled",
    });
    const paused = { stream_id, status: "paused", reason: "maintenance" };
    assert.deepEqual((await ask(receiver, "POST", "/ssf/status", paused)).json, paused);
    assert.equal((await ask(receiver, "DELETE", `/ssf/streams?stream_id=${stream_id}`)).status, 204);
    assert.equal((await ask(receiver, "GET", `/ssf/streams?stream_id=${stream_id}`)).status, 404);
  });

  test("SG-2: a request with invalid fields gets 400 and changes nothing", async () => {
    const receiver = await aReceiver();
    const wrong: readonly unknown[] = [
      { delivery: "push" },
      { delivery: { method: "urn:other" } },
      { delivery: { method: push } },
      { delivery: { method: push, endpoint_url: "http://receiver.example/" } },
      { delivery: { method: push, endpoint_url: "https://a:b@receiver.example/" } },
      { delivery: { method: push, endpoint_url: "https://r.example/", authorization_header: "a\r\nb: c" } },
      { events_requested: "all" },
      { events_requested: [7] },
      { description: "x".repeat(300) },
      { description: "a\u202eb" },
      { format: "opaque" },
      { iss: "https://id.example" },
      ...withoutConversions.flatMap((value) => [
        ...["delivery", "events_requested", "description", "format", "iss"].map((name) => ({
          [name]: value,
        })),
        ...["method", "endpoint_url", "authorization_header"].map((name) => ({
          delivery: { method: push, endpoint_url: "https://r.example/", [name]: value },
        })),
      ]),
      [],
      "{",
    ];
    for (const members of wrong)
      assert.equal(
        (await ask(receiver, "POST", "/ssf/streams", members)).status,
        400,
        JSON.stringify(members),
      );
    assert.deepEqual((await ask(receiver, "GET", "/ssf/streams")).json, []);
    const stream_id = await streamFor(receiver);
    for (const [url, members] of [
      ["/ssf/status", { stream_id, status: "on" }],
      ["/ssf/status", { stream_id, status: "paused", reason: "a\u202eb" }],
      ["/ssf/verify", { stream_id, state: 7 }],
      ["/ssf/subjects:add", { stream_id }],
      ...withoutConversions.flatMap((value) => [
        ["/ssf/status", { stream_id, status: value }] as const,
        ["/ssf/status", { stream_id, status: "paused", reason: value }] as const,
        ["/ssf/verify", { stream_id, state: value }] as const,
        ["/ssf/subjects:add", { stream_id, subject: value }] as const,
        ["/ssf/subjects:remove", { stream_id, subject: { format: value } }] as const,
        ["/ssf/subjects:add", { stream_id, subject: { format: "email", email: value } }] as const,
        [`/ssf/poll/${stream_id}`, { maxEvents: value }] as const,
        [`/ssf/poll/${stream_id}`, { ack: value }] as const,
      ]),
      [`/ssf/poll/${stream_id}`, { maxEvents: -1 }],
      [`/ssf/poll/${stream_id}`, { ack: "all" }],
      [`/ssf/poll/${stream_id}`, { ack: Array(mostTokens + 1).fill("a") }],
    ] as const)
      assert.equal(
        (await ask(receiver, "POST", url, members)).status,
        400,
        `${url} ${JSON.stringify(members)}`,
      );
  });

  test("SG-2: a stream belongs to its receiver, and needs a token of a confidential app with the scope", async () => {
    const [owner, stranger] = [await aReceiver(), await aReceiver()];
    const stream_id = await streamFor(owner);
    await streamFor(stranger);
    const unknown = crypto.randomUUID();
    const subject = { format: "iss_sub", iss: "https://id.example", sub: unknown };
    for (const [method, url, body] of [
      ["GET", (id: string) => `/ssf/streams?stream_id=${id}`, undefined],
      ["GET", (id: string) => `/ssf/status?stream_id=${id}`, undefined],
      ["DELETE", (id: string) => `/ssf/streams?stream_id=${id}`, undefined],
      ["PATCH", () => "/ssf/streams", { description: "x" }],
      ["PUT", () => "/ssf/streams", {}],
      ["POST", () => "/ssf/status", { status: "paused" }],
      ["POST", () => "/ssf/verify", {}],
      ["POST", () => "/ssf/subjects:add", { subject }],
      ["POST", () => "/ssf/subjects:remove", { subject }],
      ["POST", (id: string) => `/ssf/poll/${id}`, {}],
    ] as const) {
      const answers = [];
      for (const id of [stream_id, unknown]) {
        const members = body && { ...body, stream_id: id };
        const { status, json } = await ask(stranger, method, url(id), members);
        answers.push([status, json.error_description]);
      }
      assert.deepEqual(answers[0], answers[1], `${method} ${url("")} tells nothing`);
      assert.equal(answers[0]?.[0], 404);
      for (const [bearer, status] of [
        ["", 401],
        ["Bearer nonsense", 401],
        [await aTokenOf(owner.app, "ssf.read"), method === "GET" ? 200 : 403],
      ] as const) {
        const members = body && { ...body, stream_id };
        assert.equal(
          (await ask({ bearer }, method, url(stream_id), members)).status,
          status,
          `${method} ${bearer}`,
        );
      }
    }
    const open = await aReceiver(
      { public: false, allowed_scopes: ["ssf.manage", "orders:read"] },
      "orders:read",
    );
    assert.equal((await ask(open, "GET", "/ssf/streams")).status, 403);
    await it.store.update("oauth_apps", { id: owner.app.id }, { allowed_scopes: ["ssf.read"] });
    assert.equal(
      (await ask(owner, "POST", "/ssf/verify", { stream_id })).status,
      403,
      "the app lost the scope",
    );
  });

  test("SG-3, SG-4: each event becomes a signed token without sub and exp, with the same txn in all streams", async () => {
    const [one, other] = [await aReceiver(), await aReceiver()];
    const ids = [await streamFor(one), await streamFor(other, { format: "email" })] as const;
    const organization = await anOrganization(it.store);
    const user = await aUser(it.store, { email: "ada@example.com" });
    const membership = await aMembership(it.store, {
      ...{ user_id: user.id, organization_id: organization.id, role: "developer" },
      role_ids: [(await aRole(it.store, { organization_id: organization.id, name: "editor" })).id],
    });
    await aGroupMember(
      it.store,
      membership,
      await aGroup(it.store, { organization_id: organization.id, display_name: "Sales" }),
    );
    const session_id = crypto.randomUUID();
    const of = { subject_id: user.id };
    await aFeedEvent(it.store, { ...of, type: "session.ended", data: { session_id } });
    await aFeedEvent(it.store, {
      ...of,
      type: "user.credential_added",
      actor_kind: "user",
      data: { credential: "passkey" },
    });
    await aFeedEvent(it.store, {
      ...of,
      type: "user.credential_added",
      data: { credential: "recovery_codes" },
    });
    await aFeedEvent(it.store, { ...of, type: "user.deactivated", data: {} });
    await aFeedEvent(it.store, { ...of, type: "user.reactivated", data: {} });
    await aFeedEvent(it.store, {
      ...{ ...of, type: "membership.updated", organization_id: organization.id },
      data: { membership_id: membership.id, changed: ["role"] },
    });
    await aFeedEvent(it.store, { ...of, type: "user.updated", data: { changed: ["name"] } });
    const before = { before: { email: "old@example.com" }, after: { email: "ada@example.com" } };
    await anEvent(it.store, {
      type: "user.updated",
      target_id: user.id,
      details: before,
      created_at: it.clock.now(),
    });
    await aFeedEvent(it.store, { ...of, type: "user.deleted", data: {} });
    await it.store.numberEvents();
    const { tokens } = await poll(one, ids[0]);
    assert.deepEqual(
      typesOf(tokens).toSorted(),
      [
        signalTypes.account_disabled,
        signalTypes.account_enabled,
        signalTypes.account_purged,
        signalTypes.credential_change,
        signalTypes.identifier_changed,
        signalTypes.session_revoked,
        signalTypes.token_claims_change,
      ].toSorted(),
    );
    for (const token of tokens) {
      assert.equal("sub" in token || "exp" in token, false);
      assert.equal(typesOf([token]).length, 1);
    }
    const byType = (type: string, among = tokens) =>
      among.find(({ events }) => type in (events as Json)) ?? assert.fail(type);
    const iss_sub = { format: "iss_sub", iss: "https://id.example", sub: user.id };
    const revoked = byType(signalTypes.session_revoked);
    assert.deepEqual(revoked.sub_id, {
      format: "complex",
      user: iss_sub,
      session: { format: "opaque", id: session_id },
    });
    assert.equal(eventOf(revoked).initiating_entity, "system");
    assert.equal(typeof eventOf(revoked).event_timestamp, "number");
    const { event_timestamp: _, ...change } = eventOf(byType(signalTypes.credential_change));
    assert.deepEqual(change, {
      initiating_entity: "user",
      change_type: "create",
      credential_type: "fido2-roaming",
    });
    assert.deepEqual(byType(signalTypes.identifier_changed).sub_id, {
      format: "email",
      email: "old@example.com",
    });
    assert.deepEqual(eventOf(byType(signalTypes.token_claims_change)).claims, {
      organization: { id: organization.id },
      roles: ["developer", "editor"],
      groups: ["Sales"],
    });
    assert.deepEqual(byType(signalTypes.account_purged).sub_id, iss_sub);
    const theirs = (await poll(other, ids[1])).tokens;
    assert.deepEqual(
      theirs.map(({ txn }) => txn),
      tokens.map(({ txn }) => txn),
    );
    assert.ok(theirs.every(({ jti }) => tokens.every((token) => token.jti !== jti)));
    assert.deepEqual(byType(signalTypes.account_disabled, theirs).sub_id, {
      format: "email",
      email: "ada@example.com",
    });
  });

  test("EV-8: a deleted user's former address is not sent", async () => {
    const receiver = await aReceiver();
    const stream_id = await streamFor(receiver, { events_requested: [signalTypes.identifier_changed] });
    const { id: subject_id } = await aUser(it.store);
    const created_at = it.clock.now();
    const details = { before: { email: "old@example.com" }, after: { email: "new@example.com" } };
    const of = { target_table: "users", target_id: subject_id, created_at } as const;
    await anEvent(it.store, { ...of, type: "user.updated", details });
    await it.store.numberEvents();
    const sent = (await poll(receiver, stream_id)).tokens;
    assert.deepEqual(typesOf(sent), [signalTypes.identifier_changed]);
    await it.store.remove("users", { id: subject_id });
    assert.deepEqual((await poll(receiver, stream_id)).tokens, []);
  });

  test("SG-5: a poll returns events in order until they are acknowledged, and says whether there are more", async () => {
    const receiver = await aReceiver();
    const stream_id = await streamFor(receiver, { events_requested: [signalTypes.account_disabled] });
    const users = [];
    for (let index = 0; index < 5; index++) {
      const { id: subject_id } = await aUser(it.store);
      users.push(subject_id);
      await aFeedEvent(it.store, { subject_id, type: "user.reactivated", data: {} });
      await aFeedEvent(it.store, { subject_id, type: "user.deactivated", data: {} });
    }
    await it.store.numberEvents();
    const subjects = (tokens: readonly Json[]) => tokens.map(({ sub_id }) => (sub_id as Json).sub);
    const first = await poll(receiver, stream_id, { maxEvents: 2 });
    assert.deepEqual([subjects(first.tokens), first.more], [users.slice(0, 2), true]);
    const again = await poll(receiver, stream_id, { maxEvents: 2, ack: [first.jtis[1]] });
    assert.deepEqual(subjects(again.tokens), [users[0], users[2]]);
    assert.equal(again.jtis[0], first.jtis[0]);
    const failed = { [String(first.jtis[0])]: { err: "invalid_request", description: "no" } };
    const rest = await poll(receiver, stream_id, { setErrs: failed });
    assert.deepEqual([subjects(rest.tokens), rest.more], [users.slice(2), false]);
    assert.deepEqual((await poll(receiver, stream_id, { ack: rest.jtis })).tokens, []);
    const stored = await it.store.find("signal_streams", { id: stream_id });
    assert.deepEqual([stored?.acknowledged, stored?.position], [[], (await it.store.feedBounds()).newest]);
    assert.deepEqual(await poll(receiver, stream_id, { maxEvents: 0 }), {
      tokens: [],
      jtis: [],
      more: false,
    });
  });

  test("SG-5, SG-6: a paused stream keeps events, a disabled one drops them, and the receiver is notified of each change", async () => {
    const receiver = await aReceiver();
    const stream_id = await streamFor(receiver);
    const set = (status: string) => ask(receiver, "POST", "/ssf/status", { stream_id, status });
    const deactivates = async ({ numbered = true } = {}) => {
      const user = await aUser(it.store);
      await aFeedEvent(it.store, { subject_id: user.id, type: "user.deactivated", data: {} });
      if (numbered) await it.store.numberEvents();
    };
    await set("paused");
    await deactivates();
    const paused = await poll(receiver, stream_id);
    assert.deepEqual(typesOf(paused.tokens), [controlTypes.updated]);
    assert.deepEqual(paused.tokens.map(eventOf), [{ status: "paused" }]);
    assert.deepEqual(paused.tokens[0]?.sub_id, { format: "opaque", id: stream_id });
    await set("enabled");
    const enabled = await poll(receiver, stream_id, { ack: paused.jtis });
    assert.deepEqual(typesOf(enabled.tokens), [controlTypes.updated, signalTypes.account_disabled]);
    await set("disabled");
    await deactivates();
    assert.deepEqual((await poll(receiver, stream_id, { ack: enabled.jtis })).tokens, []);
    await deactivates({ numbered: false });
    await set("enabled");
    await deactivates();
    const again = await poll(receiver, stream_id);
    assert.deepEqual(typesOf(again.tokens), [
      controlTypes.updated,
      controlTypes.updated,
      signalTypes.account_disabled,
    ]);
  });

  /**
   * Starts long polls of a stream without events. Resolves with the pending responses once the server has
   * received a poll.
   */
  async function waitingPolls(receiver: Receiver, stream_id: string, count: number) {
    const before = new Date(0);
    await it.store.update("signal_streams", { id: stream_id }, { last_active_at: before });
    const answers = Array.from({ length: count }, () => ask(receiver, "POST", `/ssf/poll/${stream_id}`, {}));
    await until(async () => {
      const row = await it.store.find("signal_streams", { id: stream_id });
      return row !== undefined && row.last_active_at > before;
    });
    return answers;
  }

  test("SG-5: a waiting poll ends when its token ends, or its stream is deleted or disabled", async () => {
    const ends: readonly [number, (receiver: Receiver, stream_id: string) => Promise<unknown>][] = [
      [401, (receiver) => it.store.update("oauth_tokens", { app_id: receiver.app.id }, { revoked: true })],
      [401, (receiver) => it.store.update("oauth_apps", { id: receiver.app.id }, { active: false })],
      [404, (_, stream_id) => it.store.remove("signal_streams", { id: stream_id })],
      [200, (_, stream_id) => it.store.update("signal_streams", { id: stream_id }, { status: "disabled" })],
    ];
    const waiting = await Promise.all(
      ends.map(async ([status, end]) => {
        const receiver = await aReceiver();
        const stream_id = await streamFor(receiver);
        const [answer] = await waitingPolls(receiver, stream_id, 1);
        await end(receiver, stream_id);
        return { status, answer: await answer };
      }),
    );
    for (const { status, answer } of waiting) assert.equal(answer?.status, status, String(status));
  });

  test("SG-5: four polls of a receiver may wait, a fifth is answered at once, and other receivers still wait", async () => {
    const [one, other] = [await aReceiver(), await aReceiver()];
    const [first, second] = [await streamFor(one), await streamFor(other)];
    const answers = await waitingPolls(one, first, 5);
    const { status } = (await Promise.race(answers)) ?? {};
    assert.equal(status, 200);
    let answered = 0;
    for (const answer of answers)
      void answer.then(() => {
        answered += 1;
      });
    const [others] = await waitingPolls(other, second, 1);
    assert.equal(answered, 1);
    for (const id of [first, second]) await it.store.update("signal_streams", { id }, { status: "disabled" });
    await Promise.all([...answers, others]);
  });

  test("SG-6: a verification event returns the state, at most every five seconds; an unused stream pauses after 30 days", async () => {
    const receiver = await aReceiver();
    const stream_id = await streamFor(receiver);
    assert.equal((await ask(receiver, "POST", "/ssf/verify", { stream_id, state: "s1" })).status, 204);
    const early = await ask(receiver, "POST", "/ssf/verify", { stream_id });
    assert.equal(early.status, 429);
    assert.ok(Number(early.headers["retry-after"]) > 0);
    const other = await aReceiver();
    for (const status of [204, 429]) {
      const id = await streamFor(other);
      assert.equal((await ask(other, "POST", "/ssf/verify", { stream_id: id })).status, status);
      await ask(other, "DELETE", `/ssf/streams?stream_id=${id}`);
    }
    const { tokens, jtis } = await poll(receiver, stream_id);
    assert.deepEqual(
      tokens.map(({ events, sub_id }) => ({ events, sub_id })),
      [
        {
          events: { [controlTypes.verification]: { state: "s1" } },
          sub_id: { format: "opaque", id: stream_id },
        },
      ],
    );
    await poll(receiver, stream_id, { ack: jtis });
    const stream = await it.store.find("signal_streams", { id: stream_id });
    const at = (seconds: number) => new Date((stream?.last_active_at.getTime() ?? 0) + seconds * 1000);
    const statusAt = async (seconds: number) => {
      await pumpSignals({ ...it.server, now: () => at(seconds) });
      return (await it.store.find("signal_streams", { id: stream_id }))?.status;
    };
    assert.equal(await statusAt(30 * day), "enabled");
    assert.equal(await statusAt(30 * day + 1), "paused");
  });

  test("SG-2: removed subjects cause no events, added ones do again, and unknown ones get the same response", async () => {
    const receiver = await aReceiver();
    const stream_id = await streamFor(receiver, { events_requested: [signalTypes.account_disabled] });
    const user = await aUser(it.store);
    const told = async () => {
      await aFeedEvent(it.store, { subject_id: user.id, type: "user.deactivated", data: {} });
      await it.store.numberEvents();
      const { tokens, jtis } = await poll(receiver, stream_id);
      await poll(receiver, stream_id, { ack: jtis });
      return tokens.length;
    };
    const subjects = [
      { format: "email", email: user.email },
      { format: "iss_sub", iss: "https://id.example", sub: user.id },
    ];
    for (const subject of subjects) {
      assert.equal((await ask(receiver, "POST", "/ssf/subjects:remove", { stream_id, subject })).status, 204);
      assert.equal(await told(), 0);
      const added = await ask(receiver, "POST", "/ssf/subjects:add", { stream_id, subject });
      assert.deepEqual([added.status, added.json], [200, {}]);
      assert.equal(await told(), 1);
    }
    for (const subject of [
      { format: "email", email: "nobody@example.com" },
      { format: "iss_sub", iss: "https://id.example", sub: "nobody" },
      { format: "phone_number", phone_number: "+1" },
    ])
      assert.equal((await ask(receiver, "POST", "/ssf/subjects:remove", { stream_id, subject })).status, 204);
  });

  test("SG-2: adding an unknown address has the same effect as a known one, so a full list reveals no account", async () => {
    const receiver = await aReceiver();
    const stream_id = await streamFor(receiver);
    const user = await aUser(it.store);
    const written: unknown[] = [];
    for (const email of [user.email, "unknown@example.com"]) {
      const removed_subjects = Array.from({ length: 999 }, () => crypto.randomUUID());
      await it.store.update("signal_streams", { id: stream_id }, { removed_subjects });
      const subject = { format: "email", email };
      const one = { format: "iss_sub", iss: "https://id.example", sub: crypto.randomUUID() };
      const results: unknown[] = [];
      for (const [act, each] of [
        ["remove", subject],
        ["remove", subject],
        ["remove", one],
        ["add", subject],
        ["remove", one],
      ] as const)
        results.push(
          (await ask(receiver, "POST", `/ssf/subjects:${act}`, { stream_id, subject: each })).status,
        );
      const stored = (await it.store.find("signal_streams", { id: stream_id }))?.removed_subjects;
      written.push([results, stored?.length]);
    }
    assert.deepEqual(written, [
      [[204, 204, 400, 200, 204], 1000],
      [[204, 204, 400, 200, 204], 1000],
    ]);
  });

  test("SG-7: the receiver of an organization can use only addresses of its members", async () => {
    const acme = await anOrganization(it.store);
    const receiver = await aReceiver({ organization_id: acme.id });
    const stream_id = await streamFor(receiver, { format: "email" });
    const app = await anApp(it.store, { organization_id: acme.id });
    const [member, stranger] = [await aUser(it.store), await aUser(it.store)];
    await aMembership(it.store, { user_id: member.id, organization_id: acme.id });
    const endings = async () => {
      for (const { id: user_id } of [member, stranger]) {
        const { id: session_id } = await aSession(it.store, { user_id });
        await aToken(it.store, { user_id, app_id: app.id, session_id });
        await aFeedEvent(it.store, { subject_id: user_id, type: "session.ended", data: { session_id } });
      }
      await aFeedEvent(it.store, {
        ...{ subject_id: stranger.id, type: "membership.deleted", organization_id: acme.id },
        data: { membership_id: crypto.randomUUID() },
      });
      await it.store.numberEvents();
      const { tokens, jtis } = await poll(receiver, stream_id);
      await poll(receiver, stream_id, { ack: jtis });
      return tokens.map(({ sub_id }) => (sub_id as { user?: Json }).user ?? sub_id);
    };
    const unnamed = { format: "iss_sub", iss: "https://id.example", sub: stranger.id };
    assert.deepEqual(await endings(), [{ format: "email", email: member.email }, unnamed, unnamed]);
    for (const { email } of [member, stranger]) {
      const subject = { format: "email", email };
      await ask(receiver, "POST", "/ssf/subjects:remove", { stream_id, subject });
    }
    assert.deepEqual(await endings(), [unnamed, unnamed]);
  });

  test("SG-7: the receiver of an organization gets only events of its members, memberships and app sessions", async () => {
    const [acme, other] = [await anOrganization(it.store), await anOrganization(it.store)];
    const receiver = await aReceiver({ organization_id: acme.id });
    const stream_id = await streamFor(receiver);
    const [member, stranger] = [await aUser(it.store), await aUser(it.store)];
    const own = await aMembership(it.store, { user_id: member.id, organization_id: acme.id });
    const elsewhere = await aMembership(it.store, { user_id: member.id, organization_id: other.id });
    const app = await anApp(it.store, { organization_id: acme.id });
    const foreign = await anApp(it.store, { organization_id: other.id });
    const [used, unused] = [
      await aSession(it.store, { user_id: member.id }),
      await aSession(it.store, { user_id: member.id }),
    ];
    await aToken(it.store, { user_id: member.id, app_id: app.id, session_id: used.id });
    await aToken(it.store, { user_id: member.id, app_id: foreign.id, session_id: unused.id });
    for (const { id: session_id } of [used, unused])
      await aFeedEvent(it.store, { subject_id: member.id, type: "session.ended", data: { session_id } });
    for (const { id: membership_id, organization_id } of [own, elsewhere])
      await aFeedEvent(it.store, {
        ...{ subject_id: member.id, type: "membership.updated", organization_id },
        data: { membership_id, changed: ["role"] },
      });
    for (const { id: subject_id } of [member, stranger])
      for (const type of ["user.deactivated", "user.credential_added", "user.email_changed"])
        await aFeedEvent(it.store, { subject_id, type, data: { credential: "password" } });
    await it.store.numberEvents();
    const { tokens } = await poll(receiver, stream_id);
    assert.deepEqual(typesOf(tokens), [
      signalTypes.session_revoked,
      signalTypes.token_claims_change,
      signalTypes.account_disabled,
    ]);
    assert.equal(((tokens[0] ?? assert.fail()).sub_id as { session: Json }).session.id, used.id);
    assert.equal(((tokens[2] ?? assert.fail()).sub_id as Json).sub, member.id);
  });

  test("FO-1: events that two processes add to a stream at the same moment keep their order", async () => {
    const receiver = await aReceiver();
    const endpoint_url = "https://receiver.example/events";
    await streamFor(receiver, { delivery: { method: push, endpoint_url } });
    const user = await aUser(it.store);
    for (let index = 0; index < 150; index++)
      await aFeedEvent(it.store, { subject_id: user.id, type: "user.deactivated", data: {} });
    await it.store.numberEvents();
    await pumpSignals(it.server);
    await pumpSignals(it.server);
    const rows = await it.store.list("deliveries", { target_id: receiver.app.id });
    const sent = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(({ event_id }) => event_id);
    const told = await it.store.list("events", { subject_id: user.id }, { order_by: "position" });
    assert.deepEqual(
      sent,
      told.map(({ id }) => id),
    );
  });

  test("SG-5: events that wait for a push can be polled after the receiver changes to polling", async () => {
    const receiver = await aReceiver();
    const endpoint_url = "https://receiver.example/events";
    const stream_id = await streamFor(receiver, { delivery: { method: push, endpoint_url } });
    const user = await aUser(it.store);
    for (const type of ["user.deactivated", "user.reactivated"] as const)
      await aFeedEvent(it.store, { subject_id: user.id, type, data: {} });
    await it.store.numberEvents();
    await pumpSignals(it.server);
    const delivery = { method: "urn:ietf:rfc:8936" };
    assert.equal((await ask(receiver, "PATCH", "/ssf/streams", { stream_id, delivery })).status, 200);
    assert.equal(await it.store.count("deliveries", { target_id: receiver.app.id }), 0);
    const types = [signalTypes.account_disabled, signalTypes.account_enabled];
    assert.deepEqual(typesOf((await poll(receiver, stream_id)).tokens), types);
  });

  test("SG-5: disabling a stream drops the events that wait for a push", async () => {
    const receiver = await aReceiver();
    const endpoint_url = "https://receiver.example/events";
    const stream_id = await streamFor(receiver, { delivery: { method: push, endpoint_url } });
    const user = await aUser(it.store);
    await aFeedEvent(it.store, { subject_id: user.id, type: "user.deactivated", data: {} });
    await it.store.numberEvents();
    await pumpSignals(it.server);
    await ask(receiver, "POST", "/ssf/status", { stream_id, status: "disabled" });
    await ask(receiver, "POST", "/ssf/status", { stream_id, status: "paused" });
    await ask(receiver, "POST", "/ssf/status", { stream_id, status: "enabled" });
    await pumpSignals(it.server);
    const waiting = await it.store.list("deliveries", { target_id: receiver.app.id });
    assert.deepEqual(
      waiting.map(({ subject_key }) => subject_key),
      [stream_id, stream_id, stream_id],
    );
  });

  test("SG-5: a push is sent in order with the receiver's header, and 202 completes it", async () => {
    const receiver = await aReceiver();
    const delivery = {
      method: push,
      endpoint_url: "https://receiver.example/events",
      authorization_header: "Bearer s3cret",
    };
    const stream_id = await streamFor(receiver, { delivery });
    const user = await aUser(it.store);
    await aFeedEvent(it.store, { subject_id: user.id, type: "user.deactivated", data: {} });
    await aFeedEvent(it.store, { subject_id: user.id, type: "user.reactivated", data: {} });
    await it.store.numberEvents();
    await ask(receiver, "POST", "/ssf/verify", { stream_id, state: "s" });
    await pumpSignals(it.server);
    await pumpSignals(it.server);
    const seen: OutboundRequest[] = [];
    let status = 503;
    const send = async (request: OutboundRequest) => {
      seen.push(request);
      const body = Buffer.from(JSON.stringify({ err: "invalid_key", description: "no such key" }));
      return { status, headers: {}, body };
    };
    const outbound = {
      public: { send },
      internal: { send: () => assert.fail("never to private addresses") },
    };
    const deliverer = { server: it.server, outbound } as const;
    const target_id = receiver.app.id;
    const round = async () => {
      const due = (await it.store.dueDeliveries(it.clock.now(), 100, [])).filter(
        (each) => each.target_id === target_id,
      );
      const outcomes = [];
      for (const each of due) {
        const [claimed] = await it.store.claimDeliveries([each], crypto.randomUUID(), it.clock.now());
        if (claimed !== undefined) outcomes.push(await deliver(claimed, deliverer));
      }
      return outcomes;
    };
    assert.deepEqual(await round(), ["postponed", "postponed"]);
    status = 202;
    it.clock.advance(60);
    assert.deepEqual((await round()).toSorted(), ["done", "done"]);
    status = 400;
    assert.deepEqual(await round(), ["failed"]);
    const [failed] = await it.store.list("deliveries", { target_id, state: "failed" });
    assert.equal(failed?.last_fault, "invalid_key: no such key");
    for (const { url, authorization, body } of seen) {
      assert.deepEqual([url, authorization], [delivery.endpoint_url, delivery.authorization_header]);
      assert.equal(body?.type, "application/secevent+jwt");
      await verified(body?.text ?? "", receiver);
    }
    const types = seen.map(({ body }) => typesOf([decodeJwt(body?.text ?? "")])[0]);
    assert.deepEqual(types.at(-1), signalTypes.account_enabled);
    const jtis = seen.map(({ body }) => decodeJwt(body?.text ?? "").jti);
    assert.equal(new Set(jtis).size, 3, "an attempt repeats the jti");
    assert.equal(
      (await it.store.find("signal_streams", { id: stream_id }))?.authorization_sealed?.includes("s3cret"),
      false,
    );
  });
});
