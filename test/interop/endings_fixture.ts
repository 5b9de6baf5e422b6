/** Creates records that can be ended, uses them, and checks whether a process still accepts them. */
import assert from "node:assert/strict";
import { createPrivateKey, randomBytes, randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { sha256Base64url } from "../../src/crypto/digest.ts";
import { basic } from "../support/flows.ts";
import { formBrowser, goThrough, type Person } from "../support/form_browser.ts";
import type { ServedProcess } from "../support/process.ts";
import { bearer, call, expectStatus, type Json } from "./management.ts";

export const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const redirect_uri = "http://127.0.0.1:9/cb";
/** `introspector` may see tokens for this resource, even after their app has ended. */
const resource = "https://orders.example";
const introspector = { client_id: "orders-api", secret: "the resource server's own secret" } as const;
export const root = { email: "root@example.com", password: "correct horse battery staple" } as const;

export const manifest = {
  users: [{ ...root, name: "Root", is_platform_admin: true }],
  apps: [
    {
      client_id: introspector.client_id,
      name: "Orders API",
      app_type: "service",
      owner: root.email,
      allowed_scopes: ["token:introspect"],
      allowed_grants: ["client_credentials"],
      metadata: { resource },
      secrets: [introspector.secret],
    },
  ],
};

export interface Client {
  readonly id: string;
  readonly client_id: string;
  readonly secret: string;
}

export interface Account {
  readonly id: string;
  readonly key_pair_id: string;
  readonly key_id: string;
  readonly private_key_pem: string;
}

export interface SignedIn extends Person {
  readonly user_id: string;
  readonly cookie: string;
}

/** A credential that works until it is ended; the function returns whether a process refuses it. */
export interface Refusal {
  readonly what: string;
  readonly isRefused: (server: ServedProcess) => Promise<boolean>;
}

/** The parts of the first process that a case needs. It is the issuer, and its API ends records. */
export type EndingsFixture = ReturnType<typeof endingsFixture>;

/** `key` is the API key of a platform administrator. */
export function endingsFixture(first: ServedProcess, key: string) {
  async function ask(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await call(first.url, method, `/api/v1/${path}`, { proof: bearer(key), body });
    return expectStatus(answer, 200, 201, 204).json;
  }

  async function make(path: string, body: object): Promise<Json & { id: string }> {
    const made = await ask("POST", path, body);
    return { ...made, id: String(made.id) };
  }

  const distinct = () => randomBytes(6).toString("hex");
  const patch = (path: string, id: string) => () => ask("PATCH", `${path}/${id}`, { active: false });
  const revoke = (path: string, id: string) => () => ask("POST", `${path}/${id}/revoke`, {});

  async function aPerson(): Promise<SignedIn> {
    const password = `a password of ${distinct()}`;
    const email = `${distinct()}@example.com`;
    const { id } = await make("users", { email, name: "Ada", password });
    const browser = formBrowser();
    const page = await browser.get(`${first.url}/login`);
    await browser.submit(page, { email, password });
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { user_id: id, email, password, cookie };
  }

  const anOrganization = async () =>
    (await make("organizations", { name: "Acme", slug: `acme-${distinct()}` })).id;

  async function anApp(overrides: object = {}): Promise<Client> {
    const { user_id: owner_id } = await rootUser();
    const made = await make("apps", {
      client_id: `app-${distinct()}`,
      name: "Orders",
      owner_id,
      redirect_uris: [redirect_uri],
      allowed_scopes: ["openid", "orders:read"],
      allowed_grants: ["auth_code", "refresh", "client_credentials"],
      metadata: { resources: [resource] },
      ...overrides,
    });
    return { id: made.id, client_id: String(made.client_id), secret: String(made.secret) };
  }

  async function rootUser(): Promise<{ user_id: string }> {
    const { data } = await ask("GET", `users?email=${encodeURIComponent(root.email)}`);
    return { user_id: String((data as Json[])[0]?.id) };
  }

  async function anAccount(organization_id: string): Promise<Account> {
    const { user_id: created_by } = await rootUser();
    const account = await make("service-accounts", {
      name: "CI",
      email: `${distinct()}@machines.example`,
      organization_id,
      created_by,
      allowed_scopes: ["orders:read"],
    });
    return { id: account.id, ...(await aKeyPair(account.id)) };
  }

  async function aKeyPair(service_account_id: string): Promise<Omit<Account, "id">> {
    const made = await make("key-pairs", { service_account_id, key_type: "ec", algorithm: "ES256" });
    return {
      key_pair_id: made.id,
      key_id: String(made.key_id),
      private_key_pem: String(made.private_key_pem),
    };
  }

  function tokenRequest(server: ServedProcess, form: Record<string, string>, client?: Client) {
    return call(server.url, "POST", "/oauth/token", {
      body: new URLSearchParams(form).toString(),
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        ...(client && { authorization: basic(client.client_id, client.secret) }),
      },
    });
  }

  /** Returns the access token of a code flow at the first process, in a signed-in browser. */
  async function usersToken(person: SignedIn, client: Client): Promise<string> {
    const code_verifier = randomBytes(32).toString("base64url");
    const url = new URL("/oauth/authorize", first.url);
    url.search = new URLSearchParams({
      response_type: "code",
      client_id: client.client_id,
      redirect_uri,
      scope: "openid orders:read",
      state: "s",
      resource,
      code_challenge: sha256Base64url(code_verifier),
      code_challenge_method: "S256",
    }).toString();
    const browser = formBrowser();
    for (const pair of person.cookie.split("; ")) {
      const [name = "", value = ""] = pair.split("=");
      browser.cookies.set(name, value);
    }
    const code = (await goThrough(browser, url, person)).searchParams.get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri, code_verifier, resource };
    return String(expectStatus(await tokenRequest(first, form, client), 200).json.access_token);
  }

  const credentials = { grant_type: "client_credentials", scope: "orders:read", resource };

  async function clientsToken(client: Client): Promise<string> {
    return String(expectStatus(await tokenRequest(first, credentials, client), 200).json.access_token);
  }

  async function assertionRequest(server: ServedProcess, account: Account) {
    const assertion = await new SignJWT({})
      .setProtectedHeader({ alg: "ES256", kid: account.key_id })
      .setIssuer(account.id)
      .setSubject(account.id)
      .setAudience(`${first.url}/oauth/token`)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime("2m")
      .sign(createPrivateKey(account.private_key_pem));
    return tokenRequest(server, { grant_type: jwtBearer, assertion, scope: "orders:read" });
  }

  async function accountsToken(account: Account): Promise<string> {
    return String(expectStatus(await assertionRequest(first, account), 200).json.access_token);
  }

  async function aKey(owner: { user_id: string } | { organization_id: string }): Promise<{
    id: string;
    text: string;
  }> {
    const made = await make("api-keys", { name: "ci", scopes: ["postern:read"], ...owner });
    return { id: made.id, text: String(made.key) };
  }

  const token = (text: string): Refusal => ({
    what: "an access token is inactive",
    async isRefused(server) {
      const answer = await call(server.url, "POST", "/oauth/introspect", {
        body: new URLSearchParams({ token: text }).toString(),
        headers: {
          authorization: basic(introspector.client_id, introspector.secret),
          "content-type": "application/x-www-form-urlencoded",
        },
      });
      return expectStatus(answer, 200).json.active === false;
    },
  });
  const apiKey = ({ text }: { text: string }): Refusal => ({
    what: "an API key is refused",
    isRefused: (server) => unauthorized(server, bearer(text)),
  });
  const session = ({ cookie }: SignedIn): Refusal => ({
    what: "a session is refused",
    isRefused: (server) => unauthorized(server, { cookie }),
  });
  const signIn = ({ email, password }: Person): Refusal => ({
    what: "signing in is refused",
    async isRefused(server) {
      const browser = formBrowser();
      const page = await browser.get(`${server.url}/login`);
      const answer = await browser.submit(page, { email, password });
      if (answer.status !== 302) assert.ok(answer.body.includes('name="password"'), answer.body);
      return answer.status !== 302;
    },
  });
  const clientSecret = (client: Client): Refusal => ({
    what: "a client's secret is refused",
    async isRefused(server) {
      const answer = await tokenRequest(server, credentials, client);
      if (answer.status !== 200) assert.equal(answer.json.error, "invalid_client", answer.text);
      return answer.status !== 200;
    },
  });
  const assertion = (account: Account): Refusal => ({
    what: "an assertion of a service account is refused",
    async isRefused(server) {
      const answer = await assertionRequest(server, account);
      if (answer.status !== 200) assert.equal(answer.json.error, "invalid_grant", answer.text);
      return answer.status !== 200;
    },
  });

  async function unauthorized(server: ServedProcess, proof: Record<string, string>): Promise<boolean> {
    const { status } = expectStatus(await call(server.url, "GET", "/api/v1/me", { proof }), 200, 401);
    return status === 401;
  }

  return {
    ask,
    make,
    patch,
    revoke,
    aPerson,
    anOrganization,
    anApp,
    anAccount,
    aKeyPair,
    aKey,
    usersToken,
    clientsToken,
    accountsToken,
    token,
    apiKey,
    session,
    signIn,
    clientSecret,
    assertion,
  };
}
