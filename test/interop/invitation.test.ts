/** A member is invited on a server as an operator runs it, with mail over SMTP. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { formBrowser } from "../support/form_browser.ts";
import { servedProcess } from "../support/process.ts";
import { readMail, smtpServer } from "../support/smtp.ts";

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

test("a mailed invitation creates the account and the membership, and no log contains its token or password", async () => {
  const smtp = await smtpServer();
  const server = await servedProcess({
    manifest,
    environment: { ...mailed(smtp), POSTERN_LOG_LEVEL: "trace" },
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
  }
});
