/**
 * The whole application on a separate SQLite database and a clock that the test moves, and a browser that
 * keeps cookies.
 */
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { type AppOptions, createApp } from "../../src/app.ts";
import type { HttpLog } from "../../src/http/context.ts";
import type { Settings } from "../../src/oauth/core/server.ts";
import type { IdentityContext, IdentitySettings } from "../../src/people/core/context/context.ts";
import type { ProviderClient } from "../../src/people/core/context/provider_client.ts";
import type { User } from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";
import { issuer, type TestServer, testServer } from "./authorization_server.ts";
import { aUser } from "./builders.ts";
import { databases } from "./databases.ts";
import { formOf, type Parameters } from "./flows.ts";

export interface TestApp extends TestServer {
  readonly app: FastifyInstance;
  readonly identity: IdentityContext;
  /** Every logged line, as text. */
  readonly logged: string[];
}

/** Creates an application, by default at `https://id.example`. The arguments replace the defaults. */
export async function testApp(
  overrides: Partial<Omit<AppOptions, "store">> & {
    base_url?: string;
    throttle?: boolean;
    settings?: Partial<Settings>;
    identity_settings?: IdentitySettings;
    provider_client?: ProviderClient;
    /** A store with its tables; a new one by default. */
    store?: Store;
  } = {},
): Promise<TestApp> {
  const {
    base_url = issuer,
    throttle = true,
    provider_client,
    settings,
    identity_settings = {},
    store: given_store,
    ...options
  } = overrides;
  const [sqlite] = databases;
  if (sqlite === undefined) throw new Error("no database");
  const test = await testServer(given_store ?? (await sqlite.open()), settings);
  const server = { ...test.server, issuer: base_url };
  const { store, memory, passwords, sealer, now, report } = server;
  const identity: IdentityContext = {
    store,
    memory,
    passwords,
    sealer,
    now,
    report,
    throttle,
    sends_mail: options.mail !== undefined,
    settings: identity_settings,
    provider_client,
  };
  const logged: string[] = [];
  const note = (fields: object, message: string) => {
    logged.push(
      `${message} ${JSON.stringify(fields, (_key, value) => (value instanceof Error ? String(value) : value))}`,
    );
  };
  const log: HttpLog = { debug: note, info: note, warn: note, error: note };
  const secure = base_url.startsWith("https:");
  const app = createApp({
    store,
    server,
    identity,
    log,
    secure,
    ready: async () => ({ ready: true, components: {} }),
    trust_proxy: [],
    ...options,
  });
  await app.ready();
  return { ...test, server, identity, app, logged };
}

export const password = "an example of a password";

/** Creates a user who can sign in with `password`. */
export async function aPerson({ store, server }: TestServer, overrides: Partial<User> = {}): Promise<User> {
  return aUser(store, { password_hash: await server.passwords.hash(password), ...overrides });
}

type Headers = Readonly<Record<string, string>>;

/** A browser that keeps cookies and follows no redirect. */
export interface TestBrowser {
  readonly cookies: Map<string, string>;
  get(url: string, headers?: Headers): Promise<LightMyRequestResponse>;
  post(url: string, form: Parameters, headers?: Headers): Promise<LightMyRequestResponse>;
}

export function testBrowser(app: FastifyInstance): TestBrowser {
  const cookies = new Map<string, string>();
  async function send(request: { method: "GET" | "POST"; url: string; payload?: string; headers: Headers }) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await app.inject({
      ...request,
      headers: { accept: "text/html", ...(cookie !== "" && { cookie }), ...request.headers },
    });
    for (const { name, value, expires } of answer.cookies) {
      if (expires !== undefined && expires.getTime() === 0) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }
  return {
    cookies,
    get: (url, headers = {}) => send({ method: "GET", url, headers }),
    post: (url, form, headers = {}) =>
      send({
        method: "POST",
        url,
        payload: formOf(form),
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      }),
  };
}

/** Returns the value of a page's hidden field. */
export function hiddenField({ body }: Pick<LightMyRequestResponse, "body">, name: string): string {
  const value = new RegExp(`<input type="hidden" name="${name}" value="([^"]*)">`).exec(body)?.[1];
  if (value === undefined) throw new Error(`the page has no hidden field ${name}`);
  return value
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

/** Returns a browser in which this user is signed in. */
export async function browserOf(
  { app }: Pick<TestApp, "app">,
  user: { email: string },
): Promise<TestBrowser> {
  const browser = testBrowser(app);
  const { statusCode } = await signInAs(browser, user);
  if (statusCode !== 302) throw new Error(`the sign-in was answered ${statusCode}`);
  return browser;
}

/** Returns the Cookie header of a browser. */
export const cookieOf = ({ cookies }: TestBrowser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** Signs in through the login page, and returns the answer to the form. */
export async function signInAs(
  browser: TestBrowser,
  { email }: { email: string },
  overrides: { redirect?: string; password?: string } = {},
): Promise<LightMyRequestResponse> {
  const query = overrides.redirect === undefined ? "" : `?redirect=${encodeURIComponent(overrides.redirect)}`;
  const page = await browser.get(`/login${query}`);
  return browser.post("/login", {
    email,
    password: overrides.password ?? password,
    redirect: hiddenField(page, "redirect"),
    csrf_token: hiddenField(page, "csrf_token"),
  });
}
