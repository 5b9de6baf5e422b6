/** The server behind the PgBouncer of the distribution, if it is installed. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, test } from "node:test";
import { behindPgBouncer, pgBouncerProgram } from "../support/pgbouncer.ts";
import { runPostern, servedProcess } from "../support/process.ts";

const skip = existsSync(pgBouncerProgram) ? false : "PgBouncer is not installed (apt-get install pgbouncer)";

const endings: (() => unknown)[] = [];
after(async () => {
  for (const end of endings.reverse()) await end();
});
const atEnd = (end: () => unknown) => void endings.push(end);

test("F-13: behind PgBouncer in session mode everything works, including PostgreSQL notifications", {
  skip,
}, async () => {
  const environment = await behindPgBouncer("session", atEnd);
  const server = await servedProcess({ environment });
  endings.push(() => server.stop("SIGKILL"));
  const ready = await fetch(`${server.url}/readyz`);
  assert.deepEqual(await ready.json(), {
    status: "ready",
    components: { database: "ok", notices: "ok", migrations: "ok", signing_key: "ok" },
  });
  assert.equal((await server.stop()).code, 0);
});

for (const mode of ["transaction", "statement"] as const) {
  test(`F-13: behind PgBouncer in ${mode} mode, serve and doctor fail and name the remedy`, {
    skip,
  }, async () => {
    const environment = await behindPgBouncer(mode, atEnd);
    const sentence = /use session mode or a direct connection/;
    const [served, examined] = await Promise.all(
      [["serve", "--port", "0"], ["doctor"]].map((args) => runPostern(args, { environment })),
    );
    assert.equal(served?.code, 1);
    assert.match(`${served?.out}${served?.err}`, sentence);
    assert.equal(examined?.code, 1);
    assert.match(`${examined?.out}${examined?.err}`, sentence);
  });
}
