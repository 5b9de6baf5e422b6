/** A secret appears only in the response that created it: in no other response, log line, event or export. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { type DatabaseAddress, openStore } from "../../src/storage/store.ts";
import { inForm } from "../support/form.ts";
import { commandsOn, type Environment, type ServedProcess, servedProcess } from "../support/process.ts";
import { bearer, expectStatus, type Json, operatorsKey, type Proof, placesInForm } from "./management.ts";
import { type Api, apiOf, distinct, type Made, makeEverything, root } from "./secrecy_fixture.ts";
import { endOf, type Ledger, newLedger, noteStored } from "./secrecy_ledger.ts";

/**
 * Text with all characters that quoting and escaping may change. A client's secret consists of visible ASCII.
 */
const visible = "aZ09\"'\\<>&%+/=$`{}[]:;";
const oddText = (characters: string) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 12 });

/** Sends requests that are refused, each with a secret in a place where a caller may put one by mistake. */
async function makeMistakes({ send, ledger }: Api, { user_id, person, callers }: Made): Promise<void> {
  const wrong = `marker${distinct()}`;
  ledger.secret(`secret in the wrong place ${wrong}`, wrong);
  const refused = async (statuses: readonly number[], ...request: Parameters<typeof send>) =>
    expectStatus(await send(...request), ...statuses);
  const users = "/api/v1/users";
  await refused([409, 422], "POST", users, { body: { ...person, name: "Again" } });
  await refused([422], "POST", users, {
    body: { ...person, email: "b@example.com", name: "B", pass: wrong },
  });
  await refused([422], "POST", users, { body: { email: "c@example.com", name: "C", password: [wrong] } });
  await refused([422], "POST", users, { body: { email: "d@example.com", name: "D", password_hash: wrong } });
  await refused([422], "PATCH", `${users}/${user_id}`, {
    body: { password: wrong.slice(0, 3), secret: wrong },
  });
  await refused([422], "POST", "/api/v1/api-keys", {
    body: { name: "k", user_id, key: wrong, key_hash: wrong },
  });
  await refused([400], "POST", users, { body: `{"email":"e@example.com","password":"${wrong}` });
  await refused([415], "POST", users, {
    body: `password=${wrong}`,
    headers: { "content-type": "text/plain" },
  });
  await refused([400], "GET", `${users}?password=${wrong}`);
  await refused([400], "GET", `${users}?cursor=${wrong}`);
  await refused([404], "GET", `${users}/${wrong}`);
  await refused([404], "GET", `/api/v1/${wrong}`);
  await refused([401], "GET", users, { proof: bearer(wrong) });
  await refused([401], "GET", users, { proof: { authorization: `Basic ${wrong}` } });
  await refused([401], "GET", users, { proof: { cookie: `postern_session=${wrong}` } });
  for (const { authorization } of Object.values(callers)) {
    if (authorization === undefined) continue;
    await refused([401], "GET", users, { proof: { authorization: `${authorization}x` } });
    const key = encodeURIComponent(authorization.slice("Bearer ".length));
    await refused([404], "GET", `/api/v1/api-keys/${key}`);
  }
}

/** Number of single records of each kind that are read. */
const mostOfEach = 25;

/**
 * Reads everything that the OpenAPI document lists, including every page of each list. Returns the paths that
 * responded 200.
 */
async function walk({ send }: Api, proof?: Proof): Promise<Map<string, number>> {
  const as = proof === undefined ? {} : { proof };
  const found = new Map<string, number>();
  const document = expectStatus(await send("GET", "/api/openapi.json"), 200).json;
  const [server] = (document.servers ?? []) as { url: string }[];
  const base =
    server === undefined ? "" : new URL(server.url, "http://localhost").pathname.replace(/\/$/, "");
  const paths = Object.entries(document.paths as Record<string, Json>)
    .filter(([, operations]) => "get" in operations)
    .map(([path]) => base + path)
    // Lists are read before the records in them.
    .toSorted((a, b) => a.length - b.length);
  const ids = new Map<string, string[]>();
  const read = async (path: string, address = path) => {
    const answer = await send("GET", address, as);
    if (answer.status === 200) found.set(path, (found.get(path) ?? 0) + 1);
    else expectStatus(answer, 401, 403, 404);
    return answer;
  };
  for (const path of paths) {
    const list = /^(.*)\/\{[^/]+\}$/.exec(path)?.[1];
    if (list !== undefined) {
      for (const id of (ids.get(list) ?? []).slice(-mostOfEach)) await read(path, `${list}/${id}`);
      continue;
    }
    let { json } = await read(path);
    const all = [json];
    while (typeof json.next_cursor === "string") {
      ({ json } = await read(path, `${path}?cursor=${encodeURIComponent(json.next_cursor)}`));
      all.push(json);
    }
    ids.set(
      path,
      all.flatMap(({ data }) => (Array.isArray(data) ? data.map(({ id }: Json) => String(id)) : [])),
    );
  }
  return found;
}

/** Runs commands that print every record, and adds their output to the ledger. */
async function runCommands(server: ServedProcess, ledger: Ledger): Promise<void> {
  const commands = await commandsOn(server);
  const run = async (args: readonly string[], input?: string, madeIn = (_out: string): string[] => []) => {
    const { code, out, err } = await commands.run(args, input);
    assert.equal(code, 0, `postern ${args.join(" ")}: ${err}`);
    ledger.reported(`postern ${args.join(" ")}`, out + err, madeIn(out));
    return out;
  };
  const lists = "user org membership linked-account api-key app app-secret token consent session";
  for (const name of `${lists} service-account key-pair keys audit`.split(" "))
    await run([name, "list", "--json"]);
  await run(["audit", "export"]);
  await run(["export"]);
  const exported = await run(["export", "--json"]);
  await run(["apply", "-", "--dry-run", "--json"], exported);

  const marked = (name: string): string => {
    const marker = `marker${distinct()}`;
    ledger.secret(`${name} of a manifest`, marker);
    return marker;
  };
  const owner = root.email;
  const password = marked("password");
  const account = { user: owner, provider: "github", provider_user_id: "applied" };
  const manifest = {
    users: [{ email: "applied@example.com", name: "Applied", password }],
    apps: [
      { client_id: "applied", name: "Applied", owner, secrets: [marked("client secret")] },
      { client_id: "with-made-secret", name: "Made", owner },
    ],
    linked_accounts: [{ ...account, access_token: marked("upstream token") }],
    api_keys: [{ name: "applied", user: owner, scopes: ["postern:read"] }],
  };
  const text = JSON.stringify(manifest);
  await run(["apply", "-", "--dry-run"], text);
  await run(["apply", "-", "--json"], text, (out) => {
    const { secrets } = JSON.parse(out) as { secrets: Record<string, string> };
    assert.deepEqual(Object.keys(secrets).toSorted(), ["api_key applied", "with-made-secret"]);
    for (const [name, value] of Object.entries(secrets)) ledger.secret(name, endOf(value));
    return Object.keys(secrets);
  });
  await run(["apply", "-"], text);
  const changed = {
    users: [{ ...manifest.users[0], password: `${password}!` }],
    linked_accounts: [{ ...account, access_token: marked("new upstream token") }],
  };
  await run(["apply", "-", "--dry-run", "--json"], JSON.stringify(changed));
  await run(["apply", "-"], JSON.stringify(changed));
}

function addressOf({ folder, environment }: { folder: string; environment: Environment }): DatabaseAddress {
  const { POSTERN_DATABASE_URL } = environment;
  return POSTERN_DATABASE_URL === undefined
    ? { kind: "sqlite", path: join(folder, "data", "postern.db") }
    : { kind: "postgres", url: POSTERN_DATABASE_URL };
}

for (const place of placesInForm) {
  test(`H-7: no secret or stored form of one is in any response, log line, event, export or command on ${place.name}`, async () => {
    const { environment, drop } = await place.open();
    const server = await servedProcess({
      manifest: { users: [{ ...root, name: "Root", is_platform_admin: true }] },
      environment: { ...environment, POSTERN_LOG_LEVEL: "trace", POSTERN_THROTTLE: "off" },
    });
    try {
      const ledger = newLedger();
      ledger.secret("password of root", root.password);
      const key = await operatorsKey(server, root.email);
      ledger.secret("API key of root", endOf(key));
      const api = await apiOf(server, ledger, key);

      let walked = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(oddText(`${visible} é漢😀`), oddText(visible), async (odd, oddVisible) => {
          const made = await makeEverything(api, odd, oddVisible);
          await makeMistakes(api, made);
          for (const proof of Object.values(made.callers)) {
            const seen = await walk(api, proof);
            assert.ok([...seen.values()].length > 5, "they see something");
          }
          walked = await walk(api);
          ledger.check();
        }),
        { numRuns: inForm(1, 4), endOnFailure: true },
      );
      await runCommands(server, ledger);

      const store = await openStore(addressOf({ folder: server.folder, environment }));
      try {
        const held = await noteStored(ledger, store);
        for (const name of [
          "users.password_hash",
          "api_keys.key_hash",
          "oauth_app_secrets.secret_hash",
          "sessions.id_signature",
        ])
          assert.ok(held.has(name), name);
        for (const name of [
          "oauth_accounts.access_token",
          "oauth_tokens.refresh_token_signature",
          "signing_keys.private_key_sealed",
        ])
          assert.ok(held.has(name), name);
        ledger.reported(
          "the audit events as they are stored",
          JSON.stringify(await store.list("audit_events")),
        );
      } finally {
        await store.close();
      }

      const { out, err } = await server.stop();
      ledger.reported("the log", out + err);
      assert.match(out, /"level":"debug"/, "the log is as talkative as it can be");
      assert.match(out, /api_key\.created/);
      for (const path of ["users", "tokens", "sessions", "audit-events", "signing-keys", "linked-accounts"]) {
        assert.ok((walked.get(`/api/v1/${path}`) ?? 0) > 0, `${path} were listed`);
        assert.ok((walked.get(`/api/v1/${path}/{id}`) ?? 0) > 0, `one of ${path} was read`);
      }
      assert.ok((walked.get("/api/v1/audit-events/export") ?? 0) > 0);
      // Public values are found in all these places, so a secret would be found too.
      for (const [what, places] of Object.entries({
        [root.email]: ["the answer 200 to GET /api/v1/users", "postern user list --json", "postern export"],
        github: ["the answer 200 to GET /api/v1/linked-accounts", "postern linked-account list --json"],
        "api_key.created": [
          "the answer 200 to GET /api/v1/audit-events/export",
          "postern audit export",
          "the log",
        ],
        "app.created": ["the answer 200 to GET /api/v1/audit-events", "the audit events as they are stored"],
        "applied@example.com": ["postern apply - --json", "postern apply - --dry-run"],
        "/password": ["the answer 422 to POST /api/v1/users"],
      })) {
        const tellers = ledger.sourcesOf(what);
        for (const each of places) {
          assert.ok(tellers.includes(each), `${what} is in ${each}`);
        }
      }
      ledger.check();
    } finally {
      await server.stop("SIGKILL");
      await drop();
    }
  });
}

test("the secrecy check finds a leaked secret anywhere, whole or in part", () => {
  const ledger = newLedger();
  ledger.secret("key", endOf("pak_0123456789abcdefghijklmnopqrst"));
  ledger.reported("the answer that made it", `{"key":"pak_0123456789abcdefghijklmnopqrst"}`, ["key"]);
  ledger.reported("a list", `{"key_prefix":"pak_01234567"}`);
  ledger.check();
  ledger.reported("another list", `{"key":"pak_0123456789abcdefghijklmnopqrst"}`);
  assert.throws(() => ledger.check(), /another list holds the key/);
});
