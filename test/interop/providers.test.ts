/** Signing in through a provider in Chromium, with scripts and without: another Postern is the provider. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { browser } from "../support/browser.ts";
import { freePort } from "../support/free_port.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";

const there = { email: "ann@provider.example", name: "Ann There", password: "a password of the provider" };
const here = { email: "ann@firm.example", name: "Ann Here", password: "a password of this server" };
const secret = "the-secret-of-postern-at-the-provider";

let issuer: string;
let inside: Server;
const asked: (string | undefined)[] = [];
let upstream: ServedProcess;
let served: ServedProcess;

before(async () => {
  const [port, port_there] = [await freePort(), await freePort()];
  // A host other than `localhost`, because cookies do not depend on the port.
  issuer = `http://127.0.0.1:${port_there}`;
  upstream = await servedProcess({
    environment: { POSTERN_PORT: String(port_there), POSTERN_BASE_URL: issuer },
    manifest: {
      users: [there],
      apps: [
        {
          client_id: "postern",
          name: "Postern here",
          owner: there.email,
          redirect_uris: [`http://localhost:${port}/sign-in/other/callback`],
          allowed_scopes: ["openid", "profile", "email"],
          first_party: true,
          secrets: [secret],
        },
      ],
    },
  });
  inside = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(503).end();
  }).listen(0, "127.0.0.1");
  await once(inside, "listening");
  const { port: port_inside } = inside.address() as AddressInfo;
  const atInside = (slug: string, more: object) => ({
    ...{ slug, label: slug, preset: "oidc", client_id: "c", client_secret: secret },
    issuer: `http://127.0.0.1:${port_inside}/${slug}`,
    ...more,
  });
  served = await servedProcess({
    manifest: {
      organizations: [{ slug: "acme", name: "Acme" }],
      users: [here],
      providers: [
        {
          slug: "other",
          label: "Other Postern",
          preset: "oidc",
          issuer,
          client_id: "postern",
          client_secret: secret,
          sign_up: "anyone",
        },
        atInside("own", {}),
        atInside("theirs", { organization: "acme" }),
        atInside("permitted", { organization: "acme", internal: true }),
      ],
    },
    environment: { POSTERN_PORT: String(port), POSTERN_OUTBOUND_ALLOW: "127.0.0.0/8,::1/128" },
  });
});
after(async () => {
  await served.stop();
  await upstream.stop();
  inside.close();
});

async function press(page: Page, name: string, role: "button" | "link" = "button"): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.getByRole(role, { name }).first().click()]);
}

async function signIn(page: Page, { email, password }: typeof here): Promise<void> {
  await page.locator("#email").fill(email);
  await page.locator("#password").fill(password);
  await Promise.all([
    page.waitForNavigation(),
    page.getByRole("button", { name: "Sign in", exact: true }).click(),
  ]);
}

test("FO-4: an organization's provider needs a permission to use a private address of POSTERN_OUTBOUND_ALLOW", async () => {
  for (const slug of ["theirs", "own", "permitted"]) {
    const { status } = await fetch(`${served.url}/sign-in/${slug}/backchannel-logout`, {
      method: "POST",
      body: new URLSearchParams({ logout_token: "a.b.c" }),
    });
    assert.equal(status, 400);
  }
  assert.deepEqual(
    asked,
    ["own", "permitted"].map((slug) => `/${slug}/.well-known/openid-configuration`),
  );
});

describe("an external identity provider in Chromium", () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`EP-11, EP-13: a user links an account after signing in as usual, signs in with it and unlinks it, with scripts ${javaScriptEnabled}`, async () => {
      const context = await (await browser()).newContext({ javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(`${served.url}/login?redirect=%2Faccount%2Fsessions`);
      await press(page, "Continue with Other Postern");
      assert.ok(page.url().startsWith(issuer), page.url());
      await signIn(page, there);
      assert.equal(page.url(), `${served.url}/sign-in/other/continue`);
      await press(page, "Sign in as usual", "link");
      await signIn(page, here);
      assert.equal(page.url(), `${served.url}/sign-in/other/continue`);
      assert.match(await page.innerText("main"), /ann@firm\.example/);
      await press(page, "Link");
      assert.equal(page.url(), `${served.url}/account/sessions`);

      await context.clearCookies({ name: "postern_session", domain: "localhost" });
      await page.goto(`${served.url}/login?redirect=%2Faccount`);
      await press(page, "Continue with Other Postern");
      assert.equal(page.url(), `${served.url}/account`, "one press, silently answered there");
      assert.match(await page.innerText("body"), /ann@firm\.example/);

      await page.goto(`${served.url}/account/linked-accounts`);
      await press(page, "Unlink", "link");
      await press(page, "Unlink");
      assert.equal(page.url(), `${served.url}/logout`, "only the link had opened the session");
      await page.goto(`${served.url}/account`);
      assert.match(page.url(), /\/login\?/);
      await context.close();
    });
  }
});
