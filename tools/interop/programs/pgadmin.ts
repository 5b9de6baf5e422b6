/** pgAdmin in server mode, whose setting for additional claims admits only members of a group. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

const client_id = "pgadmin";

/** Returns the folder of a settings file that overrides pgAdmin's own settings. */
function configured(port: number, issuer: string): string {
  const folder = temporaryFolder();
  const data = join(folder, "data");
  mkdirSync(data);
  const settings = {
    SERVER_MODE: true,
    DATA_DIR: data,
    DEFAULT_SERVER: "127.0.0.1",
    DEFAULT_SERVER_PORT: port,
    UPGRADE_CHECK_ENABLED: false,
    AUTHENTICATION_SOURCES: ["oauth2"],
    OAUTH2_CONFIG: [
      {
        OAUTH2_NAME: "postern",
        OAUTH2_DISPLAY_NAME: "Postern",
        OAUTH2_CLIENT_ID: client_id,
        OAUTH2_CLIENT_SECRET: secret,
        OAUTH2_SERVER_METADATA_URL: `${issuer}/.well-known/openid-configuration`,
        OAUTH2_SCOPE: "openid profile email organization groups",
        OAUTH2_CHALLENGE_METHOD: "S256",
        OAUTH2_RESPONSE_TYPE: "code",
        OAUTH2_ADDITIONAL_CLAIMS: { groups: [group] },
      },
    ],
  };
  const literal = JSON.stringify(JSON.stringify(settings));
  writeFileSync(join(folder, "config_local.py"), `import json\nglobals().update(json.loads(${literal}))\n`);
  return folder;
}

export const pgAdmin: Program = {
  name: "pgadmin",
  needs: [hasPython],
  async run(context) {
    const python = await pythonWithPackages(requirementsOf("pgadmin"));
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const served = await posternFor(context, {
      client_id,
      kind: "website",
      secrets: [secret],
      redirect_uris: [`${origin}/oauth2/authorize`],
      ...withGroups,
    });
    const leaveGroup = await groupedAt(served);
    const environment = {
      PYTHONPATH: configured(port, served.url),
      PGADMIN_SETUP_EMAIL: "setup@example.com",
      PGADMIN_SETUP_PASSWORD: secret,
    };
    const where = "import pgadmin4; print(pgadmin4.__path__[0])";
    const { stdout } = await promisify(execFile)(python, ["-c", where]);
    const program = join(stdout.trim(), "pgAdmin4.py");
    await startedProgram(context, python, [program], {
      cwd: dirname(program),
      environment,
      url: `${origin}/misc/ping`,
    });

    const start = `${origin}/authenticate/login`;
    const button = { oauth2_button: "postern" };
    const { browser, page } = await signedInAt(start, person, button);
    assert.equal(page.location, `${origin}/browser/`);
    assert.equal((await browser.get(`${origin}/browser/`)).status, 200);

    const isRefused = async (who: Person) => {
      const { browser: other } = await signedInAt(start, who, button);
      const { url, body } = await other.follow(await other.get(`${origin}/browser/`));
      return new URL(url).pathname === "/login" && body.includes("The user is not authorized to login");
    };
    assert.ok(await isRefused(member), "a member without the group was let in");
    await leaveGroup();
    await until(() => isRefused(person), "a former member of the group is refused");
  },
};
