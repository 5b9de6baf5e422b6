import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { createListener } from "../../src/http/serving/listener.ts";
import { testApp } from "../support/app.ts";
import { until } from "../support/until.ts";

const requested = "GET /healthz HTTP/1.1\r\nHost: id.example\r\n\r\n";
const last = requested.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");

describe("a connection to the server", () => {
  const listener = createListener({ host: "127.0.0.1", port: 0 });
  let port: number;

  before(async () => {
    const { app } = await testApp();
    port = await listener.port();
    await listener.answerWith(app);
  });
  after(() => listener.close());

  /**
   * Sends pipelined requests, and returns the number of successful responses once the connection is closed.
   */
  async function answersTo(text: string): Promise<number> {
    const socket = connect(port, "127.0.0.1");
    let got = "";
    socket.on("data", (chunk) => {
      got += chunk;
    });
    socket.on("error", () => {});
    socket.write(text);
    await once(socket, "close");
    return got.split("HTTP/1.1 200 OK").length - 1;
  }

  test("H-3: a few pipelined requests are answered, and a connection with many is closed", async () => {
    assert.equal(await answersTo(requested.repeat(7) + last), 8);
    assert.equal(await answersTo(requested.repeat(1000)), 0);
    assert.equal(await answersTo(last), 1, "others are served");
  });

  test("H-3: an answered request no longer counts as waiting for the server to start", () => {
    assert.equal(listener.server.listenerCount("request"), 1);
  });

  /** Returns the number of sockets that this process holds; undefined on a system without `/proc`. */
  function openSockets(): number {
    try {
      return readdirSync("/proc/self/fd").filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith("socket:");
        } catch {
          return false;
        }
      }).length;
    } catch {
      return 0;
    }
  }

  test("H-3: a connection is closed after a refusal, even if the caller never closes it", async () => {
    const { server } = listener;
    // Without these limits, Node itself would refuse the request a second time and thereby end the
    // connection.
    server.headersTimeout = 0;
    server.requestTimeout = 0;
    const before = openSockets();
    const taken: Socket[] = [];
    const take = (socket: Socket) => taken.push(socket);
    server.on("connection", take);
    const callers = Array.from({ length: 10 }, () => {
      const caller = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      caller.on("error", () => {});
      caller.write("GET /healthz HTTP/1.1\r\nHost: id.example\r\nX-Slow: 1\r\n");
      return caller;
    });
    await until(() => taken.length === 10 && taken.every(({ bytesRead }) => bytesRead > 0));
    server.off("connection", take);
    const answers = callers.map((caller) => once(caller, "data"));
    // Node emits this event if the headers take longer than `headersTimeout`.
    const late = Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
    for (const socket of taken) server.emit("clientError", late, socket);
    for (const [answer] of await Promise.all(answers))
      assert.match(
        String(answer),
        /^HTTP\/1\.1 408 [\s\S]*Connection: close[\s\S]*did not arrive in time"}$/,
      );
    await until(() => taken.every(({ destroyed }) => destroyed));
    // Only the callers' own descriptors remain.
    await until(() => openSockets() <= before + callers.filter(({ destroyed }) => !destroyed).length);
    for (const caller of callers) caller.destroy();
  });

  test("H-3: a request line or headers that are too long get a response that says so", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write(requested.replace("\r\n\r\n", `\r\nX-Long: ${"x".repeat(17_000)}\r\n\r\n`));
    const [answer] = await once(socket, "data");
    assert.match(String(answer), /^HTTP\/1\.1 431 [\s\S]*together are longer than 16384 bytes"}$/);
    socket.destroy();
  });

  test("H-3: any number of requests, one after the other, is answered on one connection", async () => {
    const socket = connect(port, "127.0.0.1");
    for (let count = 0; count < 30; count++) {
      socket.write(requested);
      const [answer] = await once(socket, "data");
      assert.match(String(answer), /^HTTP\/1\.1 200/);
    }
    socket.destroy();
  });
});

test("H-3: after a hand-over, a connection may not have more unanswered requests", async (t) => {
  const listener = createListener({ host: "127.0.0.1", port: 0 });
  t.after(() => listener.close());
  const { app } = await testApp();
  const held: ServerResponse[] = [];
  await listener.answerMeanwhile({
    routing: (_request, response) => held.push(response),
    ...{ ready: async () => {}, inject: app.inject, route_methods: app.route_methods },
  });
  const socket = connect(await listener.port(), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(requested.repeat(8));
  await until(() => held.length === 8);
  await listener.answerWith(app);
  socket.write(requested);
  await until(() => socket.destroyed);
});

test("the next app takes over the connections of the previous one, which still answers its requests", async (t) => {
  const listener = createListener({ host: "127.0.0.1", port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => [agent.destroy(), listener.close()]);
  const { app } = await testApp();
  const held: ServerResponse[] = [];
  await listener.answerMeanwhile({
    routing: (_request, response) => held.push(response),
    ...{ ready: async () => {}, inject: app.inject, route_methods: app.route_methods },
  });
  const port = await listener.port();
  const ask = () => request({ port, host: "127.0.0.1", path: "/healthz", agent }).end();
  const first = once(ask(), "response") as Promise<[IncomingMessage]>;
  await until(() => held.length === 1);
  await listener.answerWith(app);
  held[0]?.end("late");
  assert.equal(await text((await first)[0]), "late");
  const next = ask();
  const [answer] = (await once(next, "response")) as [IncomingMessage];
  assert.deepEqual([next.reusedSocket, answer.statusCode], [true, 200]);
});
