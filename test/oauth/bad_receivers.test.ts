/** Webhooks to faulty receivers over real connections: each has a named fault and a bounded cost (EV-6). */
import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { after, describe, test } from "node:test";
import { deliver } from "../../src/oauth/deliveries/deliver.ts";
import { createOutbound, type OutboundOptions } from "../../src/outbound/outbound.ts";
import { certificate, type LoopbackServer, loopbackServer } from "../outbound/tls_server.ts";
import { serverOn } from "../support/authorization_server.ts";
import { aFeedEvent, anEndpoint, sealSecrets } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

interface Receiver {
  readonly answer: RequestListener;
  readonly outbound?: OutboundOptions;
  readonly status: number | null;
  readonly fault: RegExp;
  readonly state: "done" | "waiting";
}

const inside: OutboundOptions = { allow: ["127.0.0.0/8"], ca: certificate };
const fine: RequestListener = (_request, response) => response.end("ok");
/** The number of bytes that receivers managed to send. */
const read = { bytes: 0 };

const receivers: Readonly<Record<string, Receiver>> = {
  "a redirect": {
    answer: (_request, response) => response.writeHead(307, { location: "https://127.0.0.1:1/" }).end(),
    status: 307,
    fault: /^redirect: /,
    state: "waiting",
  },
  "a certificate that no one trusts": {
    answer: fine,
    outbound: { allow: ["127.0.0.0/8"] },
    status: null,
    fault: /^tls: /,
    state: "waiting",
  },
  "a compressed answer": {
    answer: (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(Buffer.alloc(1000)),
    status: 200,
    fault: /^encoded: only the status was used/,
    state: "done",
  },
  "an answer of 10 MB": {
    answer(_request, response) {
      response.writeHead(200);
      const part = Buffer.alloc(65_536, "a");
      const send = () => {
        while (read.bytes < 10_000_000 && !response.destroyed) {
          read.bytes += part.length;
          if (!response.write(part)) return void response.once("drain", send);
        }
        response.end();
      };
      send();
    },
    status: 200,
    fault: /^too_large: only the status was used/,
    state: "done",
  },
  "an answer of one byte at a time": {
    answer(_request, response) {
      response.writeHead(200);
      const timer = setInterval(() => response.write("a"), 50);
      response.once("close", () => clearInterval(timer));
    },
    status: 200,
    fault: /^unfinished: only the status was used/,
    state: "done",
  },
  "an answer that breaks off": {
    answer(_request, response) {
      response.writeHead(202, { "content-length": 9 }).write("half");
      setImmediate(() => response.destroy());
    },
    status: 202,
    fault: /^unfinished: only the status was used/,
    state: "done",
  },
  "a refusal that does not end": {
    answer: (_request, response) => void response.writeHead(500).write("a"),
    status: 500,
    fault: /^unfinished: only the status was used/,
    state: "waiting",
  },
  "headers of one byte at a time": {
    answer(_request, response) {
      const { socket } = response;
      const text = `HTTP/1.1 200 OK\r\nx: ${"a".repeat(1000)}`;
      let sent = 0;
      const timer = setInterval(() => socket?.write(text.charAt(sent++)), 20);
      socket?.once("close", () => clearInterval(timer));
    },
    status: null,
    fault: /^timeout: /,
    state: "waiting",
  },
  "a name that moved to a private address": {
    answer: fine,
    outbound: { ca: certificate, resolve: async () => ["127.0.0.1"] },
    status: null,
    fault: /^internal_address: a private address requires internal/,
    state: "waiting",
  },
};

describe("webhook receivers that misbehave", () => {
  const [database] = databases;
  assert.ok(database);
  const as = serverOn({ ...database, open: () => database.open({ events: true }) }, {});
  const servers: LoopbackServer[] = [];
  after(() => Promise.all(servers.map((server) => server.close())));

  for (const [name, { answer, outbound = inside, status, fault, state }] of Object.entries(receivers))
    test(`EV-6: the delivery record names the outcome of ${name}`, async () => {
      const server = await loopbackServer(answer);
      servers.push(server);
      const { store, server: running } = as;
      const url = `https://hooks.outbound.test:${server.port}/in`;
      const moved = outbound.resolve !== undefined;
      const { id } = await anEndpoint(store, { url, internal: !moved });
      await sealSecrets(as, id);
      await aFeedEvent(store);
      await store.numberEvents();
      await store.fillWebhooks(as.clock.now());
      const [due] = await store.list("deliveries", { target_id: id });
      const rows = await store.dueDeliveries(as.clock.now(), 200, []);
      const row = rows.filter((each) => each.id === due?.id);
      const [claimed] = await store.claimDeliveries(row, id, as.clock.now());
      assert.ok(claimed);
      const real = createOutbound({ resolve: async () => ["127.0.0.1"], ...outbound });
      // Shortens the time limit of an attempt.
      const way = {
        send: (request: Parameters<typeof real.send>[0]) => real.send({ ...request, timeout: 400 }),
      };
      await deliver(claimed, { server: running, outbound: { public: way, internal: way } });
      const [after] = await store.list("deliveries", { target_id: id });
      assert.match(after?.last_fault ?? "", fault);
      assert.deepEqual([after?.last_status, after?.state], [status, state]);
    });

  test("EV-6: a receiver that sends 10 MB is cut off once the buffers are full", () => {
    assert.ok(read.bytes > 0 && read.bytes < 9_000_000, String(read.bytes));
  });
});
