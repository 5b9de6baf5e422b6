/** mod_auth_openidc in Apache, which refreshes in each request if the access token expires soon. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../../test/support/free_port.ts";
import { temporaryFolder } from "../../../test/support/temp.ts";
import { debianPackage, type Program } from "./program.ts";
import {
  assertSignedOut,
  atOnce,
  member,
  person,
  posternFor,
  secret,
  signedInAt,
  startedProgram,
  withRoles,
} from "./scenario.ts";

const apache = "/usr/sbin/apache2";
const modules = "/usr/lib/apache2/modules";
const client_id = "mod-auth-openidc";
/** In seconds. Longer than the lifetime of access tokens, so that each request refreshes. */
const refreshBefore = 7200;

/**
 * Writes the configuration of a web server that admits signed-in users, and only administrators to one
 * page.
 */
function configured(port: number, issuer: string): string {
  const folder = temporaryFolder();
  const pages = join(folder, "pages");
  mkdirSync(pages);
  for (let page = 0; page < atOnce; page++) writeFileSync(join(pages, `${page}.txt`), `page ${page}`);
  writeFileSync(join(pages, "admin.txt"), "page of administrators");
  const loaded = ["mpm_event", "authn_core", "authz_core", "authz_user", "headers", "auth_openidc"]
    // Modules that a distribution compiled into the server have no file.
    .filter((name) => existsSync(join(modules, `mod_${name}.so`)))
    .map((name) => `LoadModule ${name}_module ${join(modules, `mod_${name}.so`)}`);
  const asRoot = process.getuid?.() === 0 ? ["User nobody", "Group nogroup"] : [];
  const path = join(folder, "apache.conf");
  const lines = [
    ...loaded,
    ...asRoot,
    `ServerRoot ${folder}`,
    `ServerName 127.0.0.1`,
    `Listen 127.0.0.1:${port}`,
    `PidFile ${join(folder, "apache.pid")}`,
    `DefaultRuntimeDir ${folder}`,
    `ErrorLog ${join(folder, "error.log")}`,
    `DocumentRoot ${pages}`,
    `OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration`,
    `OIDCClientID ${client_id}`,
    `OIDCClientSecret "${secret}"`,
    `OIDCRedirectURI http://127.0.0.1:${port}/callback`,
    'OIDCScope "openid profile email organization roles"',
    "OIDCPKCEMethod S256",
    'OIDCCryptoPassphrase "the passphrase of its cookies"',
    `OIDCRefreshAccessTokenBeforeExpiry ${refreshBefore} logout_on_error`,
    "OIDCInfoHook access_token refresh_token",
    // Node's `fetch` sends the header Sec-Fetch-Mode, which says that the request is not a navigation. The
    // module starts a sign-in only for navigations.
    "RequestHeader unset Sec-Fetch-Mode early",
    "<Location />",
    "AuthType openid-connect",
    "Require valid-user",
    "</Location>",
    "<Location /admin.txt>",
    "Require claim roles:admin",
    "</Location>",
  ];
  writeFileSync(path, `${lines.join("\n")}\n`);
  // Readable for others, because Apache does not run as root.
  for (const open of [folder, pages]) chmodSync(open, 0o755);
  return path;
}

export const modAuthOpenidc: Program = {
  name: "mod_auth_openidc",
  needs: [
    debianPackage("apache2", apache),
    debianPackage("libapache2-mod-auth-openidc", join(modules, "mod_auth_openidc.so")),
  ],
  async run(context) {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const served = await posternFor(context, {
      client_id,
      kind: "website",
      secrets: [secret],
      redirect_uris: [`${origin}/callback`],
      post_logout_redirect_uris: [`${origin}/signed-out`],
      ...withRoles,
    });
    const configuration = configured(port, served.url);
    await startedProgram(context, apache, ["-DFOREGROUND", "-f", configuration], { url: origin });

    const { browser, page } = await signedInAt(`${origin}/0.txt`, person);
    assert.equal(page.location, `${origin}/0.txt`);

    assert.equal((await browser.get(`${origin}/admin.txt`)).body, "page of administrators");
    const { browser: other } = await signedInAt(`${origin}/0.txt`, member);
    assert.equal((await other.get(`${origin}/0.txt`)).status, 200);
    const refusedByRole = await other.get(`${origin}/admin.txt`);
    assert.equal(refusedByRole.status, 401, "a member without the role was let in");

    const tokens = async (): Promise<{ access_token: string; refresh_token: string }> =>
      JSON.parse((await browser.get(`${origin}/callback?info=json`)).body);
    let { access_token } = await tokens();
    for (let round = 0; round < 3; round++) {
      const pages = Array.from({ length: atOnce }, (_, page) => `${origin}/${page}.txt`);
      const answers = await Promise.all(pages.map((page) => browser.get(page)));
      const bodies = answers.map(({ status, body }) => `${status} ${body}`);
      assert.deepEqual(bodies, ["200 page 0", "200 page 1", "200 page 2", "200 page 3"]);
      const refreshed = await tokens();
      assert.notEqual(refreshed.access_token, access_token, "no request refreshed");
      ({ access_token } = refreshed);
    }

    const { refresh_token } = await tokens();
    const signedOut = `${origin}/signed-out`;
    const leaving = await browser.get(`${origin}/callback?logout=${encodeURIComponent(signedOut)}`);
    const out = leaving.location ?? "";
    assert.ok(out.startsWith(`${served.url}/oauth/logout?`), out);
    assert.equal((await browser.get(out)).location, signedOut);
    await assertSignedOut(browser, served.url);
    const refused = await fetch(`${served.url}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "refresh_token",
        client_id,
        client_secret: secret,
        refresh_token,
      }),
    });
    assert.deepEqual(
      [refused.status, ((await refused.json()) as { error: string }).error],
      [400, "invalid_grant"],
    );
  },
};
