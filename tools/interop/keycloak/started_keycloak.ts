/** Runs Keycloak from Maven Central. Maven and a JDK must be on the PATH. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../../test/support/free_port.ts";
import { temporaryFolder } from "../../../test/support/temp.ts";
import { until } from "../../../test/support/until.ts";

const run = promisify(execFile);
const version = "26.7.3";
const administrator = { username: "admin", password: "an administrator of a test" };

export interface Keycloak {
  readonly url: string;
  /**
   * Sends a request to the admin API below `/admin/realms`. Returns the ID of a created object, or the
   * text of the response.
   */
  call(method: "GET" | "POST" | "PUT", path: string, body?: unknown): Promise<string>;
  stop(): Promise<void>;
  /** Returns the export file of a realm. Keycloak must be stopped before. */
  exported(realm: string): Promise<string>;
}

/** Starts an empty Keycloak in development mode. */
export async function startedKeycloak(): Promise<Keycloak> {
  const folder = temporaryFolder();
  const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`;
  const unpack = ["dependency:unpack", `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`];
  await run("mvn", ["-q", "-B", ...unpack], { cwd: folder });
  const { PATH, HOME } = process.env;
  const env = {
    ...{ PATH, HOME, JAVA_OPTS_KC_HEAP: "-Xms64m -Xmx700m" },
    KC_BOOTSTRAP_ADMIN_USERNAME: administrator.username,
    KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
  };
  const program = join(folder, `keycloak-${version}`, "bin", "kc.sh");
  const port = String(await freePort());
  const args = [program, "start-dev", "--http-host=127.0.0.1", `--http-port=${port}`];
  // In a separate process group, because the script starts the server as a child process.
  const child = spawn("sh", args, { env, stdio: ["ignore", "ignore", "inherit"], detached: true });
  const closed = once(child, "close");
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    await closed;
  };
  const url = `http://127.0.0.1:${port}`;
  let token: string;
  try {
    await until(
      async () => {
        assert.equal(child.exitCode, null, "Keycloak ended");
        return (await fetch(`${url}/realms/master`).catch(() => undefined))?.ok === true;
      },
      "Keycloak answers",
      { seconds: 300 },
    );
    token = await tokenOf(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    stop,
    async call(method, path, body) {
      const answer = await fetch(`${url}/admin/realms${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return answer.headers.get("location")?.split("/").at(-1) ?? (await answer.text());
    },
    async exported(realm) {
      const users = ["--users", "realm_file"];
      await run("sh", [program, "export", "--dir", folder, "--realm", realm, ...users], { env });
      return join(folder, `${realm}-realm.json`);
    },
  };
}

async function tokenOf(url: string): Promise<string> {
  const form = { client_id: "admin-cli", grant_type: "password", ...administrator };
  const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  if (!answer.ok) throw new Error(`Keycloak answered ${answer.status}`);
  return ((await answer.json()) as { access_token: string }).access_token;
}
