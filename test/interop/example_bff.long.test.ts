/**
 * The sample with a backend for frontend: what the page receives, and what other sites can do (RFC 10017).
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { person } from "../../examples/all_examples.ts";
import { startPostern } from "../../src/kit/kit.ts";
import { browser } from "../support/browser.ts";
import { freePort } from "../support/free_port.ts";
import { runningExample } from "./example_sign_in.ts";

const csrf = { "x-csrf": "1" };

describe("examples/bff", () => {
  test("a browser page signs in and out with only a cookie, and never gets a token", async () => {
    const sample = await runningExample("bff");
    after(() => sample.stop());
    const page = await (await (await browser()).newContext()).newPage();
    await page.goto(sample.address);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText(`Signed in as ${person.name}`).waitFor();
    await page.getByRole("button", { name: "Load my profile" }).click();
    await page.getByText(person.email).waitFor();
    assert.equal(await page.evaluate("document.cookie"), "");
    assert.deepEqual(await page.evaluate("[localStorage.length, sessionStorage.length]"), [0, 0]);

    const cookies = await page.context().cookies(sample.address);
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    const asked = async (method: string, path: string, headers: Record<string, string>) =>
      (await fetch(sample.address + path, { method, headers: { cookie, ...headers } })).status;
    for (const path of ["/", "/main.js", "/bff/user", "/bff/profile"]) {
      const answer = await fetch(sample.address + path, { headers: { cookie, ...csrf } });
      assert.equal(answer.status, 200, path);
      const received = JSON.stringify([[...answer.headers], await answer.text()]);
      assert.doesNotMatch(received, /eyJ|access_token|refresh_token/, path);
    }
    for (const [method, path] of [
      ["GET", "/bff/user"],
      ["GET", "/bff/profile"],
      ["POST", "/bff/logout"],
    ] as const) {
      assert.equal(await asked(method, path, {}), 403, "a form of another site has no header");
      assert.equal(await asked(method, path, { ...csrf, "sec-fetch-site": "same-site" }), 403);
    }
    const preflight = await fetch(`${sample.address}/bff/user`, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-headers": "x-csrf" },
    });
    assert.equal(preflight.headers.get("access-control-allow-origin"), null);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    assert.equal(await asked("GET", "/bff/user", csrf), 401, "the old cookie is worthless");
    await page.context().close();
  });

  test("parallel requests refresh an expired token once, and a revoked token ends the session", async () => {
    await using postern = await startPostern();
    const port = await freePort();
    const address = `http://localhost:${port}`;
    const redirect_uri = `${address}/bff/callback`;
    const user = await postern.user({ name: "Ada" });
    const { client_id, client_secret = "" } = await postern.app({
      kind: "website",
      redirect_uris: [redirect_uri],
    });
    const server = fileURLToPath(new URL("../../examples/bff/server.js", import.meta.url));
    const child = spawn(process.execPath, [server], {
      env: {
        OAUTH_ISSUER: postern.url,
        OAUTH_CLIENT_ID: client_id,
        OAUTH_CLIENT_SECRET: client_secret,
        OAUTH_REDIRECT_URI: redirect_uri,
        OAUTH_SCOPE: "openid profile email",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    after(() => child.kill());
    await once(child.stdout, "data");
    let cookie = "";
    const get = async (path: string) => {
      const answer = await fetch(address + path, { headers: { cookie, ...csrf }, redirect: "manual" });
      const [set] = answer.headers.getSetCookie();
      if (set !== undefined) cookie = set.split(";")[0] ?? "";
      return answer;
    };
    const begun = await get("/bff/login");
    const back = new URL(await postern.follow(begun.headers.get("location") ?? "", user));
    assert.equal((await get(back.pathname + back.search)).headers.get("location"), "/");
    await postern.advance(1000);
    await postern.forget();
    const answers = await Promise.all([get("/bff/profile"), get("/bff/profile"), get("/bff/profile")]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    const refreshes = await postern.requests("token");
    assert.deepEqual(
      refreshes.map(({ parameters }) => parameters.grant_type),
      ["refresh_token"],
    );
    await postern.advance(1000);
    await postern.fail("token", "revoked");
    assert.equal((await get("/bff/profile")).status, 401);
    assert.equal((await get("/bff/user")).status, 401);
  });
});
