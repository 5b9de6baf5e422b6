import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aPersonAt, followed, press, type Setting, sendForm } from "../support/account.ts";
import { type TestBrowser, testApp, testBrowser } from "../support/app.ts";

const fresh = "an entirely new password";
const forgot = "/forgot-password";

async function setUp(overrides: Parameters<typeof aPersonAt>[0] = {}) {
  const it = await aPersonAt({ throttle: true, ...overrides });
  /** Returns path and query of the newest link. */
  const newestLink = async () => {
    const [mail] = await it.mails();
    const link = /https:\/\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    assert.match(link, /^https:\/\/id\.example\/reset-password\?token=pot_[\w-]{51}$/);
    return link.slice("https://id.example".length);
  };
  return { ...it, newestLink };
}

async function ask(
  { browser }: Pick<Setting, "browser">,
  { email = "ada@example.com", query = "", headers = {} as Record<string, string> } = {},
) {
  const page = await browser.get(forgot + query, headers);
  assert.equal(page.statusCode, 200, page.body);
  const sender = { ...browser, post: (url, form) => browser.post(url, form, headers) } as TestBrowser;
  return sendForm(sender, page, forgot, { email });
}

const reset = (browser: TestBrowser, link: string, form: Record<string, string> = {}) =>
  press(browser, link, { password: fresh, password_again: fresh, ...form });

describe("the page for a forgotten password", () => {
  test("from the login page, a user gets a mail, sets a new password, and signs in with it", async () => {
    const it = await setUp();
    const { browser, clock, enter, newestLink } = it;
    const login = await browser.get("/login?redirect=%2Fx%3Fa%3D1");
    const query = "?redirect=%2Fx%3Fa%3D1";
    assert.ok(login.body.includes(`href="${forgot}${query}"`));
    const led = await ask(it, { query });
    assert.doesNotMatch(
      String(led.headers.location),
      /ada(?:@|%40)/,
      "no address is in the browser's history",
    );
    const requested = await followed(browser, led);
    assert.match(requested.body, /<bdi class="name">ada@example\.com</);
    assert.match(requested.body, /href="\/login\?redirect=%2Fx%3Fa%3D1"/);

    const link = await newestLink();
    assert.equal((await it.mails())[0]?.to, "ada@example.com");
    // On another device, without the cookies of the first one.
    const other = testBrowser(it.app);
    const page = await other.get(link);
    assert.equal(page.headers["referrer-policy"], "no-referrer");
    assert.equal(page.headers["cache-control"], "no-store");
    assert.equal((await reset(other, link)).statusCode, 200);
    assert.ok(!other.cookies.has("__Host-postern_session"), "nobody is signed in by it");
    clock.advance(1);
    assert.equal((await enter(other)).statusCode, 401);
    assert.equal((await enter(other, { password: fresh })).statusCode, 302);
  });

  test("a used, unknown or expired link is explained, with the way to get another", async () => {
    const it = await setUp();
    await ask(it);
    const link = await it.newestLink();
    await reset(it.browser, link);
    await ask(it);
    const late = await it.newestLink();
    it.clock.advance(1801);
    for (const query of ["", "?token=pot_x", "?token=a+b", link.slice(15), late.slice(15)]) {
      const page = await it.browser.get(`/reset-password${query}`);
      assert.equal(page.statusCode, 404, query);
      assert.match(page.body, /href="\/forgot-password"/);
      assert.doesNotMatch(page.body, /type="password"/);
    }
  });

  test("passwords that differ or are forbidden are refused with the reason, and the link stays valid", async () => {
    const it = await setUp();
    await ask(it);
    const link = await it.newestLink();
    for (const [form, words] of [
      [{ password_again: `${fresh} ` }, /not the same/],
      [{ password_again: "" }, /not the same/],
      [{ password: "short", password_again: "short" }, /too short/],
      [{ password: "password1", password_again: "password1" }, /too common/],
    ] as const) {
      const answer = await reset(it.browser, link, form);
      assert.equal(answer.statusCode, 422);
      assert.match(answer.body, words);
      assert.match(answer.body, /aria-invalid="true"/);
      assert.ok(!answer.body.includes(fresh), "no password is sent back");
    }
    assert.equal((await reset(it.browser, link)).statusCode, 200);
  });

  test("L-5: a form from another site changes no password", async () => {
    const it = await setUp();
    await ask(it);
    const token = (await it.newestLink()).split("=")[1] ?? "";
    const forged = { token, password: fresh, password_again: fresh };
    assert.equal((await it.browser.post("/reset-password", forged)).statusCode, 403);
    const { password_hash } = it.user;
    assert.equal(await it.store.count("users", { password_hash }), 1);
  });
});

describe("the mail with the password link", () => {
  test("the password link is based on the issuer, whatever Host header the request has", async () => {
    const it = await setUp({ trust_proxy: ["127.0.0.1"] });
    const headers = {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "http",
      forwarded: "host=evil.example",
      origin: "https://evil.example",
    };
    await ask(it, { headers });
    await it.newestLink();
    assert.doesNotMatch(JSON.stringify(await it.mails()), /evil/);
  });

  test("the text and HTML parts of the password mail are in the language of the requester", async () => {
    const it = await setUp();
    const redirect = encodeURIComponent("/oauth/authorize?client_id=x&ui_locales=es");
    for (const [language, words, query] of [
      ["es", /Elige una contraseña nueva/, ""],
      ["zh", /设置新密码/, ""],
      ["en", /Choose a new password/, ""],
      ["es", /Elige una contraseña nueva/, `?redirect=${redirect}`],
    ] as const) {
      await ask(it, { query, headers: { "accept-language": query === "" ? language : "en" } });
      const [mail] = await it.mails();
      assert.match(mail?.subject ?? "", words);
      assert.match(mail?.html ?? "", words);
      assert.match(mail?.html ?? "", new RegExp(`lang="${language}`));
    }
  });

  test("its two parts contain the same link, and no text of another user", async () => {
    const it = await setUp({ person: { name: "Call +1 555 now <b>https://evil.example</b>" } });
    await ask(it);
    const link = await it.newestLink();
    const [mail] = await it.mails();
    assert.ok(mail?.html.includes(`<a href="https://id.example${link}">`));
    assert.doesNotMatch(JSON.stringify(mail), /evil\.example|\+1 555/);
  });
});

describe("password links if mail is not set up", () => {
  test("the login page has no link to request one, and the page says that mail is disabled", async () => {
    const browser = testBrowser((await testApp()).app);
    assert.doesNotMatch((await browser.get("/login")).body, /forgot/i);
    for (const page of [await browser.get(forgot), await browser.post(forgot, { email: "a@b.example" })]) {
      assert.equal(page.statusCode, 200);
      assert.match(page.body, /does not send email/);
      assert.doesNotMatch(page.body, /action="\/forgot-password"/);
    }
  });

  test("the pages of kept mails exist only in development, where mails are kept", async () => {
    const it = await aPersonAt();
    const { outbox, server, identity } = it;
    const kept = await testApp({ server, identity, mail: outbox, outbox });
    const browser = testBrowser(kept.app);
    assert.match((await browser.get("/dev/outbox")).body, /No emails yet/);
    await ask({ browser });
    const link = await it.linkTo("/reset-password");
    const { body } = await browser.get("/dev/outbox");
    assert.ok(body.includes(`<a href="https://id.example${link}">`) && body.includes("ada@example.com"));
    assert.equal((await it.browser.get("/dev/outbox")).statusCode, 404);
  });
});
