/** A leaked signing key is dropped, and every process notices immediately (docs/operations/keys.md). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { databases } from "../support/databases.ts";
import { applyTo, runPostern, servedProcess } from "../support/process.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";

const worker = { client_id: "worker", client_secret: "secret-of-the-worker" };
const manifest = {
  users: [{ email: "ada@example.com", name: "Ada" }],
  apps: [
    {
      ...{ client_id: worker.client_id, name: "Worker", app_type: "machine", owner: "ada@example.com" },
      ...{ allowed_scopes: ["orders:read"], allowed_grants: ["client_credentials"] },
      secrets: [worker.client_secret],
    },
  ],
};

async function publishedBy(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/.well-known/jwks.json`);
  return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
}

async function signedBy(url: string): Promise<string> {
  const body = new URLSearchParams({ ...worker, grant_type: "client_credentials", scope: "orders:read" });
  const answer = await fetch(`${url}/oauth/token`, { method: "POST", body });
  const { access_token } = (await answer.json()) as { access_token: string };
  return JSON.parse(Buffer.from(access_token.split(".")[0] ?? "", "base64url").toString()).kid;
}

for (const database of databases)
  describe(`a leaked signing key on ${database.name}`, () => {
    test("D-4: a key dropped by one process is soon neither used nor published by any other process", async () => {
      const address = await database.address();
      const folder = temporaryFolder();
      const environment = {
        POSTERN_DATABASE_URL: address.kind === "sqlite" ? `sqlite:${address.path}` : address.url,
        POSTERN_SECRET_KEY: Buffer.from("the key of two processes, 32 bytes").toString("base64"),
        POSTERN_BASE_URL: "http://localhost:3999",
      };
      await applyTo(folder, manifest, environment);
      const servers = await Promise.all([servedProcess({ environment }), servedProcess({ environment })]);
      const kids = await Promise.all(servers.map(({ url }) => signedBy(url)));
      const [leaked = ""] = kids;
      assert.deepEqual(kids, [leaked, leaked]);
      const dropped = await runPostern(["keys", "drop", leaked, "--yes", "--json"], { environment });
      assert.equal(dropped.code, 0, dropped.err);
      for (const { url } of servers) {
        await until(
          async () => !(await publishedBy(url)).includes(leaked),
          `${url} publishes the key no more`,
        );
        const kid = await signedBy(url);
        assert.notEqual(kid, leaked);
        assert.deepEqual(await publishedBy(url), [kid]);
      }
      for (const server of servers) await server.stop();
    });
  });
