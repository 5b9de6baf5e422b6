/**
 * One record of every kind, created through the management API with marked secrets, and tokens issued with
 * them.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { sha256Base64url } from "../../src/crypto/digest.ts";
import { basic } from "../support/flows.ts";
import { formBrowser, goThrough } from "../support/form_browser.ts";
import type { ServedProcess } from "../support/process.ts";
import { type ApiAnswer, bearer, call, expectStatus, type Json, type Proof } from "./management.ts";
import { endOf, type Ledger, scalarIn } from "./secrecy_ledger.ts";

export const root = { email: "root@example.com", password: "marker of root's password" } as const;
const redirect_uri = "http://127.0.0.1:9/cb";
export const distinct = () => randomBytes(8).toString("hex");

/** A management API, and a ledger that records every response of it. */
export interface Api {
  readonly server: ServedProcess;
  readonly ledger: Ledger;
  readonly root_id: string;
  /**
   * Creates a record as the platform administrator. `made` names the secrets that this request creates, by
   * the field of the response.
   */
  make(path: string, body: object, made?: Readonly<Record<string, string>>): Promise<Json & { id: string }>;
  send(method: string, path: string, options?: Parameters<typeof call>[3]): Promise<ApiAnswer>;
}

export async function apiOf(server: ServedProcess, ledger: Ledger, key: string): Promise<Api> {
  async function send(method: string, path: string, options: Parameters<typeof call>[3] = {}) {
    const answer = await call(server.url, method, path, { proof: bearer(key), ...options });
    ledger.reported(`the answer ${answer.status} to ${method} ${path}`, allOf(answer));
    return answer;
  }
  const { json } = await send("GET", `/api/v1/users?email=${encodeURIComponent(root.email)}`);
  const root_id = String((json.data as Json[])[0]?.id);
  return {
    server,
    ledger,
    root_id,
    send,
    async make(path, body, made = {}) {
      const answer = await call(server.url, "POST", `/api/v1/${path}`, { proof: bearer(key), body });
      expectStatus(answer, 201);
      for (const [member, name] of Object.entries(made)) {
        const text = String(answer.json[member]);
        ledger.secret(name, text.includes("PRIVATE KEY") ? scalarIn(text) : endOf(text));
      }
      ledger.reported(`the answer to POST ${path}`, allOf(answer), Object.values(made));
      return { ...answer.json, id: String(answer.json.id) };
    },
  };
}

function allOf({ text, headers }: ApiAnswer): string {
  return `${JSON.stringify([...headers])}\n${text}`;
}

export interface Made {
  readonly user_id: string;
  readonly person: { readonly email: string; readonly password: string };
  /** The credentials with which everything is read, by the name of their holder. */
  readonly callers: Readonly<Record<string, Proof>>;
}

/** Creates one record of every kind through the API, with secrets that end in odd text. */
export async function makeEverything(api: Api, odd: string, oddVisible: string): Promise<Made> {
  const { ledger, make, root_id } = api;
  const round = distinct();
  const marked = (name: string, ending = odd): string => {
    const marker = `marker${distinct()}`;
    ledger.secret(`${name} of ${round}`, marker);
    return `${marker}${ending}`;
  };
  const named = (name: string) => `${name} of ${round}`;

  const person = { email: `${round}@example.com`, password: marked("password") };
  const user = await make("users", { ...person, name: `Ada ${odd}` });
  await api.send("PATCH", `/api/v1/users/${user.id}`, { body: { password: `${person.password}!` } });
  await api.send("PATCH", `/api/v1/users/${user.id}`, { body: { password: person.password } });
  const organization = await make("organizations", { name: `Acme ${odd}`, slug: `acme-${round}` });
  const organization_id = organization.id;
  await make("memberships", { user_id: user.id, organization_id, role: "owner" });
  await make("linked-accounts", {
    user_id: user.id,
    provider: "github",
    provider_user_id: round,
    access_token: marked("upstream access token"),
    refresh_token: marked("upstream refresh token"),
  });
  const scopes = ["postern:read"];
  const ofUser = await make(
    "api-keys",
    { name: `${odd} k`, user_id: user.id, scopes },
    { key: named("API key") },
  );
  const ofOrganization = await make(
    "api-keys",
    { name: "k", organization_id, scopes },
    { key: named("organization's API key") },
  );

  const input = marked("given client secret", oddVisible);
  const usual = {
    owner_id: root_id,
    organization_id,
    redirect_uris: [redirect_uri],
    allowed_scopes: ["openid", "profile", "offline_access"],
    allowed_grants: ["auth_code", "refresh", "client_credentials"],
  };
  const client_id = `given-${round}`;
  await make("apps", { ...usual, client_id, name: `Given ${odd}`, secrets: [input] });
  const app = await make("apps", { ...usual, name: "Made" }, { secret: named("client secret") });
  await make("app-secrets", { app_id: app.id }, { secret: named("second client secret") });
  await make("app-secrets", { app_id: app.id, value: marked("third client secret", oddVisible) });
  await make("consents", { user_id: user.id, app_id: app.id, scopes: ["openid"] });

  const account = await make("service-accounts", {
    name: "CI",
    email: `ci-${round}@machines.example`,
    organization_id,
    created_by: root_id,
    allowed_scopes: ["orders:read"],
  });
  const ec = { service_account_id: account.id, key_type: "ec", algorithm: "ES256" };
  await make("key-pairs", ec, { private_key_pem: named("private key") });
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const uploaded = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  ledger.secret(named("private key uploaded by mistake"), scalarIn(uploaded));
  const jwk = pair.privateKey.export({ format: "jwk" });
  ledger.secret(named("private JWK uploaded by mistake"), String(jwk.d));
  for (const key of [{ public_key_pem: uploaded }, { jwk }]) {
    expectStatus(await api.send("POST", "/api/v1/key-pairs", { body: { ...ec, ...key } }), 422);
  }
  const public_key_pem = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
  await make("key-pairs", { ...ec, public_key_pem });
  await make("signing-keys", {});

  const cookie = await useTokens(api, { person, client_id, secret: input, round });
  return {
    user_id: user.id,
    person,
    callers: {
      "the user's browser": { cookie },
      "the user's API key": bearer(String(ofUser.key)),
      "the organization's API key": bearer(String(ofOrganization.key)),
    },
  };
}

/**
 * Signs a user in, and runs a code flow, a refresh and a replay. Returns the cookies of the user's browser.
 */
async function useTokens(
  { server, ledger }: Api,
  as: { person: Made["person"]; client_id: string; secret: string; round: string },
): Promise<string> {
  const { person, client_id, secret, round } = as;
  const keep = (name: string, text: unknown) => ledger.secret(`${name} of ${round}`, endOf(String(text)));
  const code_verifier = randomBytes(32).toString("base64url");
  const url = new URL("/oauth/authorize", server.url);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri,
    scope: "openid profile offline_access",
    state: "s",
    code_challenge: sha256Base64url(code_verifier),
    code_challenge_method: "S256",
  }).toString();
  const browser = formBrowser();
  const code = (await goThrough(browser, url, person)).searchParams.get("code") ?? "";
  const authorization = basic(client_id, secret);
  keep("code", code);
  keep("verifier", code_verifier);
  keep("Authorization header", authorization);
  const post = async (path: string, form: Record<string, string>) => {
    const body = new URLSearchParams(form).toString();
    const type = "application/x-www-form-urlencoded";
    const answer = await call(server.url, "POST", path, {
      body,
      headers: { authorization, "content-type": type },
    });
    return expectStatus(answer, 200).json;
  };
  const form = { grant_type: "authorization_code", code, redirect_uri, code_verifier };
  const first = await post("/oauth/token", form);
  const refresh = { grant_type: "refresh_token", refresh_token: String(first.refresh_token) };
  const second = await post("/oauth/token", refresh);
  for (const [answer, tokens] of Object.entries({ first, second })) {
    for (const name of ["access_token", "refresh_token", "id_token"]) keep(`${answer} ${name}`, tokens[name]);
  }
  await post("/oauth/introspect", { token: String(second.access_token) });
  const pairs = [...browser.cookies];
  for (const [name, value] of pairs) keep(`cookie ${name}`, value);
  return pairs.map(([name, value]) => `${name}=${value}`).join("; ");
}
