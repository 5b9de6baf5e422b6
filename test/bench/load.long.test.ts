import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, test } from "node:test";
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

  test("counts an unexpected status and a broken connection as failures, and continues", async () => {
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
    assert.ok((report.errors["the connection was closed before the response"] ?? 0) > 0);
  });

  test("builds each request of a connection from its previous response", async () => {
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
});
