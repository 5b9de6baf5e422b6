import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Outbound, OutboundError, type OutboundErrorKind } from "../../src/outbound/outbound.ts";
import { upstreamClient } from "../../src/providers/upstream_client.ts";
import { aPerson, browserOf, type TestApp, type TestBrowser, testApp } from "../support/app.ts";
import { aMembership, anOrganization, aProvider } from "../support/builders.ts";
import { formOn } from "../support/console.ts";
import { type UpstreamFake, upstreamFake } from "../support/upstream_fake.ts";

describe("the page of a provider in the console", () => {
  let it: TestApp;
  let fake: UpstreamFake;
  let id: string;
  let refusal: OutboundErrorKind | undefined;
  const browsers: Record<string, TestBrowser> = {};
  before(async () => {
    fake = await upstreamFake("oidc");
    const outbound: Outbound = {
      async send(request) {
        if (refusal !== undefined) throw new OutboundError(refusal, "idp.internal");
        return fake.outbound.send(request);
      },
    };
    const client = () => upstreamClient({ outbound, now: () => new Date(), timeout: 2000 });
    it = await testApp({ upstream: client });
    const organization_id = (await anOrganization(it.store)).id;
    const input = { slug: "acme", label: "Acme staff", organization_id, issuer: fake.origin };
    const provider = await aProvider(it.store, input);
    id = provider.id;
    const client_secret = it.server.sealer.seal("provider_secret", "a secret", id);
    await it.store.update("providers", { id }, { client_secret });
    for (const role of ["owner", "developer"]) {
      const user = await aPerson(it, { name: role });
      await aMembership(it.store, { user_id: user.id, organization_id, role });
      const browser = await browserOf(it, user);
      browsers[role] = browser;
    }
  });
  after(async () => {
    await it.app.close();
    await fake.close();
  });
  const owner = () => browsers.owner as TestBrowser;
  const check = async () => {
    const page = await owner().get(`/console/providers/${id}`);
    const { csrf_token } = formOn(page).fields;
    return owner().post(`/console/providers/${id}/check`, { csrf_token: String(csrf_token) });
  };

  test("EP-20 the page shows the exact redirect URI to copy, and its check button shows the findings", async () => {
    const page = await owner().get(`/console/providers/${id}`);
    assert.match(
      page.body,
      /<pre class="snippet" data-copy tabindex="0">https:\/\/id\.example\/sign-in\/acme\/callback<\/pre>/,
    );
    assert.match(page.body, /Check this provider/);
    const found = await check();
    assert.equal(found.statusCode, 200, found.body);
    assert.match(found.body, /Published metadata/);
    assert.match(found.body, /users should be able to sign in through it/);
    assert.ok(!found.body.includes("a secret"));
  });

  test("EP-20 the check names the errors of a provider, and runs at most a few times a minute", async () => {
    fake.hooks.discovery = (document) => ({ ...document, issuer: "https://evil.example" });
    const wrong = await check();
    assert.match(wrong.body, /https:\/\/evil\.example/);
    assert.match(wrong.body, /Not all users can sign in through it/);
    assert.match(wrong.body, /the metadata of the provider names another issuer; expected/);
    delete fake.hooks.discovery;
    const before = fake.seen.length;
    const statuses = [];
    for (let round = 0; round < 5; round++) statuses.push((await check()).statusCode);
    assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
    const seen = fake.seen.length;
    await check();
    assert.equal(fake.seen.length, seen);
    assert.ok(seen > before);
  });

  test("FO-4, EP-20: an organization's check does not reveal whether an internal host name exists", async () => {
    const shown: string[] = [];
    for (const kind of ["unresolved", "internal_address"] as const) {
      refusal = kind;
      // Waits until the rate limit of checks permits another one.
      it.clock.advance(60);
      const { statusCode, body } = await check();
      assert.equal(statusCode, 200);
      shown.push(body.replaceAll(/name="csrf_token" value="[^"]*"/g, ""));
    }
    refusal = undefined;
    assert.match(shown[0] ?? "", /has no address, or one that is not public.*“Private address allowed”/);
    assert.doesNotMatch(shown[0] ?? "", /no_allowed_address/);
    assert.equal(shown[0], shown[1]);
  });

  test("EP-20 the check runs only when its button is pressed, and not by a link", async () => {
    const path = `/console/providers/${id}/check`;
    const developer = browsers.developer as TestBrowser;
    assert.equal((await developer.get(`/console/providers/${id}`)).statusCode, 404);
    const { csrf_token } = formOn(await developer.get("/console/apps/new?kind=website")).fields;
    assert.equal((await developer.post(path, { csrf_token: String(csrf_token) })).statusCode, 404);
    assert.equal((await owner().get(path)).statusCode, 404);
    assert.equal((await owner().post(path, {})).statusCode, 403);
  });
});
