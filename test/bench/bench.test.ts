import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, test } from "node:test";
import { readResponse } from "../../bench/http_response.ts";
import type { LoadReport } from "../../bench/load_plan.ts";
import { runLoad } from "../../bench/processes.ts";
import { median, percentile } from "../../bench/statistics.ts";

describe("the load generator", () => {
  const closing: (() => void)[] = [];
  after(() => {
    for (const close of closing) close();
  });

  async function loadOn(listener: RequestListener): Promise<LoadReport> {
    const server = createServer(listener);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closing.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return runLoad({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token?x=1`,
      method: "POST",
      headers: { Authorization: "Basic abc" },
      bodies: ["token=a", "token=b"],
      connections: 4,
      warm_up_seconds: 0.1,
      until: { seconds: 0.4 },
      expected: ['"active":true'],
      kept_answers: 3,
      watched_pids: [process.pid],
    });
  }

  test("sends the prepared requests in turn and counts the right answers", async () => {
    const seen = new Map<string, number>();
    const report = await loadOn(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      const what = `${request.method} ${request.url} ${request.headers.authorization} ${body}`;
      seen.set(what, (seen.get(what) ?? 0) + 1);
      // Without a length node:http answers in chunks.
      if (body === "token=a") response.write('{"active"');
      response.end(body === "token=a" ? ":true}" : '{"active":true}');
    });

    assert.deepEqual([...seen.keys()].toSorted(), [
      "POST /token?x=1 Basic abc token=a",
      "POST /token?x=1 Basic abc token=b",
    ]);
    const [first = 0, second = 0] = seen.values();
    assert.ok(Math.abs(first - second) <= 1, `${first} and ${second} should alternate`);
    assert.equal(report.failures, 0, JSON.stringify(report.faults));
    assert.equal(report.statuses["200"], first + second);
    assert.ok(report.answers > 0 && report.answers < first + second, "the warm-up should not count");
    assert.ok(Math.abs(report.per_second * report.seconds - report.answers) < 1);
    assert.ok(report.p50_ms > 0 && report.p50_ms <= report.p99_ms);
    assert.deepEqual(report.kept, Array(3).fill('{"active":true}'));
  });

  test("counts a fast wrong answer as a failure", async () => {
    const report = await loadOn((request, response) => {
      request.resume();
      response.end('{"active":false}');
    });
    assert.equal(report.answers, 0);
    assert.ok(report.failures > 0);
    assert.deepEqual(report.faults, { "not the expected body": report.statuses["200"] });
  });

  test("counts another status and a broken connection as failures, and goes on", async () => {
    let asked = 0;
    const report = await loadOn((request, response) => {
      request.resume();
      asked += 1;
      if (asked % 3 === 1) response.statusCode = 500;
      if (asked % 3 === 2) response.destroy();
      else response.end('{"active":true}');
    });
    assert.ok(report.answers > 0);
    assert.equal(report.faults["status 500"], report.statuses["500"]);
    assert.ok((report.faults["the connection was closed before an answer"] ?? 0) > 0);
  });
});

describe("an answer is read", () => {
  const read = (text: string) => readResponse(Buffer.from(text, "latin1"));

  test("by its length, and is incomplete until all of it has come", () => {
    const whole = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nconnection: close\r\n\r\nhello";
    for (let end = 0; end < whole.length; end++) assert.equal(read(whole.slice(0, end)), undefined);
    assert.deepEqual(read(whole), { status: 200, body: Buffer.from("hello"), keep_alive: false });
  });

  test("by its chunks, and is incomplete until the last has come", () => {
    const whole =
      "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n";
    for (let end = 0; end < whole.length; end++) assert.equal(read(whole.slice(0, end)), undefined);
    assert.deepEqual(read(whole), { status: 201, body: Buffer.from("hello"), keep_alive: true });
  });

  test("only where it says how long it is and nothing follows", () => {
    assert.throws(() => read("HTTP/1.1 200 OK\r\n\r\nhello"), /how long/);
    assert.throws(() => read("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nhello"), /more bytes/);
    assert.throws(() => read("SSH-2.0\r\n\r\n"), /not HTTP/);
  });
});

test("medians and percentiles are those of the sorted values", () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 2, 9]), 3);
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  assert.equal(percentile(hundred, 0.5), 50);
  assert.equal(percentile(hundred, 0.99), 99);
});
