/** Commands without the settings of the audit streams: their events reach the streams of the server. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPostern } from "../../src/server/embedded.ts";
import { until } from "../support/until.ts";
import { commandLine } from "./terminal.ts";

test("events of commands that run next to a server, or while none runs, are exported exactly once", async () => {
  const cli = commandLine();
  const path = join(cli.folder, "audit.jsonl");
  const start = () =>
    createPostern({ database_url: cli.env.POSTERN_DATABASE_URL ?? "", audit_file: path, port: 0 });
  const exported = () =>
    (existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [])
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === "user.created")
      .map(({ target_id }) => target_id);
  const create = async (name: string) => {
    const user = await cli.json<{ id: string }>(`user create --email ${name}@example.com --name ${name}`);
    return user.id;
  };
  let server = await start();
  try {
    const beside = await create("ada");
    await until(() => exported().length === 1, "the event of a command beside the server");
    await server.close();
    const between = await create("grace");
    server = await start();
    await until(() => exported().length === 2, "the event of a command between two servers");
    assert.deepEqual(exported(), [beside, between]);
  } finally {
    await server.close();
  }
});
