/**
 * Providers without a protocol: a script decides which user returns, so that the following steps can be
 * tested alone.
 */
import type { LightMyRequestResponse } from "fastify";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import type { ProviderClient } from "../../src/people/core/context/provider_client.ts";
import { newFormCookie } from "../../src/people/core/form_tokens.ts";
import type { Provider, ProviderPurpose } from "../../src/people/core/proofs/provider_account.ts";
import {
  beginProviderSignIn,
  type NewProviderSignIn,
} from "../../src/people/providers/begin_provider_sign_in.ts";
import {
  type FinishOutcome,
  finishProviderSignIn,
} from "../../src/people/providers/finish_provider_sign_in.ts";
import type { Returned } from "../../src/people/providers/provider_steps.ts";
import type { UpstreamLogout } from "../../src/providers/logout_token.ts";
import type { RevocableTokens } from "../../src/providers/stored_tokens.ts";
import type { ExpectedAnswer, UpstreamRequest } from "../../src/providers/upstream.ts";
import { UpstreamError } from "../../src/providers/upstream_error.ts";
import type { UpstreamIdentity } from "../../src/providers/upstream_identity.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import type { Store } from "../../src/storage/store.ts";
import { hiddenField, type TestBrowser } from "./app.ts";
import { aProvider as aProviderRow } from "./builders.ts";

export const origin = { client_ip: "192.0.2.1", user_agent: null, request_id: "r" };

/** Returns the user who signs in at the scripted provider. */
export function upstreamPerson(overrides: Partial<UpstreamIdentity> = {}): UpstreamIdentity {
  return {
    subject: "upstream-1",
    email: "ann@firm.example",
    email_assurance: "verified",
    name: "Ann Ax",
    picture: undefined,
    amr: undefined,
    session_expiry: undefined,
    sid: undefined,
    auth_time: undefined,
    tenant: undefined,
    attributes: undefined,
    tokens: { access_token: "upstream access", refresh_token: undefined, expires_at: undefined },
    ...overrides,
  };
}

export interface ScriptedClient extends ProviderClient {
  /** By code: the user whom the provider returns, or the error that it throws. */
  readonly people: Map<string, UpstreamIdentity | UpstreamError>;
  readonly begun: UpstreamRequest[];
  readonly expected: ExpectedAnswer[];
  /** The tokens that were revoked, as passed; a test may make a revocation fail. */
  readonly revoked: RevocableTokens[];
  /** The content of each valid logout token; others are invalid. */
  readonly logouts: Map<string, UpstreamLogout>;
}

export function scriptedClient(): ScriptedClient {
  const people = new Map<string, UpstreamIdentity | UpstreamError>();
  const begun: UpstreamRequest[] = [];
  const expected: ExpectedAnswer[] = [];
  const revoked: RevocableTokens[] = [];
  const logouts: ScriptedClient["logouts"] = new Map();
  return {
    logouts,
    async readLogout(_, token) {
      return logouts.get(token) ?? Promise.reject(new UpstreamError("signature", { received: "RS256" }));
    },
    revoked,
    async revoke(_, tokens) {
      revoked.push(tokens);
      return true;
    },
    people,
    begun,
    expected,
    async begin({ slug }, request) {
      begun.push(request);
      const query = new URLSearchParams({ state: request.state, redirect_uri: request.redirect_uri });
      return `https://${slug}.provider.example/authorize?${query}`;
    },
    async finish({ slug }, answer, requested) {
      expected.push(requested);
      if (requested.slug !== slug || requested.state !== answer.state) throw new UpstreamError("state");
      if (answer.error !== undefined) throw new UpstreamError("cancelled", { received: answer.error });
      const person = people.get(answer.code ?? "");
      if (person === undefined) throw new UpstreamError("token_error", { received: "invalid_grant" });
      if (person instanceof UpstreamError) throw person;
      return person;
    },
  };
}

/** Creates a provider that is active and trusts claims, unless the test says otherwise. */
export async function aProvider(store: Store, overrides: Partial<Provider> = {}): Promise<Provider> {
  return aProviderRow(store, {
    slug: "example",
    label: "Example",
    issuer: "https://provider.example",
    client_secret: "",
    email_trust: "claim",
    sign_up: "anyone",
    ...overrides,
  });
}

/** Returns the state of the sign-in that this answer begins at a provider. */
export const stateOf = ({ headers }: LightMyRequestResponse) =>
  new URL(String(headers.location)).searchParams.get("state") ?? "";

interface At {
  readonly slug?: string;
  readonly redirect?: string;
}

/** Presses the button of a provider on the login page, and returns the state of the sign-in. */
export async function leaveFor(browser: TestBrowser, { slug = "example", redirect = "/account" }: At = {}) {
  const page = await browser.get(`/login?account=another&redirect=${encodeURIComponent(redirect)}`);
  const csrf_token = hiddenField(page, "csrf_token");
  return stateOf(await browser.post(`/sign-in/${slug}`, { csrf_token, redirect }));
}

/** Returns to the callback as this user, or with an error; resolves with the answer to the browser. */
export function returnAs(
  browser: TestBrowser,
  { people }: ScriptedClient,
  state: string,
  who: UpstreamIdentity | UpstreamError = upstreamPerson(),
  slug = "example",
) {
  const code = `code-${people.size}`;
  people.set(code, who);
  return browser.get(`/sign-in/${slug}/callback?${new URLSearchParams({ state, code })}`);
}

/** Goes to a provider from the login page, and returns from it. */
export async function visitProvider(
  browser: TestBrowser,
  client: ScriptedClient,
  who?: UpstreamIdentity | UpstreamError,
  at: At = {},
) {
  return returnAs(browser, client, await leaveFor(browser, at), who, at.slug);
}

/** Returns a browser that signs in at scripted providers, without HTTP. */
export function scriptedBrowser(context: IdentityContext, client: ScriptedClient) {
  const browser = newFormCookie(context);
  let codes = 0;

  async function begin(
    provider: Provider,
    overrides: Partial<Omit<NewProviderSignIn, "provider">> = {},
  ): Promise<string> {
    const begun = await beginProviderSignIn(
      {
        provider,
        purpose: "sign_in",
        browser,
        signedIn: undefined,
        request: "/account",
        redirect_uri: `https://id.example/sign-in/${provider.slug}/callback`,
        failures: 0,
        origin,
        ...overrides,
      },
      context,
    );
    if (begun.type !== "redirect") throw new Error(`not begun: ${begun.type}`);
    return new URL(begun.url).searchParams.get("state") ?? "";
  }

  /** Returns the user to the callback with this identity. */
  async function comeBack(
    provider: Provider,
    state: string,
    person: UpstreamIdentity | UpstreamError,
    signedIn?: SignedIn,
  ): Promise<FinishOutcome> {
    codes += 1;
    const code = `code ${codes} of ${browser}`;
    client.people.set(code, person);
    return finishProviderSignIn({ provider, answer: { state, code }, browser, signedIn }, context);
  }

  return {
    browser,
    begin,
    comeBack,
    /** Goes to the provider and returns; resolves with the input of the next step. */
    async visit(
      provider: Provider,
      person: UpstreamIdentity,
      { purpose = "sign_in" as ProviderPurpose, signedIn = undefined as SignedIn | undefined } = {},
    ): Promise<Returned> {
      const state = await begin(provider, { purpose, signedIn });
      const back = await comeBack(provider, state, person, signedIn);
      if (back.type !== "came_back") throw new Error(`did not come back: ${back.type}`);
      const { account } = back;
      const entrance = { origin, browser: () => browser, request: account.request, previous: signedIn };
      const continue_at = `/sign-in/${provider.slug}/continue`;
      return { provider, account, purpose, entrance, signedIn, continue_at };
    },
  };
}
