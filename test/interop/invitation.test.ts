/** A member is invited in the server as an operator runs it, with mail over SMTP. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page as BrowserPage } from "playwright-core";
import { browser } from "../support/browser.ts";
import { inForm } from "../support/form.ts";
import { formBrowser } from "../support/form_browser.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { readMail, smtpServer } from "../support/smtp.ts";
import { places } from "./management.ts";

const ada = { email: "ada@example.com", password: "correct horse battery staple" };
const grace = { email: "grace@example.com", password: "an entirely new password" };
const acme = "019a9e1c-5f7e-7000-8000-0000000000a1";

const manifest = {
  organizations: [{ id: acme, slug: "acme", name: "Acme" }],
  users: [{ ...ada, name: "Ada" }],
  memberships: [{ user: ada.email, organization: "acme", role: "owner" }],
};

const mailed = ({ port }: { port: number }) => ({
  POSTERN_SMTP_URL: `smtp://127.0.0.1:${port}`,
  POSTERN_MAIL_FROM: "Example <id@mail.example>",
});

const linkIn = (raw: string | undefined) => /http:\/\/\S+/.exec(readMail(raw ?? "").text)?.[0] ?? "";

for (const place of places) {
  test(`an invitation comes by mail, creates the account and the membership, and no log contains any of it, on ${place.name}`, async () => {
    const smtp = await smtpServer();
    const { environment, drop } = await place.open();
    const server = await servedProcess({
      manifest,
      environment: { ...environment, ...mailed(smtp), POSTERN_LOG_LEVEL: "trace" },
    });
    try {
      const at = (path: string) => new URL(path, server.url).href;
      const owner = formBrowser();
      await owner.submit(await owner.get(at("/login")), ada);
      const page = await owner.get(at(`/console/organizations/${acme}/invite`));
      const led = await owner.submit(page, { email: grace.email, role: "developer" });
      const made = await owner.get(at(led.location ?? ""));
      assert.equal(made.status, 200, made.body);
      await smtp.arrived(1);
      assert.deepEqual(smtp.received[0]?.to, [grace.email]);
      const link = linkIn(smtp.received[0]?.raw);
      assert.ok(link.startsWith(`${server.url}/invitation?token=pot_`), link);
      assert.ok(!made.body.includes("token="), "the link goes to the mailbox alone");

      const guest = formBrowser();
      const requested = await guest.get(link);
      assert.equal(requested.status, 200);
      const joined = await guest.submit(requested, { name: "Grace", password: grace.password });
      assert.equal(joined.status, 200, joined.body);
      assert.match(joined.body, /Welcome to/);
      assert.equal((await guest.get(at("/console"))).status, 200, "they are signed in");
      assert.equal((await guest.get(link)).status, 404);
      assert.equal((await guest.get(at(`/console/organizations/${acme}/invite`))).status, 403);

      const { out, err, code } = await server.stop();
      assert.equal(code, 0);
      const log = out + err;
      assert.match(log, /invitation\.accepted/);
      for (const secret of [grace.email, grace.password, "invitation?token", link.slice(-30)])
        assert.ok(!log.includes(secret), `${secret} is logged`);
    } finally {
      await server.stop("SIGKILL");
      await drop();
    }
  });
}

async function signIn(page: BrowserPage, { url }: ServedProcess, who: typeof ada): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

for (const javaScriptEnabled of inForm([true], [true, false])) {
  test(`in a browser ${javaScriptEnabled ? "with" : "without"} JavaScript: a member is invited, another invitation withdrawn, an account created, a second organization joined`, async () => {
    const smtp = await smtpServer();
    const globex = "019a9e1c-5f7e-7000-8000-0000000000a2";
    const server = await servedProcess({
      manifest: {
        ...manifest,
        organizations: [...manifest.organizations, { id: globex, slug: "globex", name: "Globex" }],
        memberships: [...manifest.memberships, { user: ada.email, organization: "globex", role: "owner" }],
      },
      environment: mailed(smtp),
    });
    const [inviting, invited] = await Promise.all(
      [0, 1].map(async () => (await browser()).newContext({ javaScriptEnabled, locale: "en-GB" })),
    );
    assert.ok(inviting && invited);
    try {
      const [page, guest] = [await inviting.newPage(), await invited.newPage()];
      for (const each of [page, guest]) each.setDefaultTimeout(60_000);
      await signIn(page, server, ada);
      let sent = 0;
      const invite = async (organization: string, email: string, role: string) => {
        await page.goto(`${server.url}/console/organizations/${organization}/invite`);
        await page.getByLabel("Email").fill(email);
        await page.locator(`input[value=${role}]`).check();
        await page.getByRole("button", { name: "Invite", exact: true }).click();
        await page.getByRole("heading", { name: `${email} is invited` }).waitFor();
        assert.equal(await page.locator(".secret").count(), 0, "the link goes to the mailbox alone");
        sent += 1;
        await smtp.arrived(sent);
        return linkIn(smtp.received[sent - 1]?.raw);
      };

      const mistaken = await invite(acme, "wrong@example.com", "member");
      await page.getByRole("button", { name: "Withdraw the invitation of wrong@example.com" }).click();
      await page.getByText("Invitation withdrawn").waitFor();
      await guest.goto(mistaken);
      await guest.getByRole("heading", { name: "This invitation is no longer valid" }).waitFor();

      await guest.goto(await invite(acme, grace.email, "developer"));
      await guest.getByLabel("Name").fill("Grace");
      await guest.getByLabel("Password", { exact: true }).fill("short");
      await guest.getByRole("button", { name: "Create account and join" }).click();
      await guest.getByText("This password is too short").waitFor();
      await guest.getByLabel("Password", { exact: true }).fill(grace.password);
      await guest.getByRole("button", { name: "Create account and join" }).click();
      await guest.getByRole("heading", { name: "Welcome to Acme" }).waitFor();

      const second = await invite(globex, grace.email, "admin");
      await guest.context().clearCookies();
      await guest.goto(second);
      await guest.getByRole("link", { name: "Sign in" }).click();
      await guest.getByLabel("Email").fill(grace.email);
      await guest.getByLabel("Password", { exact: true }).fill(grace.password);
      await guest.getByRole("button", { name: "Sign in" }).click();
      await guest.getByRole("button", { name: "Join" }).click();
      await guest.getByRole("heading", { name: "Welcome to Globex" }).waitFor();
      // The browser that lost its cookies is a new device to them.
      sent += 1;
      await smtp.arrived(sent);

      const third = await invite(globex, "eve@example.com", "member");
      await guest.goto(third);
      await guest.getByText(`You are signed in as ${grace.email}`).waitFor();
    } finally {
      await inviting.close();
      await invited.close();
      await server.stop("SIGKILL");
    }
  });
}
