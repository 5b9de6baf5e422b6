/** Second factors from adding to removing, in a real browser without scripts, against a server of its own. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { browser } from "../support/browser.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { readMail, smtpServer } from "../support/smtp.ts";
import { totpCode } from "../support/totp.ts";
import { until } from "../support/until.ts";

/** A press that leads to another page. */
async function press(page: Page, name: string, role: "button" | "link" = "button"): Promise<void> {
  await Promise.all([
    page.waitForNavigation(),
    page.locator("main").getByRole(role, { name, exact: true }).first().click(),
  ]);
}

// Begun in a hook it would end with the hook.
const smtp = await smtpServer();

describe("second factors in a browser without scripts", () => {
  let served: ServedProcess;
  let context: BrowserContext;
  let page: Page;
  const person = { email: "ada@example.com", password: "correct horse battery staple" };
  let secret = "";
  /** The code that added the app. It is known for half a minute at least. */
  let first_code = "";
  let codes: readonly string[] = [];
  const at = (path: string) => `${served.url}${path}`;

  before(async () => {
    served = await servedProcess({
      manifest: { users: [{ ...person, name: "Ada" }] },
      environment: {
        POSTERN_EXTRA_SIGN_IN: "totp",
        POSTERN_REMEMBER_DEVICE_DAYS: "30",
        POSTERN_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
        POSTERN_MAIL_FROM: "id@mail.example",
      },
    });
    context = await (await browser()).newContext({ javaScriptEnabled: false });
    page = await context.newPage();
  });

  async function signIn(): Promise<void> {
    await page.goto(at("/login?redirect=%2Faccount%2Fsecurity"));
    await page.locator("#email").fill(person.email);
    await page.locator("#password").fill(person.password);
    await press(page, "Sign in");
  }

  async function signOut(): Promise<void> {
    await context.clearCookies();
    await page.goto(at("/account"));
    assert.match(page.url(), /\/login\?/);
  }

  test("MF-12 on a new device the mailbox is proved before the first app is added", async () => {
    await signIn();
    await press(page, "Add an authenticator app");
    assert.equal(page.url(), at("/account/authenticator-apps/mailbox"));
    let code = "";
    await until(() => {
      const texts = smtp.received.map(({ raw }) => readMail(raw).text);
      code = texts.map((text) => /\b\d{4} \d{4}\b/.exec(text)?.[0]).find(Boolean) ?? "";
      return code !== "";
    }, "a mail with a code");
    await page.locator("#code").fill(code);
    await press(page, "Continue");
    assert.equal(page.url(), at("/account/authenticator-apps/new"));
  });

  test("MF-1, MF-7 the app is added with its first code, once the recovery codes are stored", async () => {
    await page.locator("svg.qr").waitFor();
    secret = (await page.locator(".secret code").innerText()).replaceAll(" ", "");
    assert.match(secret, /^[A-Z2-7]{32}$/);
    await page.locator("#name").fill("My phone");
    first_code = totpCode(secret, new Date());
    await page.locator("#code").fill(first_code);
    await press(page, "Add");
    codes = (await page.locator("pre.snippet").innerText()).split("\n");
    assert.equal(codes.length, 10);
    await page.getByRole("checkbox").check();
    await press(page, "Finish");
    assert.match(await page.innerText(".notice-success"), /app added/);
    assert.match(await page.innerText("main"), /My phone/);
  });

  test("MF-2 the next sign-in requires a code, and accepts none twice", async () => {
    await signOut();
    await signIn();
    assert.equal(page.url(), at("/sign-in/second-factor"));
    await page.locator("#code").fill(first_code);
    await press(page, "Continue");
    assert.match(await page.innerText(".field-error"), /was already used/);
    await page.locator("#code").fill(totpCode(secret, new Date(), 1));
    await page.getByRole("checkbox", { name: "Do not ask on this device for 30 days" }).check();
    await press(page, "Continue");
    assert.equal(page.url(), at("/account/security"));
  });

  test("MF-13 the remembered browser needs only the password, until it is forgotten", async () => {
    await context.clearCookies({ name: /session$/ });
    await signIn();
    assert.equal(page.url(), at("/account/security"));
    await page.goto(at("/account/sessions"));
    assert.match(await page.innerText("main"), /Remembered browsers/);
    await Promise.all([page.waitForNavigation(), page.getByRole("button", { name: /^Forget/ }).click()]);
    assert.match(await page.innerText(".notice-success"), /ask for your second factor again/);
    await context.clearCookies({ name: /session$/ });
    await signIn();
    assert.equal(page.url(), at("/sign-in/second-factor"));
    await press(page, "Use a recovery code", "link");
    assert.equal(await page.getByRole("checkbox").count(), 0);
  });

  test("MF-6, MF-8 a recovery code is one click away, and states how many are left", async () => {
    await signOut();
    await signIn();
    await press(page, "Use a recovery code", "link");
    await page.locator("#recovery_code").fill((codes[0] ?? "").toLowerCase());
    await press(page, "Continue");
    assert.match(await page.innerText("main"), /You have 9 recovery codes left/);
    await press(page, "Continue", "link");
    assert.equal(page.url(), at("/account/security"));
  });

  test("MF-14 the app is removed, and the password alone signs in again", async () => {
    await press(page, "Remove: My phone", "link");
    await press(page, "Remove");
    assert.match(await page.innerText(".notice-success"), /removed\.$/);
    await signOut();
    await signIn();
    assert.equal(page.url(), at("/account/security"));
    assert.match(await page.innerText("main"), /no authenticator app yet/);
  });
});
