/** Self-service pages in a real browser, with mail over SMTP (SS-7, SS-8, SS-12). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser } from "../support/browser.ts";
import { servedProcess } from "../support/process.ts";
import { readMail, smtpServer } from "../support/smtp.ts";
import { until } from "../support/until.ts";

const password = "the password of ada";

for (const javaScriptEnabled of [true, false]) {
  test(`in a browser ${javaScriptEnabled ? "with" : "without"} JavaScript: another address, undone by the old mailbox; a deletion, undone by signing in`, async () => {
    const smtp = await smtpServer();
    const server = await servedProcess({
      manifest: { users: [{ email: "ada@example.com", name: "Ada", password }] },
      environment: {
        POSTERN_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
        POSTERN_MAIL_FROM: "id@mail.example",
        POSTERN_SELF_SERVICE: "email,export,deletion",
      },
    });
    const context = await (await browser()).newContext({ javaScriptEnabled, locale: "en" });
    const at = (path: string) => new URL(path, server.url).href;
    /** The match of this pattern in the newest mail to an address. */
    const mailed = async (to: string, shape: RegExp) => {
      let found: string | undefined;
      await until(() => {
        const mails = smtp.received.filter((mail) => mail.to.includes(to)).toReversed();
        const texts = mails.map(({ raw }) => readMail(raw).text);
        found = texts.map((text) => shape.exec(text)?.[0]).find(Boolean);
        return found !== undefined;
      }, `a mail to ${to} with ${shape}`);
      return found ?? "";
    };
    const linkTo = async (to: string, path: string) =>
      mailed(to, new RegExp(`http://\\S+${path}\\?token=\\S+`));
    try {
      const page = await context.newPage();
      const signIn = async (email: string) => {
        await page.goto(at("/login"));
        await page.getByLabel("Email").fill(email);
        await page.getByLabel("Password").fill(password);
        await page.getByRole("button", { name: "Sign in" }).click();
      };
      await signIn("ada@example.com");
      await page.goto(at("/account"));
      await page.getByRole("link", { name: "Change the address" }).click();
      await page.getByLabel("New address").fill("lovelace@example.com");
      await page.getByRole("button", { name: "Send the link" }).click();
      // The device is new.
      await page.getByLabel("Code from the email").fill(await mailed("ada@example.com", /\b\d{4} \d{4}\b/));
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("We sent an email to the new address").waitFor();
      const confirm = await linkTo("lovelace@example.com", "/account/email/confirm");
      await page.goto(confirm);
      await page.getByRole("button", { name: "Use this address" }).click();
      await page.getByText("Address changed.").waitFor();

      // The holder of the old mailbox, without a session.
      const undo = await linkTo("ada@example.com", "/undo-email");
      const owner = await (await browser()).newContext({ javaScriptEnabled, locale: "en" });
      try {
        const mailbox = await owner.newPage();
        await mailbox.goto(undo);
        await mailbox.getByRole("button", { name: "Restore the address" }).click();
        await mailbox.getByRole("heading", { name: "Your address is restored" }).waitFor();
      } finally {
        await owner.close();
      }
      await page.goto(at("/account"));
      await page.getByRole("button", { name: "Sign in" }).waitFor();

      await signIn("ada@example.com");
      await page.goto(at("/account"));
      await page.getByRole("link", { name: "Delete your account" }).click();
      await page.getByRole("button", { name: "Delete the account" }).click();
      await page.getByRole("heading", { name: "Your account will be deleted" }).waitFor();
      await linkTo("ada@example.com", "/sign-in/undo-deletion");
      await signIn("ada@example.com");
      await page.getByRole("button", { name: "Keep the account" }).click();
      await page.getByRole("heading", { name: "Your account is kept" }).waitFor();
      await signIn("ada@example.com");
      await page.goto(at("/account"));
      await page.getByRole("main").getByText("ada@example.com").first().waitFor();
      assert.equal((await server.stop()).code, 0);
    } finally {
      await context.close();
      await server.stop("SIGKILL");
    }
  });
}
