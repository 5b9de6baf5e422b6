import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createOutbox } from "../../src/ops/mail.ts";
import type { User } from "../../src/records/definition.ts";
import { aPerson, hiddenField, password, signInAs, testApp, testBrowser } from "../support/app.ts";

const fresh = "an entirely new password";
const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };

async function setUp() {
  const outbox = createOutbox({ ...silent, now: () => new Date(0) });
  const it = await testApp({ mail: outbox, throttle: false });
  const user = await aPerson(it, { email: "ada@example.com" });
  const notices = async () => {
    await outbox.settled();
    // Each sign-in of these tests is a browser of its own, which is told by another mail.
    const isOther = (subject: string) => subject.startsWith("A sign-in from a new device");
    return outbox
      .kept()
      .filter(({ text, subject }) => !text.includes("/reset-password?token=") && !isOther(subject));
  };
  const newestLink = async () => {
    await outbox.settled();
    return /https:\/\/id\.example(\/reset-password\S+)/.exec(outbox.kept()[0]?.text ?? "")?.[1] ?? "";
  };
  /** Changes a user through the management API, in a browser session. */
  const patch = async (by: User, id: string, body: object, language = "es") => {
    const browser = testBrowser(it.app);
    await signInAs(browser, by);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return it.app.inject({
      method: "PATCH",
      url: `/api/v1/users/${id}`,
      headers: {
        "content-type": "application/json",
        "sec-fetch-site": "same-origin",
        "accept-language": language,
        cookie,
      },
      payload: JSON.stringify(body),
    });
  };
  return { ...it, user, notices, newestLink, patch };
}

describe("the notice of a new password", () => {
  test("follows a reset, in the language it was asked in", async () => {
    const it = await setUp();
    const browser = testBrowser(it.app);
    const spanish = { "accept-language": "es" };
    const forgot = await browser.get("/forgot-password", spanish);
    const csrf_token = hiddenField(forgot, "csrf_token");
    await browser.post("/forgot-password", { email: it.user.email, csrf_token }, spanish);
    const page = await browser.get(await it.newestLink(), spanish);
    const form = {
      token: hiddenField(page, "token"),
      csrf_token: hiddenField(page, "csrf_token"),
      password: fresh,
      password_again: fresh,
    };
    const weak = { ...form, password: "short", password_again: "short" };
    assert.equal((await browser.post("/reset-password", weak, spanish)).statusCode, 422);
    assert.deepEqual(await it.notices(), []);
    assert.equal((await browser.post("/reset-password", form, spanish)).statusCode, 200);
    const [notice, ...others] = await it.notices();
    assert.equal(others.length, 0);
    assert.equal(notice?.to, it.user.email);
    assert.equal(notice?.subject, "Tu contraseña en id.example ha cambiado");
    assert.match(notice?.text ?? "", /1 ene 2030, 0:00 UTC/);
    assert.match(notice?.text ?? "", /https:\/\/id\.example\/secure-account/);
  });

  test("follows a change of one's own in the language of the request, and an administrator's in English", async () => {
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

  test("goes to the address from before, when that changes with it", async () => {
    const it = await setUp();
    const root = await aPerson(it, { is_platform_admin: true });
    const change = { password: fresh, email: "eve@example.com" };
    assert.equal((await it.patch(root, it.user.id, change)).statusCode, 200);
    assert.deepEqual(
      // Their order is that of their making, side by side.
      new Set((await it.notices()).map(({ to, subject }) => `${to}: ${subject}`)),
      new Set([
        "eve@example.com: This is now the address of your account at id.example",
        "ada@example.com: The e-mail of your account at id.example was changed",
        "ada@example.com: Your password at id.example was changed",
      ]),
    );
  });

  test("follows no other change, and none that was refused", async () => {
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

  test("G-5: another e-mail is told to the address from before, by whomever it was changed (security finding 2)", async () => {
    const it = await setUp();
    const root = await aPerson(it, { is_platform_admin: true, email: "root@example.com" });
    const theirs = await it.patch(root, it.user.id, { email: "eve@example.com" });
    assert.equal(theirs.statusCode, 200, theirs.body);
    const [here, notice, ...others] = await it.notices();
    assert.equal(others.length, 0);
    assert.equal(notice?.to, "ada@example.com");
    assert.equal(notice?.subject, "The e-mail of your account at id.example was changed");
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

  test("says neither a password nor a name", async () => {
    const it = await setUp();
    await it.store.update("users", { id: it.user.id }, { name: "Call +1 555" });
    await it.patch(it.user, it.user.id, { password: fresh, current_password: password });
    const told = JSON.stringify(await it.notices());
    for (const secret of [fresh, password, "555"]) assert.ok(!told.includes(secret), secret);
  });
});
