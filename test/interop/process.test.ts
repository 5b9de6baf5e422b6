import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { basic } from "../support/flows.ts";
import { inForm } from "../support/form.ts";
import { formBrowser, goThrough } from "../support/form_browser.ts";
import { postgresDatabase } from "../support/postgres.ts";
import {
  listeningLine,
  restarted,
  runPostern,
  type ServedProcess,
  servedProcess,
} from "../support/process.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";
import { halfSent } from "./half_sent.ts";
import { ada, machine, manifest, redirect_uri, web } from "./registrations.ts";

type Json = Record<string, unknown>;

const admin = { email: "root@example.com", password: "an administrator's own words" };

async function post(
  url: string,
  form: Record<string, string>,
  { client_id, secret }: { client_id: string; secret: string } = web,
): Promise<{ status: number; json: Json }> {
  const headers = { authorization: basic(client_id, secret) };
  const response = await fetch(url, { method: "POST", headers, body: new URLSearchParams(form) });
  return { status: response.status, json: (await response.json()) as Json };
}

async function kidsOf({ url }: Pick<ServedProcess, "url">): Promise<string[]> {
  const response = await fetch(`${url}/.well-known/jwks.json`);
  const { keys } = (await response.json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

function authorizeUrl({ url }: Pick<ServedProcess, "url">, input: Record<string, string> = {}): string {
  const { client_id } = web;
  const query = { response_type: "code", client_id, redirect_uri, scope: "openid", state: "s", ...input };
  return `${url}/oauth/authorize?${new URLSearchParams(query)}`;
}

const codeForm = (callback: URL) => ({
  grant_type: "authorization_code",
  code: callback.searchParams.get("code") ?? "",
  redirect_uri,
});

async function machineToken({ url }: Pick<ServedProcess, "url">): Promise<string> {
  const form = { grant_type: "client_credentials", scope: "orders:read" };
  const { status, json } = await post(`${url}/oauth/token`, form, machine);
  assert.equal(status, 200, JSON.stringify(json));
  return String(json.access_token);
}

const refusesConnections = ({ port }: ServedProcess) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(false)).on("error", () => resolve(true));
    socket.on("connect", () => socket.destroy());
  });

describe("a server started in an empty folder", () => {
  let served: ServedProcess;

  before(async () => {
    const { email: POSTERN_ADMIN_EMAIL, password: POSTERN_ADMIN_PASSWORD } = admin;
    const environment = { POSTERN_ADMIN_EMAIL, POSTERN_ADMIN_PASSWORD };
    const metrics = { POSTERN_METRICS_PORT: "0", POSTERN_METRICS_HOST: "127.0.0.2" };
    served = await servedProcess({
      environment: { ...environment, ...metrics },
      manifest,
      empty: true,
      restarts: true,
    });
  });

  test("prints one line of JSON with its address, on a free port that it selected", async () => {
    const line = listeningLine(served.out());
    assert.deepEqual([line?.level, line?.url, line?.pid], ["info", served.url, served.pid]);
    assert.ok(served.port > 0);
  });

  test("is ready as soon as it prints its address", async () => {
    const response = await fetch(`${served.url}/readyz`);
    assert.deepEqual(
      [response.status, await response.json()],
      [
        200,
        {
          status: "ready",
          components: { database: "ok", notices: "ok", migrations: "ok", signing_key: "ok" },
        },
      ],
    );
  });

  test("stores its data in a folder (0700) and files (0600) that no other user can read", () => {
    const data = join(served.folder, "data");
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    assert.equal(modeOf(data), "700");
    const files = readdirSync(data);
    assert.ok(files.includes("secret.key") && files.includes("postern.db"), String(files));
    for (const file of files) assert.equal(modeOf(join(data, file)), "600", file);
  });

  test("creates the administrator named by the settings, who can sign in, and prints no set-up link", async () => {
    const browser = formBrowser();
    const login = await browser.follow(await browser.get(`${served.url}/`));
    const home = await browser.follow(await browser.submit(login, admin));
    assert.match(home.body, /Platform administrator/);
    assert.doesNotMatch(served.err(), /setup/);
  });

  test("serves Prometheus only on the metrics port", async () => {
    const { metrics_port } = listeningLine(served.out()) ?? {};
    const response = await fetch(`http://127.0.0.2:${metrics_port}/metrics`);
    assert.equal(response.status, 200);
    assert.match(
      await response.text(),
      /^postern_http_request_duration_seconds_count\{.*route="\/readyz".*\} 1$/m,
    );
    assert.equal((await fetch(`${served.url}/metrics`)).status, 404);
  });

  test("exits with 1 and reports that its port is taken if another server uses it", async () => {
    const { code, err } = await runPostern(["serve"], { environment: { POSTERN_PORT: String(served.port) } });
    assert.equal(code, 1);
    assert.match(err, new RegExp(`port ${served.port}\\b.*\\btaken`));
    assert.doesNotMatch(err, /\n\s+at /);
  });

  test("D-3: a restart keeps keys, sessions, consents and refresh tokens", async () => {
    const browser = formBrowser();
    const first = await goThrough(browser, authorizeUrl(served), ada);
    const { json } = await post(`${served.url}/oauth/token`, codeForm(first));
    const kids = await kidsOf(served);
    const { code } = await served.stop();
    assert.equal(code, 0);

    served = await restarted(served);
    assert.deepEqual(await kidsOf(served), kids);
    const silently = await browser.get(authorizeUrl(served, { prompt: "none" }));
    assert.ok(new URL(silently.location ?? "").searchParams.get("code"));
    const form = { grant_type: "refresh_token", refresh_token: String(json.refresh_token) };
    assert.equal((await post(`${served.url}/oauth/token`, form)).status, 200);
  });

  test("on SIGTERM completes running requests, accepts no new ones, and exits with 0", async () => {
    const running = await halfSent(served);
    const stopped = served.stop("SIGTERM");
    await until(() => refusesConnections(served), "connections are refused");
    running.finish();
    assert.equal(await running.answer, 200);
    assert.equal((await stopped).code, 0);
    served = await restarted(served);
  });

  test("on SIGINT stops in the same way", async () => {
    const running = await halfSent(served);
    const stopped = served.stop("SIGINT");
    await until(() => refusesConnections(served), "connections are refused");
    running.finish();
    assert.equal(await running.answer, 200);
    assert.equal((await stopped).code, 0);
  });

  test("design 6.21: does not start with another secret key, or without it, and creates no new one", async () => {
    const { folder, environment } = served;
    const other = { ...environment, POSTERN_SECRET_KEY: randomBytes(32).toString("hex") };
    const changed = await runPostern(["serve"], { folder, environment: other });
    assert.equal(changed.code, 1);
    assert.match(changed.err, /the signing keys cannot be decrypted with POSTERN_SECRET_KEY/);

    const key = join(folder, "data", "secret.key");
    const kept = await runPostern(["keys", "list", "--json"], { folder, environment });
    rmSync(key);
    const missing = await runPostern(["serve"], { folder, environment });
    assert.equal(missing.code, 1);
    assert.match(
      missing.err,
      /secret\.key is missing, but the database contains values that are encrypted with it/,
    );
    assert.equal(existsSync(key), false);
    const again = await runPostern(["keys", "list", "--json"], { folder, environment: other });
    assert.equal(again.out, kept.out);
  });

  after(() => served.stop("SIGKILL"));
});

test("reports all wrong settings together, quotes no secret, and exits with 1", async () => {
  const environment = {
    POSTERN_PORT: "70000",
    POSTERN_BASE_URL: "http://id.example/",
    POSTERN_SECRET_KEY: "too-short-to-keep",
    POSTERN_LOG_LEVEL: "loud",
    POSTERN_PROT: "3000",
  };
  const { code, out, err } = await runPostern(["serve"], { environment });
  assert.equal(code, 1);
  for (const name of Object.keys(environment)) assert.match(err, new RegExp(`^ +${name}: `, "m"));
  assert.doesNotMatch(err + out, /too-short-to-keep/);
});

test("keeps every acknowledged token after kill -9", async () => {
  let served = await servedProcess({ manifest, restarts: true });
  const answered: string[] = [];
  let stopping = false;
  const asking = Array.from({ length: 8 }, async () => {
    while (!stopping) {
      try {
        answered.push(await machineToken(served));
      } catch (error) {
        if (!stopping) throw error;
      }
    }
  });
  await until(() => answered.length >= 100, "100 tokens");
  stopping = true;
  await served.stop("SIGKILL");
  await Promise.all(asking);
  served = await restarted(served);
  for (const token of answered) {
    const { json } = await post(`${served.url}/oauth/introspect`, { token }, machine);
    assert.equal(json.active, true);
  }
  await served.stop();
});

describe("two processes that start at the same time on an empty database create one signing key", () => {
  async function startTwo(environment: Record<string, string>): Promise<void> {
    const folder = temporaryFolder();
    const both = await Promise.all([
      servedProcess({ folder, environment, empty: true }),
      servedProcess({ folder, environment, empty: true }),
    ]);
    const [one, other] = await Promise.all(both.map(kidsOf));
    assert.equal(one?.length, 1);
    assert.deepEqual(one, other);
    await Promise.all(both.map((served) => served.stop()));
  }

  test("on an SQLite database", () => startTwo({}));

  test("on a PostgreSQL database", { skip: inForm<string | false>("in the long form", false) }, async (t) => {
    const database = await postgresDatabase();
    t.after(database.drop);
    const POSTERN_SECRET_KEY = randomBytes(32).toString("base64");
    await startTwo({ POSTERN_DATABASE_URL: database.url, POSTERN_SECRET_KEY });
  });
});
