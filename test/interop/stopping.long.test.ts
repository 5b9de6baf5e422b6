import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { atEnd } from "../support/at_end.ts";
import { formBrowser } from "../support/form_browser.ts";
import { isRunning } from "../support/is_running.ts";
import { applyTo, type ServedProcess, servedProcess } from "../support/process.ts";
import { smtpServer } from "../support/smtp.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";
import { halfSent } from "./half_sent.ts";
import { ada, manifest } from "./registrations.ts";

/**
 * Well below the ten seconds that a request may take to finish, and longer than any delay of a busy machine.
 */
const soon = 5000;

async function quietConnection({ port }: ServedProcess, agent: Agent): Promise<void> {
  const [response] = await once(request({ port, path: "/healthz", agent }).end(), "response");
  response.resume();
  await once(response, "end");
}

for (const POSTERN_WORKERS of ["1", "2"]) {
  test(`F-20: SIGTERM ends ${POSTERN_WORKERS} process(es) with 0 right after the last response, despite open idle connections (reliability finding 9)`, async () => {
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

test("F-20: a stop abandons unfinished requests and servers that do not answer, writes pending data, and exits with 0", async () => {
  const folder = temporaryFolder();
  await applyTo(folder, manifest);
  const collector = createServer(() => {}).listen(0, "127.0.0.1");
  await once(collector, "listening");
  atEnd(() => collector.close().closeAllConnections());
  const mails = await smtpServer({ answer: () => {} });
  const served = await servedProcess({
    folder,
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      POSTERN_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      POSTERN_MAIL_FROM: "postern@example.com",
    },
  });
  const visitor = formBrowser();
  const form = await visitor.get(new URL("/forgot-password", served.url).href);
  await visitor.submit(form, { email: ada.email });
  await mails.arrived(1);
  const { answer } = await halfSent(served);
  const stopped = served.stop("SIGTERM");
  await assert.rejects(answer, { code: "ECONNRESET" });
  const { code, out } = await stopped;
  assert.match(out, /"connections":1,"msg":"some requests did not finish in time and are cut off"/);
  assert.match(out, /"mails":1,"msg":"emails were not sent before the shutdown and are lost"/);
  assert.doesNotMatch(out, /"msg":"the shutdown (?:failed|took too long)"/);
  assert.equal(code, 0);
  // SQLite writes its log into the database when the last connection closes, and removes the log.
  assert.equal(existsSync(join(folder, "data", "postern.db-wal")), false);
});

const launchers = [
  ["npm", "start"],
  ["npm", "run", "dev"],
  ["npx", "postern", "serve"],
] as const;

/** Waits until the process has ended and its port refuses connections. */
async function ended({ pid, port }: ServedProcess): Promise<void> {
  await until(() => !isRunning(pid), "the server ends with what started it");
  await assert.rejects(once(connect(port, "127.0.0.1"), "connect"), { code: "ECONNREFUSED" });
}

for (const launcher of launchers) {
  const name = launcher.join(" ");
  test(`F-21: SIGTERM to \`${name}\` ends the server, without a warning about engines`, async () => {
    const served = await servedProcess({ launcher });
    try {
      const { code, err } = await served.stop("SIGTERM");
      await ended(served);
      assert.match(served.out(), /"msg":"stopping"/);
      assert.doesNotMatch(err, /EBADENGINE/);
      // The signal ends npx together with the shell that it runs; npm passes on the server's exit code.
      assert.equal(code, launcher[0] === "npx" ? null : 0);
    } finally {
      if (isRunning(served.pid)) process.kill(served.pid, "SIGKILL");
    }
  });
}

test("F-21: if an older Node starts the server with the pinned Node, the server ends even if the older process is killed", async () => {
  const old =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })";
  const preload = `data:text/javascript,${encodeURIComponent(old)}`;
  const served = await servedProcess({
    launcher: [process.execPath, "--import", preload, "bin/postern.js", "serve"],
    environment: { POSTERN_WORKERS: "2" },
  });
  try {
    await served.stop("SIGKILL");
    await ended(served);
    assert.match(served.out(), /"msg":"stopping"/);
  } finally {
    if (isRunning(served.pid)) process.kill(served.pid, "SIGKILL");
  }
});

test("F-21: two signals at the same time, as a terminal and npm send them, count as one", async () => {
  const served = await servedProcess();
  const running = await halfSent(served);
  process.kill(served.pid, "SIGINT");
  const stopped = served.stop("SIGTERM");
  running.finish();
  await running.answer;
  assert.equal((await stopped).code, 0);
});

test("F-21: the exit code of a failed command reaches the npm that started it", async () => {
  const environment = { POSTERN_PORT: "70000" };
  await assert.rejects(
    servedProcess({ launcher: ["npm", "start"], environment }),
    /the server ended with 1: /,
  );
});
