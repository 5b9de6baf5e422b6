import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readConfig } from "../../src/config.ts";
import { UnavailableError } from "../../src/errors.ts";
import { createListener } from "../../src/http/serving/listener.ts";
import { createLog } from "../../src/ops/log.ts";
import { startServer } from "../../src/server/start_server.ts";
import { openDriver } from "../support/databases.ts";
import { putTables } from "../support/sqlite_template.ts";
import { temporaryFolder } from "../support/temp.ts";

test("F-2: a start that fails at its last query leaves nothing on the port, so it can be repeated", async (t) => {
  const path = join(temporaryFolder(), "postern.db");
  putTables(path);
  const driver = await openDriver({ kind: "sqlite", path });
  await driver.run("ALTER TABLE foreign_passwords RENAME TO away", []);
  const config = readConfig({ POSTERN_DATABASE_URL: `sqlite:${path}`, POSTERN_PORT: "0" });
  const listener = createListener({ host: "127.0.0.1", port: 0 });
  t.after(() => listener.close());
  const log = createLog({ level: "fatal", destination: { write() {} } });
  const start = () => startServer({ config, log, now: () => new Date(), listener });
  const { server } = listener;
  const listeners = () => server.eventNames().map((name) => [name, server.listenerCount(name)]);
  const before = listeners();
  await assert.rejects(start(), UnavailableError);
  await assert.rejects(start(), UnavailableError);
  assert.deepEqual(listeners(), before);
  await driver.run("ALTER TABLE away RENAME TO foreign_passwords", []);
  await driver.close();
  const running = await start();
  assert.equal((await fetch(`${running.url}/readyz`)).status, 200);
  await running.close();
});

test("F-20: once it answers, the server has started, so that a stop finds it and answers its requests", async (t) => {
  const config = readConfig({
    POSTERN_DATABASE_URL: `sqlite:${join(temporaryFolder(), "postern.db")}`,
    POSTERN_PORT: "0",
  });
  const listener = createListener({ host: "127.0.0.1", port: 0 });
  const log = createLog({ level: "fatal", destination: { write() {} } });
  let hasStarted = false;
  const next = Promise.withResolvers<boolean>();
  const answerWith: typeof listener.answerWith = async (app) => {
    await listener.answerWith(app);
    // A signal arrives in the next turn of the event loop at the earliest.
    setImmediate(() => next.resolve(hasStarted));
  };
  const started = startServer({
    ...{ config, log, now: () => new Date(), own_process: true },
    listener: { ...listener, answerWith },
  });
  t.after(async () => (await started).close());
  await started;
  hasStarted = true;
  assert.equal(await next.promise, true);
});
