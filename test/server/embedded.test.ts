import assert from "node:assert/strict";
import { once } from "node:events";
import { renameSync, writeFileSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { describe, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fastify, { type FastifyInstance } from "fastify";
import { ConfigError, createPostern, type PosternSettings } from "../../src/server/embedded.ts";
import { column } from "../support/lists.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";

const settings = (): PosternSettings => ({
  port: 0,
  database_url: `sqlite:${join(temporaryFolder(), "postern.db")}`,
});

describe("createPostern in another program", () => {
  test("takes its settings as an object, answers requests, and reports its set-up link", async () => {
    const lines: string[] = [];
    const postern = await createPostern(
      { ...settings(), extra_sign_in: ["passkey", "totp"], throttle: false },
      { log: (line) => lines.push(line) },
    );
    try {
      const answer = await fetch(`${postern.url}/.well-known/openid-configuration`);
      const { issuer } = (await answer.json()) as { issuer: string };
      assert.equal(issuer, postern.url);
      assert.match(postern.setup_link ?? "", /\/setup\?token=/);
      const { status } = await fetch(`${postern.url}/login`);
      assert.equal(status, 200);
    } finally {
      await postern.close();
    }
    for (const line of lines) assert.doesNotThrow(() => JSON.parse(line), line);
    await assert.rejects(fetch(`${postern.url}/healthz`));
  });

  test("runs two servers in parallel, each with its own clock", async () => {
    const at = new Date("2030-01-01T00:00:00Z");
    const made = await Promise.all([createPostern(settings()), createPostern(settings(), { now: () => at })]);
    const [one, other] = made;
    assert.notEqual(one.url, other.url);
    for (const { url } of made) assert.equal((await fetch(`${url}/readyz`)).status, 200);
    await Promise.all(made.map((each) => each.close()));
  });

  test("runs three servers in parallel, each with its operator's texts", async () => {
    const files = [
      { "de.json": { messages: { login: { title: "Willkommen" } } } },
      {
        "de.json": { messages: { login: { title: "Moin" } } },
        "it.json": { language: { name: "italiano" } },
      },
      {},
    ];
    const made = await Promise.all(
      files.map((each) => {
        const words_dir = temporaryFolder();
        for (const [file, content] of Object.entries(each))
          writeFileSync(join(words_dir, file), JSON.stringify(content));
        return createPostern({ ...settings(), words_dir });
      }),
    );
    const said = await Promise.all(
      made.map(async ({ url }) => {
        const page = await fetch(`${url}/login`, { headers: { "accept-language": "de" } });
        const document = await fetch(`${url}/.well-known/openid-configuration`);
        const { ui_locales_supported } = (await document.json()) as { ui_locales_supported: string[] };
        const [, title] = /<h1>([^<]+)<\/h1>/.exec(await page.text()) ?? [];
        return [title, ui_locales_supported.includes("it")];
      }),
    );
    await Promise.all(made.map((each) => each.close()));
    assert.deepEqual(said, [
      ["Willkommen", false],
      ["Moin", true],
      ["Anmelden", false],
    ]);
  });

  test("F-30: leaves nothing behind in the process when it is closed while its database is missing", async () => {
    const path = join(temporaryFolder(), "postern.db");
    const lines: string[] = [];
    const postern = await createPostern(
      { port: 0, database_url: `sqlite:${path}` },
      { log: (line) => lines.push(line) },
    );
    renameSync(path, `${path}.away`);
    // Causes a refusal that is still to be written.
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id: "nobody" });
    await fetch(`${postern.url}/oauth/token`, { method: "POST", body });
    await postern.close();
    assert.match(lines.join(""), /are lost at this shutdown/);
  });

  test("leaves nothing in memory of a server that is closed", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    async function startedAndClosed(): Promise<WeakRef<(line: string) => void>> {
      const log = () => {};
      const postern = await createPostern(settings(), { log });
      await (await fetch(`${postern.url}/login`)).text();
      await postern.close();
      return new WeakRef(log);
    }
    const held = await startedAndClosed();
    await until(() => {
      collect();
      return held.deref() === undefined;
    }, "the server's log is collected");
  });

  test("reports every wrong setting, and reads no environment variable", async () => {
    process.env.POSTERN_PORT = "nonsense";
    try {
      const wrong = { ...settings(), port: 70_000, log_level: "loud" } as unknown as PosternSettings;
      await assert.rejects(createPostern(wrong), (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        assert.deepEqual(error.errors.map(({ name }) => name).toSorted(), [
          "POSTERN_LOG_LEVEL",
          "POSTERN_PORT",
        ]);
        return true;
      });
      const unknown = { ...settings(), prot: 1 } as PosternSettings;
      await assert.rejects(createPostern(unknown), /POSTERN_PROT/);
      await assert.rejects(createPostern({ ...settings(), workers: 2 }), /WORKERS/);
    } finally {
      delete process.env.POSTERN_PORT;
    }
  });
});

describe("createPostern within another program's Fastify app", () => {
  const issuer = "http://localhost:8080";

  /** Creates an app with two routes and a log, before Postern is added to it. */
  function hostApp(lines: string[] = []): FastifyInstance {
    const app = fastify({
      logger: { level: "debug", stream: { write: (line: string) => lines.push(line) } },
    });
    app.get("/", async () => "home");
    app.post("/orders", async ({ body }) => body);
    return app;
  }

  const inApp = (): PosternSettings => ({
    database_url: settings().database_url,
    base_url: issuer,
    metrics_port: 0,
  });

  test("answers at its paths on the app's port, and the app at all others", async () => {
    const lines: string[] = [];
    const app = hostApp(lines);
    const postern = await createPostern(inApp(), { fastify: app });
    const url = await app.listen({ port: 0 });
    assert.equal(postern.url, issuer);
    const configuration = await fetch(`${url}/.well-known/openid-configuration`);
    assert.equal(((await configuration.json()) as { issuer: string }).issuer, issuer);
    const setup = await fetch(url + (postern.setup_link ?? "").slice(issuer.length));
    assert.match(await setup.text(), /<form/);
    // Postern reads the body itself, and answers unsupported methods itself.
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id: "nobody" });
    const token = await fetch(`${url}/oauth/token`, { method: "POST", body });
    assert.deepEqual(
      [token.status, ((await token.json()) as { error: string }).error],
      [401, "invalid_client"],
    );
    const wrong = await fetch(`${url}/oauth/token`, { method: "DELETE" });
    assert.deepEqual([wrong.status, wrong.headers.get("allow")], [405, "POST, OPTIONS"]);
    const address = `${url}/console/apps/${"a".repeat(300)}`;
    const long = await fetch(address, { redirect: "manual" });
    assert.equal(long.status, 302);
    assert.match(long.headers.get("content-security-policy") ?? "", /default-src/);

    assert.equal(await (await fetch(url)).text(), "home");
    const json = { method: "POST", headers: { "content-type": "application/json" }, body: '{"n":1}' };
    assert.deepEqual(await (await fetch(`${url}/orders`, json)).json(), { n: 1 });
    const unknown = (await (await fetch(`${url}/nothing`)).json()) as { message: string };
    assert.match(unknown.message, /Route GET:\/nothing not found/);

    const metrics = await fetch(`http://127.0.0.1:${postern.metrics_port}/metrics`);
    assert.match(await metrics.text(), /postern_http_request_duration_seconds/);
    await app.close();
    await assert.rejects(fetch(`http://127.0.0.1:${postern.metrics_port}/metrics`));
    await postern.close();
    // Postern's lines are in the app's log, and none contains the address with the link.
    assert.ok(lines.some((line) => line.includes('"route":"/setup"')));
    assert.ok(lines.every((line) => !line.includes("/setup?")));
  });

  test("answers only on its host if one is set, at all paths except the app's", async () => {
    const app = hostApp();
    await createPostern(inApp(), { fastify: app, mount: "host" });
    const own = await app.inject({ url: "/", headers: { host: "localhost:8080" } });
    assert.match(String(own.headers["content-security-policy"]), /default-src/);
    const unknown = await app.inject({ url: "/nothing", headers: { host: "localhost:8080" } });
    assert.equal(unknown.json().error, "invalid_request");
    const other = await app.inject({ url: "/", headers: { host: "www.example.com" } });
    assert.equal(other.body, "home");
    const login = await app.inject({ url: "/login", headers: { host: "www.example.com" } });
    assert.equal(login.statusCode, 404);
    await app.close();
  });

  test("F-37: refuses new requests when it is closed, completes running ones, and leaves the app unchanged", async () => {
    const app = hostApp();
    const postern = await createPostern(inApp(), { fastify: app, mount: "host" });
    const address = new URL(await app.listen({ port: 0 }));
    const headers = { host: "localhost:8080", "content-type": "application/x-www-form-urlencoded" };
    const form = "grant_type=client_credentials&client_id=nobody";
    const ask = () =>
      request({ host: address.hostname, port: address.port, path: "/oauth/token", method: "POST", headers });
    const answered = async (asking: ClientRequest) => {
      const [answer] = (await once(asking, "response")) as [IncomingMessage];
      return { status: answer.statusCode, headers: answer.headers, body: await json(answer) };
    };

    const running = ask();
    running.setHeader("content-length", form.length);
    running.setHeader("expect", "100-continue");
    const answer = answered(running);
    running.flushHeaders();
    await once(running, "continue");
    let ended = false;
    const end = postern.close().then(() => {
      ended = true;
    });
    const late = await answered(ask().end(form));
    assert.deepEqual([late.status, late.headers["retry-after"]], [503, "5"]);
    assert.equal((late.body as { error: string }).error, "temporarily_unavailable");
    assert.equal(ended, false);
    running.end(form);
    assert.equal((await answer).status, 401);
    await end;
    assert.equal((await answered(ask().end(form))).status, 503);
    const home = await app.inject({ url: "/", headers: { host: "www.example.com" } });
    assert.equal(home.body, "home");
    await app.close();
  });

  test("refuses a path prefix, a route that exists already, and settings for its own port", async () => {
    const app = hostApp();
    app.get("/login", async () => "mine");
    await assert.rejects(createPostern(inApp(), { fastify: app }), /already declared for route '\/login'/);
    const inside = fastify();
    const below = inside.register(async (scope) => void (await createPostern(inApp(), { fastify: scope })), {
      prefix: "/auth",
    });
    await assert.rejects(async () => await below, /cannot run under a prefix \(\/auth\)/);
    const wrong = { ...inApp(), base_url: undefined, port: 3000, host: "::1", workers: 2 };
    await assert.rejects(createPostern(wrong, { fastify: fastify() }), (error: ConfigError) => {
      const names = ["POSTERN_WORKERS", "POSTERN_HOST", "POSTERN_PORT", "POSTERN_BASE_URL"];
      assert.deepEqual(column(error.errors, "name"), names);
      return true;
    });
  });
});
