/**
 * Databases of every release, created by the release's own code, are migrated and served
 * (docs/operations/upgrading.md).
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPostern } from "../../src/server/embedded.ts";
import type { Store } from "../../src/storage/store.ts";
import { databases, openStoreAt } from "../support/databases.ts";
import { formBrowser } from "../support/form_browser.ts";
import { tableNames } from "./any_row.ts";
import { type Dump, issuer, releases, secretKey } from "./released/releases.ts";
import { restoreDump } from "./released/restore_dump.ts";

/** Asserts that every row still exists and is readable by the current definition. */
async function findEveryRow(store: Store, dump: Dump): Promise<void> {
  for (const table of tableNames) {
    const kept = dump.rows[table] ?? 0;
    assert.ok((await store.count(table, {})) >= kept, table);
    assert.ok((await store.list(table, {}, { limit: 500 })).length >= kept, table);
  }
}

function clientOf(url: string) {
  return async (path: string, client: { client_id: string; client_secret: string }, fields: object) => {
    const credentials = Buffer.from(`${client.client_id}:${client.client_secret}`).toString("base64");
    const answer = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ ...fields }),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
}

/** Signs in with the stored password, and continues with the stored session and consent. */
async function servePerson(url: string, dump: Dump): Promise<void> {
  const { client_id, redirect_uri, email, password, cookies } = dump;
  const browser = formBrowser();
  const signedIn = await browser.submit(await browser.get(`${url}/login`), { email, password });
  assert.equal(signedIn.status, 302, signedIn.body);
  const returning = formBrowser();
  for (const [name, value] of Object.entries(cookies)) returning.cookies.set(name, value);
  const requested = new URLSearchParams({
    ...{ response_type: "code", client_id, redirect_uri, scope: "openid offline_access orders:read" },
    ...{ code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" },
  });
  const { location = "" } = await returning.get(`${url}/oauth/authorize?${requested}`);
  assert.ok(new URL(location).searchParams.has("code"), location);
}

async function serveClients(url: string, dump: Dump): Promise<void> {
  const { tokens, code, code_verifier, redirect_uri, introspecting } = dump;
  const post = clientOf(url);
  const isActive = async (token: string) =>
    (await post("/oauth/introspect", introspecting, { token })).active;
  const refresh = (refresh_token: string) =>
    post("/oauth/token", dump, { grant_type: "refresh_token", refresh_token });
  const redeemed = await post("/oauth/token", dump, {
    ...{ grant_type: "authorization_code", code, code_verifier, redirect_uri },
  });
  assert.equal(typeof redeemed.access_token, "string", JSON.stringify(redeemed));
  assert.equal(await isActive(tokens.live.access_token), true);
  assert.equal(await isActive(tokens.of_machine), true);
  assert.equal(await isActive(tokens.revoked.access_token), false);
  const refreshed = await refresh(tokens.live.refresh_token);
  assert.equal(typeof refreshed.access_token, "string", JSON.stringify(refreshed));
  assert.equal((await refresh(tokens.revoked.refresh_token)).error, "invalid_grant");
  // A replay ends the family, which the old version started and the new one continued.
  assert.equal((await refresh(tokens.spent.refresh_token)).error, "invalid_grant");
  assert.equal(await isActive(String(refreshed.access_token)), false);
}

async function serveLists(url: string, { api_key }: Dump): Promise<void> {
  const names = async (query: string) => {
    const answer = await fetch(`${url}/api/v1/users?${query}`, {
      headers: { authorization: `Bearer ${api_key}` },
    });
    const { data } = (await answer.json()) as { data?: { name: string }[] };
    assert.ok(data, `${query}: ${answer.status}`);
    return data.map(({ name }) => name);
  };
  assert.deepEqual(await names("q=many-17"), ["Person 17 of many"]);
  // Searches for a part of a word.
  assert.equal((await names("q=ovelac")).length, 1);
  assert.equal((await names("sort=name&limit=5&q=person")).length, 5);
}

for (const database of databases)
  describe(`a database of an earlier release on ${database.name}`, () => {
    for (const { name, schema } of releases)
      test(`a database of ${name} is migrated without losing a row, and the server works with it`, async () => {
        const address = await database.address();
        const dump = await restoreDump(name, address);
        const store = await openStoreAt(address);
        const moment = new Date(dump.moment);
        const missing = (await store.migrationStatus()).filter(({ version }) => version > schema);
        const applied = await store.migrate(moment);
        assert.deepEqual(
          applied.map(({ version }) => version),
          missing.map(({ version }) => version),
        );
        await findEveryRow(store, dump);
        const carried = await store.find("resources", { identifier: "https://carried.example" });
        assert.equal(carried?.who_may_ask, schema < 17 ? "listed" : undefined);
        await store.close();
        const postern = await createPostern(
          {
            port: 0,
            base_url: issuer,
            secret_key: secretKey,
            database_url: address.kind === "sqlite" ? `sqlite:${address.path}` : address.url,
            ...(address.kind === "postgres" && { database_profile: address.profile ?? "native" }),
          },
          { now: () => moment },
        );
        try {
          await servePerson(postern.url, dump);
          await serveLists(postern.url, dump);
          await serveClients(postern.url, dump);
        } finally {
          await postern.close();
        }
      });
  });
