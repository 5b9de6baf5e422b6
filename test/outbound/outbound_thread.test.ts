import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { OutboundRequest } from "../../src/outbound/outbound.ts";
import { outboundThread } from "../../src/outbound/outbound_thread.ts";

const loopback = ["127.0.0.1/32"];

async function listening() {
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    if (request.url === "/hang") return;
    response.writeHead(202, { "x-header": String(request.headers["webhook-id"]) }).end(`got ${sent}`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const post = (url: string): OutboundRequest => ({
  method: "POST",
  ...{ url, accept: "application/json", max_bytes: 100, timeout: 10_000 },
  headers: { "webhook-id": "evt_1" },
  body: { type: "text/plain", text: "a body" },
});

/** Returns the nice values of this process's threads (proc(5), `stat`). */
const niceValues = () =>
  readdirSync("/proc/self/task").map((task) => {
    const stat = readFileSync(`/proc/self/task/${task}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")")).split(" ")[17]);
  });

test("FO-3: outbound requests run in a thread with the lowest priority, and each client has its own limits", async () => {
  using server = await listening();
  const thread = outboundThread();
  const narrow = thread.client({ most_at_once: 1 });
  const wide = thread.client({ allow: loopback });
  const { status, headers, body } = await wide.send(post(server.url("/")));
  assert.deepEqual([status, headers["x-header"], body.toString()], [202, "evt_1", "got a body"]);
  await assert.rejects(narrow.send(post(server.url("/"))), {
    name: "OutboundError",
    kind: "internal_address",
    message: `${new URL(server.url("/")).host}: internal_address`,
  });
  if (process.platform === "linux") assert.ok(niceValues().includes(15));
  await thread.close();
});

test("FO-3: if the outbound thread ends, its requests fail, and the next request starts another thread", async () => {
  using server = await listening();
  const thread = outboundThread();
  const client = thread.client({ allow: loopback });
  await client.send(post(server.url("/")));
  const hanging = client.send(post(server.url("/hang")));
  const failed = assert.rejects(hanging, /ended/);
  await thread.close();
  await failed;
  assert.equal((await client.send(post(server.url("/")))).status, 202);
  await thread.close();
});

test("FO-3: if the outbound thread cannot start, its requests fail, and later ones run on the event loop", async () => {
  using server = await listening();
  const thread = outboundThread();
  // The thread cannot start with this invalid proxy URL. The event loop does not need it, because allowed
  // addresses are reached without a proxy.
  const client = thread.client({ allow: loopback, proxy: { href: "not a URL" } as URL });
  await assert.rejects(client.send(post(server.url("/"))), /ended/);
  assert.equal((await client.send(post(server.url("/")))).status, 202);
});
