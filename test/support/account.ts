/** Users, their browsers and their mails, for tests of the account pages. */
import assert from "node:assert/strict";
import type { LightMyRequestResponse } from "fastify";
import { createOutbox, type Outbox } from "../../src/ops/mail.ts";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import {
  aPerson,
  hiddenField,
  signInAs,
  type TestApp,
  type TestBrowser,
  testApp,
  testBrowser,
} from "./app.ts";
import { authorizeParameters, codeParameters, formOf, type Parameters } from "./flows.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

/** A user with a browser, and the mails of the server. */
export interface Setting extends TestApp, TestMail {
  readonly user: User;
  readonly browser: TestBrowser;
  /** Signs the user in, and returns the answer to the form. */
  enter(browser: TestBrowser, overrides?: GivenTo<typeof signInAs>[2]): ReturnType<typeof signInAs>;
}

type TestMail = ReturnType<typeof testMail>;
type GivenTo<T extends (...overrides: never) => unknown> = T extends (...overrides: infer P) => unknown
  ? P
  : never;

/** Keeps mails instead of sending them, newest first, and returns what tests read from them. */
export function testMail() {
  const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };
  const outbox = createOutbox({ ...silent, now: () => new Date(0) });
  const mails = async (to?: string): Promise<ReturnType<Outbox["kept"]>> => {
    await outbox.settled();
    return outbox.kept().filter((mail) => to === undefined || mail.to === to);
  };
  const first = async (pattern: RegExp, to?: string) =>
    (await mails(to)).flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])[0] ?? "";
  return {
    outbox,
    mails,
    /** Returns path and query of the newest link to this path; an empty text if there is none. */
    linkTo: (path: string, to?: string) =>
      first(new RegExp(`https://id\\.example(${path}\\?token=\\S+)`), to),
    /** Returns the code of the newest mail that contains one. */
    mailedCode: (to?: string) => first(/\b(\d{4} \d{4})\b/, to),
  };
}

/**
 * Creates a user, and a browser that they have used for `days` days; without `days` the browser has no
 * session yet.
 */
export async function aPersonAt({
  person = {},
  days,
  sends_mail = true,
  ...overrides
}: GivenTo<typeof testApp>[0] & {
  person?: Partial<User>;
  days?: number;
  sends_mail?: boolean;
} = {}): Promise<Setting> {
  const mail = testMail();
  const it = await testApp({ throttle: false, ...(sends_mail && { mail: mail.outbox }), ...overrides });
  const user = await aPerson(it, { email: "ada@example.com", ...person });
  const browser = testBrowser(it.app);
  const enter: Setting["enter"] = (there, how = {}) => signInAs(there, user, how);
  if (days !== undefined) await enter(browser);
  if (days !== undefined && days > 0) {
    it.clock.advance(days * 86_400);
    await enter(browser);
  }
  return { ...it, ...mail, user, browser, enter };
}

/** Creates a user who signed in a second ago, on a server that sends no mail. */
export async function setUp(person: Partial<User> = {}, throttle = false): Promise<Setting> {
  const it = await aPersonAt({ person, throttle, sends_mail: false });
  assert.equal((await it.enter(it.browser)).statusCode, 302);
  it.clock.advance(1);
  return it;
}

/**
 * Returns the hidden fields of the page's form with this action. Without such a form, returns only the CSRF
 * token of any form of the page.
 */
function hiddenFields({ body }: LightMyRequestResponse, action: string): Record<string, string> {
  const forms = [...body.matchAll(/<form [^>]*action="([^"]*)"[^>]*>[\s\S]*?<\/form>/g)];
  const form = forms.find(([, to = ""]) => to.replaceAll("&amp;", "&") === action)?.[0] ?? "";
  const names = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="/g)].map(
    ([, name = ""]) => name,
  );
  const all = names.length > 0 ? names : ["csrf_token"];
  return Object.fromEntries(
    all.map((name) => [name, hiddenField({ body: form === "" ? body : form }, name)]),
  );
}

/** Submits a form of a page that the browser shows, with its hidden fields and the given ones. */
export const sendForm = (
  browser: TestBrowser,
  page: LightMyRequestResponse,
  url: string,
  fields: Parameters = {},
) => browser.post(url, { ...hiddenFields(page, url), ...fields });

/** Opens the page at `from` and submits its form to `url`, by default the path of the page. */
export async function submit(
  browser: TestBrowser,
  from: string,
  url = from.split("?")[0] ?? "",
  fields: Parameters = {},
) {
  const page = await browser.get(from);
  assert.equal(page.statusCode, 200, page.body);
  return sendForm(browser, page, url, fields);
}

/** Opens a link and submits its form; if the link has expired, returns the page itself. */
export async function press(browser: TestBrowser, link: string, fields: Parameters = {}) {
  const page = await browser.get(link);
  return page.statusCode === 200 ? sendForm(browser, page, link.split("?")[0] ?? "", fields) : page;
}

export const factorPage = "/sign-in/second-factor";

/** Enters a second factor on its page. */
export const giveFactor = (browser: TestBrowser, fields: Parameters, at = factorPage) =>
  submit(browser, at, factorPage, fields);

/** Returns the Cookie header of a browser. */
export const cookieOf = ({ cookies }: TestBrowser) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** Signs out by forgetting the session. */
export function forgetSession({ cookies }: TestBrowser): void {
  cookies.delete("__Host-postern_session");
}

/** Creates a browser whose session cookie has this value. */
export function withCookie(app: TestApp["app"], value: string | undefined): TestBrowser {
  const browser = testBrowser(app);
  browser.cookies.set("__Host-postern_session", String(value));
  return browser;
}

/** Follows the answer to a form to its page, which can be reloaded without submitting the form again. */
export async function followed(browser: TestBrowser, answer: LightMyRequestResponse) {
  assert.equal(answer.statusCode, 303, answer.body);
  const page = await browser.get(String(answer.headers.location));
  assert.equal(page.statusCode, 200, page.body);
  return page;
}

/** Follows the answer to a form to its confirmation page, and returns the body. */
export async function landed(browser: TestBrowser, answer: Awaited<ReturnType<TestBrowser["post"]>>) {
  const page = await followed(browser, answer);
  assert.match(page.body, /class="notice notice-success" role="status"/);
  return page.body;
}

/** Runs a code flow in this browser, and returns all of its tokens. */
export async function tokensOf(
  { app }: TestApp,
  browser: TestBrowser,
  client: OAuthApp,
  authorization: string,
  overrides: Parameters = {},
): Promise<Record<string, string>> {
  let answer = await browser.get(`/oauth/authorize?${formOf(authorizeParameters(client, overrides))}`);
  if (answer.statusCode === 200) {
    answer = await browser.post("/consent", {
      request: hiddenField(answer, "request"),
      csrf_token: hiddenField(answer, "csrf_token"),
      decision: "allow",
    });
  }
  const code = new URL(String(answer.headers.location)).searchParams.get("code") ?? "";
  const issued = await app.inject({
    method: "POST",
    url: "/oauth/token",
    headers: { ...form, authorization },
    payload: formOf(codeParameters(client, code)),
  });
  assert.equal(issued.statusCode, 200, issued.body);
  return issued.json();
}

/** Returns whether introspection reports the token as active. */
export async function isActive({ app }: TestApp, authorization: string, token = ""): Promise<boolean> {
  const answer = await app.inject({
    method: "POST",
    url: "/oauth/introspect",
    headers: { ...form, authorization },
    payload: formOf({ token }),
  });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().active;
}

/** The paths of the account pages. */
export const places = [
  "/account",
  "/account/security",
  "/account/password",
  "/account/sessions",
  "/account/apps",
  "/account/linked-accounts",
  "/account/api-keys",
  "/account/api-keys/new",
  "/account/organizations",
];
