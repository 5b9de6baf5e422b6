/** Registering through the pages (docs/decisions/registration-and-invitations.md). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Mail } from "../../src/records/names/notices.ts";
import type { Store } from "../../src/storage/store.ts";
import { followed, sendForm, submit } from "../support/account.ts";
import {
  aPerson,
  hiddenField,
  password,
  signInAs,
  type TestBrowser,
  testApp,
  testBrowser,
} from "../support/app.ts";
import { anApp, anOrganization } from "../support/builders.ts";
import { authorizeParameters, formOf } from "../support/flows.ts";
import {
  requestRegistration as ask,
  newestRegistrationMail as newestMail,
  signUpApp as setUp,
} from "../support/registering.ts";

const fresh = "an entirely new password";
const sessionCookie = "__Host-postern_session";

const finish = (browser: TestBrowser, link: string, form: Record<string, string> = {}) =>
  submit(browser, link, undefined, { name: "Ada", password: fresh, ...form });

describe("the rules on who may register", () => {
  test("SS-1 if registration is closed, there is no page and no link for it", async () => {
    for (const settings of [{}, { sign_up: "closed" as const }]) {
      const { browser } = await setUp(settings);
      assert.doesNotMatch((await browser.get("/login")).body, /register/);
      for (const path of ["/register", "/register/code", "/register/finish?token=x", "/register/done"]) {
        assert.equal((await browser.get(path)).statusCode, 404, path);
        assert.equal((await browser.post(path, {})).statusCode, 404, path);
      }
    }
  });

  test("SS-1 an organization can close registration for its applications", async () => {
    const { browser, store } = await setUp();
    const shut = await anOrganization(store, { settings: { sign_up: { policy: "closed" } } });
    const app = await anApp(store, { organization_id: shut.id });
    const pending = `/oauth/authorize?${formOf(authorizeParameters(app))}`;
    const there = `?redirect=${encodeURIComponent(pending)}`;
    assert.match((await browser.get("/login")).body, /href="\/register\?redirect=/);
    assert.doesNotMatch((await browser.get(`/login${there}`)).body, /\/register/);
    assert.equal((await browser.get(`/register${there}`)).statusCode, 404);
    const posted = { email: "ada@example.com", redirect: pending };
    assert.equal((await submit(browser, "/register", undefined, posted)).statusCode, 404);
  });

  test("SS-1 the page says who may register, if registration is restricted", async () => {
    const some = await setUp({ sign_up: "domains", sign_up_domains: ["example.com", "example.org"] });
    assert.match((await some.browser.get("/register")).body, /example\.com, example\.org/);
    const invited = await setUp({ sign_up: "invited" });
    assert.match((await invited.browser.get("/register")).body, /People who were invited/);
  });
});

describe("the request parameter prompt=create", () => {
  const request = async (store: Store, organization_id: string | null = null, more = "") => {
    const app = await anApp(store, { organization_id, first_party: true });
    return `/oauth/authorize?${formOf(authorizeParameters(app, { prompt: `create${more}` }))}`;
  };
  const registerAt = (url: string) => `/register?redirect=${encodeURIComponent(`https://id.example${url}`)}`;
  const promptsOf = async (browser: TestBrowser) =>
    (await browser.get("/.well-known/openid-configuration")).json().prompt_values_supported;

  test("SS-1 prompt=create leads to the registration and back to the request, which continues with the new account", async () => {
    const { browser, outbox, store } = await setUp();
    assert.deepEqual(await promptsOf(browser), ["none", "login", "consent", "select_account", "create"]);
    const url = await request(store);
    const led = await browser.get(url);
    assert.deepEqual([led.statusCode, led.headers.location], [302, registerAt(url)]);
    await ask(browser, "ada@example.com", `https://id.example${url}`);
    const { link } = await newestMail(outbox);
    const done = await finish(browser, link);
    assert.equal(done.headers.location, url);
    const answer = await browser.get(url);
    assert.match(String(answer.headers.location), /^https:\/\/app\.example\/cb\?code=/);
  });

  test("SS-1 with prompt=create a signed-in user is asked too, and may continue with the existing account by signing in", async () => {
    const it = await setUp();
    const { browser, store } = it;
    const url = await request(store);
    const person = await aPerson(it);
    await signInAs(browser, person);
    assert.equal((await browser.get(url)).headers.location, registerAt(url));
    // The sign-in page does not return to the registration automatically.
    const login = `/login?redirect=${encodeURIComponent(`https://id.example${url}`)}`;
    const back = await submit(browser, login, undefined, { email: person.email, password });
    assert.equal(back.statusCode, 302, back.body);
    assert.match(String((await browser.get(url)).headers.location), /^https:\/\/app\.example\/cb\?code=/);
  });

  test("SS-1 prompt=create shows no registration if the server or the organization has closed it", async () => {
    const closed = await setUp({});
    const open = await setUp();
    assert.deepEqual(await promptsOf(closed.browser), ["none", "login", "consent", "select_account"]);
    const shut = await anOrganization(open.store, { settings: { sign_up: { policy: "closed" } } });
    for (const { it, organization_id } of [
      { it: closed, organization_id: null },
      { it: open, organization_id: shut.id },
    ]) {
      const url = await request(it.store, organization_id);
      assert.match(String((await it.browser.get(url)).headers.location), /^\/login\?redirect=/);
      await signInAs(it.browser, await aPerson(it));
      assert.match(
        String((await it.browser.get(url)).headers.location),
        /^https:\/\/app\.example\/cb\?code=/,
      );
    }
  });

  test("A-29 prompt=create together with none is refused", async () => {
    const { browser, store } = await setUp();
    const answer = await browser.get(await request(store, null, " none"));
    assert.match(String(answer.headers.location), /error=invalid_request/);
  });
});

describe("registering an account", () => {
  test("SS-2 the mailed link completes a registration in the same browser, and the request continues", async () => {
    const { browser, outbox, store } = await setUp();
    const login = await browser.get("/login?redirect=%2Fx%3Fa%3D1");
    const href = /href="(\/register[^"]*)"/.exec(login.body)?.[1] ?? "";
    assert.equal(href, "/register?redirect=%2Fx%3Fa%3D1");
    const led = await ask(browser, "ada@example.com", "/x?a=1");
    assert.doesNotMatch(String(led.headers.location), /ada/, "no address is in the browser's history");
    const requested = await followed(browser, led);
    assert.match(requested.body, /You entered <bdi class="name">ada@example\.com</);
    const { link, mail } = await newestMail(outbox);
    assert.equal(mail.to, "ada@example.com");
    assert.equal(await store.count("users"), 0);
    const done = await finish(browser, link);
    assert.deepEqual([done.statusCode, done.headers.location], [302, "/x?a=1"]);
    assert.ok(browser.cookies.has(sessionCookie));
    assert.equal((await browser.get("/account")).statusCode, 200);
    assert.equal((await browser.get(link)).statusCode, 404, "it works once");
    const [session] = await store.list("sessions");
    assert.deepEqual(
      session?.methods?.map(({ kind }) => kind),
      ["mail_code", "password"],
    );
  });

  test("SS-4 the code completes a registration in the same browser, even if the link is never opened", async () => {
    const { browser, outbox } = await setUp();
    const requested = await followed(browser, await ask(browser, "ada@example.com", "/x?a=1"));
    const { code } = await newestMail(outbox);
    const give = (code: string) => sendForm(browser, requested, "/register/code", { code });
    const wrong = await give("0");
    assert.equal(wrong.statusCode, 422);
    assert.match(wrong.body, /You entered <bdi class="name">ada@example\.com</);
    assert.match(wrong.body, /aria-invalid="true"/);
    const right = await give(code);
    assert.equal(right.statusCode, 303);
    const done = await finish(browser, String(right.headers.location));
    assert.deepEqual([done.statusCode, done.headers.location], [302, "/x?a=1"]);
  });

  test("SS-4 the link in another browser completes it and says where to return; the first gets no session", async () => {
    const { app, browser, outbox } = await setUp();
    const requested = await followed(browser, await ask(browser, "ada@example.com", "/x?a=1"));
    const { link, code } = await newestMail(outbox);
    const other = testBrowser(app);
    const done = await finish(other, link);
    assert.deepEqual([done.statusCode, done.headers.location], [302, "/register/done"]);
    assert.match((await other.get("/register/done")).body, /return there and sign in/);
    assert.ok(other.cookies.has(sessionCookie));
    assert.ok(!browser.cookies.has(sessionCookie));
    const late = await sendForm(browser, requested, "/register/code", { code });
    assert.equal(late.statusCode, 303);
    const reported = await finish(browser, late.headers.location ?? "");
    assert.equal(reported.statusCode, 409);
    assert.match(reported.body, /href="\/login"/);
    assert.ok(!browser.cookies.has(sessionCookie));
  });

  test("SS-2 a known address gets a mail about its account, with links to sign in and to reset the password", async () => {
    const it = await setUp();
    await aPerson(it, { email: "grace@example.com" });
    await ask(it.browser, "grace@example.com");
    await it.outbox.settled();
    const [mail] = it.outbox.kept();
    assert.equal(mail?.to, "grace@example.com");
    assert.deepEqual(mail?.text.match(/https:\S+/g), [
      "https://id.example/login",
      "https://id.example/forgot-password",
    ]);
    assert.doesNotMatch(`${mail?.text}${mail?.html}`, /token=|\d{4} \d{4}/);
  });

  test("SS-2 a user who had another session in this browser is then signed in as the new account", async () => {
    const it = await setUp();
    const grace = await aPerson(it, { email: "grace@example.com" });
    await signInAs(it.browser, grace, { password });
    await ask(it.browser, "ada@example.com");
    const { link } = await newestMail(it.outbox);
    assert.match((await it.browser.get(link)).body, /signs you out/);
    assert.equal((await finish(it.browser, link)).statusCode, 302);
    assert.match((await it.browser.get("/account")).body, /ada@example\.com/);
    assert.equal(await it.store.count("sessions", { user_id: grace.id, ended_at: null }), 0);
  });

  test("MF-12 a user who has just registered adds the first second factor without proving the mailbox again", async () => {
    const { browser, outbox } = await setUp({ sign_up: "open", extra_sign_in: ["totp"] });
    await ask(browser, "ada@example.com");
    await finish(browser, (await newestMail(outbox)).link);
    const begun = await submit(browser, "/account/security", "/account/authenticator-apps/new");
    assert.equal(begun.headers.location, "/account/authenticator-apps/new", begun.body);
  });

  test("SS-2 invalid input is explained before it counts as a request, and nothing is created", async () => {
    const { browser, outbox, store } = await setUp();
    const injected = "ada@example.com\r\nBcc: eve@evil.example";
    const addresses = ["", "ada", "ada@", "a@b@c", `${"a".repeat(400)}@x`, injected];
    for (const [path, more] of [
      ["/register", ["аda@exаmple.com"]],
      ["/forgot-password", []],
    ] as const) {
      for (const email of [...addresses, ...more]) {
        const answer = await submit(browser, path, undefined, { email });
        assert.equal(answer.statusCode, 422, email);
        assert.match(answer.body, /id="email-error"/);
      }
    }
    assert.equal(await store.count("ephemera"), 0);
    await ask(browser, "ada@example.com");
    const { link } = await newestMail(outbox);
    for (const [form, words] of [
      [{ name: "" }, /1 to 255 characters/],
      [{ password: "short" }, /too short/],
      [{ password: "password1" }, /too common/],
    ] as const) {
      const answer = await finish(browser, link, form);
      assert.equal(answer.statusCode, 422);
      assert.match(answer.body, words);
      assert.ok(!answer.body.includes(fresh), "no password is sent back");
    }
    assert.equal(await store.count("users"), 0);
    assert.equal((await finish(browser, link)).statusCode, 302);
  });

  test("L-5: a form from another site sends no mail, redeems no code and creates no account", async () => {
    const { app, browser, outbox, store } = await setUp();
    const requested = await followed(browser, await ask(browser, "ada@example.com"));
    const csrf_token = hiddenField(requested, "csrf_token");
    const { link, code } = await newestMail(outbox);
    const token = link.slice(link.indexOf("=") + 1);
    const site = { "sec-fetch-site": "cross-site" };
    const cases: [string, Record<string, string>][] = [
      ["/register", { email: "eve@example.com" }],
      ["/forgot-password", { email: "eve@example.com" }],
      ["/register/code", { code }],
      ["/register/finish", { token, name: "Eve", password: fresh }],
    ];
    for (const [path, form] of cases) {
      assert.equal((await browser.post(path, { ...form, csrf_token }, site)).statusCode, 403, path);
      assert.equal((await testBrowser(app).post(path, { ...form, csrf_token })).statusCode, 403, path);
    }
    await outbox.settled();
    assert.equal(outbox.kept().length, 1);
    assert.equal(await store.count("users"), 0);
  });

  for (const path of ["/register", "/forgot-password"])
    test(`SS-1, L-10: too many requests at ${path} get the same explanation for every address, and no mail`, async () => {
      const it = await setUp();
      await aPerson(it, { email: "grace@example.com" });
      const answers: string[] = [];
      const sent = async () => {
        await it.outbox.settled();
        return it.outbox.kept().length;
      };
      for (const email of ["ada@example.com", "grace@example.com"]) {
        const send = () => submit(it.browser, path, undefined, { email });
        for (let times = 0; times < 5; times++) assert.equal((await send()).statusCode, 303);
        const before = await sent();
        const answer = await send();
        assert.deepEqual([answer.statusCode, answer.headers["retry-after"]], [429, "900"]);
        assert.match(answer.body, /try again in 15 minutes/);
        answers.push(answer.body.replaceAll(email, ""));
        assert.equal(await sent(), before);
      }
      assert.equal(answers[0], answers[1]);
    });
});

describe("SS-3 registration does not reveal whether an account exists", () => {
  const paths = ["/register", "/forgot-password"];

  /** Returns an application that records the calls to its storage and hasher until the response is sent. */
  async function watched() {
    const it = await setUp();
    await aPerson(it, { email: "ada@example.com" });
    await aPerson(it, { email: "off@example.com", active: false });
    await aPerson(it, { email: "non@example.com", password_hash: null });
    let work: string[] = [];
    const watch = <T extends object>(target: T, name: string): T =>
      new Proxy(target, {
        get(_, member) {
          const value = Reflect.get(target, member);
          if (typeof value !== "function") return value;
          return (...args: unknown[]) => {
            const shape = args.map((arg) =>
              typeof arg === "object" && arg !== null && !Array.isArray(arg)
                ? Object.keys(arg).join()
                : typeof arg === "string" && arg.length < 20
                  ? arg
                  : typeof arg,
            );
            work.push(`${name}.${String(member)}(${shape.join(" ")})`);
            return value.apply(target, args);
          };
        },
      });
    const posted: (() => Promise<Mail | undefined>)[] = [];
    const { store } = it;
    const { passwords } = it.identity;
    const { app } = await testApp({
      server: it.server,
      identity: {
        ...it.identity,
        store: watch<Store>(store, "store"),
        passwords: watch(passwords, "passwords"),
      },
      mail: { post: (make) => void posted.push(make), flushOutbox: async () => {} },
    });
    return {
      ...it,
      async requested(path: string, email: string) {
        const browser = testBrowser(app);
        const page = await browser.get(path);
        const csrf_token = hiddenField(page, "csrf_token");
        work = [];
        const answer = await browser.post(path, { email, csrf_token, redirect: "/" });
        const before = work;
        await new Promise((resolve) => setImmediate(resolve));
        const { date: _, ...headers } = answer.headers;
        const [made] = posted.splice(0);
        const body = answer.body.replaceAll(/name="csrf_token" value="[^"]*"/g, "");
        return { work: before, answer: JSON.stringify([answer.statusCode, headers, body]), made };
      },
    };
  }

  test("SS-3, L-9: responses and the work before them are the same for known and unknown addresses", async () => {
    const it = await watched();
    /** For each address: whether the mail contains a link. Only the owner of the mailbox can find out. */
    const messages: Record<string, boolean | undefined> = {};
    for (const path of paths) {
      const seen = new Set<string>();
      const works = new Set<string>();
      // The addresses have the same length, because the page repeats the input.
      for (const name of ["ada", "off", "non", "who", "joe"]) {
        const { answer, work, made } = await it.requested(path, `${name}@example.com`);
        assert.ok(made, "the mail is made behind the answer");
        assert.ok(work.length > 0, "the watch works");
        assert.ok(!work.some((each) => /users|invitations|passwords/.test(each)), work.join("\n"));
        // The encrypted address differs each time, but not in length.
        seen.add(answer.replace(/(?<=[?&]to=)[\w.-]+/, ({ length }) => String(length)));
        works.add(work.join("\n"));
        if (path === "/forgot-password") messages[name] = (await made())?.text.includes("token=");
      }
      assert.equal(seen.size, 1, path);
      assert.equal(works.size, 1, [...works].join("\n\n"));
    }
    assert.deepEqual(messages, { ada: true, off: false, non: true, who: undefined, joe: undefined });
  });
});
