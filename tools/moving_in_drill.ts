/**
 * `npm run drill:import -- [sqlite|postgres] [people, 100000]`: imports users while other users sign in to
 * the server, kills the import with SIGKILL half-way, and repeats it. Prints the duration, and the sign-in
 * times during the import as a ratio to those before it. Fails if a user is missing or duplicated, or a
 * sign-in failed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { hashSync } from "bcryptjs";
import { apiKeyHash, apiKeyText } from "../src/crypto/api_keys.ts";
import { prefixOf } from "../src/crypto/credentials.ts";
import { manageScope } from "../src/records/definition/permissions.ts";
import { anApiKey } from "../test/support/builders.ts";
import { openStoreAt } from "../test/support/databases.ts";
import { servedProgram } from "../test/support/served_program.ts";
import { startPostgresCluster } from "./bench/postgres_cluster.ts";
import { manifest, signIn } from "./torture/fixture.ts";
import { apply, serverProcess } from "./torture/server_process.ts";

const { positionals } = parseArgs({ allowPositionals: true });
const [kind = "sqlite", count = "100000"] = positionals;
const total = Number(count);
if (!["sqlite", "postgres"].includes(kind) || !(total >= 1000)) {
  console.error("usage: npm run drill:import -- [sqlite|postgres] [people, 1000 or more]");
  process.exit(2);
}
/** Milliseconds between two sign-ins, and seconds of sign-ins before the import. */
const pause = 500;
const quiet = 30;

const folder = mkdtempSync(join(tmpdir(), "postern-drill-"));
const cluster = kind === "postgres" ? await startPostgresCluster() : undefined;
const url = (await cluster?.createDatabase("moving_in")) ?? `sqlite:${join(folder, "postern.db")}`;
const environment = {
  ...{
    POSTERN_DATABASE_URL: url,
    POSTERN_SECRET_KEY: randomBytes(32).toString("hex"),
    POSTERN_THROTTLE: "off",
  },
  ...{ POSTERN_LOG_LEVEL: "error" },
};
const store = await openStoreAt(
  kind === "postgres" ? { kind: "postgres", url } : { kind: "sqlite", path: join(folder, "postern.db") },
);

try {
  await apply(manifest, folder, environment);
  await store.update("users", {}, { is_platform_admin: true });
  const [administrator] = await store.list("users");
  const key = apiKeyText(new Date());
  await anApiKey(store, {
    ...{ key_prefix: prefixOf(key), key_hash: apiKeyHash(key), user_id: administrator?.id ?? "" },
    scopes: [manageScope],
  });
  const keyFile = join(folder, "key");
  writeFileSync(keyFile, key, { mode: 0o600 });
  const file = join(folder, "people.ndjson");
  await writePeople(file);
  const server = await serverProcess({ folder, environment });
  // Ends all child processes if the drill is interrupted.
  const children = new Set<ChildProcess>();
  process.once("exit", () => {
    for (const child of children) child.kill("SIGKILL");
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

  const place = ["--server", server.url, "--api-key-file", keyFile];
  const args = ["import", file, "--from", "postern", ...place, "--json", "--losses"];
  const begin = (run: number) => {
    const losses = join(folder, `losses_${run}.csv`);
    const child = spawn(process.execPath, [servedProgram, ...args, losses], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.add(child);
    return child;
  };
  const imported = async () => (await store.count("users")) - 1;

  const before = await signInsFor(server.url, async () => wait(quiet * 1000));
  const started = performance.now();
  const during = await signInsFor(server.url, async () => {
    const first = begin(1);
    const ended = once(first, "close");
    while ((await imported()) < total / 2 && first.exitCode === null) await wait(200);
    first.kill("SIGKILL");
    await ended;
    console.log(`killed after ${await imported()} people, ${seconds(started)} s`);
    const second = begin(2);
    let said = "";
    second.stdout.on("data", (text) => {
      said += text;
    });
    const [code] = await once(second, "close");
    if (code !== 0) throw new Error(`the import ended with ${code}`);
    console.log(JSON.stringify(JSON.parse(said).people));
  });
  const took = Number(seconds(started));
  console.log(`${kind}: ${total} people in ${took} s, ${Math.round(total / took)} a second`);
  const found = [await imported(), await store.count("imported_people")];
  console.log(`sign-ins before: ${said(before)}`);
  console.log(`sign-ins during: ${said(during)}`);
  for (const part of [0.5, 0.99])
    console.log(
      `ratio of the sign-in times, ${part * 100}th percentile: ${(at(during.times, part) / at(before.times, part)).toFixed(2)}`,
    );
  if (found.some((each) => each !== total) || before.failed + during.failed > 0) {
    console.error(
      `expected ${total}: ${found[0]} users and ${found[1]} import records; ${during.failed} failed sign-ins`,
    );
    process.exitCode = 1;
  }
  await server.stop();
} finally {
  await store.close();
  await cluster?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}

async function writePeople(path: string): Promise<void> {
  const stream = createWriteStream(path);
  // One hash for all users, because it is stored but not verified.
  const hash = hashSync("a password of another server", 10);
  for (let index = 0; index < total; index += 1) {
    const person = {
      ...{ external_id: `p${index}`, email: `p${index}@example.com`, name: `Person ${index}` },
      ...{ email_verified_at: "2024-05-01T10:00:00Z", password: { hash } },
    };
    if (!stream.write(`${JSON.stringify(person)}\n`)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "close");
}

/** Signs in repeatedly until the work is done, and returns the milliseconds of each sign-in. */
async function signInsFor(address: string, work: () => Promise<void>) {
  const times: number[] = [];
  let failed = 0;
  let isOver = false;
  const signing = (async () => {
    while (!isOver) {
      const from = performance.now();
      try {
        await signIn(address);
        times.push(performance.now() - from);
      } catch {
        failed += 1;
      }
      await wait(pause);
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await signing;
  }
  return { times: times.sort((one, other) => one - other), failed };
}

function at(times: readonly number[], part: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
}

function said({ times, failed }: { readonly times: readonly number[]; readonly failed: number }): string {
  const of = (part: number) => `${at(times, part).toFixed(0)} ms`;
  return `${times.length}, median ${of(0.5)}, p99 ${of(0.99)}, ${failed} failed`;
}
