import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { applyTo, type ServedProcess, servedProcess } from "../support/process.ts";
import { temporaryFolder } from "../support/temp.ts";
import { halfSent } from "./half_sent.ts";
import { manifest } from "./registrations.ts";

/** Far from the ten seconds that a request may take to finish, and beyond what a busy machine adds. */
const soon = 5000;

async function quietConnection({ port }: ServedProcess, agent: Agent): Promise<void> {
  const [response] = await once(request({ port, path: "/healthz", agent }).end(), "response");
  response.resume();
  await once(response, "end");
}

for (const POSTERN_WORKERS of ["1", "2"]) {
  test(`F-20: SIGTERM ends ${POSTERN_WORKERS} process(es) with 0 right after the last answer, beside clients that keep their connections and say nothing (reliability finding 9)`, async () => {
    const folder = temporaryFolder();
    await applyTo(folder, manifest);
    const served = await servedProcess({ folder, environment: { POSTERN_WORKERS } });
    const agent = new Agent({ keepAlive: true });
    const running = await Promise.all(Array.from({ length: 8 }, () => halfSent(served, agent)));
    await Promise.all(Array.from({ length: 3 }, () => quietConnection(served, agent)));
    const silent = connect(served.port, "127.0.0.1").resume();
    await once(silent, "connect");
    const stopped = served.stop("SIGTERM");
    for (const { finish } of running) finish();
    const answers = await Promise.all(running.map(({ answer }) => answer));
    assert.deepEqual(answers, Array(8).fill(200));
    const answered = performance.now();
    const { code, out } = await stopped;
    assert.equal(code, 0, out);
    assert.ok(performance.now() - answered < soon);
    agent.destroy();
    silent.destroy();
  });
}
