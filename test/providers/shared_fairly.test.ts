import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { OutboundAnswer, OutboundRequest } from "../../src/outbound/outbound.ts";
import { sharedFairly } from "../../src/providers/shared_fairly.ts";

/** A way out whose answers a test gives, in the order of the requests. */
function heldOutbound() {
  const held: { readonly url: string; readonly end: () => void }[] = [];
  const send = ({ url }: OutboundRequest) =>
    new Promise<OutboundAnswer>((resolve) => {
      held.push({ url, end: () => resolve({ status: 200, headers: {}, body: Buffer.of() }) });
    });
  return { held, shared: sharedFairly({ send }) };
}

const asking = (url: string, timeout = 60_000): OutboundRequest => ({
  method: "GET",
  url,
  accept: "application/json",
  max_bytes: 1,
  timeout,
});

describe("EP-17 a provider that hangs", () => {
  test("EP-17 takes eight requests at once, and no other provider's share", async () => {
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

  test("EP-17 lets nobody wait longer than for an answer, and the place is not lost", async () => {
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

  test("EP-17 a request that fails gives its place back", async () => {
    let count = 0;
    const shared = sharedFairly({
      send: async () => {
        count += 1;
        throw new Error("no answer");
      },
    });
    for (let index = 0; index < 20; index += 1)
      await assert.rejects(shared.send(asking("https://slow.example/", 10)), { message: "no answer" });
    assert.equal(count, 20);
  });
});
