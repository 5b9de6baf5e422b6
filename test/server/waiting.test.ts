import assert from "node:assert/strict";
import { test } from "node:test";
import { createWaitingApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { UnavailableError } from "../../src/errors.ts";
import { createListener } from "../../src/http/serving/listener.ts";
import { createLog } from "../../src/ops/log.ts";
import { whenPossible } from "../../src/server/workers/waiting.ts";
import { until } from "../support/until.ts";

const log = createLog({ level: "fatal", destination: { write() {} } });

test("F-2: if the database accepts connections and never answers, the port is open after a second", async (t) => {
  const listener = createListener({ host: "127.0.0.1", port: 0 });
  const attempt = Promise.withResolvers<string>();
  const waiting = { config: readConfig({}), listener, log, signal: new AbortController().signal };
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const started = whenPossible(() => attempt.promise, waiting);
  t.mock.timers.tick(999);
  assert.equal(listener.server.listening, false);
  t.mock.timers.tick(1);
  t.mock.timers.reset();
  await until(() => listener.server.listening);
  const ask = (path: string) => listener.port().then((port) => fetch(`http://127.0.0.1:${port}${path}`));
  assert.equal((await ask("/healthz")).status, 200);
  const ready = await ask("/readyz");
  const { components } = (await ready.json()) as { components: unknown };
  assert.deepEqual([ready.status, components], [503, { database: "slow" }]);
  const page = await ask("/login");
  assert.deepEqual([page.status, page.headers.get("retry-after")], [503, "2"]);
  attempt.resolve("started");
  assert.equal(await started, "started");
  await listener.close();
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
