import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { inForm } from "../support/form.ts";
import { type FormBrowser, formBrowser } from "../support/form_browser.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { until } from "../support/until.ts";
import { readHtml } from "../web/read_html.ts";

const admin = { email: "root@example.com", password: "a password for a trial of figures" };
const environment = { POSTERN_ADMIN_EMAIL: admin.email, POSTERN_ADMIN_PASSWORD: admin.password };
const machine = { client_id: "worker", secret: "a secret of the worker" };
const manifest = {
  users: [{ email: "ada@example.com", name: "Ada", password: "another password for a trial" }],
  apps: [
    {
      client_id: machine.client_id,
      name: "Worker",
      app_type: "machine",
      owner: "ada@example.com",
      allowed_scopes: ["orders:read"],
      allowed_grants: ["client_credentials"],
      secrets: [machine.secret],
    },
  ],
};

async function signedIn({ url }: ServedProcess): Promise<FormBrowser> {
  const browser = formBrowser();
  const answer = await browser.submit(await browser.get(`${url}/login`), admin);
  assert.equal(answer.status, 302, answer.body);
  return browser;
}

async function textAt(browser: FormBrowser, url: string): Promise<string> {
  const { status, body } = await browser.get(url);
  assert.equal(status, 200, body);
  return readHtml(body).text.replace(/\s+/g, " ");
}

async function aToken({ url }: ServedProcess): Promise<number> {
  const basic = Buffer.from(`${machine.client_id}:${encodeURIComponent(machine.secret)}`).toString("base64");
  const { status } = await fetch(`${url}/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: "orders:read" }),
  });
  return status;
}

describe("the dashboard of a running server", () => {
  for (const workers of inForm([2], [1, 2])) {
    test(`in ${workers} process${workers > 1 ? "es" : ""} shows what the server has done, and its state`, async () => {
      const served = await servedProcess({
        manifest,
        environment: { ...environment, POSTERN_WORKERS: String(workers) },
      });
      const browser = await signedIn(served);
      for (let count = 0; count < 5; count += 1) assert.equal(await aToken(served), 200);
      // Each process writes its counts and sweeps every second, and any of them may respond.
      const issued = /Tokens issued 5 .*Worker worker 5/;
      const swept = /Cleanup \d+ seconds? ago/;
      let dashboard = "";
      await until(async () => {
        dashboard = await textAt(browser, `${served.url}/console`);
        return issued.test(dashboard) && swept.test(dashboard);
      }, "the dashboard shows five tokens and a cleanup");
      assert.match(dashboard, /Sign-ins 1 /);
      assert.match(
        dashboard,
        /Health Healthy Database responds .*Mail switched off Cleanup \d+ seconds? ago/,
      );

      const house = await textAt(browser, `${served.url}/console/housekeeping`);
      const { version } = JSON.parse(
        readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
      ) as { version: string };
      assert.ok(house.includes(`Version ${version}`), house);
      assert.match(house, /Pending password checks 0 \/ \d+ 0 [\d,]+/);
      assert.equal(/2 processes share the work/.test(house), workers > 1);
      assert.match(house, /No email can be sent/);
      await served.stop();
    });
  }
});
