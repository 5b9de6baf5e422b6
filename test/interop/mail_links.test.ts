/**
 * SS-4: a mail scanner opens every link of every email before the user does, without consuming the link or
 * changing anything. If a new email contains a link, a test fails until a case of this file opens it.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type TableName, tables } from "../../src/records/definition/definition.ts";
import { aPersonAt, factorPage, followed, sendForm, submit } from "../support/account.ts";
import { password, type TestBrowser, testBrowser } from "../support/app.ts";
import { browser as chromium } from "../support/browser.ts";
import { aMembership, anOAuthAccount, anOrganization } from "../support/builders.ts";
import { storeCodes } from "../support/passkeys.ts";
import { aProvider } from "../support/scripted_providers.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const source = join(import.meta.dirname, "..", "..", "src");
const origin = "https://id.example";
const fresh = "an entirely new password";

async function setUp() {
  const it = await aPersonAt({
    days: 2,
    identity_settings: {
      extra_sign_in: ["totp"],
      sign_up: "open",
      self_service: ["email", "deletion"],
      recovery_delay_hours: 72,
    },
  });
  /** Returns the path and query of each link in the newest email that links to this path. */
  const linksTo = async (path: string): Promise<string[]> => {
    for (const { text } of await it.mails()) {
      const links = [...text.matchAll(/https:\/\/id\.example(\/\S*)/g)].map(([, link = ""]) => link);
      if (links.some((link) => link.startsWith(path))) return links;
    }
    throw new Error(`no mail leads to ${path}`);
  };
  const userRow = () => it.store.find("users", { id: it.user.id });
  return { ...it, linksTo, userRow };
}

type Setting = Awaited<ReturnType<typeof setUp>>;

/** Sends the form of the page at a link. */
const send = (browser: TestBrowser, link: string, fields: Record<string, string> = {}) =>
  submit(browser, link, undefined, fields);

async function sendChosen(browser: TestBrowser, link: string) {
  const done = await send(browser, link, { name: "Grace", password: fresh, password_again: fresh });
  assert.ok(done.statusCode < 400, done.body);
}

const requestAddress = ({ browser }: Setting) =>
  submit(browser, "/account/email", undefined, { email: "new@example.com" });

async function enrolApp({ browser, clock }: Setting) {
  const apps = "/account/authenticator-apps";
  await submit(browser, "/account/security", `${apps}/new`);
  const page = await browser.get(`${apps}/new`);
  const key = (/<p class="secret"><code>([A-Z2-7 ]+)</.exec(page.body)?.[1] ?? "").replaceAll(" ", "");
  const code = totpCode(key, clock.now());
  await storeCodes(browser, await sendForm(browser, page, apps, { name: "Phone", code }));
}

/** Reports the loss of every second factor, and enters the code from the email. */
async function asksForRecovery({ app, user, identity, enter, mailedCode }: Setting) {
  await anAuthenticatorApp(user, identity);
  const browser = testBrowser(app);
  await enter(browser);
  const step = (fields: Record<string, string>) =>
    submit(browser, factorPage, "/sign-in/lost-factors", fields);
  await step({ step: "ask" });
  await followed(browser, await step({ step: "code", code: await mailedCode() }));
}

interface Walk {
  /** The function of a `*.mail.ts` that creates the email. */
  readonly mail: string;
  /** The file of `src/` that creates the link with its token, and the link's path as written in it. */
  readonly made_in?: `${string}.ts ${string}`;
  readonly path: string;
  /** Makes the server send the email. */
  readonly prepare: (it: Setting) => Promise<unknown>;
  /** The user's action with the link, after the scanner. */
  readonly person: (it: Setting, link: string) => Promise<unknown>;
}

/** Asserts that the link leads to an ordinary page. */
const opens = async ({ app }: Setting, link: string) =>
  assert.equal((await testBrowser(app).get(link)).statusCode, 200);

const forgotten = ({ app, user }: Setting) =>
  submit(testBrowser(app), "/forgot-password", undefined, { email: user.email });

const registers = ({ app }: Setting, email: string) =>
  submit(testBrowser(app), "/register", undefined, { email });

/** Sets the new password and signs in with it. */
async function signsInAnew(it: Setting, link: string) {
  await sendChosen(testBrowser(it.app), link);
  const signedIn = await it.enter(testBrowser(it.app), { password: fresh });
  assert.equal(signedIn.statusCode, 302);
}

const walks: Readonly<Record<string, Walk>> = {
  "a new password": {
    mail: "resetMail",
    made_in: "people/authenticators/password/reset_mail.http.ts /reset-password",
    path: "/reset-password",
    prepare: forgotten,
    person: signsInAnew,
  },
  "the ways of an account without a password": {
    mail: "otherMethodsMail",
    path: "/login",
    async prepare(it) {
      const { slug, id: provider_id } = await aProvider(it.store);
      await anOAuthAccount(it.store, { user_id: it.user.id, provider: slug, provider_id });
      await it.store.update("users", { id: it.user.id }, { password_hash: null });
      await forgotten(it);
    },
    person: opens,
  },
  "a registration": {
    mail: "registrationMail",
    made_in: "people/entry/sign_up.routes.ts /register/finish",
    path: "/register/finish",
    prepare: (it) => registers(it, "grace@example.com"),
    async person(it, link) {
      await sendChosen(testBrowser(it.app), link);
      assert.ok(await it.store.find("users", { email_key: "grace@example.com" }));
    },
  },
  "a registration of somebody who has an account": {
    mail: "accountExistsMail",
    path: "/login",
    prepare: (it) => registers(it, "ada@example.com"),
    person: opens,
  },
  "an invitation": {
    mail: "invitationMail",
    made_in: "people/core/notices/post_invitation.http.ts /invitation",
    path: "/invitation",
    async prepare({ store, user, browser }) {
      const acme = await anOrganization(store, { name: "Acme" });
      await aMembership(store, { user_id: user.id, organization_id: acme.id, role: "owner" });
      const path = `/console/organizations/${acme.id}/invite`;
      await submit(browser, path, path, { email: "grace@example.com", role: "developer" });
    },
    async person(it, link) {
      await sendChosen(testBrowser(it.app), link);
      const user = await it.store.find("users", { email_key: "grace@example.com" });
      assert.equal(await it.store.count("memberships", { user_id: user?.id ?? "" }), 1);
    },
  },
  "another address": {
    mail: "emailChangeMail",
    made_in: "people/account/email/own_email.routes.ts {path}/confirm",
    path: "/account/email/confirm",
    prepare: requestAddress,
    async person(it, link) {
      await send(it.browser, link);
      assert.equal((await it.userRow())?.email, "new@example.com");
    },
  },
  "the way back to an address": {
    mail: "noticeMail",
    made_in: "people/account/email/undo_email.routes.ts {path}",
    path: "/undo-email",
    async prepare(it) {
      await requestAddress(it);
      const [link = ""] = await it.linksTo("/account/email/confirm");
      await send(it.browser, link);
    },
    async person(it, link) {
      await send(testBrowser(it.app), link);
      assert.equal((await it.userRow())?.email, "ada@example.com");
    },
  },
  "the way back from a deletion": {
    mail: "noticeMail",
    made_in: "people/account/endings/own_deletion.routes.ts {undoDeletionPath}",
    path: "/sign-in/undo-deletion",
    prepare: ({ browser }) => submit(browser, "/account/deletion", "/account/deletion"),
    async person(it, link) {
      assert.equal((await it.userRow())?.active, false);
      await send(testBrowser(it.app), link);
      assert.equal((await it.userRow())?.active, true);
    },
  },
  "the way back from a second factor": {
    mail: "noticeMail",
    made_in: "people/core/notices/disown_link.http.ts {disownPath}",
    path: "/not-me",
    prepare: enrolApp,
    async person(it, link) {
      assert.equal(await it.store.count("totp_authenticators"), 1);
      await send(testBrowser(it.app), link);
      assert.equal(await it.store.count("totp_authenticators"), 0);
    },
  },
  "a new password after a second factor that was not theirs": {
    mail: "resetMail",
    made_in: "people/authenticators/password/post_reset_link.http.ts /reset-password",
    path: "/reset-password",
    async prepare(it) {
      await enrolApp(it);
      const [link = ""] = await it.linksTo("/not-me");
      await send(testBrowser(it.app), link);
    },
    person: signsInAnew,
  },
  "second factors that are to be replaced": {
    mail: "noticeMail",
    made_in: "people/authenticators/recovery/recovery_notices.http.ts {cancelRecoveryPath}",
    path: "/cancel-recovery",
    prepare: asksForRecovery,
    async person(it, link) {
      await send(testBrowser(it.app), link);
      assert.equal(await it.store.count("totp_authenticators"), 1);
      assert.equal((await testBrowser(it.app).get(link)).statusCode, 404, "it was cancelled");
    },
  },
  "any other notice of what the person did": {
    mail: "noticeMail",
    path: "/not-me",
    prepare: ({ browser }) =>
      submit(browser, "/account/password", "/account/password", {
        current_password: password,
        password: fresh,
        password_again: fresh,
      }),
    async person(it, link) {
      await send(testBrowser(it.app), link);
      assert.equal((await it.browser.get("/account")).statusCode, 302);
    },
  },
};

/** Returns all stored rows, except those of these tables. */
async function stored({ store }: Setting, but: readonly TableName[] = []): Promise<string> {
  const names = (Object.keys(tables) as TableName[]).filter((name) => !but.includes(name));
  const rows = await Promise.all(names.map(async (name) => [name, await store.list(name)]));
  return JSON.stringify(rows, (_key, value) => (typeof value === "bigint" ? String(value) : value));
}

/** Opens a link in Chromium with scripts, and returns the requests of its page other than GET. */
async function openWithScripts({ app }: Setting, link: string): Promise<string[]> {
  const context = await (await chromium()).newContext();
  const written: string[] = [];
  await context.route("**/*", async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    if (request.method() !== "GET") written.push(`${request.method()} ${url.pathname}`);
    if (url.origin !== origin) return route.abort();
    const headers = await request.allHeaders();
    const payload = request.postData();
    let answer = await app.inject({
      method: request.method() as "GET",
      url: url.pathname + url.search,
      headers,
      ...(payload !== null && { payload }),
    });
    // Playwright does not intercept redirects, so they are followed here.
    while (answer.statusCode >= 300 && answer.statusCode < 400) {
      answer = await app.inject({ method: "GET", url: String(answer.headers.location), headers });
    }
    const sent = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join("\n")]);
    return route.fulfill({
      status: answer.statusCode,
      headers: Object.fromEntries(sent),
      body: answer.rawPayload,
    });
  });
  const page = await context.newPage();
  await page.goto(origin + link);
  await page.waitForLoadState("networkidle");
  await context.close();
  return written;
}

describe("SS-4 links in mails are opened by a mail scanner first", () => {
  for (const [what, { path, prepare, person }] of Object.entries(walks)) {
    test(`SS-4 ${what}: opening the link changes nothing, and the user's button still works afterwards`, async () => {
      const it = await setUp();
      await prepare(it);
      const links = await it.linksTo(path);
      const before = await stored(it);
      for (const url of links) {
        for (const method of ["HEAD", "GET", "GET"] as const) {
          const { statusCode } = await it.app.inject({ method, url });
          assert.ok([200, 302].includes(statusCode), `${method} ${url}: ${statusCode}`);
        }
        assert.deepEqual(await openWithScripts(it, url), [], url);
      }
      assert.equal(await stored(it), before);
      const quiet = await stored(it, ["sessions"]);
      for (const url of links) await it.browser.get(url);
      assert.equal(await stored(it, ["sessions"]), quiet, "opened where the person is signed in");
      const link = links.find((each) => each.startsWith(path));
      assert.ok(link !== undefined);
      await person(it, link);
    });
  }

  test("SS-4 every mail with a link is tested", async () => {
    const linking: string[] = [];
    for (const file of globSync("people/**/*.mail.ts", { cwd: source })) {
      const made: Record<string, unknown> = await import(join(source, file));
      for (const [name, mail] of Object.entries(made)) {
        // The link in the email about an endpoint has no token.
        const links = name.endsWith("Mail") && name !== "endpointMail" && /\blink\b/.test(String(mail));
        if (links) linking.push(name);
      }
    }
    assert.deepEqual(
      linking.toSorted(),
      [...new Set(Object.values(walks).map(({ mail }) => mail))].toSorted(),
    );
  });

  test("SS-4 every link with a token in the sources is tested", () => {
    const made: string[] = [];
    for (const file of globSync("{http,people,api,console,admin,server}/**/*.ts", { cwd: source })) {
      const text = readFileSync(join(source, file), "utf8");
      for (const [, path] of text.matchAll(/\$\{(?:[\w.]+\.)?issuer\}([^`?]*)\?token=/g)) {
        made.push(`${file} ${path?.replace(/\$\{/g, "{")}`);
      }
    }
    const walked = Object.values(walks).flatMap(({ made_in }) => made_in ?? []);
    assert.deepEqual(made.toSorted(), walked.toSorted());
  });
});
