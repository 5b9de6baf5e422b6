/**
 * `npm run interop:keycloak`: a real Keycloak creates users with every supported hash and exports its
 * realm. The users sign in to Postern after `postern import`. Maven and a JDK must be on the PATH.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { matchTotp } from "../../../src/crypto/totp.ts";
import { signIn } from "../../../src/people/entry/sign_in.ts";
import { commandLine } from "../../../test/cli/terminal.ts";
import { type ApiServer, apiServer } from "../../../test/http/api/server.ts";
import { databases } from "../../../test/support/databases.ts";
import { identityOn } from "../../../test/support/identity_context.ts";
import { temporaryFolder } from "../../../test/support/temp.ts";
import { totpCode } from "../../../test/support/totp.ts";
import { makeRealm, otp, passwords, worker } from "./realm.ts";
import { startedKeycloak } from "./started_keycloak.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };

/** Returns the export file of a realm that Keycloak created. */
async function exportedRealm(): Promise<string> {
  const keycloak = await startedKeycloak();
  try {
    await makeRealm(keycloak);
  } finally {
    await keycloak.stop();
  }
  return keycloak.exported("shop");
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
    const own = ["--owner", it.administrator.email];
    args = ["import", await exportedRealm(), "--from", "keycloak", ...place, ...own];
  });
  after(() => it.app.close());

  test("is imported whole, and its users and clients sign in", async () => {
    const cli = commandLine();
    const losing = (file: string) => [...args, "--losses", join(folder, file)];
    const first = await cli.json<{ people: object }>(losing("losses.csv"));
    assert.deepEqual(first.people, { created: 5, updated: 0, unchanged: 0, refused: 0 });
    const again = await cli.json<{ people: object; created: string[]; kept: string[] }>(losing("again.csv"));
    assert.deepEqual(again.people, { created: 0, updated: 0, unchanged: 5, refused: 0 });
    assert.deepEqual([again.created, again.kept], [[], []]);

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
    // The base32 encoding of `otp.secret`.
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
