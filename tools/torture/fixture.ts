/** The data of the tests: one user, one app with users, and one machine client. */
import { sha256Base64url } from "../../src/crypto/digest.ts";
import { basic, verifier } from "../../test/support/flows.ts";
import { formBrowser, goThrough } from "../../test/support/form_browser.ts";
import type { Requester } from "./http.ts";

const day = 86_400;
const person = { email: "ada@example.com", password: "correct horse battery staple" };
const redirect_uri = "http://127.0.0.1:9000/cb";

/** The manifest for a new database. No token expires during a run. */
export const manifest = {
  users: [{ ...person, name: "Ada" }],
  apps: [
    {
      ...{ client_id: "worker", name: "Worker", app_type: "machine", owner: person.email },
      ...{ allowed_scopes: ["orders:read"], allowed_grants: ["client_credentials"] },
      ...{ access_token_ttl: day, secrets: ["the worker's secret"] },
    },
    {
      ...{ client_id: "web", name: "Web", app_type: "web", owner: person.email, first_party: true },
      ...{ redirect_uris: [redirect_uri], allowed_scopes: ["openid", "offline_access"] },
      ...{ allowed_grants: ["auth_code", "refresh"], access_token_ttl: day, secrets: ["the web's secret"] },
    },
  ],
};

export type ClientName = "worker" | "web";

const proofs: Readonly<Record<ClientName, string>> = {
  worker: basic("worker", "the worker's secret"),
  web: basic("web", "the web's secret"),
};

/** Returns the client's Authorization header. */
export const proofOf = (client: ClientName) => ({ authorization: proofs[client] });

const query = new URLSearchParams({
  ...{ response_type: "code", client_id: "web", redirect_uri, scope: "openid offline_access", state: "s" },
  ...{ code_challenge: sha256Base64url(verifier), code_challenge_method: "S256" },
});
const authorizePath = `/oauth/authorize?${query}`;

/** Signs the user in, and returns the Cookie header of the session. */
export async function signIn(url: string): Promise<string> {
  const browser = formBrowser();
  await goThrough(browser, url + authorizePath, person);
  return [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** Returns the form that redeems a new authorization code of the user; undefined if none was issued. */
export async function newCode(
  requester: Requester,
  cookie: string,
): Promise<Record<string, string> | undefined> {
  const { location } = await requester.ask({ path: authorizePath, headers: { cookie } });
  const code = location === undefined ? null : new URL(location, redirect_uri).searchParams.get("code");
  if (code === null) return undefined;
  return { grant_type: "authorization_code", redirect_uri, code_verifier: verifier, code };
}
