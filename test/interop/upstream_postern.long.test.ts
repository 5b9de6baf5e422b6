import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { checkProvider } from "../../src/providers/check_provider.ts";
import { basic } from "../../src/providers/client_proof.ts";
import { revokeUpstream } from "../../src/providers/stored_tokens.ts";
import { beginUpstream, finishUpstream, type UpstreamRequest } from "../../src/providers/upstream.ts";
import { upstreamClient } from "../../src/providers/upstream_client.ts";
import { formBrowser, goThrough } from "../support/form_browser.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { providerSettings } from "../support/provider_settings.ts";
import { ada, manifest, redirect_uri, second, web } from "./registrations.ts";

let served: ServedProcess;

before(async () => {
  served = await servedProcess({ manifest });
});
after(() => served.stop());

describe("a second Postern as the identity provider", () => {
  const now = () => new Date();
  const freshClient = () => {
    const resolve = async () => ["127.0.0.1"];
    return upstreamClient({ outbound: createOutbound({ allow: ["127.0.0.0/8"], resolve }), now });
  };
  const bound = {
    state: "state-of-this-sign-in",
    nonce: "nonce-of-this-sign-in",
    code_verifier: "verifier-of-this-sign-in-with-43-characters",
    redirect_uri,
  };
  const settings = () =>
    providerSettings("oidc", {
      issuer: served.url,
      client_id: web.client_id,
      client_secret: web.secret,
      scopes: ["email", "profile", "offline_access"],
    });

  test("EP-5, EP-15, EP-19 signs users in again on request, and revokes their tokens", async () => {
    const client = freshClient();
    const fresh_since = now();
    const request: UpstreamRequest = { ...bound, prompt: "login", max_age: 0, login_hint: ada.email };
    const back = await goThrough(
      formBrowser(),
      new URL(await beginUpstream(settings(), request, client)),
      ada,
    );
    const answer = Object.fromEntries(back.searchParams);
    assert.equal(answer.iss, served.url);
    const expected = { ...bound, slug: "oidc", fresh_since };
    const { subject, email, name, auth_time, tokens } = await finishUpstream(
      settings(),
      answer,
      expected,
      client,
    );
    assert.match(subject, /^[0-9a-f-]{36}$/);
    assert.deepEqual([email, name], [ada.email, ada.name]);
    assert.ok(auth_time !== undefined && auth_time.getTime() > fresh_since.getTime() - 1000);

    assert.equal(await revokeUpstream(settings(), tokens, client), true);
    const { refresh_token = "" } = tokens;
    const headers = { authorization: basic(web.client_id, web.secret) };
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token });
    const renewed = await fetch(`${served.url}/oauth/token`, { method: "POST", headers, body });
    assert.equal(renewed.status, 400, "the refresh token has ended there");
  });

  test("EP-16, EP-20 reports that the user cancelled, and passes the provider check", async () => {
    const client = freshClient();
    // No user has consented to this client yet.
    const other = { ...settings(), client_id: second.client_id, client_secret: second.secret };
    const url = new URL(await beginUpstream(other, bound, client));
    const back = await goThrough(formBrowser(), url, ada, "deny");
    const answer = Object.fromEntries(back.searchParams);
    await assert.rejects(finishUpstream(other, answer, { ...bound, slug: "oidc" }, client), {
      kind: "cancelled",
      field: "error",
    });
    const findings = await checkProvider(other, redirect_uri, client);
    assert.deepEqual(
      findings.filter(({ ok }) => !ok),
      [],
    );
  });
});
