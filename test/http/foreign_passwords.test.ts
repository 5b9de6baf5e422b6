/** The pages of users whose passwords another program hashed (MG-4, MG-5). */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { createUser } from "../../src/admin/records/users.ts";
import { testContext } from "../admin/context.ts";
import { aPersonAt, forgetSession, sendForm } from "../support/account.ts";
import { signInAs } from "../support/app.ts";

const common = "password1";
const changePage = "/account/password?weakness=common&redirect=%2Faccount%2Fapps";

async function setUp(settings: { foreign_passwords_until?: Date } = {}) {
  const it = await aPersonAt({ identity_settings: settings });
  const admin = { ...testContext(it.store), now: it.clock.now };
  const hash = `{SHA}${createHash("sha1").update(common).digest("base64")}`;
  const user = await createUser(admin, { email: "bea@example.com", name: "Bea", password: { hash } });
  const enter = (password: string) => signInAs(it.browser, user, { password, redirect: "/account/apps" });
  return { ...it, user, enter };
}

describe("pages for imported passwords", () => {
  test("MG-4: a user with a weak imported password must change it after sign-in, and then continues", async () => {
    const { browser, enter, clock } = await setUp();
    const entered = await enter(common);
    assert.equal(entered.headers.location, changePage);
    const page = await browser.get(changePage);
    assert.match(page.body, /Your imported password is so common/);
    assert.match(page.body, /<a href="\/account\/apps">Continue without changing it<\/a>/);
    clock.advance(1);
    const next = "an entirely new password";
    const wrong = await sendForm(browser, page, "/account/password", {
      current_password: "no",
      password: next,
      password_again: next,
    });
    assert.equal(wrong.statusCode, 422);
    assert.match(wrong.body, /Continue without changing it/);
    const done = await sendForm(browser, wrong, "/account/password", {
      current_password: common,
      password: next,
      password_again: next,
    });
    assert.deepEqual([done.statusCode, done.headers.location], [303, "/account/apps"]);
    clock.advance(1);
    const foreign = await browser.get(
      "/account/password?weakness=common&redirect=https%3A%2F%2Fevil.example%2F",
    );
    assert.match(foreign.body, /<a href="\/">Continue/);
    assert.doesNotMatch((await browser.get("/account/password?weakness=other")).body, /Continue without/);
    forgetSession(browser);
    assert.equal((await enter(next)).headers.location, "/account/apps");
  });

  test("MG-4: if imported passwords are disabled, one is answered like a wrong password, and a link is mailed", async () => {
    const { browser, enter, mails, linkTo, clock } = await setUp({ foreign_passwords_until: new Date(0) });
    const plain = (body: string) => body.replaceAll(/[A-Za-z0-9_-]{10,}/g, "").replace(/\d+ ms/, "");
    const [wrong, right] = [await enter("another"), await enter(common)];
    assert.deepEqual([wrong.statusCode, right.statusCode], [401, 401]);
    assert.equal(plain(right.body), plain(wrong.body));
    assert.equal((await mails("bea@example.com")).length, 1);
    const link = await linkTo("/reset-password");
    const page = await browser.get(link);
    const fields = { password: "an entirely new password", password_again: "an entirely new password" };
    assert.equal((await sendForm(browser, page, "/reset-password", fields)).statusCode, 200);
    clock.advance(1);
    assert.equal((await enter(fields.password)).headers.location, "/account/apps");
  });
});
