/**
 * oauth2-proxy in front of a website. It keeps sessions in cookies only, so each of several concurrent
 * requests refreshes an expired token.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../../test/support/free_port.ts";
import { until } from "../../../test/support/until.ts";
import { cache } from "../cache.ts";
import { onPath, type Program } from "./program.ts";
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

const version = "v7.15.6";
const folder = join(cache, `interop-oauth2-proxy-${version}`);
const rounds = 3;

/** Returns the path of the program. It is built from its module at the first call. */
async function installed(): Promise<string> {
  const program = join(folder, "oauth2-proxy");
  if (!existsSync(program)) {
    const env = { ...process.env, GOBIN: folder };
    const module = `github.com/oauth2-proxy/oauth2-proxy/v7@${version}`;
    await promisify(execFile)("go", ["install", module], { env });
  }
  return program;
}

export const oauth2Proxy: Program = {
  name: "oauth2-proxy",
  needs: [onPath("go", "Go 1.26 or later on the PATH")],
  async run(context) {
    const program = await installed();
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const served = await posternFor(context, {
      client_id: "oauth2-proxy",
      kind: "website",
      secrets: [secret],
      redirect_uris: [`${origin}/oauth2/callback`],
      post_logout_redirect_uris: [`${origin}/signed-out`],
      ...withRoles,
    });
    const options = {
      provider: "oidc",
      "oidc-issuer-url": served.url,
      "client-id": "oauth2-proxy",
      "client-secret": secret,
      "redirect-url": `${origin}/oauth2/callback`,
      "http-address": `127.0.0.1:${port}`,
      upstream: "static://202",
      scope: "openid profile email organization roles",
      "oidc-groups-claim": "roles",
      "allowed-group": "admin",
      "code-challenge-method": "S256",
      "email-domain": "*",
      "cookie-secret": randomBytes(16).toString("hex"),
      "cookie-secure": "false",
      "cookie-refresh": "1s",
      "skip-provider-button": "true",
      "whitelist-domain": new URL(served.url).host,
    };
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    await startedProgram(context, program, args, { url: `${origin}/ping` });

    const { browser, page } = await signedInAt(`${origin}/`, person);
    assert.equal(page.location, `${origin}/`);
    const { page: refused } = await signedInAt(`${origin}/`, member);
    assert.equal(refused.status, 403, "a member without the role was let in");

    /** Sends the requests of one page, and returns how many responses set a new session. */
    async function load(): Promise<number> {
      const paths = Array.from({ length: atOnce }, (_, each) => `${origin}/${each}`);
      const answers = await Promise.all(paths.map((path) => browser.get(path)));
      const statuses = answers.map(({ status }) => status);
      assert.deepEqual(statuses, Array(atOnce).fill(202), "a request of the page was not let through");
      return answers.filter(({ headers }) => headers.getSetCookie().length > 0).length;
    }

    for (let round = 0; round < rounds; round++)
      await until(async () => (await load()) === atOnce, "all requests of a page refresh");

    const out = `${served.url}/oauth/logout?${new URLSearchParams({
      client_id: "oauth2-proxy",
      post_logout_redirect_uri: `${origin}/signed-out`,
    })}`;
    const leaving = await browser.get(`${origin}/oauth2/sign_out?rd=${encodeURIComponent(out)}`);
    assert.equal(leaving.location, out);
    const requested = await browser.get(out);
    const left = requested.status === 200 ? await browser.submit(requested, {}) : requested;
    assert.equal(left.location, `${origin}/signed-out`);
    await assertSignedOut(browser, served.url);
    assert.equal((await browser.get(`${origin}/`)).status, 302);
  },
};
