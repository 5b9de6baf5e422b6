/** Users register on a server as an operator runs it, with mail over SMTP, in a real browser. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { browser } from "../support/browser.ts";
import { inForm } from "../support/form.ts";
import { formBrowser } from "../support/form_browser.ts";
import { servedProcess } from "../support/process.ts";
import { readMail, smtpServer } from "../support/smtp.ts";

const ada = { email: "ada@example.com", password: "the old password of ada" };
const fresh = "an entirely new password";

async function setUp() {
  const smtp = await smtpServer();
  const server = await servedProcess({
    manifest: { users: [{ ...ada, name: "Ada" }] },
    environment: {
      POSTERN_SIGN_UP: "open",
      POSTERN_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      POSTERN_MAIL_FROM: "Example <id@mail.example>",
      POSTERN_LOG_LEVEL: "trace",
    },
  });
  const mail = async (number: number) => {
    await smtp.arrived(number);
    const { text, html } = readMail(smtp.received[number - 1]?.raw ?? "");
    const links = text.match(/http:\/\/\S+/g) ?? [];
    assert.ok(
      links.every((link) => html.includes(`${link}`)),
      "both parts have the same links",
    );
    return { links, code: /\d{4} \d{4}/.exec(text)?.[0] ?? "" };
  };
  return { smtp, server, mail };
}

/** A mail scanner: requests every link by HEAD and GET, and opens it in a browser that runs scripts. */
async function scan(links: readonly string[]): Promise<void> {
  const context = await (await browser()).newContext();
  try {
    for (const link of links) {
      for (const method of ["HEAD", "GET"]) assert.equal((await fetch(link, { method })).status, 200, link);
      const page = await context.newPage();
      await page.goto(link, { waitUntil: "networkidle" });
      assert.equal(page.url(), link, "nothing is sent by itself");
    }
    const cookies = await context.cookies();
    assert.ok(!cookies.some(({ name }) => name.endsWith("postern_session")), "nobody is signed in");
  } finally {
    await context.close();
  }
}

async function requestFor(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/login?redirect=%2Faccount`);
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(fresh);
  await page.getByRole("button", { name: "Create the account" }).click();
}

for (const javaScriptEnabled of inForm([true], [true, false])) {
  test(`SS-4 in a browser ${javaScriptEnabled ? "with" : "without"} JavaScript: a user registers by the code, or by the link in another browser after a mail scanner`, async () => {
    const { server, mail } = await setUp();
    const chromium = await browser();
    const [first, other] = [
      await chromium.newContext({ javaScriptEnabled }),
      await chromium.newContext({ javaScriptEnabled }),
    ];
    try {
      const page = await first.newPage();
      await requestFor(page, server.url, "grace@example.com");
      const grace = await mail(1);
      await scan(grace.links);
      await page.getByLabel("Code from the email").fill("0000");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("This is not the code from the email.").waitFor();
      await page.getByLabel("Code from the email").fill(grace.code);
      await page.getByRole("button", { name: "Continue" }).click();
      await choose(page, "Grace");
      await page.waitForURL(`${server.url}/account`);
      await page.getByRole("main").getByText("grace@example.com").first().waitFor();

      await first.clearCookies();
      await requestFor(page, server.url, "eve@example.com");
      const eve = await mail(2);
      await scan(eve.links);
      const there = await other.newPage();
      await there.goto(eve.links[0] ?? "");
      await choose(there, "Eve");
      await there.getByRole("heading", { name: "Your account is ready" }).waitFor();
      assert.equal(there.url(), `${server.url}/register/done`);
      await page.goto(`${server.url}/account`);
      await page.getByRole("heading", { name: "Sign in" }).waitFor();

      await requestFor(page, server.url, ada.email);
      const known = await mail(3);
      await scan(known.links);
      assert.deepEqual(
        known.links.map((link) => new URL(link).pathname),
        ["/login", "/forgot-password"],
      );
      assert.equal(known.code, "");

      await page.goto(`${server.url}/forgot-password`);
      await page.getByLabel("Email").fill(ada.email);
      await page.getByRole("button", { name: "Send the link" }).click();
      const reset = await mail(4);
      await scan(reset.links);
      await page.goto(reset.links[0] ?? "");
      await page.getByLabel("New password", { exact: true }).fill(fresh);
      await page.getByLabel("Repeat the new password").fill(fresh);
      await page.getByRole("button", { name: "Set the password" }).click();
      await page.getByRole("heading", { name: "Your password is set" }).waitFor();
    } finally {
      await first.close();
      await other.close();
      await server.stop("SIGKILL");
    }
  });
}

test("SS-2 no log contains any data of a registration, and mail goes only to the given address", async () => {
  const { smtp, server, mail } = await setUp();
  try {
    const at = (path: string) => new URL(path, server.url).href;
    const visitor = formBrowser();
    const email = "grace@example.com";
    const requested = await visitor.submit(await visitor.get(at("/register")), { email });
    assert.equal(requested.status, 303, requested.body);
    const { links, code } = await mail(1);
    const link = links[0] ?? "";
    assert.ok(link.startsWith(`${server.url}/register/finish?token=pot_`), link);
    const done = await visitor.submit(await visitor.get(link), { name: "Grace", password: fresh });
    assert.equal(done.status, 302, done.body);
    assert.equal((await visitor.get(at("/account"))).status, 200);
    assert.equal((await visitor.get(link)).status, 404);
    const { out, err, code: exit } = await server.stop();
    assert.equal(exit, 0);
    const log = out + err;
    assert.match(log, /registration_request/);
    for (const secret of [email, link.slice(-30), "finish?token", code, code.replace(" ", ""), fresh])
      assert.ok(!log.includes(secret), `${secret} is logged`);
    assert.deepEqual(
      smtp.received.map(({ to }) => to),
      [[email]],
    );
  } finally {
    await server.stop("SIGKILL");
  }
});
