import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { after, before, beforeEach, describe, mock, test } from "node:test";
import { type TestApp, testApp } from "../support/app.ts";
import { until } from "../support/until.ts";

describe("limits on concurrent requests", () => {
  let it: TestApp;
  let port: number;
  /** The clients that handlers have begun to look up, in order. Each look-up waits for `goOn`. */
  const begun: string[] = [];
  const held: PromiseWithResolvers<void>[] = [];

  before(async () => {
    it = await testApp({ trust_proxy: ["127.0.0.1"], admission: { answered: 2, waiting: 3 } });
    await it.app.listen({ host: "127.0.0.1", port: 0 });
    port = (it.app.server.address() as AddressInfo).port;
    mock.method(it.store, "findClient", async (client_id: string) => {
      begun.push(client_id);
      const gate = Promise.withResolvers<void>();
      held.push(gate);
      await gate.promise;
      return undefined;
    });
  });
  beforeEach(() => {
    begun.length = 0;
  });
  after(() => it.app.close());

  const goOn = () => held.shift()?.resolve();

  /** Sends a request that looks up a client with this name, from this address behind the proxy. */
  function ask(client_id: string, address: string): Socket {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    const body = `client_id=${client_id}&grant_type=refresh_token`;
    const headers = [
      "Host: id.example",
      `X-Forwarded-For: ${address}`,
      "Content-Type: application/x-www-form-urlencoded",
      `Content-Length: ${body.length}`,
    ];
    socket.write(`POST /oauth/token HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`);
    return socket;
  }
  async function answerOn(socket: Socket): Promise<string> {
    const [answer] = await once(socket, "data");
    return String(answer);
  }

  test("H-62: an address with many requests has some answered, some queued and the rest refused; others are served", async () => {
    const requested: Socket[] = [];
    const of = "203.0.113.7";
    for (const name of ["a", "b"]) requested.push(ask(name, of));
    await until(() => begun.length === 2);
    for (const name of ["c", "d", "e"]) {
      requested.push(ask(name, of));
      // Each request arrives before the next one is sent.
      await answerOn(connect(port, "127.0.0.1").end("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"));
    }
    const refused = ask("f", of);
    assert.match(
      await answerOn(refused),
      /^HTTP\/1\.1 503 [\s\S]*retry-after: 1\r[\s\S]*"error":"temporarily_unavailable"/,
    );
    const other = ask("other", "203.0.113.8");
    await until(() => begun.includes("other"));
    assert.deepEqual(begun, ["a", "b", "other"]);
    const answers = requested.map(answerOn);
    // A caller that disconnects while it waits no longer counts as a waiting request.
    requested[2]?.destroy();
    answers[2]?.catch(() => {});
    await until(async () => (await connectionsOf(it)) === 6);
    while (begun.length < 5) {
      goOn();
      await new Promise(setImmediate);
    }
    while (held.length > 0) goOn();
    for (const at of [0, 1, 3, 4]) assert.match(String(await answers[at]), /^HTTP\/1\.1 401 /);
    assert.deepEqual(begun, ["a", "b", "other", "d", "e"]);
    for (const socket of [...requested, refused, other]) socket.destroy();
  });

  test("H-62: callers that do not read their responses do not use up the request slots of their address", async () => {
    const of = "203.0.113.10";
    const request = `GET /api/openapi.json HTTP/1.1\r\nHost: id.example\r\nX-Forwarded-For: ${of}\r\n\r\n`;
    const answers: ServerResponse[] = [];
    const note = (_: IncomingMessage, answer: ServerResponse) => answers.push(answer);
    it.app.server.on("request", note);
    // The responses to these requests are larger than the socket buffers of both sides.
    const silent = Array.from({ length: 4 }, () => {
      const socket = connect(port, "127.0.0.1").pause();
      socket.on("error", () => {});
      socket.write(request.repeat(40));
      return socket;
    });
    await until(() => answers.filter((each) => each.writableEnded && !each.writableFinished).length > 3);
    const honest = ask("honest", of);
    await until(() => begun.includes("honest"));
    goOn();
    await answerOn(honest);
    it.app.server.off("request", note);
    for (const socket of [...silent, honest]) socket.destroy();
  });

  test("H-62: a request whose caller has disconnected is not processed", async () => {
    await until(async () => (await connectionsOf(it)) === 0);
    // Closes the connection once the request has arrived, like a caller that does not wait for the response.
    const hangUp = (request: IncomingMessage) => request.once("end", () => request.socket.destroy());
    it.app.server.on("request", hangUp);
    const callers = Array.from({ length: 20 }, (_, at) => ask(`left${at}`, "203.0.113.9"));
    await Promise.all(callers.map((caller) => once(caller, "close")));
    it.app.server.off("request", hangUp);
    const last = ask("last", "203.0.113.9");
    await until(() => begun.includes("last"));
    while (held.length > 0) goOn();
    await answerOn(last);
    assert.deepEqual(begun, ["last"]);
    last.destroy();
  });
});

const connectionsOf = ({ app }: TestApp) =>
  new Promise<number>((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
