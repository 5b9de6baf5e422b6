import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { basic } from "../support/flows.ts";
import { formBrowser, goThrough } from "../support/form_browser.ts";
import { isRunning } from "../support/is_running.ts";
import { applyTo, listeningLine, runPostern, type ServedProcess, servedProcess } from "../support/process.ts";
import { until } from "../support/until.ts";
import { halfSent } from "./half_sent.ts";
import { type Place, places } from "./management.ts";
import { ada, machine, manifest, redirect_uri, web } from "./registrations.ts";

type Json = Record<string, unknown>;

interface Confidential {
  readonly client_id: string;
  readonly secret: string;
}

interface Answer {
  readonly status: number;
  readonly json: Json;
}

/** Sends a request on a new connection: the workers take new connections in turn. */
function ask(url: string, form?: Record<string, string>, client: Confidential = machine): Promise<Answer> {
  const { client_id, secret } = client;
  const headers = {
    authorization: basic(client_id, secret),
    ...(form && { "content-type": "application/x-www-form-urlencoded" }),
  };
  const method = form === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers, agent: false }, async (response) => {
      let body = "";
      for await (const chunk of response.setEncoding("utf8")) body += chunk;
      resolve({ status: response.statusCode ?? 0, json: JSON.parse(body) });
    });
    sending.on("error", reject).end(form && new URLSearchParams(form).toString());
  });
}

/** Sends requests on enough successive connections for each of two workers to get several. */
async function requestAll(
  url: string,
  form?: Record<string, string>,
  client: Confidential = machine,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < 6) answers.push(await ask(url, form, client));
  return answers;
}

/**
 * Repeats `requestAll` until every response is as expected; a change may take `seconds` to reach every
 * process.
 */
async function requestUntilAll(
  seconds: number,
  isExpected: (answer: Answer) => boolean,
  ...question: Parameters<typeof requestAll>
): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const begun = Date.now();
    const answers = await requestAll(...question);
    if (answers.every(isExpected)) return;
    if (begun > deadline) assert.fail(`after ${seconds} s still ${JSON.stringify(answers)}`);
    await wait(50);
  }
}

const credentials = { grant_type: "client_credentials", scope: "orders:read" };

for (const place of places) {
  describe(`two workers on ${place.name}`, () => {
    let served: ServedProcess;
    let database: Awaited<ReturnType<Place["open"]>>;

    before(async () => {
      database = await place.open();
      const workers = { POSTERN_WORKERS: "2", POSTERN_LOG_LEVEL: "debug", POSTERN_METRICS_PORT: "0" };
      served = await servedProcess({ manifest, environment: { ...database.environment, ...workers } });
    });
    after(async () => {
      await served.stop("SIGKILL");
      await database.drop();
    });

    test("share one port, and their metrics are summed", async () => {
      const { workers, metrics_port } = listeningLine(served.out()) ?? {};
      assert.equal(workers, 2);
      for (const { status } of await requestAll(`${served.url}/readyz`)) assert.equal(status, 200);
      const answering = served.out().matchAll(/"pid":(\d+).*"route":"\/readyz"/g);
      const pids = new Set([...answering].map(([, pid]) => Number(pid)));
      assert.equal(pids.size, 2);
      assert.ok(!pids.has(served.pid));
      const metrics = await (await fetch(`http://127.0.0.1:${metrics_port}/metrics`)).text();
      assert.match(metrics, /^postern_http_request_duration_seconds_count\{.*route="\/readyz".*\} 6$/m);
    });

    test("serve one flow together: page, form, code, refresh and revocation, each on a new connection", async () => {
      const query = {
        response_type: "code",
        client_id: web.client_id,
        redirect_uri,
        scope: "openid",
        state: "s",
      };
      const url = `${served.url}/oauth/authorize?${new URLSearchParams(query)}`;
      const callback = await goThrough(formBrowser(), url, ada);
      const form = {
        grant_type: "authorization_code",
        code: callback.searchParams.get("code") ?? "",
        redirect_uri,
      };
      const { status, json } = await ask(`${served.url}/oauth/token`, form, web);
      assert.equal(status, 200, JSON.stringify(json));
      let refresh_token = String(json.refresh_token);
      for (let generation = 0; generation < 4; generation++) {
        const refresh = { grant_type: "refresh_token", refresh_token };
        const answer = await ask(`${served.url}/oauth/token`, refresh, web);
        assert.equal(answer.status, 200);
        refresh_token = String(answer.json.refresh_token);
      }
      await ask(`${served.url}/oauth/revoke`, { token: refresh_token }, web);
      for (const { json } of await requestAll(
        `${served.url}/oauth/introspect`,
        { token: refresh_token },
        web,
      )) {
        assert.deepEqual(json, { active: false });
      }
    });

    test("I-8: a revoked token is inactive at each worker at once", async () => {
      const { json } = await ask(`${served.url}/oauth/token`, credentials);
      const token = String(json.access_token);
      for (const each of await requestAll(`${served.url}/oauth/introspect`, { token })) {
        assert.equal(each.json.active, true);
      }
      await ask(`${served.url}/oauth/revoke`, { token });
      for (const each of await requestAll(`${served.url}/oauth/introspect`, { token })) {
        assert.deepEqual(each.json, { active: false });
      }
    });

    test("D-4: all workers publish a new key after `postern keys rotate`, without a restart", async () => {
      const jwks = `${served.url}/.well-known/jwks.json`;
      const kids = ({ json }: Answer) => new Set((json.keys as { kid: string }[]).map(({ kid }) => kid));
      const [first] = await requestAll(jwks);
      assert.ok(first);
      const { environment, folder } = served;
      const { code, out } = await runPostern(["keys", "rotate", "--json"], { folder, environment });
      assert.equal(code, 0);
      const { kid } = JSON.parse(out) as { kid: string };
      await requestUntilAll(1, (answer) => kids(answer).has(kid), jwks);
      for (const answer of await requestAll(jwks)) assert.deepEqual(kids(answer), kids(first).add(kid));
    });

    test("C-12: a client deactivated by another process is refused by each worker within a second", async () => {
      const url = `${served.url}/oauth/token`;
      for (const { status } of await requestAll(url, credentials)) assert.equal(status, 200);
      const apps = manifest.apps.map((app) =>
        app.client_id === machine.client_id ? { ...app, active: false } : app,
      );
      await applyTo(served.folder, { ...manifest, apps }, served.environment);
      await requestUntilAll(1, ({ status }) => status === 401, url, credentials);
    });

    test("are replaced when they end", async () => {
      const pid = Number(/"pid":(\d+).*"route":"\/readyz"/.exec(served.out())?.[1]);
      process.kill(pid, "SIGKILL");
      await until(() => served.out().includes("another one is started"), "the death is noticed");
      for (const { status } of await requestAll(`${served.url}/readyz`)) assert.equal(status, 200);
    });

    test("end with the primary process: on a signal, running requests finish and the exit code is 0", async () => {
      // As with Ctrl-C in a terminal, or the stop of a service manager, each process gets the signal.
      const pids = new Set([...served.out().matchAll(/"pid":(\d+)/g)].map(([, pid]) => Number(pid)));
      pids.delete(served.pid);
      const running = [await halfSent(served), await halfSent(served)];
      for (const pid of pids) if (isRunning(pid)) process.kill(pid, "SIGINT");
      const stopped = served.stop("SIGINT");
      await wait(300);
      for (const { finish } of running) finish();
      assert.deepEqual(
        await Promise.all(running.map(({ answer }) => answer)),
        [401, 401],
        "the machine is switched off",
      );
      assert.equal((await stopped).code, 0);
      await assert.rejects(fetch(`${served.url}/healthz`));
    });
  });
}

test("F-20: workers end with their primary process, even if one of them hangs", async () => {
  const served = await servedProcess({
    manifest,
    environment: { POSTERN_WORKERS: "2", POSTERN_LOG_LEVEL: "debug" },
  });
  await ask(`${served.url}/readyz`);
  const answered = /"pid":(\d+).*"route":"\/readyz"/;
  await until(() => answered.test(served.out()), "the log says who answered");
  const still = Number(answered.exec(served.out())?.[1]);
  process.kill(still, "SIGSTOP");
  try {
    const stopped = served.stop("SIGTERM");
    // Signals within one second count as one.
    await until(() => {
      if (isRunning(served.pid)) process.kill(served.pid, "SIGTERM");
      return !isRunning(still);
    }, "the worker that stands still ends");
    assert.equal((await stopped).code, 1);
  } finally {
    if (isRunning(still)) process.kill(still, "SIGKILL");
  }
});

test("F-4: a worker that loses its primary process while it starts exits silently", async () => {
  const preload = new URL("orphaned_worker.ts", import.meta.url).href;
  const environment = { POSTERN_WORKERS: "2", NODE_OPTIONS: `--import=${preload}` };
  const { code, out, err } = await runPostern(["serve"], { environment });
  assert.deepEqual([code, out, err], [null, "", ""]);
});
