import assert from "node:assert/strict";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { basic } from "../support/flows.ts";
import { restarted, runPostern, type ServedProcess, servedProcess } from "../support/process.ts";
import { machine, manifest } from "./registrations.ts";

async function ask(served: ServedProcess, path: string, form: Record<string, string>) {
  const headers = { authorization: basic(machine.client_id, machine.secret) };
  const response = await fetch(`${served.url}${path}`, {
    method: "POST",
    headers,
    body: new URLSearchParams(form),
  });
  assert.equal(response.status, 200);
  return (await response.json()) as { access_token?: string; active?: boolean };
}

test("F-24, F-25: after a restore of a backup made under load, every token issued before the backup is valid", async () => {
  const served = await servedProcess({ manifest, restarts: true });
  const { folder, environment } = served;
  const copy = join(folder, "copy.db");
  const issue = async () => {
    const form = { grant_type: "client_credentials", scope: "orders:read" };
    return String((await ask(served, "/oauth/token", form)).access_token);
  };
  const answered: string[] = [];
  let stopping = false;
  const load = Array.from({ length: 6 }, async () => {
    while (!stopping) answered.push(await issue());
  });
  while (answered.length < 100) await Promise.race([issue(), Promise.all(load)]);
  const before = [...answered];
  const early = before[0] ?? "";
  const made = await runPostern(["backup", copy], { folder, environment });
  assert.equal(made.code, 0, made.err);
  assert.equal(statSync(copy).mode & 0o777, 0o600);
  stopping = true;
  await Promise.all(load);
  const late = await issue();
  await ask(served, "/oauth/revoke", { token: early });

  const held = await runPostern(["restore", copy, "--force"], { folder, environment });
  assert.equal(held.code, 1);
  assert.match(held.err, /is in use: first stop the server/);
  await served.stop("SIGKILL");
  for (const suffix of ["", "-wal", "-shm"])
    rmSync(join(folder, "data", `postern.db${suffix}`), { force: true });
  const restored = await runPostern(["restore", copy], { folder, environment });
  assert.equal(restored.code, 0, restored.err);

  const again = await restarted(served);
  const active = async (token: string) => (await ask(again, "/oauth/introspect", { token })).active;
  for (const token of before) assert.equal(await active(token), true);
  // As documented: changes after the copy are lost, and so are revocations.
  assert.equal(await active(late), false);
  assert.equal(await active(early), true);
  await again.stop();
});
