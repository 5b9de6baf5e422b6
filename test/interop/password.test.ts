/** A forgotten password on a server as an operator runs it, with mail over SMTP. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { formBrowser, type Page } from "../support/form_browser.ts";
import { servedProcess } from "../support/process.ts";
import { readMail, smtpServer } from "../support/smtp.ts";
import { until } from "../support/until.ts";

const ada = { email: "ada@example.com", password: "the old password of ada" };
const fresh = "an entirely new password";

const isSignedIn = ({ status, location }: Page): boolean => status === 302 && location !== undefined;

test("a mailed link sets a new password and ends existing sessions, and no log contains the link or a password", async () => {
  const smtp = await smtpServer({
    onAuth: ({ username, password }, _session, done) =>
      username === "postern" && password === "smtp pass"
        ? done(null, { user: username })
        : done(new Error("no")),
    refusal: (attempt) => (attempt === 1 ? { status: 451, text: `${ada.email}: later` } : undefined),
  });
  const server = await servedProcess({
    manifest: { users: [{ ...ada, name: "Ada" }] },
    environment: {
      POSTERN_SMTP_URL: `smtp://postern:smtp%20pass@127.0.0.1:${smtp.port}`,
      POSTERN_MAIL_FROM: "Example <id@mail.example>",
      POSTERN_LOG_LEVEL: "trace",
    },
  });
  try {
    const at = (path: string) => new URL(path, server.url).href;
    const signInWith = async (password: string) => {
      const visitor = formBrowser();
      const page = await visitor.submit(await visitor.get(at("/login")), { email: ada.email, password });
      return { browser: visitor, page };
    };
    const before = await signInWith(ada.password);
    assert.ok(isSignedIn(before.page));

    const visitor = formBrowser();
    const login = await visitor.get(at("/login"));
    const href = /href="(\/forgot-password[^"]*)"/.exec(login.body)?.[1];
    assert.ok(href, "the login page leads there");
    for (const email of ["nobody@example.com", ada.email]) {
      const requested = await visitor.submit(await visitor.get(at(href)), { email });
      assert.equal(requested.status, 303);
    }
    await smtp.arrived(1);
    const [mail] = smtp.received;
    assert.deepEqual([mail?.from, mail?.to], ["id@mail.example", [ada.email]]);
    const { text } = readMail(mail?.raw ?? "");
    const link = /http:\/\/\S+/.exec(text)?.[0] ?? "";
    assert.ok(link.startsWith(`${server.url}/reset-password?token=pot_`), link);

    const page = await visitor.get(link);
    const done = await visitor.submit(page, { password: fresh, password_again: fresh });
    assert.equal(done.status, 200, done.body);
    assert.equal((await visitor.get(link)).status, 404);
    await smtp.arrived(2);
    const ended = await before.browser.get(at("/"));
    assert.match(ended.location ?? "", /\/login/, "the session from before has ended");
    assert.equal((await signInWith(ada.password)).page.status, 401);
    assert.ok(isSignedIn((await signInWith(fresh)).page));
    // The user gets an email about the last sign-in, because it came from a new browser.
    await smtp.arrived(3);

    const { out, err, code } = await server.stop();
    assert.equal(code, 0);
    const log = out + err;
    assert.match(log, /password_reset_request/);
    assert.match(log, /"event":"password_reset"/);
    assert.match(log, /could not be sent and will be retried/);
    const secrets = {
      address: ada.email,
      "address of nobody": "nobody@example.com",
      link: link.slice(-30),
      query: "reset-password?token",
      "new password": fresh,
      "old password": ada.password,
      "password of the mail server": "smtp pass",
      "the same in the URL": "smtp%20pass",
    };
    for (const [what, secret] of Object.entries(secrets))
      assert.ok(!log.includes(secret), `the ${what} is logged`);
    assert.deepEqual(
      smtp.received.map(({ to }) => to),
      [[ada.email], [ada.email], [ada.email]],
      "nobody but the user gets mail",
    );
    assert.match(readMail(smtp.received[1]?.raw ?? "").headers.get("subject") ?? "", /was changed$/);
  } finally {
    await server.stop("SIGKILL");
  }
});
test("in development, mails stay in the outbox even if a mail server is set", async () => {
  const smtp = await smtpServer();
  const server = await servedProcess({
    command: "dev",
    environment: {
      POSTERN_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      POSTERN_MAIL_FROM: "id@mail.example",
    },
  });
  try {
    const at = (path: string) => new URL(path, server.url).href;
    const visitor = formBrowser();
    await visitor.submit(await visitor.get(at("/forgot-password")), { email: ada.email });
    let outbox = await visitor.get(at("/dev/outbox"));
    await until(async () => {
      outbox = await visitor.get(at("/dev/outbox"));
      return outbox.body.includes("token=");
    }, "the mail is in the outbox");
    const link = /href="(http[^"]*\/reset-password\?token=[^"]*)"/.exec(outbox.body)?.[1] ?? "";
    const done = await visitor.submit(await visitor.get(link), { password: fresh, password_again: fresh });
    assert.equal(done.status, 200, done.body);
    assert.equal((await server.stop()).code, 0);
    assert.deepEqual(smtp.received, []);
  } finally {
    await server.stop("SIGKILL");
  }
});
