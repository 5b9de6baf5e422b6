import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { noncePolicies } from "../../src/records/names/names.ts";
import { aPerson, browserOf, hiddenField, type TestApp, testApp } from "../support/app.ts";
import { anApp } from "../support/builders.ts";

const titles = ({ body }: LightMyRequestResponse) =>
  [...body.matchAll(/<div class="step-words"><h2>([^<]*)<\/h2>/g)].map(([, title]) => title);

/** Returns a user with an app whose playground returns to this server, and the pages that it showed. */
async function tried(it: TestApp, overrides: Partial<OAuthApp>, form: "start" | "machine" = "start") {
  const owner = await aPerson(it);
  const app = await anApp(it.store, { owner_id: owner.id, ...overrides });
  const at = `/console/apps/${app.id}/try`;
  const redirect_uris = [`${it.server.issuer}${at}/callback`];
  await it.store.update("oauth_apps", { id: app.id }, { redirect_uris });
  const browser = await browserOf(it, owner);
  const post = async (step: string, fields: Record<string, string> = {}) => {
    const page = await browser.get(at);
    let answer = await browser.post(`${at}/${step}`, {
      csrf_token: hiddenField(page, "csrf_token"),
      ...fields,
    });
    for (;;) {
      if (answer.body.includes('action="/consent"')) {
        const sealed = {
          csrf_token: hiddenField(answer, "csrf_token"),
          request: hiddenField(answer, "request"),
        };
        answer = await browser.post("/consent", { ...sealed, decision: "allow" });
      } else if (answer.headers.location === undefined) return answer;
      else answer = await browser.get(String(answer.headers.location).replace(it.server.issuer, ""));
    }
  };
  const scope = form === "start" ? "openid" : "orders:read";
  return { app, post, page: await post(form, { scope }), open: () => browser.get(at) };
}

const pushed = "The request is pushed";
const sent = "The application sends the browser to the server";
const back = "The browser returns with a code";
const exchanged = "The code is exchanged for tokens";
const reported = "The application requests user claims";
const refreshed = "The refresh token is exchanged for new tokens";

const on = { extra_features: ["par", "dpop"] } as const;
const demanding = { require_pushed_authorization_requests: true, dpop_bound_access_tokens: true };

describe("the playground of an app that requires PAR or DPoP", () => {
  for (const dpop_nonce of noncePolicies)
    for (const isPublic of [false, true])
      test(`PR-44, PR-50: the playground pushes and uses DPoP for a ${isPublic ? "public" : "confidential"} app, with nonces ${dpop_nonce}`, async () => {
        const it = await testApp({ throttle: false, settings: { ...on, dpop_nonce } });
        const { post, page, app } = await tried(it, { ...demanding, public: isPublic });
        // If each proof needs a nonce, each request is shown twice.
        const shown = (...steps: string[]) =>
          steps.flatMap((step) =>
            dpop_nonce === "always" && step !== sent && step !== back ? [step, step] : [step],
          );
        assert.deepEqual(titles(page), shown(pushed, sent, back, exchanged));
        assert.match(page.body, /request_uri=urn%3A|<dt><code>request_uri<\/code><\/dt>/);
        const requested = await post("userinfo");
        assert.deepEqual(titles(requested).slice(-shown(reported).length), shown(reported));
        assert.match(requested.body, /DPoP eyJ[\w-]?…[\s\S]*&quot;sub&quot;/, "shortened, and answered");
        const last = await post("refresh");
        assert.deepEqual(titles(last).slice(-shown(refreshed).length), shown(refreshed));
        const rows = await it.store.list("oauth_tokens", { app_id: app.id });
        assert.deepEqual(
          rows.map(({ cnf }) => typeof cnf?.jkt),
          ["string", "string"],
        );
        assert.doesNotMatch(
          last.body,
          /PRIVATE KEY|eyJ[\w-]+\.[\w-]+\.[\w-]+/,
          "neither key nor proof is shown",
        );
      });

  test("PR-44: the playground pushes if the server requires it, and a machine's token is bound to a key", async () => {
    const it = await testApp({ throttle: false, settings: { ...on, require_pushed_requests: true } });
    assert.deepEqual(titles((await tried(it, {})).page), [pushed, sent, back, exchanged]);
    const machine = { allowed_grants: ["client_credentials"], allowed_scopes: ["orders:read"] };
    const { app } = await tried(it, { ...machine, dpop_bound_access_tokens: true }, "machine");
    const [row] = await it.store.list("oauth_tokens", { app_id: app.id });
    assert.equal(typeof row?.cnf?.jkt, "string");
  });

  test("PR-44: a refused push is shown, and the browser is not redirected", async () => {
    const it = await testApp({ throttle: false });
    const { page } = await tried(it, demanding);
    assert.deepEqual(titles(page), [pushed]);
    assert.match(page.body, /404/);
  });

  test("PR-38: an app with signed assertions cannot be tried there, and the page names the command that can", async () => {
    const it = await testApp({ throttle: false, settings: { extra_client_auth: ["private_key_jwt"] } });
    const owner = await aPerson(it);
    const app = await anApp(it.store, { owner_id: owner.id, token_endpoint_auth_method: "private_key_jwt" });
    const browser = await browserOf(it, owner);
    const { body } = await browser.get(`/console/apps/${app.id}/try`);
    assert.match(body, /authenticates with its own key/);
    assert.doesNotMatch(body, /action="[^"]*\/try\/(?:start|machine)"/);
  });
});
