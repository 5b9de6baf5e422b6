/**
 * Recreates the dumps of the releases with the code of each. It needs the repository's history, and a
 * PostgreSQL 15 with its `pg_dump`, because older servers may not read dumps of newer ones.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { Client } from "pg";
import { fillDatabase } from "./fill_database.ts";
import { checkOut, folder, releases } from "./releases.ts";

const usage = `Creates the dumps in test/storage/released again, with the code of each release.

node test/storage/released/make_dumps.ts --postgres URL [RELEASE…]

  --postgres URL  a PostgreSQL 15 database whose role may create databases; pg_dump must be on the PATH
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { postgres: { type: "string" }, help: { type: "boolean", default: false } },
});

/** Drops commands that only `psql` understands, settings and comments; the result is SQL for any client. */
function sqlOf(dump: string): string {
  return dump.replaceAll(/^(?:\\.*|--.*|SET .*|SELECT pg_catalog\.set_config.*|\s*)\n/gm, "");
}

async function withDatabase(server: string, name: string, use: (url: string) => Promise<void>) {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    await use(url.href);
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

async function makeDumps(server: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "postern-releases-"));
  try {
    for (const { name, commit } of releases) {
      if (positionals.length > 0 && !positionals.includes(name)) continue;
      const tree = checkOut(commit, join(work, name));
      const keep = (kind: string, bytes: Buffer, dump: unknown) => {
        writeFileSync(join(folder, `${name}.${kind}.gz`), gzipSync(bytes, { level: 9 }));
        writeFileSync(join(folder, `${name}.${kind}.json`), `${JSON.stringify(dump, null, 2)}\n`);
        process.stdout.write(`${name} ${kind}\n`);
      };
      const file = join(work, `${name}.db`);
      const dump = await fillDatabase(tree, { kind: "sqlite", path: file });
      keep("sqlite", readFileSync(file), dump);
      await withDatabase(server, "postern_release", async (url) => {
        const facts = await fillDatabase(tree, { kind: "postgres", url });
        const options = ["--inserts", "--rows-per-insert=50", "--no-owner", "--no-privileges"];
        const text = execFileSync("pg_dump", [...options, url], { encoding: "utf8", maxBuffer: 1 << 28 });
        keep("postgres", Buffer.from(sqlOf(text)), facts);
      });
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (values.help || values.postgres === undefined) process.stdout.write(usage);
else await makeDumps(values.postgres);
