/** A client, its user and the user's sign-in, for tests that call the endpoints without HTTP. */
import assert from "node:assert/strict";
import type { TokenResponse } from "../../src/oauth/core/authorization.ts";
import type { Settings } from "../../src/oauth/core/server.ts";
import { introspect } from "../../src/oauth/introspect.ts";
import { revoke } from "../../src/oauth/revoke.ts";
import { userinfo } from "../../src/oauth/userinfo.ts";
import type { OAuthApp, OAuthToken, User } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import type { Store } from "../../src/storage/store.ts";
import type { TestServer } from "../support/authorization_server.ts";
import { anApp, aUser } from "../support/builders.ts";
import {
  authorizeAndConsent,
  authorizeParameters,
  codeFlow,
  codeParameters,
  credentialsOf,
  endpointRequest,
  origin,
  type Parameters,
  redeem,
  signedIn,
} from "../support/flows.ts";

export const inactive = { active: false };

/** The answer to a grant that includes a refresh token. */
export type Refreshable = TokenResponse & { readonly refresh_token: string };

export interface ClientFixture {
  readonly test: TestServer;
  readonly app: OAuthApp;
  /** The Authorization header; undefined for a public client. */
  readonly authorization: string | undefined;
  readonly user: User;
  readonly who: SignedIn;
  /** The same client and user at another server, such as one with other settings or a replaced part. */
  at(test: TestServer): ClientFixture;
  /** Gets a code that the user allowed. */
  code(overrides?: Parameters): Promise<string>;
  exchange(code: string, overrides?: Parameters): Promise<TokenResponse>;
  /** Runs the flow from the request to the tokens. */
  flow(overrides?: Parameters): Promise<Refreshable & { readonly code: string }>;
  refresh(refresh_token: string, overrides?: Parameters): Promise<Refreshable>;
  clientCredentials(overrides?: Parameters): Promise<TokenResponse>;
  introspect(token: string, overrides?: Parameters): Promise<object>;
  isActive(token: string): Promise<boolean>;
  revoke(token: string, overrides?: Parameters): Promise<void>;
  /** Returns the row of an access token, whether it is active or not. */
  rowOf(access_token: string): Promise<OAuthToken>;
}

/** Creates a confidential client, unless the test passes another, and a user who has just signed in. */
export async function aClientFixture(
  test: TestServer,
  overrides: Partial<OAuthApp> = {},
  person: Partial<User> = {},
): Promise<ClientFixture> {
  const created_at = test.clock.now();
  const user = await aUser(test.store, { created_at, ...person });
  const app = await anApp(test.store, { created_at, owner_id: user.id, ...overrides });
  const authorization = await credentialsOf(test, app);
  return clientFixtureOf({ test, app, authorization, user, who: await signedIn(test, user) });
}

type Roles = Pick<ClientFixture, "test" | "app" | "authorization" | "user" | "who">;

export function clientFixtureOf(roles: Roles): ClientFixture {
  const { test, app, authorization, who } = roles;
  const client_id = authorization === undefined ? app.client_id : undefined;
  const request = (parameters: Parameters) => endpointRequest({ client_id, ...parameters }, authorization);
  const requested = (parameters: Parameters) => redeem(test, app, authorization, parameters);
  const answerOf = (token: string, parameters: Parameters = {}) =>
    introspect(request({ token, ...parameters }), test.server);
  return {
    ...roles,
    at: (other) => clientFixtureOf({ ...roles, test: other }),
    async code(parameters = {}) {
      const answer = await authorizeAndConsent(test, who, authorizeParameters(app, parameters));
      const code = answer.get("code");
      assert.ok(code !== null, `${answer.get("error")}: ${answer.get("error_description")}`);
      return code;
    },
    exchange: (code, parameters = {}) => requested(codeParameters(app, code, parameters)),
    flow: async (parameters = {}) =>
      withRefreshToken(await codeFlow(test, app, authorization, who, parameters)),
    refresh: async (refresh_token, parameters = {}) =>
      withRefreshToken(await requested({ grant_type: "refresh_token", refresh_token, ...parameters })),
    clientCredentials: (parameters = {}) =>
      requested({ grant_type: "client_credentials", scope: "orders:read", ...parameters }),
    introspect: answerOf,
    isActive: async (token) => "scope" in (await answerOf(token)),
    revoke: (token, parameters = {}) => revoke(request({ token, ...parameters }), test.server),
    async rowOf(access_token) {
      const row = await test.store.find("oauth_tokens", { id: String(claimsOf(access_token).jti) });
      assert.ok(row !== undefined);
      return row;
    },
  };
}

/** Returns the answer of userinfo to this token, or to this whole header. */
export function claimsAt(test: TestServer, access_token: string, dpop?: string) {
  const authorization = access_token.includes(" ") ? access_token : `Bearer ${access_token}`;
  return userinfo({ method: "GET", authorization, dpop, params: undefined, origin }, test.server);
}

/** Returns the claims of a JWT without verifying it. */
export function claimsOf(jwt: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>;
}

/**
 * Replaces a missing refresh token by an empty one: without rotation the answer has none, because the old one
 * stays valid.
 */
function withRefreshToken<T extends TokenResponse>(answer: T): T & { refresh_token: string } {
  return { ...answer, refresh_token: answer.refresh_token ?? "" };
}

/** Returns the same server with other settings. */
export function withSettings(test: TestServer, settings: Partial<Settings>): TestServer {
  return withPart(test, { settings: { ...test.server.settings, ...settings } });
}

/** Returns the same server with a part replaced. */
export function withPart(test: TestServer, part: Partial<TestServer["server"]>): TestServer {
  return { ...test, server: { ...test.server, ...part } };
}

/** Returns the same server with some functions of its store replaced. */
export function withStore(test: TestServer, part: Partial<Store>): TestServer {
  return withPart(test, { store: { ...test.server.store, ...part } });
}

/** Expects an OAuth error with this code and a description that matches `what`. */
export function refusal(code: string, what: RegExp = /./) {
  return (error: unknown): true => {
    const { name, code: found, description } = error as { name: string; code: string; description: string };
    assert.ok(name === "OAuthError" || name === "ReplayError", String(error));
    assert.equal(found, code, description);
    assert.match(description, what);
    return true;
  };
}

/** Asserts that the work is refused with an OAuth error of this code and description. */
export function rejected(work: Promise<unknown>, code: string, what?: RegExp): Promise<void> {
  return assert.rejects(work, refusal(code, what));
}
