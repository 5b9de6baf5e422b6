import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type AppOptions, createApp } from "../../src/http/app.ts";
import { createOutbox, type Outbox } from "../../src/ops/mail.ts";
import type { User } from "../../src/records/definition.ts";
import {
  aPerson,
  hiddenField,
  password,
  signInAs,
  type TestApp,
  type TestBrowser,
  testApp,
  testBrowser,
} from "../support/app.ts";

const fresh = "an entirely new password";
const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };

interface WithMail extends TestApp {
  readonly outbox: Outbox;
  readonly user: User;
  readonly browser: TestBrowser;
}

async function setUp(
  given: Partial<Omit<AppOptions, "store">> & { person?: Partial<User> } = {},
): Promise<WithMail> {
  const { person, ...options } = given;
  const outbox = createOutbox({ ...silent, now: () => new Date(0) });
  const it = await testApp({ mail: outbox, outbox, ...options });
  const user = await aPerson(it, { email: "ada@example.com", ...person });
  return { ...it, outbox, user, browser: testBrowser(it.app) };
}

async function ask(
  browser: TestBrowser,
  email: string,
  { query = "", headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) {
  const page = await browser.get(`/forgot-password${query}`, headers);
  assert.equal(page.statusCode, 200, page.body);
  const [redirect, csrf_token] = [hiddenField(page, "redirect"), hiddenField(page, "csrf_token")];
  return browser.post("/forgot-password", { email, redirect, csrf_token }, headers);
}

/** The path and query of the newest link. */
async function newestLink(outbox: Outbox): Promise<string> {
  await outbox.settled();
  const link = /https:\/\/\S+/.exec(outbox.kept()[0]?.text ?? "")?.[0] ?? "";
  assert.match(link, /^https:\/\/id\.example\/reset-password\?token=pot_[\w-]{51}$/);
  return link.slice("https://id.example".length);
}

async function reset(browser: TestBrowser, link: string, form: Record<string, string> = {}) {
  const page = await browser.get(link);
  assert.equal(page.statusCode, 200, page.body);
  const [token, csrf_token] = [hiddenField(page, "token"), hiddenField(page, "csrf_token")];
  return browser.post("/reset-password", {
    token,
    csrf_token,
    password: fresh,
    password_again: fresh,
    ...form,
  });
}

describe("a forgotten password", () => {
  test("from the login page to the mail, a new password, and signed in with it", async () => {
    const it = await setUp();
    const { browser, outbox, user, clock } = it;
    const login = await browser.get("/login?redirect=%2Fx%3Fa%3D1");
    const href = /href="(\/forgot-password[^"]*)"/.exec(login.body)?.[1] ?? "";
    assert.equal(href, "/forgot-password?redirect=%2Fx%3Fa%3D1");
    const asked = await ask(browser, user.email, { query: href.slice("/forgot-password".length) });
    assert.equal(asked.statusCode, 200);
    assert.match(asked.body, /href="\/login\?redirect=%2Fx%3Fa%3D1"/);

    const link = await newestLink(outbox);
    assert.equal(outbox.kept()[0]?.to, user.email);
    // On another device, without a cookie of the first.
    const other = testBrowser(it.app);
    const done = await reset(other, link);
    assert.equal(done.statusCode, 200);
    assert.ok(!other.cookies.has("__Host-postern_session"), "nobody is signed in by it");
    clock.advance(1);
    assert.equal((await signInAs(other, user)).statusCode, 401);
    assert.equal((await signInAs(other, user, { password: fresh })).statusCode, 302);
  });

  test("using a link ends the session of the browser that used it, too", async () => {
    const { browser, outbox, user, clock } = await setUp();
    await signInAs(browser, user);
    clock.advance(1);
    await ask(browser, user.email);
    assert.equal((await reset(browser, await newestLink(outbox))).statusCode, 200);
    assert.equal((await browser.get("/")).statusCode, 302);
  });

  test("a link that was used, is unknown or too old says so, and where to get another", async () => {
    const { browser, outbox, user, clock } = await setUp();
    await ask(browser, user.email);
    const link = await newestLink(outbox);
    await reset(browser, link);
    await ask(browser, user.email);
    const late = await newestLink(outbox);
    clock.advance(1801);
    for (const dead of [
      link,
      late,
      "/reset-password",
      "/reset-password?token=pot_x",
      "/reset-password?token=a+b",
    ]) {
      const page = await browser.get(dead);
      assert.equal(page.statusCode, 404, dead);
      assert.match(page.body, /href="\/forgot-password"/);
      assert.doesNotMatch(page.body, /type="password"/);
    }
  });

  test("HEAD and GET of a link use nothing up", async () => {
    const { app, browser, outbox, user } = await setUp();
    await ask(browser, user.email);
    const link = await newestLink(outbox);
    for (const method of ["HEAD", "GET", "GET"] as const)
      assert.equal((await app.inject({ method, url: link })).statusCode, 200);
    assert.equal((await reset(browser, link)).statusCode, 200);
  });

  test("two passwords that differ, and one that nobody may choose, are refused in words; the link stays good", async () => {
    const { browser, outbox, user } = await setUp();
    await ask(browser, user.email);
    const link = await newestLink(outbox);
    for (const [form, words] of [
      [{ password_again: `${fresh} ` }, /not the same/],
      [{ password_again: "" }, /not the same/],
      [{ password: "short", password_again: "short" }, /too short/],
      [{ password: "password1", password_again: "password1" }, /too common/],
    ] as const) {
      const answer = await reset(browser, link, form);
      assert.equal(answer.statusCode, 422);
      assert.match(answer.body, words);
      assert.match(answer.body, /aria-invalid="true"/);
      assert.ok(!answer.body.includes(fresh), "no password is sent back");
    }
    assert.equal((await reset(browser, link)).statusCode, 200);
  });

  test("L-5: a form of another site changes nothing and sends nothing", async () => {
    const { browser, outbox, user, store } = await setUp();
    const first = await browser.post("/forgot-password", { email: user.email });
    assert.equal(first.statusCode, 403);
    const page = await browser.get("/forgot-password");
    const csrf_token = hiddenField(page, "csrf_token");
    const site = { "sec-fetch-site": "cross-site" };
    const second = await browser.post("/forgot-password", { email: user.email, csrf_token }, site);
    assert.equal(second.statusCode, 403);
    await outbox.settled();
    assert.equal(outbox.kept().length, 0);

    await ask(browser, user.email);
    const link = await newestLink(outbox);
    const token = link.slice(link.indexOf("=") + 1);
    const forged = await browser.post("/reset-password", { token, password: fresh, password_again: fresh });
    assert.equal(forged.statusCode, 403);
    assert.equal((await store.find("users", { id: user.id }))?.password_hash, user.password_hash);
  });
});

describe("who asks learns nothing about an account", () => {
  test("L-9: the answer is the same, to the byte, for a user, nobody, one switched off and one without a password", async () => {
    const it = await setUp();
    await aPerson(it, { email: "off@example.com", active: false });
    await aPerson(it, { email: "non@example.com", password_hash: null });
    const seen = new Set<string>();
    // Of one length, since the page says what was typed.
    for (const email of ["ada@example.com", "who@example.com", "off@example.com", "non@example.com"]) {
      const answer = await ask(testBrowser(it.app), email);
      assert.ok(answer.body.includes(email));
      const { date: _, ...headers } = answer.headers;
      seen.add(JSON.stringify([answer.statusCode, headers, answer.body.replaceAll(email, "")]));
    }
    assert.equal(seen.size, 1);
    await it.outbox.settled();
    const mailed = it.outbox.kept().map(({ to, text }) => [to, text.includes("token=")]);
    assert.deepEqual(mailed.toSorted(), [
      ["ada@example.com", true],
      ["non@example.com", true],
      ["off@example.com", false],
    ]);
  });

  test("L-9: no account is looked up before the answer is out", async () => {
    const posted: (() => Promise<unknown>)[] = [];
    const it = await setUp();
    const reads: string[] = [];
    const { find } = it.identity.store;
    const watched = {
      ...it.identity.store,
      find: (...args: Parameters<typeof find>) => {
        reads.push(args[0]);
        return find(...args);
      },
    };
    const { server, identity } = it;
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    let answered = false;
    const app = createApp({
      store: it.store,
      server,
      identity: { ...identity, store: watched as typeof identity.store },
      log,
      secure: true,
      ready: async () => ({ ready: true, components: {} }),
      trust_proxy: [],
      mail: {
        post(make) {
          assert.ok(answered, "posted once the answer is out");
          posted.push(make);
        },
        sendKept: async () => {},
      },
    });
    app.addHook("onResponse", async () => {
      answered = true;
    });
    const browser = testBrowser(app);
    const page = await browser.get("/forgot-password");
    answered = false;
    await browser.post("/forgot-password", {
      email: it.user.email,
      csrf_token: hiddenField(page, "csrf_token"),
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(posted.length, 1);
    assert.ok(!reads.includes("users"), reads.join());
    await posted[0]?.();
    assert.ok(reads.includes("users"), "the watch works");
    await app.close();
  });

  test("L-10: too many requests are refused calmly, alike for every address, and nothing is sent", async () => {
    const it = await setUp();
    for (const email of ["ada@example.com", "nobody@example.com"]) {
      const sent = () => it.outbox.kept().length;
      for (let times = 0; times < 5; times++) assert.equal((await ask(it.browser, email)).statusCode, 200);
      await it.outbox.settled();
      const before = sent();
      const answer = await ask(it.browser, email);
      assert.equal(answer.statusCode, 429);
      assert.equal(answer.headers["retry-after"], "900");
      assert.match(answer.body, /try again in 15 minutes/);
      await it.outbox.settled();
      assert.equal(sent(), before);
    }
  });

  test("a text that is no address is said to be none, before anything is counted", async () => {
    const it = await setUp();
    for (const email of [
      "",
      "ada",
      "ada@",
      "a@b@c",
      "ada@example.com\r\nBcc: eve@evil.example",
      `${"a".repeat(400)}@x`,
    ]) {
      const answer = await ask(it.browser, email);
      assert.equal(answer.statusCode, 422, email);
      assert.match(answer.body, /id="email-error"/);
    }
    assert.equal(await it.store.count("ephemera", { kind: "throttle" }), 0);
  });
});

describe("the mail", () => {
  test("the link is made of the issuer, whatever host the request names", async () => {
    const { browser, outbox, user } = await setUp({ trust_proxy: ["127.0.0.1"] });
    const headers = {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "http",
      forwarded: "host=evil.example",
      origin: "https://evil.example",
    };
    await ask(browser, user.email, { headers });
    await newestLink(outbox);
    assert.doesNotMatch(JSON.stringify(outbox.kept()), /evil/);
  });

  test("it is written in the language of whoever asked, in both parts", async () => {
    const { browser, outbox, user } = await setUp();
    for (const [language, words] of [
      ["es", /Elige una contraseña nueva/],
      ["zh", /设置新密码/],
      ["en", /Choose a new password/],
    ] as const) {
      await ask(browser, user.email, { headers: { "accept-language": language } });
      await outbox.settled();
      const mail = outbox.kept()[0];
      assert.match(mail?.subject ?? "", words);
      assert.match(mail?.html ?? "", words);
      assert.match(mail?.html ?? "", new RegExp(`lang="${language}`));
    }
    const redirect = encodeURIComponent("/oauth/authorize?client_id=x&ui_locales=es");
    await ask(browser, user.email, { query: `?redirect=${redirect}` });
    await outbox.settled();
    assert.match(outbox.kept()[0]?.subject ?? "", /Elige/);
  });

  test("its two parts hold the same link, and nothing that somebody else wrote", async () => {
    const { browser, outbox } = await setUp({
      person: { name: "Call +1 555 now <b>https://evil.example</b>" },
    });
    await ask(browser, "ada@example.com");
    const link = await newestLink(outbox);
    const mail = outbox.kept()[0];
    assert.ok(mail?.html.includes(`<a href="https://id.example${link}">`));
    assert.doesNotMatch(JSON.stringify(mail), /evil\.example|\+1 555/);
  });

  test("H-7: neither address nor link nor password is in any line of the log", async () => {
    const { browser, outbox, user, logged } = await setUp();
    await ask(browser, "nobody@example.com");
    await ask(browser, user.email);
    const link = await newestLink(outbox);
    await reset(browser, link, { password: "short" });
    await reset(browser, link);
    await browser.get(link);
    const lines = logged.join("\n");
    assert.ok(lines.includes("/reset-password"), "routes are logged");
    for (const secret of ["example.com", "token=", link.slice(-30), fresh, password])
      assert.ok(!lines.includes(secret), secret);
  });

  test("the page behind the link says no address to where it leads", async () => {
    const { browser, outbox, user } = await setUp();
    await ask(browser, user.email);
    const page = await browser.get(await newestLink(outbox));
    assert.equal(page.headers["referrer-policy"], "no-referrer");
    assert.equal(page.headers["cache-control"], "no-store");
  });
});

describe("without mail", () => {
  test("the login page has no link, and the pages say that mail is switched off", async () => {
    const it = await testApp();
    const browser = testBrowser(it.app);
    assert.doesNotMatch((await browser.get("/login")).body, /forgot/i);
    for (const page of [
      await browser.get("/forgot-password"),
      await browser.post("/forgot-password", { email: "a@b.example" }),
    ]) {
      assert.equal(page.statusCode, 200);
      assert.match(page.body, /sends no mail/);
      assert.doesNotMatch(page.body, /action="\/forgot-password"/);
    }
  });

  test("the outbox is served where mails are kept, and nowhere else", async () => {
    const { browser, outbox, user } = await setUp();
    assert.match((await browser.get("/dev/outbox")).body, /No mail yet/);
    await ask(browser, user.email);
    const link = await newestLink(outbox);
    const page = await browser.get("/dev/outbox");
    assert.ok(page.body.includes(`<a href="https://id.example${link}">`));
    assert.ok(page.body.includes(user.email));
    assert.equal(
      (await testBrowser((await testApp({ mail: outbox })).app).get("/dev/outbox")).statusCode,
      404,
    );
  });
});
