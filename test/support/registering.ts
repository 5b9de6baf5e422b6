/** Users who register on the pages. */
import assert from "node:assert/strict";
import { createOutbox, type Outbox } from "../../src/ops/mail.ts";
import type { IdentitySettings } from "../../src/people/core/context/context.ts";
import type { Mail } from "../../src/records/names/notices.ts";
import { hiddenField, type TestApp, type TestBrowser, testApp, testBrowser } from "./app.ts";

const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };

interface WithMail extends TestApp {
  readonly outbox: Outbox;
  readonly browser: TestBrowser;
}

/** Creates a server with registration, the mails that it sends, and a browser. */
export async function signUpApp(
  identity_settings: IdentitySettings = { sign_up: "open" },
): Promise<WithMail> {
  const outbox = createOutbox({ ...silent, now: () => new Date(0) });
  const { sign_up = "closed" } = identity_settings;
  const it = await testApp({ mail: outbox, outbox, identity_settings, settings: { sign_up } });
  return { ...it, outbox, browser: testBrowser(it.app) };
}

/** Requests the registration mail. */
export async function requestRegistration(browser: TestBrowser, email: string, redirect = "/account") {
  const page = await browser.get(`/register?redirect=${encodeURIComponent(redirect)}`);
  assert.equal(page.statusCode, 200, page.body);
  const form = { redirect: hiddenField(page, "redirect"), csrf_token: hiddenField(page, "csrf_token") };
  return browser.post("/register", { email, ...form });
}

/** Returns link and code of the newest mail. */
export async function newestRegistrationMail(
  outbox: Outbox,
): Promise<{ link: string; code: string; mail: Mail }> {
  await outbox.settled();
  const mail = outbox.kept()[0] ?? assert.fail("no mail");
  const link = /https:\/\/id\.example(\/register\/finish\?token=pot_[\w-]{51})/.exec(mail.text)?.[1] ?? "";
  const code = /\d{4} \d{4}/.exec(mail.text)?.[0] ?? "";
  return { link, code, mail };
}
