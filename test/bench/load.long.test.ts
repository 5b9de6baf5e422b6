import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, test } from "node:test";
import { readResponse } from "../../tools/bench/http_response.ts";
import type { LoadPlan, LoadReport, Step } from "../../tools/bench/load_plan.ts";
import { runLoad } from "../../tools/bench/processes.ts";

const closing: (() => void)[] = [];
after(() => {
  for (const close of closing) close();
});

async function loadOn(
  listener: RequestListener,
  plan: Partial<LoadPlan> & Pick<LoadPlan, "work">,
): Promise<LoadReport> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return runLoad({
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    warm_up: { seconds: 0.1 },
    measured: { seconds: 0.3 },
    kept_answers: 3,
    watched: { server: process.pid },
    ...plan,
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}

const introspecting: Step = {
  method: "POST",
  target: "/token?x=1",
  headers: { Authorization: "Basic abc" },
  body: "token={variant}",
  variants: { values: ["a", "b"], used: "in_turn" },
  expected: { status: 200, parts: ['"active":true'] },
};

describe("the load generator", () => {
  test("sends the requests in turn and counts the right answers", async () => {
    const seen = new Map<string, number>();
    const listener: RequestListener = async (request, response) => {
      const body = await bodyOf(request);
      const what = `${request.method} ${request.url} ${request.headers.authorization} ${body}`;
      seen.set(what, (seen.get(what) ?? 0) + 1);
      // Without a length node:http answers in chunks.
      if (body === "token=a") response.write('{"active"');
      response.end(body === "token=a" ? ":true}" : '{"active":true}');
    };
    const report = await loadOn(listener, { work: { connections: 4, steps: [introspecting] } });

    assert.deepEqual([...seen.keys()].toSorted(), [
      "POST /token?x=1 Basic abc token=a",
      "POST /token?x=1 Basic abc token=b",
    ]);
    const [first = 0, second = 0] = seen.values();
    assert.ok(Math.abs(first - second) <= 1, `${first} and ${second} should alternate`);
    assert.equal(report.failures, 0, JSON.stringify(report.errors));
    assert.equal(report.statuses["200"], first + second);
    assert.ok(report.answers > 0 && report.answers < first + second, "the warm-up should not count");
    assert.ok(Math.abs(report.per_second * report.seconds - report.answers) < 1);
    assert.ok(report.p50_ms > 0 && report.p50_ms <= report.p99_ms);
    assert.deepEqual(report.kept, Array(3).fill('{"active":true}'));
    assert.ok((report.cpu_seconds.server ?? 0) > 0, "the server's time should be told");
  });

  test("counts a fast wrong answer as a failure", async () => {
    const report = await loadOn(
      (request, response) => {
        request.resume();
        response.end('{"active":false}');
      },
      { work: { connections: 4, steps: [introspecting] } },
    );
    assert.equal(report.answers, 0);
    assert.ok(report.failures > 0);
    assert.deepEqual(report.errors, { "not the expected body": report.statuses["200"] });
  });

  test("counts another status and a broken connection as failures, and continues", async () => {
    let requested = 0;
    const report = await loadOn(
      (request, response) => {
        request.resume();
        requested += 1;
        if (requested % 3 === 1) response.statusCode = 500;
        if (requested % 3 === 2) response.destroy();
        else response.end('{"active":true}');
      },
      { work: { connections: 4, steps: [introspecting] } },
    );
    assert.ok(report.answers > 0);
    assert.equal(report.errors["status 500"], report.statuses["500"]);
    assert.ok((report.errors["the connection was closed before an answer"] ?? 0) > 0);
  });

  test("makes each next request of a connection from its last answer", async () => {
    const current = new Map([
      ["0", 0],
      ["1", 0],
    ]);
    const report = await loadOn(
      async (request, response) => {
        const [chain = "", generation] = (await bodyOf(request)).replace("refresh_token=", "").split(".");
        const expected = current.get(chain);
        if (expected === undefined || Number(generation) !== expected) response.statusCode = 400;
        current.set(chain, (expected ?? 0) + 1);
        response.end(`{"refresh_token":"${chain}.${(expected ?? 0) + 1}"}`);
      },
      {
        work: {
          connections: 2,
          carried: ["0.0", "1.0"],
          steps: [
            {
              method: "POST",
              target: "/",
              headers: {},
              body: "refresh_token={carried}",
              expected: { status: 200, parts: [] },
              carry: '"refresh_token":"([^"]+)"',
            },
          ],
        },
      },
    );
    assert.equal(report.failures, 0, JSON.stringify(report.errors));
    assert.deepEqual(
      report.carried,
      [...current].map((each) => each.join(".")),
    );
  });

  test("counts all steps as one, and each connection has its own variant", async () => {
    const codes = new Set<string>();
    let redeemed = 0;
    const report = await loadOn(
      async (request, response) => {
        if (request.url?.startsWith("/authorize")) {
          const code = `${request.headers.cookie}-${codes.size}`;
          codes.add(code);
          response.writeHead(302, { location: `https://app.example/?code=${code}&state=x` }).end();
          return;
        }
        const body = await bodyOf(request);
        redeemed += 1;
        response.end(codes.has(body.replace("code=", "")) ? '{"access_token":"t"}' : "{}");
      },
      {
        work: {
          connections: 2,
          steps: [
            {
              method: "GET",
              target: "/authorize?client_id=c",
              headers: { Cookie: "{variant}" },
              variants: { values: ["ada", "bob"], used: "by_connection" },
              expected: { status: 302, parts: ["app.example"] },
              carry: "[?&]code=([^&\\s]+)",
            },
            {
              method: "POST",
              target: "/token",
              headers: {},
              body: "code={carried}",
              expected: { status: 200, parts: ["access_token"] },
            },
          ],
        },
      },
    );
    assert.equal(report.failures, 0, JSON.stringify(report.errors));
    assert.deepEqual(new Set([...codes].map((code) => code.split("-")[0])), new Set(["ada", "bob"]));
    assert.ok(report.answers <= redeemed && report.answers > 0);
    assert.deepEqual(new Set(report.kept), new Set(['{"access_token":"t"}']));
  });

  test("uses up single-use inputs, and stops there", async () => {
    const seen: string[] = [];
    const values = Array.from({ length: 40 }, (_, index) => `t${index}`);
    const report = await loadOn(
      async (request, response) => {
        seen.push(await bodyOf(request));
        response.end("{}");
      },
      {
        warm_up: { answers: 5 },
        measured: { answers: 20 },
        work: {
          connections: 3,
          steps: [
            {
              method: "POST",
              target: "/",
              headers: {},
              body: "{variant}",
              variants: { values: ["first", ...values], used: "once" },
              expected: { status: 200, parts: [] },
            },
          ],
        },
      },
    );
    assert.equal(report.answers, 20);
    assert.equal(new Set(seen).size, seen.length, "nothing should be sent twice");
    assert.equal(report.failures, 0, JSON.stringify(report.errors));
  });

  test("reports the background's rate, and latencies only of the measured work, which may pause", async () => {
    const read: Step = { method: "GET", target: "/slow", headers: {}, expected: { status: 200, parts: [] } };
    const waiting: { readonly since: number; answer(): void }[] = [];
    const held: number[] = [];
    let quick = 0;
    let over = false;
    const release = () => {
      for (const { since, answer } of waiting.splice(0)) {
        held.push(performance.now() - since);
        answer();
      }
    };
    const report = await loadOn(
      (request, response) => {
        const answer = () => response.end("{}");
        if (request.url === "/slow" && !over) {
          waiting.push({ since: performance.now(), answer });
          return;
        }
        quick += 1;
        answer();
        // A slow one waits for the next quick one: a pause and a response longer than any of those takes.
        release();
        if (quick > 1) return;
        request.socket.once("close", () => {
          over = true;
          release();
        });
      },
      {
        work: { connections: 1, pause_ms: 50, steps: [{ ...read, target: "/quick" }] },
        background: { connections: 4, steps: [read] },
      },
    );
    assert.ok(report.answers >= 1 && report.answers <= 7, `${report.answers} answers in 0.3 s with pauses`);
    const [middle = 0] = held.toSorted((one, other) => one - other).slice(held.length / 2);
    assert.ok(
      report.p50_ms < middle,
      `${report.p50_ms} ms is not of the quick ones, the others had ${middle}`,
    );
    assert.ok(report.background_per_second > 0, "the background is told");
    assert.ok(
      report.background_per_second * 0.3 <= 4 * quick,
      "no more than one for each connection and turn",
    );
  });
});

describe("an answer is read", () => {
  const read = (text: string) => {
    const response = readResponse(Buffer.from(text, "latin1"));
    return response && { ...response, head: response.head.toString("latin1") };
  };

  test("by its length, and is incomplete until all of it has arrived", () => {
    const head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nconnection: close";
    const whole = `${head}\r\n\r\nhello`;
    for (let end = 0; end < whole.length; end++) assert.equal(read(whole.slice(0, end)), undefined);
    assert.deepEqual(read(whole), { status: 200, head, body: Buffer.from("hello"), keep_alive: false });
  });

  test("by its chunks, and is incomplete until the last has arrived", () => {
    const head = "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked";
    const whole = `${head}\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n`;
    for (let end = 0; end < whole.length; end++) assert.equal(read(whole.slice(0, end)), undefined);
    assert.deepEqual(read(whole), { status: 201, head, body: Buffer.from("hello"), keep_alive: true });
  });

  test("only if it states its length and nothing follows", () => {
    assert.throws(() => read("HTTP/1.1 200 OK\r\n\r\nhello"), /how long/);
    assert.throws(() => read("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nhello"), /more bytes/);
    assert.throws(() => read("SSH-2.0\r\n\r\n"), /not HTTP/);
  });
});
