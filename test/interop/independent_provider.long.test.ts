/**
 * An independent provider, `oidc-provider`, in Chromium and through its own pages: registering, confirming
 * sensitive actions, linking and unlinking; with and without scripts.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { browser } from "../support/browser.ts";
import { freePort } from "../support/free_port.ts";
import { type IndependentProvider, independentProvider } from "../support/independent_provider.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";

const here = { email: "here@firm.example", name: "Ann Here", password: "a password of this server" };

let upstream: IndependentProvider;
let served: ServedProcess;

before(async () => {
  const port = await freePort();
  const redirect_uri = `http://localhost:${port}/sign-in/independent/callback`;
  upstream = await independentProvider(redirect_uri, { pages: true });
  const { issuer, client_id, client_secret } = upstream.settings;
  const provider = { preset: "oidc", label: "Independent", issuer, client_id, client_secret };
  served = await servedProcess({
    manifest: {
      users: [here],
      providers: [{ slug: "independent", ...provider, sign_up: "anyone", email_trust: "claim" }],
    },
    environment: { POSTERN_PORT: String(port), POSTERN_OUTBOUND_ALLOW: "127.0.0.0/8" },
  });
});
after(async () => {
  await served.stop();
  await upstream.close();
});

async function press(page: Page, name: string, role: "button" | "link" = "button"): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.getByRole(role, { name }).first().click()]);
}

/** Signs in on the provider's own page, and consents on the next one if it is shown. */
async function signInThere(page: Page, name: string): Promise<void> {
  assert.ok(page.url().startsWith(upstream.settings.issuer ?? "none"), page.url());
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("any password");
  await press(page, "Sign-in");
  if (page.url().startsWith(upstream.settings.issuer ?? "none")) await press(page, "Continue");
}

describe("an independent provider, in Chromium", () => {
  for (const javaScriptEnabled of [true, false]) {
    const scripts = `scripts ${javaScriptEnabled}`;

    test(`EP-10, SU-6: a user registers through the provider, and confirms sensitive actions there; ${scripts}`, async () => {
      const name = `new-${javaScriptEnabled}`;
      const context = await (await browser()).newContext({ javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(`${served.url}/login?redirect=%2Faccount`);
      await press(page, "Continue with Independent");
      await signInThere(page, name);
      assert.equal(page.url(), `${served.url}/sign-in/independent/continue`);
      assert.match(await page.innerText("main"), new RegExp(`${name}@firm\\.example`));
      await press(page, "Create the account");
      assert.equal(page.url(), `${served.url}/account`);

      const fresh = `an entirely new password ${name}`;
      await page.goto(`${served.url}/account/password`);
      await page.locator("#password").fill(fresh);
      await page.locator("#password_again").fill(fresh);
      await press(page, "Set the password");
      assert.match(await page.innerText("h1"), /Confirm that it is you/);
      assert.equal(await page.getByRole("button", { name: "Confirm and continue" }).count(), 0);
      await press(page, "Confirm with Independent");
      await signInThere(page, name);
      assert.equal(page.url(), `${served.url}/account/confirm`);
      assert.ok(!(await page.content()).includes(fresh));
      await press(page, "Finish");
      assert.ok(page.url().startsWith(`${served.url}/account`), page.url());

      await context.clearCookies();
      await page.goto(`${served.url}/login?redirect=%2Faccount`);
      await page.locator("#email").fill(`${name}@firm.example`);
      await page.locator("#password").fill(fresh);
      await press(page, "Sign in");
      assert.equal(page.url(), `${served.url}/account`, "the password of the form that waited");
      await context.close();
    });

    test(`EP-12, EP-16: an account at the provider is linked and unlinked, and cancelling changes nothing; ${scripts}`, async () => {
      const name = `linked-${javaScriptEnabled}`;
      const context = await (await browser()).newContext({ javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(`${served.url}/login?redirect=%2Faccount%2Flinked-accounts`);
      await press(page, "Continue with Independent");
      await press(page, "Cancel", "link");
      assert.match(page.url(), /\/login\?redirect=%2Faccount%2Flinked-accounts$/);
      await page.locator("#email").fill(here.email);
      await page.locator("#password").fill(here.password);
      await press(page, "Sign in");
      assert.equal(page.url(), `${served.url}/account/linked-accounts`);
      await press(page, "Link Independent");
      await signInThere(page, name);
      assert.equal(page.url(), `${served.url}/account/linked-accounts?done=account_linked`);
      assert.match(await page.innerText("main"), new RegExp(`${name}@firm\\.example`));

      await context.clearCookies({ name: "postern_session" });
      await page.goto(`${served.url}/login?redirect=%2Faccount%2Flinked-accounts`);
      await press(page, "Continue with Independent");
      assert.equal(
        page.url(),
        `${served.url}/account/linked-accounts`,
        "the provider knows the person still",
      );
      await press(page, "Unlink", "link");
      await press(page, "Unlink");
      assert.match(await page.innerText("h1"), /Confirm that it is you/, "nobody was asked anew there");
      await page.locator("input[name=sudo_password]").fill(here.password);
      await press(page, "Confirm and continue");
      assert.equal(page.url(), `${served.url}/account/linked-accounts?done=account_unlinked`);
      await context.close();
    });
  }
});
