/**
 * Synapse with the documented mapping template: users with a role are admitted under their own names, and a
 * user's session at Synapse ends when the session at Postern ends.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bearer, call, expectStatus } from "../../../test/interop/management.ts";
import type { Person } from "../../../test/support/form_browser.ts";
import { freePort } from "../../../test/support/free_port.ts";
import { commandsOn } from "../../../test/support/process.ts";
import { temporaryFolder } from "../../../test/support/temp.ts";
import { until } from "../../../test/support/until.ts";
import { pythonWithPackages, requirementsOf } from "../python/python_environment.ts";
import { hasPython, type Program } from "./program.ts";
import {
  demotedAt,
  member,
  person,
  posternFor,
  secret,
  signedInAt,
  startedProgram,
  withRoles,
} from "./scenario.ts";

const client_id = "synapse";
/** The address where a Matrix client would receive its login token. Nothing listens there. */
const matrixClient = "http://127.0.0.1:9/";

/** Returns the configuration of a homeserver. Its format is YAML, of which JSON is a subset. */
function configured(port: number, issuer: string, folder: string): object {
  return {
    server_name: "acme.example",
    public_baseurl: `http://127.0.0.1:${port}/`,
    pid_file: join(folder, "homeserver.pid"),
    listeners: [
      { port, bind_addresses: ["127.0.0.1"], type: "http", tls: false, resources: [{ names: ["client"] }] },
    ],
    database: { name: "sqlite3", args: { database: join(folder, "homeserver.db") } },
    media_store_path: join(folder, "media"),
    signing_key: `ed25519 test ${randomBytes(32).toString("base64").replace("=", "")}`,
    macaroon_secret_key: randomBytes(32).toString("hex"),
    report_stats: false,
    trusted_key_servers: [],
    sso: { client_whitelist: [matrixClient] },
    oidc_providers: [
      {
        idp_id: "postern",
        idp_name: "Postern",
        issuer,
        // The issuer of a test does not use https.
        skip_verification: true,
        client_id,
        client_secret: secret,
        backchannel_logout_enabled: true,
        scopes: ["openid", "profile", "email", "organization", "roles"],
        user_mapping_provider: {
          config: {
            localpart_template: "{{ user.preferred_username }}",
            display_name_template: "{{ user.name }}",
            email_template: "{{ user.email }}",
          },
        },
        attribute_requirements: [{ attribute: "roles", value: "admin" }],
      },
    ],
  };
}

export const synapse: Program = {
  name: "synapse",
  needs: [hasPython],
  async run(context) {
    const python = await pythonWithPackages(requirementsOf("synapse"));
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const app = {
      client_id,
      kind: "website",
      secrets: [secret],
      redirect_uris: [`${origin}/_synapse/client/oidc/callback`],
      ...withRoles,
      claims: { ...withRoles.claims, preferred_username: ["id_token", "userinfo"] },
      backchannel_logout_uri: `${origin}/_synapse/client/oidc/backchannel_logout`,
      backchannel_logout_internal: true,
    };
    const environment = { POSTERN_EXTRA_FEATURES: "logout_notices", POSTERN_OUTBOUND_ALLOW: "127.0.0.1" };
    const served = await posternFor(context, app, environment);
    const folder = temporaryFolder();
    const configuration = join(folder, "homeserver.yaml");
    writeFileSync(configuration, JSON.stringify(configured(port, served.url, folder)));
    const args = ["-m", "synapse.app.homeserver", "--config-path", configuration];
    await startedProgram(context, python, args, { cwd: folder, url: `${origin}/health` });

    const client = `${origin}/_matrix/client/v3`;
    const start = `${client}/login/sso/redirect/oidc-postern?redirectUrl=${encodeURIComponent(matrixClient)}`;
    const { page } = await signedInAt(start, person);
    const token = new URL(page.location ?? assert.fail(page.body)).searchParams.get("loginToken");
    const login = await call(client, "POST", `${client}/login`, { body: { type: "m.login.token", token } });
    const { access_token, user_id } = expectStatus(login, 200).json;
    assert.equal(user_id, "@ada:acme.example");
    const proof = bearer(String(access_token));
    const room = await call(client, "POST", `${client}/createRoom`, { proof, body: { name: "Operations" } });
    assert.match(String(expectStatus(room, 200).json.room_id), /^!/);
    const profile = await call(client, "GET", `${client}/profile/${user_id}`, { proof });
    assert.equal(expectStatus(profile, 200).json.displayname, person.name);

    const isRefused = async (who: Person) => {
      const { page: answer } = await signedInAt(start, who);
      return answer.location === undefined && answer.body.includes("You are not allowed to log in here");
    };
    assert.ok(await isRefused(member), "a member without the role was let in");
    await demotedAt(served);
    await until(() => isRefused(person), "a former administrator is refused");

    const whoami = () => call(client, "GET", `${client}/account/whoami`, { proof });
    expectStatus(await whoami(), 200);
    await (await commandsOn(served)).json(["user", "sign-out", person.email]);
    await until(async () => (await whoami()).json.errcode === "M_UNKNOWN_TOKEN", "Synapse signs them out");
  },
};
