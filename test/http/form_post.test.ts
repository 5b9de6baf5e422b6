import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, describe, test } from "node:test";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import { aPerson, hiddenField, signInAs, type TestApp, testApp, testBrowser } from "../support/app.ts";
import { issuer } from "../support/authorization_server.ts";
import { anApp } from "../support/builders.ts";
import { authorizeParameters, formOf, type Parameters } from "../support/flows.ts";
import { readHtml } from "../web/read_html.ts";

const hostile = `"><script>alert(1)</script>'&amp;\u2028`;

describe("the page that posts the authorization response to the client", () => {
  let it: TestApp;
  let user: User;
  let app: OAuthApp;
  let asking: OAuthApp;
  before(async () => {
    it = await testApp({ throttle: false, settings: { extra_features: ["form_post"] } });
    user = await aPerson(it);
    const redirect_uris = [`https://app.example:8443/cb?a="'<b>&c=d`, "https://app.example/cb"];
    app = await anApp(it.store, { first_party: true, redirect_uris });
    asking = await anApp(it.store, { redirect_uris });
  });

  const address = (by: OAuthApp, overrides: Parameters = {}) =>
    `/oauth/authorize?${formOf(authorizeParameters(by, { response_mode: "form_post", ...overrides }))}`;

  const signedInBrowser = async () => {
    const browser = testBrowser(it.app);
    await signInAs(browser, user);
    return browser;
  };

  /** Returns the form as a browser reads it. */
  function formIn(body: string) {
    const { tags } = readHtml(body);
    const forms = tags.filter(({ name }) => name === "form");
    const fields = tags.filter(({ name }) => name === "input");
    return {
      forms: forms.map(({ attributes }) => [attributes.get("method"), attributes.get("action")]),
      fields: Object.fromEntries(
        fields.map(({ attributes }) => [attributes.get("name"), attributes.get("value")]),
      ),
      hidden: fields.every(({ attributes }) => attributes.get("type") === "hidden"),
      buttons: tags.filter(({ name, attributes }) => name === "button" && !attributes.has("hidden")).length,
    };
  }

  test("PR-67: the page has one form with the response and a button, and every value is escaped and preserved", async () => {
    const browser = await signedInBrowser();
    const answer = await browser.get(address(app, { state: hostile }));
    assert.equal(answer.statusCode, 200);
    const { forms, fields, hidden, buttons } = formIn(answer.body);
    assert.deepEqual(forms, [["post", app.redirect_uris[0]]]);
    assert.deepEqual(Object.keys(fields), ["code", "state", "iss"]);
    assert.deepEqual([fields.state, fields.iss], [hostile, issuer]);
    assert.deepEqual([hidden, buttons], [true, 1]);
    assert.ok(!answer.body.includes(hostile));
    assert.match(readHtml(answer.body).text, /https:\/\/app\.example:8443/);
  });

  test("PR-67: the page's policy allows only the redirect URI and its own script; it is neither cached nor framed", async () => {
    const browser = await signedInBrowser();
    const { headers, body } = await browser.get(address(app));
    const [, script = ""] = /<script>([^<]*)<\/script>/.exec(body) ?? [];
    assert.equal(body.match(/<script/g)?.length, 1);
    const hash = createHash("sha256").update(script).digest("base64");
    assert.deepEqual(String(headers["content-security-policy"]).split("; ").sort(), [
      "base-uri 'none'",
      "default-src 'none'",
      "form-action https://app.example:8443",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      `script-src 'sha256-${hash}'`,
      "style-src 'self'",
    ]);
    assert.equal(headers["cache-control"], "no-store");
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["x-frame-options"], "DENY");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["cross-origin-opener-policy"], undefined);
    assert.equal(headers.location, undefined);
  });

  test("PR-67: a redirect URI whose host cannot be in a policy is allowed by its scheme", async () => {
    const native = await anApp(it.store, {
      ...{ app_type: "native", public: true, first_party: true },
      redirect_uris: ["http://[::1]/cb", "http://127.0.0.1/cb", "https://a;sandbox.example/cb"],
    });
    const browser = await signedInBrowser();
    for (const [redirect_uri, source] of [
      ["http://[::1]:5000/cb", "http:"],
      ["http://127.0.0.1:5000/cb", "http://127.0.0.1:5000"],
      ["https://a;sandbox.example/cb", "https:"],
    ]) {
      const { headers } = await browser.get(address(native, { redirect_uri }));
      const policy = String(headers["content-security-policy"]);
      assert.ok(policy.includes(`form-action ${source};`), policy);
    }
  });

  test("PR-67: an unknown client or a denied consent gets a page too, in the language of the request", async () => {
    const stranger = await testBrowser(it.app).get(address(app, { prompt: "none", ui_locales: "de" }));
    assert.equal(stranger.statusCode, 200);
    assert.equal(formIn(stranger.body).fields.error, "login_required");
    assert.match(readHtml(stranger.body).text, /Zurück zur Anwendung/);
    const browser = await signedInBrowser();
    const question = await browser.get(address(asking, { ui_locales: "ja" }));
    const denied = await browser.post("/consent", {
      request: hiddenField(question, "request"),
      csrf_token: hiddenField(question, "csrf_token"),
      decision: "deny",
    });
    assert.equal(denied.statusCode, 200);
    assert.equal(formIn(denied.body).fields.error, "access_denied");
    assert.match(readHtml(denied.body).text, /アプリに戻ります/);
  });
});
