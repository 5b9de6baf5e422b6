/** An import that is killed half-way is continued by the next run (MG-8). */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { databases, openStoreAt } from "../support/databases.ts";
import { servedProgram } from "../support/served_program.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";
import { commandLine } from "./terminal.ts";

const total = 1500;
/** A hash of "an example of a password". */
const argon2id = "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$qEWDQPFzIT0RCoGgFlvt3A";

for (const database of databases)
  test(`MG-8: if an import into ${database.name} is killed, a second run completes it and creates each user once`, async () => {
    const address = await database.tables();
    const url = address.kind === "sqlite" ? `sqlite:${address.path}` : address.url;
    const env = { POSTERN_DATABASE_URL: url, POSTERN_SECRET_KEY: randomBytes(32).toString("hex") };
    const store = await openStoreAt(address);
    const folder = temporaryFolder();
    const file = join(folder, "people.ndjson");
    const people = Array.from({ length: total }, (_, index) => ({
      ...{ external_id: `p${index}`, email: `p${index}@example.com`, name: `P ${index}` },
      password: { argon2id },
    }));
    writeFileSync(file, people.map((person) => JSON.stringify(person)).join("\n"));
    let runs = 0;
    const args = () => {
      runs += 1;
      const losses = join(folder, `losses_${runs}.csv`);
      return ["import", file, "--from", "postern", "--losses", losses];
    };
    const child = spawn(process.execPath, [servedProgram, ...args()], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = once(child, "close");
    await until(async () => (await store.count("users")) > 50);
    child.kill("SIGKILL");
    assert.deepEqual(await ended, [null, "SIGKILL"]);
    const left = await store.count("users");
    assert.ok(left > 50 && left < total, String(left));
    // No user was imported in part.
    for (const table of ["imported_people", "audit_events"] as const)
      assert.equal(await store.count(table), left, table);

    const cli = commandLine(env);
    const { people: resumed } = await cli.json<{ people: object }>(args());
    assert.deepEqual(resumed, { created: total - left, updated: 0, unchanged: left, refused: 0 });
    const { people: again } = await cli.json<{ people: object }>(args());
    assert.deepEqual(again, { created: 0, updated: 0, unchanged: total, refused: 0 });
    assert.equal(await store.count("users"), total);
    await store.close();
  });
