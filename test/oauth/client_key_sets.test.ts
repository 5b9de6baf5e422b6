import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ClientKey } from "../../src/crypto/key_sets.ts";
import { type ClientKeySets, clientKeySets } from "../../src/oauth/client_metadata/client_key_sets.ts";
import {
  createOutbound,
  type Outbound,
  type OutboundAnswer,
  OutboundError,
} from "../../src/outbound/outbound.ts";
import type { JsonObject } from "../../src/records/definition/field.ts";
import { certificate, type LoopbackServer, loopbackServer } from "../outbound/tls_server.ts";
import { type TestServer, testClock, testServer } from "../support/authorization_server.ts";
import { anOpenClient, anOrganization } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { withoutConversions } from "../support/without_conversions.ts";
import { refusal, rejected, withPart } from "./client_fixture.ts";
import { aPair } from "./machine.ts";
import { aClientPair, aSigningClient, jwkOf, switchedOn } from "./signing_client.ts";

const unproven = refusal("invalid_client", /^client authentication failed$/);

/** Returns a sender that gives these answers in turn, and repeats the last one. */
function saying(...answers: (() => Promise<Partial<OutboundAnswer> & { json?: unknown }>)[]) {
  const requested: string[] = [];
  const outbound: Outbound = {
    async send({ url }) {
      const next = answers[Math.min(requested.length, answers.length - 1)];
      requested.push(url);
      const { json, ...answer } = (await next?.()) ?? {};
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(json)), ...answer };
    },
  };
  const clock = testClock();
  return { requested, clock, sets: clientKeySets({ outbound, now: clock.now, most: 2 }) };
}

const has = (kid: string) => (keys: readonly ClientKey[]) => keys.some((key) => key.kid === kid);

describe("key sets that clients publish at jwks_uri", () => {
  const [first, second] = [aPair("ES256"), aPair("ES256")];
  const one = { keys: [jwkOf(first, { kid: "one" })] };
  const both = { keys: [...one.keys, jwkOf(second, { kid: "two" })] };
  const url = "https://client.example/keys";
  const kids = (keys: readonly ClientKey[] | undefined) => keys?.map(({ kid }) => kid);

  test("PR-37: a key set is fetched once, and again for an unknown key at the earliest a minute later", async () => {
    const { requested, clock, sets } = saying(
      async () => ({ json: one }),
      async () => ({ json: both }),
    );
    assert.deepEqual(kids(await sets.find(url, has("one"))), ["one"]);
    for (let turn = 0; turn < 50; turn++) assert.deepEqual(kids(await sets.find(url, has("two"))), ["one"]);
    clock.advance(59);
    assert.deepEqual(kids(await sets.find(url, has("two"))), ["one"]);
    assert.equal(requested.length, 1);
    clock.advance(1);
    assert.deepEqual(kids(await sets.find(url, has("two"))), ["one", "two"]);
    assert.equal(requested.length, 2);
  });

  test("PR-37: a key that the client removes from its set is refused within five minutes", async () => {
    const { requested, clock, sets } = saying(
      async () => ({ json: both }),
      async () => ({ json: one }),
    );
    await sets.find(url, has("two"));
    clock.advance(299);
    assert.deepEqual(kids(await sets.find(url, has("two"))), ["one", "two"]);
    assert.equal(requested.length, 1);
    clock.advance(1);
    assert.deepEqual(kids(await sets.find(url, has("two"))), ["one"]);
  });

  test("PR-37: while the jwks_uri fails, the last key set stays valid for a day", async () => {
    const { requested, clock, sets } = saying(
      async () => ({ json: one }),
      async () => Promise.reject(new OutboundError("timeout", "client.example")),
    );
    await sets.find(url, has("one"));
    clock.advance(86_399);
    for (let turn = 0; turn < 20; turn++) assert.deepEqual(kids(await sets.find(url, has("one"))), ["one"]);
    // At most one fetch per minute is attempted, however many requests come.
    assert.equal(requested.length, 2);
    clock.advance(1);
    assert.equal(await sets.find(url, has("one")), undefined);
  });

  test("PR-37: if the clock is set back an hour, removed keys and failures are not cached for longer", async () => {
    const failed = async () => Promise.reject(new OutboundError("timeout", "client.example"));
    const { requested, clock, sets } = saying(
      async () => ({ json: both }),
      async () => ({ json: one }),
      failed,
      async () => ({ json: one }),
    );
    clock.advance(3600);
    await sets.find(url, has("two"));
    clock.advance(-3600);
    assert.deepEqual(kids(await sets.find(url, has("two"))), ["one"]);
    const other = "https://other.example/";
    clock.advance(3600);
    assert.equal(await sets.find(other, has("one")), undefined);
    clock.advance(-3600);
    assert.deepEqual(kids(await sets.find(other, has("one"))), ["one"]);
    assert.equal(requested.length, 4);
  });

  test("PR-37: without an earlier key set, a failure or an invalid response is cached for ten seconds", async () => {
    const answers = [
      async () => Promise.reject(new OutboundError("busy", "client.example")),
      async () => ({ status: 302, json: one }),
      async () => ({ status: 404, json: one }),
      async () => ({ body: Buffer.from("<html>") }),
      async () => ({ json: [] }),
      async () => ({ json: { keys: "none" } }),
      async () => ({ json: null }),
      async () => ({ json: one }),
    ];
    const { requested, clock, sets } = saying(...answers);
    for (let turn = 1; turn < answers.length; turn++) {
      for (let again = 0; again < 5; again++) assert.equal(await sets.find(url, has("one")), undefined);
      assert.equal(requested.length, turn);
      clock.advance(10);
    }
    assert.deepEqual(kids(await sets.find(url, has("one"))), ["one"]);
  });

  test("PR-37: concurrent requests share one fetch of a key set", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { requested, sets } = saying(async () => promise.then(() => ({ json: one })));
    const asking = Array.from({ length: 100 }, () => sets.find(url, has("one")));
    resolve();
    assert.ok((await Promise.all(asking)).every((keys) => keys?.length === 1));
    assert.equal(requested.length, 1);
  });

  test("PR-37: the number of cached key sets is limited, and the least recently used one is removed first", async () => {
    const { requested, sets } = saying(async () => ({ json: one }));
    for (const name of ["a", "b", "a", "c", "a", "b"]) {
      await sets.find(`https://${name}.example/`, has("one"));
    }
    assert.deepEqual(
      requested.map((each) => new URL(each).host[0]),
      ["a", "b", "c", "b"],
    );
  });

  test("PR-36: keys of a published set that cannot verify signatures are skipped", async () => {
    const strange: readonly unknown[] = [
      null,
      "key",
      { kty: "oct", k: "AAAA", kid: "secret" },
      { kty: "XYZ" },
      jwkOf(first, { kid: "private", ...(first.privateKey.export({ format: "jwk" }) as JsonObject) }),
      jwkOf(first, { kid: "encrypting", use: "enc" }),
      { kty: "RSA", n: "AQAB", e: "AQAB", kid: "short" },
      ...withoutConversions.flatMap((value) =>
        ["kty", "crv", "x", "y", "alg", "kid"].map((name) => ({
          ...jwkOf(first, { kid: "odd" }),
          [name]: value,
        })),
      ),
    ];
    const { sets } = saying(async () => ({ json: { keys: [...strange, ...one.keys] } }));
    assert.deepEqual(kids(await sets.find(url, has("one"))), ["one"]);
  });
});

describeInForm("clients that authenticate by jwks_uri", (database) => {
  let scenario: TestServer;
  let published: { keys: readonly JsonObject[] } | undefined;
  let host: LoopbackServer;
  let url: string;
  before(async () => {
    host = await loopbackServer((_request, response) => {
      if (published === undefined) response.writeHead(503).end("away");
      else response.end(JSON.stringify(published));
    });
    url = `https://keys.outbound.test:${host.port}/jwks`;
    const plain = await testServer(await database.open(), switchedOn);
    const resolve = async () => ["127.0.0.1"];
    const outbound = createOutbound({ allow: ["127.0.0.0/8"], resolve, ca: certificate });
    const registered = clientKeySets({ outbound, now: plain.clock.now });
    const open: ClientKeySets = { find: async () => assert.fail("of an open client") };
    const organization = clientKeySets({
      outbound: createOutbound({ resolve, ca: certificate }),
      now: plain.clock.now,
    });
    scenario = withPart(plain, { clientKeySets: { registered, organization, open } });
  });
  after(() => host.close());

  test("PR-37: a client's new key is accepted within a minute, and an outage of its jwks_uri is invalid_client", async () => {
    published = undefined;
    const pair = aClientPair("ES256");
    const client = await aSigningClient(scenario, { pair, app: { jwks_uri: url } });
    const next = aClientPair("PS256");
    await assert.rejects(client.ask(await client.assertion()), unproven);
    published = { keys: [jwkOf(pair, { kid: "k1" })] };
    scenario.clock.advance(10);
    assert.ok(await client.ask(await client.assertion()));
    const rotated = () => client.assertion({}, { alg: "PS256", kid: "k2" }, next.privateKey);
    await assert.rejects(client.ask(await rotated()), unproven);
    published = { keys: [jwkOf(next, { kid: "k2" })] };
    scenario.clock.advance(60);
    assert.ok(await client.ask(await rotated()));
    await assert.rejects(client.ask(await client.assertion()), unproven);
    published = undefined;
    scenario.clock.advance(3600);
    assert.ok(await client.ask(await rotated()));
    scenario.clock.advance(86_400);
    await assert.rejects(client.ask(await rotated()), unproven);
  });

  test("PR-37: only an active client with a jwks_uri and the method causes a fetch", async () => {
    published = { keys: [] };
    const own = `${url}/own`;
    const before = host.seen.length;
    for (const app of [
      { active: false },
      { token_endpoint_auth_method: null },
      { token_endpoint_auth_method: "client_secret_basic" },
      { public: true, token_endpoint_auth_method: "none" },
    ] as const) {
      const client = await aSigningClient(scenario, { app: { ...app, jwks_uri: own } });
      await assert.rejects(client.ask(await client.assertion()), unproven);
    }
    const client = await aSigningClient(scenario, { app: { jwks_uri: own } });
    const header = { jku: `${url}/foreign`, x5u: `${url}/foreign` };
    await rejected(client.ask("no JWT"), "invalid_client");
    await assert.rejects(client.ask(await client.assertion({ iss: "no", sub: "no" }, header)), unproven);
    assert.equal(host.seen.length, before);
    for (let turn = 0; turn < 30; turn++) {
      await assert.rejects(client.ask(await client.assertion({}, { ...header, kid: `k${turn}` })), unproven);
    }
    assert.deepEqual(host.seen.slice(before), ["/jwks/own"]);
  });

  test("PR-37: slow hosts of open clients do not delay fetches for registered apps", async () => {
    const pair = aClientPair("ES256");
    published = { keys: [jwkOf(pair, { kid: "k1" })] };
    const requested: string[] = [];
    const { promise: hanging, resolve: end } = Promise.withResolvers<undefined>();
    const { promise: isRequested, resolve: noteRequest } = Promise.withResolvers<void>();
    const open: ClientKeySets = {
      find(address) {
        requested.push(address);
        noteRequest();
        return hanging;
      },
    };
    const at = withPart(scenario, { clientKeySets: { ...scenario.server.clientKeySets, open } });
    const stranger = await aSigningClient(at, {
      pair,
      app: {
        ...anOpenClient,
        public: false,
        token_endpoint_auth_method: "private_key_jwt",
        jwks_uri: `${url}/slow`,
      },
    });
    const waits = stranger.ask(await stranger.assertion());
    await isRequested;
    const client = await aSigningClient(at, { pair, app: { jwks_uri: `${url}/registered` } });
    assert.ok(await client.ask(await client.assertion()));
    assert.deepEqual(requested, [`${url}/slow`]);
    end(undefined);
    await assert.rejects(waits, unproven);
  });

  test("FO-4: the jwks_uri of an organization's app is fetched only from public addresses", async () => {
    const pair = aClientPair("ES256");
    published = { keys: [jwkOf(pair, { kid: "k1" })] };
    const { id: organization_id } = await anOrganization(scenario.store);
    const before = host.seen.length;
    const of = (app: object) => aSigningClient(scenario, { pair, app: { ...app, jwks_uri: `${url}/of` } });
    const theirs = await of({ organization_id });
    await assert.rejects(theirs.ask(await theirs.assertion()), unproven);
    assert.equal(host.seen.length, before);
    const ours = await of({ organization_id: null });
    assert.ok(await ours.ask(await ours.assertion()));
  });

  test("H-10, PR-37: a jwks_uri at an internal address is fetched only if the operator permits it", async () => {
    published = { keys: [] };
    const outbound = createOutbound({ resolve: async () => ["127.0.0.1"], ca: certificate });
    const strict = withPart(scenario, {
      clientKeySets: {
        ...scenario.server.clientKeySets,
        registered: clientKeySets({ outbound, now: scenario.clock.now }),
      },
    });
    const before = host.seen.length;
    const client = await aSigningClient(strict, { app: { jwks_uri: `${url}/inside` } });
    await assert.rejects(client.ask(await client.assertion()), unproven);
    assert.equal(host.seen.length, before);
  });
});
