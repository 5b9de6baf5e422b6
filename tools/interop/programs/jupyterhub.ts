/** JupyterHub with the generic OAuthenticator, which makes members of a group administrators. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Person } from "../../../test/support/form_browser.ts";
import { freePort } from "../../../test/support/free_port.ts";
import { temporaryFolder } from "../../../test/support/temp.ts";
import { until } from "../../../test/support/until.ts";
import { cache } from "../cache.ts";
import { pythonWithPackages, requirementsOf } from "../python/python_environment.ts";
import { hasPython, onPath, type Program } from "./program.ts";
import {
  group,
  groupedAt,
  member,
  person,
  posternFor,
  secret,
  signedInAt,
  startedProgram,
  withGroups,
} from "./scenario.ts";

const proxyVersion = "5.3.0";
const client_id = "jupyterhub";

/** Returns the path of the proxy that JupyterHub starts. It is installed at the first call. */
async function installedProxy(): Promise<string> {
  const folder = join(cache, `interop-configurable-http-proxy-${proxyVersion}`);
  const program = join(folder, "node_modules", "configurable-http-proxy", "bin", "configurable-http-proxy");
  if (!existsSync(program)) {
    const named = `configurable-http-proxy@${proxyVersion}`;
    await promisify(execFile)("npm", ["install", "--no-save", "--prefix", folder, named]);
  }
  return program;
}

export const jupyterHub: Program = {
  name: "jupyterhub",
  needs: [hasPython, onPath("npm", "npm on the PATH")],
  async run(context) {
    const python = await pythonWithPackages(requirementsOf("jupyterhub"));
    const proxy = await installedProxy();
    const [port, proxyApi, hub] = [await freePort(), await freePort(), await freePort()];
    const origin = `http://127.0.0.1:${port}`;
    const callback = `${origin}/hub/oauth_callback`;
    const served = await posternFor(context, {
      client_id,
      kind: "website",
      secrets: [secret],
      redirect_uris: [callback],
      ...withGroups,
    });
    const leaveGroup = await groupedAt(served);

    const settings = {
      JupyterHub: {
        authenticator_class: "generic-oauth",
        bind_url: origin,
        hub_bind_url: `http://127.0.0.1:${hub}`,
        db_url: "sqlite:///:memory:",
      },
      ConfigurableHTTPProxy: {
        api_url: `http://127.0.0.1:${proxyApi}`,
        command: [process.execPath, proxy],
      },
      GenericOAuthenticator: {
        client_id,
        client_secret: secret,
        oauth_callback_url: callback,
        authorize_url: `${served.url}/oauth/authorize`,
        token_url: `${served.url}/oauth/token`,
        userdata_url: `${served.url}/oauth/userinfo`,
        scope: ["openid", "profile", "email", "organization", "groups"],
        username_claim: "email",
        manage_groups: true,
        auth_state_groups_key: "oauth_user.groups",
        allow_all: true,
        admin_groups: [group],
      },
    };
    const folder = temporaryFolder();
    writeFileSync(join(folder, "jupyterhub_config.json"), JSON.stringify(settings));
    const environment = {
      CONFIGPROXY_AUTH_TOKEN: randomBytes(32).toString("hex"),
      JUPYTERHUB_CRYPT_KEY: randomBytes(32).toString("hex"),
    };
    const args = ["-m", "jupyterhub", "--config", join(folder, "jupyterhub_config.json")];
    await startedProgram(context, python, args, { cwd: folder, environment, url: `${origin}/hub/health` });

    const start = `${origin}/hub/oauth_login?next=%2Fhub%2Fadmin`;
    /** Returns the statuses of the home page and of the administrators' page for a signed-in user. */
    async function pages(who: Person): Promise<{ home: number; admin: number }> {
      const { browser, page } = await signedInAt(start, who);
      assert.equal(page.location, `${origin}/hub/admin`);
      const status = async (name: string) => (await browser.get(`${origin}/hub/${name}`)).status;
      return { home: await status("home"), admin: await status("admin") };
    }
    assert.deepEqual(await pages(person), { home: 200, admin: 200 });
    assert.deepEqual(await pages(member), { home: 200, admin: 403 });
    await leaveGroup();
    await until(async () => (await pages(person)).admin === 403, "a former member of the group is refused");
  },
};
