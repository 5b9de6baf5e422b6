/** Airflow with its FAB provider, whose role mapping makes members of a group administrators. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Person } from "../../../test/support/form_browser.ts";
import { freePort } from "../../../test/support/free_port.ts";
import { temporaryFolder } from "../../../test/support/temp.ts";
import { until } from "../../../test/support/until.ts";
import { pythonWithPackages, requirementsOf } from "../python/python_environment.ts";
import { hasPython, type Program } from "./program.ts";
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

const client_id = "airflow";

/** Returns the text of `webserver_config.py`. */
function configured(issuer: string): string {
  const settings = {
    AUTH_TYPE: 4,
    AUTH_USER_REGISTRATION: true,
    AUTH_USER_REGISTRATION_ROLE: "Viewer",
    AUTH_ROLES_SYNC_AT_LOGIN: true,
    AUTH_ROLES_MAPPING: { [group]: ["Admin"] },
    OAUTH_PROVIDERS: [
      {
        name: "postern",
        token_key: "access_token",
        remote_app: {
          client_id,
          client_secret: secret,
          server_metadata_url: `${issuer}/.well-known/openid-configuration`,
          client_kwargs: {
            scope: "openid profile email organization groups",
            code_challenge_method: "S256",
          },
        },
      },
    ],
  };
  const literal = JSON.stringify(JSON.stringify(settings));
  return `import json\nglobals().update(json.loads(${literal}))\n`;
}

export const airflow: Program = {
  name: "airflow",
  needs: [hasPython],
  async run(context) {
    const python = await pythonWithPackages(requirementsOf("airflow"));
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const served = await posternFor(context, {
      client_id,
      kind: "website",
      secrets: [secret],
      redirect_uris: [`${origin}/auth/oauth-authorized/postern`],
      ...withGroups,
      claims: { ...withGroups.claims, preferred_username: ["id_token", "userinfo"] },
    });
    const leaveGroup = await groupedAt(served);
    const folder = temporaryFolder();
    const configuration = join(folder, "webserver_config.py");
    writeFileSync(configuration, configured(served.url));
    const environment = {
      AIRFLOW_HOME: folder,
      AIRFLOW__CORE__AUTH_MANAGER: "airflow.providers.fab.auth_manager.fab_auth_manager.FabAuthManager",
      AIRFLOW__CORE__LOAD_EXAMPLES: "False",
      AIRFLOW__FAB__CONFIG_FILE: configuration,
      AIRFLOW__API__BASE_URL: origin,
      AIRFLOW__API__SECRET_KEY: randomBytes(32).toString("hex"),
      AIRFLOW__API_AUTH__JWT_SECRET: randomBytes(64).toString("hex"),
    };
    const command = ["-m", "airflow"];
    const env = { ...process.env, ...environment };
    await promisify(execFile)(python, [...command, "db", "migrate"], { env });
    await startedProgram(
      context,
      python,
      [...command, "api-server", "--host", "127.0.0.1", "--port", String(port), "--workers", "1"],
      { cwd: folder, environment, url: `${origin}/api/v2/version` },
    );

    /**
     * Requests Airflow's workflows, and its connections, which only administrators may read. Returns the
     * response statuses for a signed-in user.
     */
    async function allowed(who: Person): Promise<{ dags: number; connections: number }> {
      const { browser, page } = await signedInAt(`${origin}/auth/login/postern`, who);
      await browser.follow(page);
      const status = async (path: string) => (await browser.get(`${origin}/api/v2/${path}`)).status;
      return { dags: await status("dags"), connections: await status("connections") };
    }
    assert.deepEqual(await allowed(person), { dags: 200, connections: 200 });
    assert.deepEqual(await allowed(member), { dags: 200, connections: 403 });
    await leaveGroup();
    const isRefused = async () => (await allowed(person)).connections === 403;
    await until(isRefused, "a former member of the group is refused");
  },
};
