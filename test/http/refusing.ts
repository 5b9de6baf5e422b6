/** Apps and users that are refused, and the steps from a refusal to the page that explains it. */
import assert from "node:assert/strict";
import type { LightMyRequestResponse } from "fastify";
import { createApp } from "../../src/app.ts";
import type { OAuthApp, Refusal, User } from "../../src/records/definition/definition.ts";
import type { EvidenceKind } from "../../src/records/names/evidence.ts";
import { aMachine, switchedOn } from "../oauth/machine.ts";
import { aPerson, signInAs, type TestBrowser, testApp, testBrowser } from "../support/app.ts";
import { aMembership, anApp, anOrganization } from "../support/builders.ts";
import { shortIdIn } from "../support/error_uri.ts";
import {
  authorizeParameters,
  codeParameters,
  credentialsOf,
  formOf,
  type Parameters,
} from "../support/flows.ts";
import { scriptedClient } from "../support/scripted_providers.ts";
import { readHtml } from "../web/read_html.ts";

/** The optional features that some refusals need. */
const beyond = {
  extra_features: ["dpop", "par"],
  extra_client_auth: ["private_key_jwt"],
  profiles: ["mcp"],
} as const;

const form = { "content-type": "application/x-www-form-urlencoded" };

export type Refusing = Awaited<ReturnType<typeof refusing>>;

export async function refusing() {
  const it = await testApp({ provider_client: scriptedClient() });
  const { store, identity } = it;
  const server = { ...it.server, settings: { ...it.server.settings, ...switchedOn, ...beyond } };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const app = createApp({
    store,
    server,
    identity,
    log,
    secure: true,
    ready: async () => ({ ready: true, components: {} }),
    trust_proxy: [],
  });
  await app.ready();

  const organization = await anOrganization(store);
  const signedInBrowser = async (person: User) => {
    const browser = testBrowser(app);
    assert.equal((await signInAs(browser, person)).statusCode, 302);
    return browser;
  };
  const root = await aPerson(it, { is_platform_admin: true });
  const user = await aPerson(it);
  const developer = await aPerson(it);
  await aMembership(store, { user_id: developer.id, organization_id: organization.id, role: "developer" });
  const of = { organization_id: organization.id };
  const web = await anApp(store, {
    ...of,
    first_party: true,
    redirect_uris: ["https://elsewhere.example/x", "https://app.example/cb"],
    metadata: { resources: ["https://api.example"] },
    post_logout_redirect_uris: ["https://app.example/bye"],
  });
  const public_app = await anApp(store, { ...of, public: true, app_type: "spa", first_party: true });
  const third_party = await anApp(store, of);
  const machine_app = await anApp(store, {
    ...of,
    allowed_grants: ["client_credentials", "jwt_bearer"],
    allowed_scopes: ["orders:read", "openid"],
  });
  const authorization = String(await credentialsOf(it, web));
  const browser = await signedInBrowser(user);

  const post = (url: string, parameters: Parameters | string, headers: Record<string, string> = {}) =>
    app.inject({
      method: "POST",
      url,
      headers: { ...form, ...headers },
      payload: typeof parameters === "string" ? parameters : formOf(parameters),
    });
  /** Requests the authorization endpoint as the user who is signed in in this browser. */
  const requested = (client: OAuthApp, overrides: Parameters = {}, by = browser) => {
    const redirect_uri = client.redirect_uris.at(-1);
    return by.get(`/oauth/authorize?${formOf(authorizeParameters(client, { redirect_uri, ...overrides }))}`);
  };
  const code = async (client = web, overrides: Parameters = {}, by = browser) => {
    const { searchParams } = new URL(String((await requested(client, overrides, by)).headers.location));
    const value = searchParams.get("code");
    assert.ok(value !== null, String(searchParams));
    return value;
  };
  const redeem = (value: string, overrides: Parameters = {}) => {
    const parameters = codeParameters(web, value, { redirect_uri: "https://app.example/cb", ...overrides });
    return post("/oauth/token", parameters, { authorization });
  };
  const tokens = async (overrides: Parameters = {}, by = browser): Promise<Record<string, string>> => {
    const answer = await redeem(await code(web, overrides, by));
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json();
  };
  return {
    ...{ it, app, organization, root, user, browser, post, requested, code, redeem, tokens },
    /**
     * `root` is a platform administrator. The other browsers are those of a developer of the organization,
     * and of a user who is neither.
     */
    administrator: await signedInBrowser(root),
    developer: await signedInBrowser(developer),
    stranger: await signedInBrowser(await aPerson(it)),
    /** `web` is a confidential first-party app of the organization. */
    ...{ web, authorization, public_app, third_party, machine_app },
    machineAuthorization: String(await credentialsOf(it, machine_app)),
    account: await aMachine({ ...it, server }),
  };
}

/** Returns the short id in a refusal, which may be JSON, a redirect or a page. */
export function shortIdOf(answer: LightMyRequestResponse): string {
  const { location } = answer.headers;
  if (location !== undefined) return shortIdIn(new URL(String(location)).searchParams.get("error_uri"));
  if (String(answer.headers["content-type"]).startsWith("application/json")) {
    return shortIdIn(answer.json().error_uri);
  }
  const shown = /\b([0-9A-HJKMNP-TV-Z]{5})-([0-9A-HJKMNP-TV-Z]{5})\b/.exec(answer.body);
  assert.ok(shown !== null, answer.body);
  return `${shown[1]}${shown[2]}`;
}

export interface Explained {
  readonly row: Refusal;
  readonly page: string;
  /** The text of the page. */
  readonly text: string;
}

/** Returns the stored refusal, and its page as this browser sees it. */
export async function explained(
  { it, administrator }: Refusing,
  answer: LightMyRequestResponse,
  by: TestBrowser = administrator,
): Promise<Explained> {
  const short_id = shortIdOf(answer);
  const page = await by.get(`/console/refusals/${short_id}`);
  assert.equal(page.statusCode, 200, page.body);
  const row = await it.store.find("refusals", { short_id });
  assert.ok(row !== undefined);
  return { row, page: page.body, text: readHtml(page.body).text };
}

export interface RefusedCase {
  readonly kind: EvidenceKind;
  readonly error: string;
  /** Texts that the page about the refusal contains. */
  readonly shows: readonly RegExp[];
  /** The app that the refusal names, if any. */
  readonly about?: "web" | "public_app" | "third_party" | "machine_app";
  make(setting: Refusing): Promise<LightMyRequestResponse>;
}
