/** Shared helpers of the authorization request tests. */
import assert from "node:assert/strict";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { anApp, aUser } from "../support/builders.ts";
import type { TestDatabase } from "../support/databases.ts";
import { ask, authorizeParameters, type Parameters, redirected, signedIn } from "../support/flows.ts";

export interface AuthorizationFixture {
  readonly as: TestServer;
  readonly who: SignedIn;
  /** An app that requires no consent, so the request alone decides. */
  readonly app: OAuthApp;
}

export async function authorizationFixture(database: TestDatabase): Promise<AuthorizationFixture> {
  const as = await testServer(await database.open());
  const who = await signedIn(as, await aUser(as.store));
  return { as, who, app: await anApp(as.store, { first_party: true }) };
}

/** Creates helpers that send requests to the server of the scenario. `scenario` is called at each request. */
export function authorizationOutcomes(scenario: () => AuthorizationFixture) {
  /** Returns the parameters of the redirect that answers this request. */
  async function answered(input: Parameters, by: OAuthApp = scenario().app): Promise<URLSearchParams> {
    const { as, who } = scenario();
    return redirected(await ask(as, who, authorizeParameters(by, input)));
  }

  async function refusedWith(error: string, input: Parameters, by?: OAuthApp): Promise<URLSearchParams> {
    const answer = await answered(input, by);
    assert.equal(answer.get("error"), error, JSON.stringify(input));
    assert.equal(answer.has("code"), false);
    return answer;
  }

  async function succeedsWith(input: Parameters, by?: OAuthApp): Promise<void> {
    const answer = await answered(input, by);
    assert.equal(answer.has("code"), true, `${answer.get("error")}: ${answer.get("error_description")}`);
  }

  return { answered, refusedWith, succeedsWith };
}
