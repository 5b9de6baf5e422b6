import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { createWaitingApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { UnavailableError } from "../../src/errors.ts";
import { createListener } from "../../src/http/serving/listener.ts";
import { createLog } from "../../src/ops/log.ts";
import { whenPossible } from "../../src/server/workers/waiting.ts";
import { startPostern } from "../support/process.ts";
import { until } from "../support/until.ts";

const lines: string[] = [];
const log = createLog({ level: "warn", destination: { write: (line) => lines.push(line) } });
const messages = () => lines.splice(0).map((line) => (JSON.parse(line) as { msg: string }).msg);

test("F-2: if the database accepts connections and never answers, the port is open after a second", async (t) => {
  const listener = createListener({ host: "127.0.0.1", port: 0 });
  t.after(() => listener.close());
  const attempts = [Promise.withResolvers<string>()];
  const waiting = { config: readConfig({}), listener, log, signal: new AbortController().signal };
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const started = whenPossible(async () => attempts[0]?.promise, waiting);
  t.mock.timers.tick(999);
  assert.equal(listener.server.listening, false);
  t.mock.timers.tick(1);
  t.mock.timers.tick(18_999);
  assert.deepEqual(messages(), ["startup is still in progress"]);
  t.mock.timers.reset();
  await until(() => listener.server.listening);
  const ask = (path: string) => listener.port().then((port) => fetch(`http://127.0.0.1:${port}${path}`));
  assert.equal((await ask("/healthz")).status, 200);
  const ready = await ask("/readyz");
  const { components } = (await ready.json()) as { components: unknown };
  assert.deepEqual([ready.status, components], [503, { server: "starting" }]);
  const page = await ask("/login");
  assert.deepEqual([page.status, page.headers.get("retry-after")], [503, "2"]);
  const failing = attempts.splice(0, 1, Promise.withResolvers());
  failing[0]?.reject(new UnavailableError("away", "away", undefined));
  await until(async () => /database away/.test(await (await ask("/readyz")).text()));
  attempts[0]?.resolve("started");
  assert.equal(await started, "started");
});

test("F-2: an attempt that has reached the database no longer reports why earlier ones failed", async (t) => {
  const listener = createListener({ host: "127.0.0.1", port: 0 });
  t.after(() => listener.close());
  const migration = Promise.withResolvers<string>();
  const attempts = [
    () => Promise.reject(new UnavailableError("away", "away", undefined)),
    () => migration.promise,
  ];
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  const waiting = { config: readConfig({}), listener, log, signal: new AbortController().signal };
  const started = whenPossible(async () => attempts.shift()?.() ?? "unexpected", waiting);
  await until(() => attempts.length === 0);
  const port = await listener.port();
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    return ((await answer.json()) as { components: unknown }).components;
  };
  assert.deepEqual(await ready(), { database: "away" });
  t.mock.timers.tick(6000);
  assert.deepEqual(await ready(), { server: "starting" });
  const before = messages();
  t.mock.timers.tick(10_000);
  assert.deepEqual([before.at(-1), messages()], ["not ready", ["startup is still in progress"]]);
  migration.resolve("migrated");
  assert.equal(await started, "migrated");
});

test("F-2: the temporary responder never replaces a server that has started", async () => {
  const reason = (error: "slow" | "full") => () => new UnavailableError(error, error, undefined);
  const app = (error: "slow" | "full") =>
    createWaitingApp({ log, brand: undefined, secure: false, reason: reason(error) });
  const listener = createListener({ host: "127.0.0.1", port: 0 });
  const started = listener.answerWith(app("full"));
  await Promise.all([listener.answerMeanwhile(app("slow")), started]);
  const ready = await fetch(`http://127.0.0.1:${await listener.port()}/readyz`);
  assert.match(await ready.text(), /database full/);
  await listener.close();
});

test("F-2: while the database is away, repeated attempts to start measure the event loop only once", async (t) => {
  let attempts = 0;
  const database = createServer((socket) => {
    attempts += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  t.after(() => database.close());
  await once(database, "listening");
  const { port } = database.address() as AddressInfo;
  const counting = `import hooks from "node:perf_hooks";
    const { monitorEventLoopDelay } = hooks;
    hooks.monitorEventLoopDelay = (options) => (console.error("measured"), monitorEventLoopDelay(options));`;
  const server = startPostern(["serve"], {
    environment: {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(counting)}`,
      POSTERN_DATABASE_URL: `postgres://postern@127.0.0.1:${port}/postern`,
      POSTERN_SECRET_KEY: randomBytes(32).toString("hex"),
      POSTERN_METRICS_PORT: "0",
    },
  });
  await until(() => attempts >= 3);
  const { code, err } = await server.stop();
  assert.equal(code, 0);
  assert.equal(err.split("measured").length - 1, 1);
});
