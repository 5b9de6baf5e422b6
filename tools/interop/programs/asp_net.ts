/**
 * A website of ASP.NET Core with its default request: the response is a form that the browser posts
 * (OAuth 2.0 Form Post Response Mode). The requests are copied from the handler of Microsoft.AspNetCore
 * 8, so no SDK is required.
 */
import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { complaintsOf } from "../../../test/support/complaints.ts";
import { challenge, verifier } from "../../../test/support/flows.ts";
import { until } from "../../../test/support/until.ts";
import { signInAndAllow, visitor, waitForSignedOut, website } from "./chromium.ts";
import type { Program } from "./program.ts";
import { posternFor, refreshedAtOnce, secret, tokensOf } from "./scenario.ts";

const client_id = "asp-net";
/** The handler's version parameters in each authorization request. */
const itself = { "x-client-SKU": "ID_NET8_0", "x-client-ver": "8.0.1.0" };
/**
 * The handler encrypts its state, which is therefore longer than that of other clients. Postern must return
 * it unchanged.
 */
const state = `CfDJ8${"Nk3vT-q_".repeat(40)}`;
const nonce = `638679412345678901.${"NGIyYzQ4".repeat(8)}`;

export const aspNet: Program = {
  name: "asp-net",
  needs: [],
  async run(context) {
    const posted: { type: string | undefined; form: URLSearchParams }[] = [];
    const signedOut: string[] = [];
    const origin = await website(context, async (request, response) => {
      const url = new URL(request.url ?? "/", origin);
      if (request.method === "POST" && url.pathname === "/signin-oidc") {
        posted.push({
          type: request.headers["content-type"],
          form: new URLSearchParams(await text(request)),
        });
        return void response.writeHead(302, { location: "/" }).end();
      }
      if (url.pathname === "/signout-callback-oidc") signedOut.push(String(url.searchParams.get("state")));
      response.writeHead(200, { "content-type": "text/html" }).end("<title>The website</title>");
    });
    const redirect_uri = `${origin}/signin-oidc`;
    const post_logout_redirect_uri = `${origin}/signout-callback-oidc`;
    const app = {
      client_id,
      kind: "website",
      secrets: [secret],
      redirect_uris: [redirect_uri],
      post_logout_redirect_uris: [post_logout_redirect_uri],
    };
    const served = await posternFor(context, app, { POSTERN_EXTRA_FEATURES: "form_post" });
    const visiting = await visitor(context);
    const page = await visiting.newPage();
    const complaints = complaintsOf(page);

    const requested = { client_id, redirect_uri, response_type: "code", scope: "openid profile" };
    const proof = { code_challenge: challenge, code_challenge_method: "S256" };
    const query = { ...requested, ...proof, response_mode: "form_post", nonce, state, ...itself };
    const begun = `${served.url}/oauth/authorize?${new URLSearchParams(query)}`;
    await page.goto(begun);
    await signInAndAllow(page);
    await page.waitForURL(`${origin}/`);
    // The second visit needs no interaction because of the session, so only the form is shown.
    await page.goto(begun);
    await until(() => posted.length === 2, "the form is posted again");
    for (const { type, form } of posted) {
      assert.equal(type, "application/x-www-form-urlencoded");
      assert.deepEqual([form.get("state"), form.get("iss")], [state, served.url]);
    }

    const client = { client_id, client_secret: secret };
    const code = posted[0]?.form.get("code") ?? "";
    const form = { ...client, code, grant_type: "authorization_code", redirect_uri, code_verifier: verifier };
    const tokens = await tokensOf(served.url, form);
    const { id_token } = await refreshedAtOnce(served.url, client, tokens.refresh_token);

    const leaving = { post_logout_redirect_uri, id_token_hint: String(id_token), state, ...itself };
    await page.goto(`${served.url}/oauth/logout?${new URLSearchParams(leaving)}`);
    assert.deepEqual(signedOut, [state]);
    await waitForSignedOut(visiting, served.url);
    assert.deepEqual(complaints, []);
  },
};
