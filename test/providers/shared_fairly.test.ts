import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import type { OutboundAnswer, OutboundRequest } from "../../src/outbound/outbound.ts";
import { sharedFairly } from "../../src/providers/shared_fairly.ts";
import { finishUpstream } from "../../src/providers/upstream.ts";
import { upstreamClient } from "../../src/providers/upstream_client.ts";
import { testClock } from "../support/authorization_server.ts";
import { providerSettings } from "../support/provider_settings.ts";

/** Creates an outbound client whose answers the test gives, in the order of the requests. */
function heldOutbound() {
  const held: { readonly url: string; readonly timeout: number; readonly end: () => void }[] = [];
  const send = ({ url, timeout }: OutboundRequest) =>
    new Promise<OutboundAnswer>((resolve) => {
      held.push({ url, timeout, end: () => resolve({ status: 200, headers: {}, body: Buffer.of() }) });
    });
  const clock = testClock();

  /** Answers all pending requests, and later ones. */
  async function endAll(): Promise<void> {
    for (let index = 0; index < held.length; index += 1) {
      held[index]?.end();
      await new Promise(setImmediate);
    }
  }
  return { held, clock, endAll, shared: sharedFairly({ send }, clock.now) };
}

const asking = (url: string, timeout = 60_000): OutboundRequest => ({
  method: "GET",
  url,
  accept: "application/json",
  max_bytes: 1,
  timeout,
});

const issuer = "https://provider.example";
const settings = providerSettings("oidc", { issuer });
const metadata = JSON.stringify({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
});
const expected = {
  state: "s",
  nonce: "n",
  code_verifier: "v".repeat(43),
  redirect_uri: "https://id.example/sign-in/oidc/callback",
  slug: settings.slug,
};

describe("EP-17 a provider that does not respond", () => {
  test("EP-17 uses at most eight slots, and none that are reserved for other providers", async () => {
    const { held, shared } = heldOutbound();
    const first = Array.from({ length: 50 }, () => shared.send(asking("https://slow.example/token")));
    const other = shared.send(asking("https://quick.example/token"));
    await Promise.resolve();
    assert.equal(held.length, 9);
    held.at(-1)?.end();
    assert.equal((await other).status, 200);
    for (const [index, request] of first.entries()) {
      held.filter(({ url }) => url.includes("slow"))[index]?.end();
      assert.equal((await request).status, 200);
    }
    assert.equal(held.length, 51);
  });

  test("EP-17 delays no request beyond its time limit, and a request that gives up returns its slot", async () => {
    const { held, shared } = heldOutbound();
    const first = Array.from({ length: 8 }, () => shared.send(asking("https://slow.example/a")));
    await assert.rejects(shared.send(asking("https://slow.example/b", 10)), {
      kind: "busy",
      received: "slow.example: busy",
    });
    for (const { end } of held) end();
    await Promise.all(first);
    const again = Array.from({ length: 8 }, () => shared.send(asking("https://slow.example/c")));
    await Promise.resolve();
    assert.equal(held.length, 16);
    for (const { end } of held) end();
    await Promise.all(again);
  });

  test("EP-17 leaves slots for others even if three providers hang, and an organization uses only its share", async () => {
    const { held, endAll, shared } = heldOutbound();
    for (const host of ["a", "b", "c"]) {
      for (let turn = 0; turn < 20; turn += 1) void shared.send(asking(`https://${host}.example/token`));
    }
    for (let host = 0; host < 40; host += 1) {
      void shared.send({ ...asking(`https://own${host}.example/token`), owner: "org" });
    }
    await Promise.resolve();
    assert.equal(held.length, 24 + 12);
    for (const owner of [undefined, "another"]) {
      void shared.send({ ...asking("https://quick.example/token"), owner });
    }
    await Promise.resolve();
    assert.equal(held.filter(({ url }) => url.includes("quick")).length, 2);
    await endAll();
  });

  test("EP-17 makes later requests wait in order when all slots are taken", async () => {
    const { held, endAll, shared } = heldOutbound();
    for (let host = 0; host < 100; host += 1) void shared.send(asking(`https://h${host}.example/`));
    void shared.send(asking("https://first.example/"));
    void shared.send(asking("https://second.example/"));
    await Promise.resolve();
    assert.equal(held.length, 100);
    held[0]?.end();
    await new Promise(setImmediate);
    assert.deepEqual(
      held.slice(100).map(({ url }) => url),
      ["https://first.example/"],
    );
    await endAll();
  });

  test("EP-17 cannot exceed a request's time limit, which includes waiting for a slot", async () => {
    const { held, endAll, shared, clock } = heldOutbound();
    for (let turn = 0; turn < 8; turn += 1) void shared.send(asking("https://slow.example/a", 5000));
    void shared.send(asking("https://slow.example/b", 5000));
    clock.advance(3);
    held[0]?.end();
    await new Promise(setImmediate);
    assert.deepEqual([held.length, held.at(-1)?.timeout], [9, 2000]);
    await endAll();
  });

  test("EP-17 delays a request at most 8 seconds in total, including the fetch of its metadata", async () => {
    const clock = testClock();
    const answered: number[] = [];
    const send = async ({ timeout }: OutboundRequest): Promise<OutboundAnswer> => {
      answered.push(timeout);
      clock.advance(4);
      return { status: 200, headers: {}, body: Buffer.from(answered.length === 1 ? metadata : "{}") };
    };
    const client = upstreamClient({ outbound: { send }, now: clock.now });
    await assert.rejects(finishUpstream(settings, { state: "s", code: "c", iss: issuer }, expected, client));
    assert.deepEqual(answered, [5000, 4000]);
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const hanging = upstreamClient({ outbound: { send: () => new Promise(() => {}) }, now: clock.now });
      const finished = finishUpstream(settings, { state: "s", code: "c", iss: issuer }, expected, hanging);
      const refused = assert.rejects(finished, { kind: "timeout" });
      mock.timers.tick(8000);
      await refused;
    } finally {
      mock.timers.reset();
    }
  });

  test("EP-17 returns the slot of a request that failed", async () => {
    let count = 0;
    const send = async () => {
      count += 1;
      throw new Error("no answer");
    };
    const shared = sharedFairly({ send }, testClock().now);
    for (let index = 0; index < 20; index += 1)
      await assert.rejects(shared.send(asking("https://slow.example/", 10)), { message: "no answer" });
    assert.equal(count, 20);
  });
});
