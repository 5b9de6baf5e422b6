/**
 * The sample that updates a table of users from the event feed: after changes, restarts and expired events.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createPostern } from "../../src/server/embedded.ts";
import { commandLine } from "../cli/terminal.ts";
import { openStoreAt } from "../support/databases.ts";
import { freePort } from "../support/free_port.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";

const folder = fileURLToPath(new URL("../../examples/people", import.meta.url));

test("39.7: the example's user table follows the event feed, survives restarts, and is reloaded after 410", async () => {
  const cli = commandLine({ POSTERN_EXTRA_FEATURES: "events" });
  await cli.json("user create --email ada@example.com --name Ada");
  const manifest = join(temporaryFolder(), "postern.yaml");
  writeFileSync(manifest, readFileSync(join(folder, "postern.yaml")));
  const { secrets } = await cli.json<{ secrets: Record<string, string> }>(`apply ${manifest}`);
  const settings = { database_url: cli.env.POSTERN_DATABASE_URL ?? "", extra_features: "events" };
  let postern = await createPostern({ ...settings, port: 0 });
  const { url } = postern;
  const port = await freePort();
  const env = {
    ...{ OAUTH_ISSUER: url, OAUTH_CLIENT_ID: "people-example", PORT: String(port) },
    ...{ OAUTH_CLIENT_SECRET: secrets["people-example"], DATABASE: join(temporaryFolder(), "people.db") },
  };
  const start = () =>
    spawn(process.execPath, ["server.js"], { cwd: folder, env: { ...process.env, ...env }, stdio: "ignore" });
  let sample = start();
  const stop = async () => {
    sample.kill();
    await once(sample, "close");
  };
  const people = async () => {
    const answer = await fetch(`http://localhost:${port}/`).catch(() => undefined);
    const rows = (await answer?.json()) as { name: string }[] | undefined;
    return rows?.map(({ name }) => name).join(" ");
  };
  const becomes = (names: string) => until(async () => (await people()) === names, names);
  try {
    await becomes("Ada");
    await cli.json("user create --email bob@example.com --name Bob");
    await cli.json("user update ada@example.com --name Augusta");
    await becomes("Augusta Bob");
    await cli.run("user delete bob@example.com --yes");
    await becomes("Augusta");

    await postern.close();
    postern = await createPostern({ ...settings, port: Number(new URL(url).port) });
    await cli.json("user create --email cora@example.com --name Cora");
    await becomes("Augusta Cora");

    await stop();
    await cli.json("user create --email dan@example.com --name Dan");
    sample = start();
    await becomes("Augusta Cora Dan");

    await stop();
    await cli.json("user create --email eve@example.com --name Eve");
    await cli.json("user create --email finn@example.com --name Finn");
    const store = await openStoreAt({ kind: "sqlite", path: join(cli.folder, "postern.db") });
    await until(
      async () => (await store.list("events", {})).every(({ position }) => position !== null),
      "events have positions",
    );
    const { newest } = await store.feedBounds();
    for (const { id, position } of await store.list("events", {}))
      if (position !== newest) await store.remove("events", { id });
    await store.close();
    sample = start();
    await becomes("Augusta Cora Dan Eve Finn");
  } finally {
    await stop();
    await postern.close();
  }
});
