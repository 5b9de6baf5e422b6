import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { User } from "../../src/records/definition/definition.ts";
import { aPersonAt, cookieOf, press, submit } from "../support/account.ts";
import { aPerson, password, signInAs, testBrowser } from "../support/app.ts";

const fresh = "an entirely new password";

async function setUp() {
  const it = await aPersonAt();
  const notices = async () =>
    (await it.mails()).filter(
      ({ text, subject }) =>
        // Each sign-in of these tests uses a new browser, which is reported in a separate mail.
        !text.includes("/reset-password?token=") && !subject.startsWith("A sign-in from a new device"),
    );
  /** Changes a user through the management API, in a browser session. */
  const patch = async (by: User, id: string, body: object) => {
    const browser = testBrowser(it.app);
    await signInAs(browser, by);
    return it.app.inject({
      method: "PATCH",
      url: `/api/v1/users/${id}`,
      headers: {
        "content-type": "application/json",
        "sec-fetch-site": "same-origin",
        "accept-language": "es",
        cookie: cookieOf(browser),
      },
      payload: JSON.stringify(body),
    });
  };
  return { ...it, notices, patch };
}

describe("the mail about a new password", () => {
  test("after a reset, the user is notified of the new password in the language of the reset", async () => {
    const it = await setUp();
    const browser = testBrowser(it.app);
    browser.cookies.set("postern_language", "es");
    await submit(browser, "/forgot-password", undefined, { email: it.user.email });
    const link = await it.linkTo("/reset-password");
    const choose = (chosen: string) => press(browser, link, { password: chosen, password_again: chosen });
    assert.equal((await choose("short")).statusCode, 422);
    assert.deepEqual(await it.notices(), []);
    assert.equal((await choose(fresh)).statusCode, 200);
    const [notice, ...others] = await it.notices();
    assert.deepEqual([notice?.to, others], [it.user.email, []]);
    assert.equal(notice?.subject, "Tu contraseña en id.example ha cambiado");
    assert.match(notice?.text ?? "", /1 ene 2030, 0:00 UTC/);
    assert.match(notice?.text ?? "", /https:\/\/id\.example\/secure-account/);
  });

  test("the user's own change is reported in the user's language, and an administrator's in English", async () => {
    const it = await setUp();
    const own = await it.patch(it.user, it.user.id, { password: fresh, current_password: password });
    assert.equal(own.statusCode, 200, own.body);
    assert.match((await it.notices())[0]?.subject ?? "", /ha cambiado/);

    const root = await aPerson(it, { is_platform_admin: true });
    const theirs = await it.patch(root, it.user.id, { password: "another new password" });
    assert.equal(theirs.statusCode, 200, theirs.body);
    const notices = await it.notices();
    assert.equal(notices.length, 2);
    assert.equal(notices[0]?.subject, "Your password at id.example was changed");
    assert.equal(notices[0]?.to, it.user.email);
  });

  test("a new password is reported to the previous address if that changes in the same request", async () => {
    const it = await setUp();
    const root = await aPerson(it, { is_platform_admin: true });
    const change = { password: fresh, email: "eve@example.com" };
    assert.equal((await it.patch(root, it.user.id, change)).statusCode, 200);
    assert.deepEqual(
      // Both mails are created concurrently, so their order may vary.
      new Set((await it.notices()).map(({ to, subject }) => `${to}: ${subject}`)),
      new Set([
        "eve@example.com: This is now the address of your account at id.example",
        "ada@example.com: The email address of your account at id.example was changed",
        "ada@example.com: Your password at id.example was changed",
      ]),
    );
  });

  test("no other change, and no refused one, is reported as a new password", async () => {
    const it = await setUp();
    const root = await aPerson(it, { is_platform_admin: true });
    assert.equal((await it.patch(root, it.user.id, { name: "Augusta" })).statusCode, 200);
    for (const refused of [
      { password: "short" },
      { password: fresh },
      { password: fresh, current_password: "no" },
    ]) {
      assert.equal((await it.patch(it.user, it.user.id, refused)).statusCode, 422);
    }
    assert.deepEqual(await it.notices(), []);
  });

  test("G-5: a changed email address is reported to the previous one, also after a change by an administrator (security finding 2)", async () => {
    const it = await setUp();
    const root = await aPerson(it, { is_platform_admin: true, email: "root@example.com" });
    const theirs = await it.patch(root, it.user.id, { email: "eve@example.com" });
    assert.equal(theirs.statusCode, 200, theirs.body);
    const [here, notice, ...others] = await it.notices();
    assert.equal(others.length, 0);
    assert.equal(notice?.to, "ada@example.com");
    assert.equal(notice?.subject, "The email address of your account at id.example was changed");
    assert.doesNotMatch(JSON.stringify(notice), /eve@/);
    assert.equal(here?.to, "eve@example.com");
    assert.doesNotMatch(JSON.stringify(here), /ada@/);

    const own = await it.patch(root, root.id, { email: "new@example.com", current_password: password });
    assert.equal(own.statusCode, 200, own.body);
    const [, mine] = await it.notices();
    assert.equal(mine?.to, "root@example.com");
    assert.equal(mine?.subject, "El correo de tu cuenta en id.example ha cambiado");

    await it.patch(root, it.user.id, { email: "eve@example.com", name: "The same address" });
    assert.equal((await it.notices()).length, 4);
  });

  test("the mail about a new password contains neither a password nor a name", async () => {
    const it = await setUp();
    await it.store.update("users", { id: it.user.id }, { name: "Call +1 555" });
    await it.patch(it.user, it.user.id, { password: fresh, current_password: password });
    const reported = JSON.stringify(await it.notices());
    for (const secret of [fresh, password, "555"]) assert.ok(!reported.includes(secret), secret);
  });
});
