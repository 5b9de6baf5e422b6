/**
 * `npm run interop:keycloak`: a real Keycloak makes users of every hash, exports its realm, and the users sign in
 * here after `postern import`. Maven and a JDK must be on the PATH.
 */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { matchTotp } from "../../../src/crypto/totp.ts";
import { signIn } from "../../../src/people/entry/sign_in.ts";
import { commandLine } from "../../../test/cli/terminal.ts";
import { type ApiServer, apiServer } from "../../../test/http/api/server.ts";
import { databases } from "../../../test/support/databases.ts";
import { freePort } from "../../../test/support/free_port.ts";
import { identityOn } from "../../../test/support/identity_context.ts";
import { temporaryFolder } from "../../../test/support/temp.ts";
import { totpCode } from "../../../test/support/totp.ts";
import { until } from "../../../test/support/until.ts";
import { makeRealm, otp, passwords, worker } from "./realm.ts";

const run = promisify(execFile);
const version = "26.7.3";
const administrator = { username: "admin", password: "an administrator of a test" };
const origin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };

/** The file of a realm that Keycloak made and exported. */
async function exportedRealm(): Promise<string> {
  const folder = temporaryFolder();
  const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`;
  await run(
    "mvn",
    ["-q", "-B", "dependency:unpack", `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`],
    {
      cwd: folder,
    },
  );
  const { PATH, HOME } = process.env;
  const env = {
    ...{ PATH, HOME, JAVA_OPTS_KC_HEAP: "-Xms64m -Xmx700m" },
    KC_BOOTSTRAP_ADMIN_USERNAME: administrator.username,
    KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
  };
  const program = join(folder, `keycloak-${version}`, "bin", "kc.sh");
  const port = String(await freePort());
  const args = [program, "start-dev", "--http-host=127.0.0.1", `--http-port=${port}`];
  // A group of its own: the script starts the server as a child.
  const child = spawn("sh", args, { env, stdio: ["ignore", "ignore", "inherit"], detached: true });
  const closed = once(child, "close");
  const url = `http://127.0.0.1:${port}`;
  try {
    await until(
      async () => {
        assert.equal(child.exitCode, null, "Keycloak ended");
        return (await fetch(`${url}/realms/master`).catch(() => undefined))?.ok === true;
      },
      "Keycloak answers",
      { seconds: 300 },
    );
    await makeRealm(url, administrator);
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await closed;
  }
  await run("sh", [program, "export", "--dir", folder, "--realm", "shop", "--users", "realm_file"], { env });
  return join(folder, "shop-realm.json");
}

describe("a realm of Keycloak", () => {
  let it: ApiServer;
  let args: string[];
  const folder = temporaryFolder();
  before(async () => {
    const [database = assert.fail()] = databases;
    it = await apiServer(database);
    await it.app.listen({ port: 0, host: "127.0.0.1" });
    const key = join(folder, "key");
    writeFileSync(key, it.key);
    const { port } = it.app.server.address() as AddressInfo;
    const place = ["--server", `http://127.0.0.1:${port}`, "--api-key-file", key];
    const own = ["--owner", it.administrator.email, "--losses", join(folder, "losses.csv")];
    args = ["import", await exportedRealm(), "--from", "keycloak", ...place, ...own];
  });
  after(() => it.app.close());

  test("is imported whole, and its users and clients sign in", async () => {
    const cli = commandLine();
    const first = await cli.json<{ people: object }>(args);
    assert.deepEqual(first.people, { created: 5, updated: 0, unchanged: 0, refused: 0 });
    const again = await cli.json<{ people: object; created: string[]; updated: string[] }>(args);
    assert.deepEqual(again.people, { created: 0, updated: 0, unchanged: 5, refused: 0 });
    assert.deepEqual([again.created, again.updated], [[], []]);

    const enter = (username: string, password: string) =>
      signIn({ email: `${username}@example.com`, password, origin }, identityOn(it.server));
    for (const [username, [, , password]] of Object.entries(passwords)) {
      assert.equal((await enter(username, password)).type, "signed_in", username);
      assert.equal((await enter(username, `${password}!`)).type, "refused", username);
    }
    assert.equal((await enter(otp.username, otp.password)).type, "second_factor");
    const [app] = await it.store.list("totp_authenticators", {});
    const secret = app && it.server.sealer.open("totp_authenticator", app.secret_sealed, app.id);
    const now = it.clock.now();
    // Base32 of the bytes of the text.
    assert.ok(secret && (await matchTotp(secret, totpCode("JBSEUNT2I5ZVI4JRPBMTA4CMO5IWKUTU", now), now)));

    const token = await it.app.inject({
      method: "POST",
      url: "/oauth/token",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: `grant_type=client_credentials&client_id=${worker.clientId}&client_secret=${worker.secret}`,
    });
    assert.equal(token.statusCode, 200, token.body);

    const losses = readFileSync(join(folder, "losses.csv"), "utf8");
    for (const said of ["user without-address,,", "group /staff,,", "role cashier,,", "old/*,"])
      assert.ok(losses.includes(said), said);
  });
});
