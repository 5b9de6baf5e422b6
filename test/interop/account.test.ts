/** Account pages in a real browser against a separate server; once without scripts. */

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { browser } from "../support/browser.ts";
import { inForm } from "../support/form.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";

/** A press that leads to another page. */
async function press(page: Page, name: string | RegExp, role: "button" | "link" = "button"): Promise<void> {
  await Promise.all([
    page.waitForNavigation(),
    page
      .locator("main")
      .getByRole(role, { name, exact: typeof name === "string" })
      .first()
      .click(),
  ]);
}

async function signIn(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.locator("#email").fill(person.email);
  await page.locator("#password").fill(person.password);
  await press(page, "Sign in");
}

for (const javaScriptEnabled of inForm([false], [true, false])) {
  describe(`the account in a browser ${javaScriptEnabled ? "with" : "without"} scripts`, () => {
    let served: ServedProcess;
    let context: BrowserContext;
    let page: Page;
    let at: (path: string) => string;
    let person: { email: string; password: string };
    before(async () => {
      served = await servedProcess({ command: "dev", environment: { POSTERN_EXTRA_SIGN_IN: "totp" } });
      context = await (await browser()).newContext({ javaScriptEnabled });
      page = await context.newPage();
      at = (path) => `${served.url}${path}`;
      await page.goto(at("/dev"));
      const [email = "", password = ""] = await page
        .locator(".dev-side .card")
        .first()
        .locator("code")
        .allInnerTexts();
      person = { email, password };
    });

    test("an allowed app is listed with its scopes, and disappears once its access is withdrawn", async () => {
      await page.locator(".actions form:nth-of-type(1) button").click();
      await signIn(page, person);
      await press(page, "Allow");
      await page.goto(at("/account/apps"));
      assert.match(await page.innerText("main"), /Confirm your identity/);
      await press(page, /^Withdraw access/, "link");
      await press(page, "Withdraw access");
      assert.match(await page.innerText(".notice-success"), /no longer has access/);
      assert.match(await page.innerText("main"), /No connected apps/);
    });

    test("a session ended in another browser ends", async () => {
      const other = await (await browser()).newContext({ javaScriptEnabled });
      const there = await other.newPage();
      await there.goto(at("/account"));
      await signIn(there, person);
      assert.equal(there.url(), at("/account"));
      await page.goto(at("/account/sessions"));
      assert.equal(await page.locator("tbody tr").count(), 2);
      await page.locator("tbody tr").first().getByRole("button").click();
      await page.locator(".notice-success").waitFor();
      assert.equal(await page.locator("tbody tr").count(), 1);
      await there.reload();
      assert.match(there.url(), /\/login\?/);
      await other.close();
    });

    test("an API key is created, shown once, and revoked", async () => {
      await page.goto(at("/account/api-keys"));
      await press(page, "Create a key", "link");
      await page.locator("#name").fill("Backup");
      await page.locator("input[value='postern:sessions:read']").check();
      await press(page, "Create the key");
      const key = await page.innerText(".secret code");
      const call = () =>
        fetch(at("/api/v1/sessions"), { headers: { authorization: `Bearer ${key}` } }).then(
          ({ status }) => status,
        );
      assert.equal(await call(), 200);
      await press(page, "Back to your keys", "link");
      assert.ok(!(await page.content()).includes(key));
      await press(page, /^Revoke/, "link");
      await press(page, "Revoke");
      assert.equal(await call(), 401);
    });

    test("the password is changed, and the session continues", async () => {
      const fresh = "four unrelated words together";
      await page.goto(at("/account/password"));
      await page.locator("#current_password").fill("wrong wrong wrong");
      await page.locator("#password").fill(fresh);
      await page.locator("#password_again").fill(fresh);
      await press(page, "Change password");
      // The page puts the cursor there itself, a moment after it has loaded.
      await page.locator("#current_password:focus").waitFor();
      await page.locator("#current_password").fill(person.password);
      await page.locator("#password").fill(fresh);
      await page.locator("#password_again").fill(fresh);
      await press(page, "Change password");
      await page.locator(".notice-success").waitFor();
      await page.goto(at("/account/sessions"));
      await press(page, "Sign out everywhere");
      await page.goto(at("/account"));
      await signIn(page, { ...person, password: fresh });
      assert.equal(page.url(), at("/account"));
      await context.close();
      await served.stop();
    });
  });
}
