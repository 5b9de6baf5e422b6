import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { temporaryFolder } from "../support/temp.ts";
import { commandLine } from "./terminal.ts";

const switches = {
  POSTERN_EXTRA_FEATURES: "par,dpop",
  POSTERN_EXTRA_CLIENT_AUTH: "private_key_jwt",
  POSTERN_BASE_URL: "https://id.example",
};
const jwk = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
const ada = { email: "ada@example.com", name: "Ada", password: "an example of a password" };
const fitting = {
  name: "Bank",
  client_id: "bank",
  owner: ada.email,
  profile: "fapi2",
  token_endpoint_auth_method: "private_key_jwt",
  jwks: { keys: [jwk] },
  redirect_uris: ["https://app.example/cb"],
};
const plain = {
  name: "Shop",
  client_id: "shop",
  owner: ada.email,
  secrets: ["a secret of sixteen"],
  redirect_uris: ["http://127.0.0.1/cb"],
};

/** Returns a command line on a database with these apps. */
async function withApps(apps: object[], env: Record<string, string> = {}) {
  const line = commandLine({ ...switches, ...env });
  const file = join(temporaryFolder(), "manifest.json");
  writeFileSync(file, JSON.stringify({ users: [ada], apps }));
  const applied = await line.run(`apply ${file}`);
  assert.equal(applied.code, 0, applied.err);
  return line;
}

/** Returns the lines of one check, without the spaces of the table. */
const lines = (out: string, check: string) =>
  out
    .split("\n")
    .map((each) => each.replaceAll(/ +/g, " ").trim())
    .filter((each) => each.split(" ").slice(1).join(" ").startsWith(check));

describe("doctor fapi2", () => {
  let served: ReturnType<typeof createServer>;
  let port: number;
  const answers: Record<string, [status: number, body: string]> = {
    "/good": [200, JSON.stringify({ keys: [jwk] })],
    "/gone": [404, "{}"],
    "/empty": [200, '{"keys":[]}'],
    "/html": [200, "<html>"],
    "/other": [200, "[]"],
    "/weak": [
      200,
      JSON.stringify({
        keys: [generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey.export({ format: "jwk" })],
      }),
    ],
  };
  before(async () => {
    served = createServer((request, response) => {
      const [status, body] = answers[request.url ?? ""] ?? [500, ""];
      response.writeHead(status).end(body);
    });
    await new Promise<void>((done) => served.listen(0, "127.0.0.1", done));
    port = (served.address() as AddressInfo).port;
  });
  after(() => served.close());

  test("PR-60: a compliant server and app have no findings, and the exit code is 0", async () => {
    const line = await withApps([fitting, plain]);
    const { code, out } = await line.run("doctor fapi2");
    assert.equal(code, 0, out);
    assert.match(out, /ok +app bank +meets the profile/);
    assert.doesNotMatch(out, /shop/, "it is under no profile");
    assert.match(out, /tokens are signed with ES256/);
  });

  test("PR-60: a named app is checked against the profile's rules even if it does not use it, with its gaps in words", async () => {
    const line = await withApps([plain]);
    const { code, out } = await line.run("doctor fapi2 --app shop");
    assert.equal(code, 1);
    const [found = ""] = lines(out, "app shop");
    assert.match(found, /^WRONG/);
    for (const lack of [
      /token_endpoint_auth_method must be one of private_key_jwt/,
      /jwks is required/,
      /redirect_uris 1 must be an https URL/,
    ])
      assert.match(found, lack);
    assert.match(out, /there is no ES256 key: run `postern keys rotate --algorithm ES256`/);
    await line.run("keys rotate --algorithm ES256");
    assert.match((await line.run("doctor fapi2")).out, /ok +signing key/);
    const unknown = await line.run("doctor fapi2 --app nobody");
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, /no app with the client_id "nobody"/);
  });

  test("PR-60: gaps in server and app settings are reported; if the server enforces the profile, all apps are checked", async () => {
    const line = await withApps([fitting, plain]);
    const off = ["--extra-features", "par", "--extra-client-auth", "", "--base-url", "http://localhost:3000"];
    const { code, out } = await line.run(["doctor", "fapi2", ...off]);
    assert.equal(code, 1);
    assert.match(out, /WRONG +base URL +http:\/\/localhost:3000 must be https/);
    assert.match(out, /WRONG +dpop +is off: add it to POSTERN_EXTRA_FEATURES/);
    assert.match(out, /ok +par +is on/);
    assert.match(lines(out, "app bank")[0] ?? "", /^WRONG .*profile requires dpop/);
    const held = await line.run("doctor fapi2 --profiles fapi2 --extra-features ''");
    assert.match(held.out, /ok +dpop +is on/);
    assert.match(held.out, /ok +app bank/);
    assert.match(lines(held.out, "app shop")[0] ?? "", /^WRONG/);
  });

  test("PR-60: the keys at a client's jwks_uri are fetched and checked, also by postern doctor", async () => {
    const { jwks: _, ...rest } = fitting;
    const apps = Object.keys(answers).map((path) => ({
      ...rest,
      client_id: path.slice(1),
      name: path,
      jwks_uri: `https://127.0.0.1:${port}${path}`,
    }));
    const line = await withApps(apps);
    const internal = await line.run("doctor fapi2 --app good");
    assert.match(internal.out, /WRONG +app good .*its host is not public/);
    // The field requires an https URL, which this host does not support, so the rows are changed directly.
    const { openStore } = await import("../../src/storage/store.ts");
    const store = await openStore({ kind: "sqlite", path: join(line.folder, "postern.db") });
    for (const { client_id } of apps) {
      const app = await store.find("oauth_apps", { client_id });
      const jwks_uri = `http://127.0.0.1:${port}/${client_id}`;
      await store.update("oauth_apps", { id: String(app?.id) }, { jwks_uri });
    }
    await store.close();
    const allowed = ["--outbound-allow", "127.0.0.1"];
    const { code, out } = await line.run(["doctor", "fapi2", ...allowed]);
    assert.equal(code, 1);
    const said: Record<string, RegExp> = {
      good: /^ok .* meets the profile$/,
      gone: /the response has status 404/,
      empty: /no key for signatures/,
      html: /not JSON/,
      other: /is not a key set/,
      weak: /no key for PS256, ES256, EdDSA, Ed25519/,
    };
    for (const [name, what] of Object.entries(said))
      assert.match(lines(out, `app ${name}`)[0] ?? "", what, name);
    const doctor = await line.run(["doctor", ...allowed]);
    assert.equal(doctor.code, 1);
    assert.match(doctor.out, /WRONG +keys of apps +gone at \S+: the response has status 404/);
    assert.match(doctor.out, /ok +keys of apps +good at \S+: has usable keys/);
  });
});
