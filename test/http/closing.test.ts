import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, test } from "node:test";
import type { ClosingTimes } from "../../src/http/serving/closing.ts";
import { createListener } from "../../src/http/serving/listener.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { until } from "../support/until.ts";

const long = 60_000;

describe("F-20: a stop of the server answers running requests and closes idle connections (reliability finding 9)", () => {
  async function listening(closing: ClosingTimes) {
    const it = await testApp({ closing });
    await it.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = it.app.server.address() as AddressInfo;
    return { it, port };
  }

  async function opened(port: number): Promise<Socket> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  }

  /** Returns a request whose body is completed when `finish` is called. */
  async function begun(port: number, agent: Agent) {
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "content-length": "7",
      expect: "100-continue",
    };
    const sending = request({ port, method: "POST", path: "/oauth/revoke", agent, headers });
    const answer = once(sending, "response") as Promise<[IncomingMessage]>;
    answer.catch(() => {});
    sending.flushHeaders();
    await once(sending, "continue");
    return { finish: () => sending.end("token=x"), answer };
  }

  async function get(port: number, agent: Agent): Promise<IncomingMessage> {
    const [response] = (await once(request({ port, path: "/healthz", agent }).end(), "response")) as [
      IncomingMessage,
    ];
    await text(response);
    return response;
  }

  async function closed(it: TestApp): Promise<void> {
    // The server stops listening a few turns of the event loop after `close` was called.
    await until(() => !it.app.server.listening, "it no longer listens");
  }

  test("F-20: a running response is sent with `Connection: close`, and the server does not wait for its client", async () => {
    const { it, port } = await listening({ quiet: 1, maxWait: long });
    const agent = new Agent({ keepAlive: true });
    const running = await begun(port, agent);
    const stopped = it.app.close();
    await closed(it);
    running.finish();
    const [response] = await running.answer;
    assert.deepEqual([response.statusCode, response.headers.connection], [200, "close"]);
    await Promise.all([text(response), stopped]);
    agent.destroy();
  });

  test("F-20: idle connections, used or never used, are closed", async () => {
    const { it, port } = await listening({ quiet: 1, maxWait: long });
    const agent = new Agent({ keepAlive: true });
    assert.equal((await get(port, agent)).headers.connection, "keep-alive");
    const silent = await opened(port);
    await Promise.all([it.app.close(), text(silent)]);
    agent.destroy();
  });

  test("F-20: a request that arrives on a kept-alive connection after the stop is answered, without a long wait", async () => {
    const { it, port } = await listening({ quiet: long, maxWait: long });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await get(port, agent);
    const stopped = it.app.close();
    await closed(it);
    const response = await get(port, agent);
    assert.deepEqual([response.statusCode, response.headers.connection], [200, "close"]);
    await stopped;
    agent.destroy();
  });

  test("F-20: a request on a connection from before the app existed is answered like any other", async () => {
    const listener = createListener({ host: "127.0.0.1", port: 0 });
    const port = await listener.port();
    const socket = await opened(port);
    await until(() => listener.connections?.size === 1);
    const { server, connections } = listener;
    const it = await testApp({ http_server: server, connections, closing: { quiet: long, maxWait: long } });
    await listener.answerWith(it.app);
    const stopped = it.app.close();
    await closed(it);
    socket.write("GET /healthz HTTP/1.1\r\nHost: id.example\r\n\r\n");
    assert.match(await text(socket), /^HTTP\/1\.1 200 OK\r\n.*connection: close/is);
    await stopped;
  });

  test("F-20: a connection that waits in the system's queue when the server stops is still answered", async () => {
    const { it, port } = await listening({ quiet: long, maxWait: long });
    const queued = connect(port, "127.0.0.1");
    queued.write("GET /healthz HTTP/1.1\r\nHost: id.example\r\n\r\n");
    // The kernel completes the handshake before this process can accept the connection.
    queued.once("connect", () => {
      void it.app.close();
    });
    assert.match(await text(queued), /^HTTP\/1\.1 200 OK\r\n.*connection: close/is);
  });

  test("F-20: a request that is still unfinished after its time limit is aborted, and logged", async () => {
    const { it, port } = await listening({ quiet: 1, maxWait: 20 });
    const agent = new Agent({ keepAlive: true });
    const running = await begun(port, agent);
    await it.app.close();
    await assert.rejects(running.answer, { code: "ECONNRESET" });
    assert.ok(
      it.logged.some((line) => line.startsWith("some requests did not finish in time and are cut off")),
    );
    agent.destroy();
  });
});
