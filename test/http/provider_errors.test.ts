/**
 * Every false claim and error of a provider, from the button of the login page to the response to the user.
 */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import type { ProviderClient } from "../../src/people/core/context/provider_client.ts";
import { beginUpstream, finishUpstream } from "../../src/providers/upstream.ts";
import { upstreamClient } from "../../src/providers/upstream_client.ts";
import { shortIdText } from "../../src/web/html/short_id.ts";
import { aPerson, hiddenField, type TestBrowser, testApp, testBrowser } from "../support/app.ts";
import { anOAuthAccount } from "../support/builders.ts";
import { allMisbehaviours, type Lie, misbehavingUpstream } from "../support/misbehaving_upstream.ts";
import { providerSettings } from "../support/provider_settings.ts";
import { aProvider } from "../support/scripted_providers.ts";
import type { UpstreamFake } from "../support/upstream_fake.ts";

const lies = await allMisbehaviours(providerSettings("oidc").client_secret ?? "");
const honest: Lie = { name: "no lie", kind: "state", field: "", hooks: {} };
const redirect = "/account/sessions";
const loginHref = `/login?redirect=${encodeURIComponent(redirect)}`;

/** The provider of this test, and its client. */
let there: { readonly fake: UpstreamFake; readonly client: Pick<ProviderClient, "begin" | "finish"> };

const provider_client: ProviderClient = {
  begin: (...input) => there.client.begin(...input),
  finish: (...input) => there.client.finish(...input),
  revoke: async () => false,
  readLogout: async () => assert.fail("no logout"),
};
const it = await testApp({ provider_client, throttle: false });
await aProvider(it.store, { slug: "oidc", label: "Liar" });
const ann = await aPerson(it, { email: "ann@firm.example" });
await anOAuthAccount(it.store, { user_id: ann.id, provider: "oidc", provider_user_id: "ann" });

const fakes: UpstreamFake[] = [];
after(async () => {
  for (const fake of fakes) await fake.close();
});

/** Replaces the provider with one that makes this false claim. */
async function meet(lie: Lie): Promise<UpstreamFake> {
  const { now } = it.clock;
  const fake = await misbehavingUpstream(lie, now);
  fakes.push(fake);
  const upstream = upstreamClient({ outbound: fake.outbound, now, timeout: lie.timeout ?? 5000 });
  const { settings } = fake;
  const client = {
    begin: async (_: unknown, request: Parameters<ProviderClient["begin"]>[1]) =>
      beginUpstream(settings, request, upstream),
    finish: async (
      _: unknown,
      answer: Parameters<ProviderClient["finish"]>[1],
      expected: Parameters<ProviderClient["finish"]>[2],
    ) => finishUpstream(settings, answer, expected, upstream),
  };
  there = { fake, client };
  return fake;
}

/** Presses the button of this page, signs in at the provider, and returns the final page or redirect. */
async function press(page: LightMyRequestResponse, browser: TestBrowser, fields: readonly string[]) {
  const form = fields.map((name) => [name, hiddenField(page, name)]);
  const sent = await browser.post("/sign-in/oidc", Object.fromEntries(form));
  if (sent.statusCode !== 303) return sent;
  return browser.get(await recoveryLink(sent));
}

/** Signs in at the provider, and returns the path and query to which the provider redirects the browser. */
async function recoveryLink({ headers }: LightMyRequestResponse): Promise<string> {
  const { mode: _, ...answer } = await there.fake.visit(String(headers.location));
  return `/sign-in/oidc/callback?${new URLSearchParams(answer as Record<string, string>)}`;
}

const begin = async (browser: TestBrowser) =>
  press(await browser.get(loginHref), browser, ["csrf_token", "redirect"]);

const leadsToMethods = ({ body }: LightMyRequestResponse) => body.includes(`href="${loginHref}"`);
const offersAgain = ({ body }: LightMyRequestResponse) => body.includes('action="/sign-in/oidc"');
const session = "__Host-postern_session";

async function refusalOn({ body }: LightMyRequestResponse) {
  await it.store.flush();
  const refusals = await it.store.list("refusals");
  return refusals.find(({ short_id }) => body.includes(shortIdText(short_id)));
}

describe("EP-16 every misbehavior of a provider ends on a page with a way to continue", () => {
  for (const lie of lies) {
    const { name, kind, field } = lie;
    test(`EP-16 ${name}: ${kind}`, async () => {
      // The number of stored refusals per time is limited, so the clock is advanced between the cases.
      it.clock.advance(600);
      await meet(lie);
      const browser = testBrowser(it.app);
      const sessions = await it.store.count("sessions");
      const first = await begin(browser);
      if (kind === "cancelled") {
        assert.equal(first.headers.location, loginHref, "the request is intact");
      } else {
        assert.equal(first.statusCode, 400);
        assert.ok(leadsToMethods(first) || kind === "state");
        assert.ok(offersAgain(first), "the first failure may be tried again");
      }
      if (kind !== "cancelled" && kind !== "state") {
        const [evidence] = (await refusalOn(first))?.evidence ?? [];
        assert.equal((evidence as { name?: string } | undefined)?.name, `oidc: ${field}`);
        const second = await press(first, browser, ["csrf_token", "redirect", "failures"]);
        assert.equal(second.statusCode, 400);
        assert.ok(leadsToMethods(second) && !offersAgain(second), "the second leads to the methods alone");
      }
      assert.equal(browser.cookies.get(session), undefined);
      assert.equal(await it.store.count("sessions"), sessions);
      assert.equal((await browser.get(loginHref)).statusCode, 200);
    });
  }

  test("EP-16 a well-behaved provider signs the user in, also after an earlier failure", async () => {
    const [lie = honest] = lies;
    const browser = testBrowser(it.app);
    await meet(lie);
    const failed = await begin(browser);
    await meet(honest);
    const back = await press(failed, browser, ["csrf_token", "redirect", "failures"]);
    assert.equal(back.headers.location, redirect);
    assert.match((await browser.get("/account")).body, /ann@firm\.example/);
  });
});

describe("errors and repeated responses of a provider", () => {
  test("EP-17 while the provider does not respond, the login page and all other pages are answered", async () => {
    const fake = await meet({ ...honest, timeout: 60_000 });
    const requested = Promise.withResolvers<ServerResponse>();
    fake.hooks.answer = (_, response) => {
      requested.resolve(response);
      return true;
    };
    let ended = false;
    const pressed = begin(testBrowser(it.app)).finally(() => {
      ended = true;
    });
    const silent = await requested.promise;
    const others = await Promise.all(Array.from({ length: 20 }, () => testBrowser(it.app).get("/login")));
    assert.ok(others.every(({ statusCode }) => statusCode === 200));
    assert.equal(ended, false, "one person waits still");
    silent.destroy();
    const page = await pressed;
    assert.equal(page.statusCode, 400);
    assert.match(page.body, /is not responding/);
    assert.ok(leadsToMethods(page));
  });

  test("EP-17 an unavailable provider is distinguished from a misbehaving one, on the page too", async () => {
    for (const [status, reported] of [
      [502, /is not responding/],
      [503, /is not responding/],
      [404, /Signing in with Liar failed/],
    ] as const) {
      const fake = await meet(honest);
      fake.hooks.answer = (path, response) => path === "/token" && !!response.writeHead(status).end();
      const page = await begin(testBrowser(it.app));
      assert.equal(page.statusCode, 400);
      assert.match(page.body, reported, `${status}`);
    }
  });

  test("EP-3 if a response is sent twice or 50 times at once, one signs in, and the code is redeemed once", async () => {
    for (const times of [2, 50]) {
      const fake = await meet(honest);
      const browser = testBrowser(it.app);
      const page = await browser.get(loginHref);
      const sent = await browser.post("/sign-in/oidc", {
        csrf_token: hiddenField(page, "csrf_token"),
        redirect: hiddenField(page, "redirect"),
      });
      const address = await recoveryLink(sent);
      const sessions = await it.store.count("sessions");
      const answers = await Promise.all(Array.from({ length: times }, () => browser.get(address)));
      const signedIn = answers.filter(({ headers }) => headers.location === redirect);
      assert.equal(signedIn.length, 1);
      assert.equal(fake.seen.filter(({ path }) => path === "/token").length, 1);
      assert.equal(await it.store.count("sessions"), sessions + 1);
      const late = await browser.get(address);
      assert.ok([303, 400].includes(late.statusCode), "once more, later");
      assert.match((await browser.get("/account")).body, /ann@firm\.example/);
    }
  });

  test("EP-3, EP-18 a response in another browser does not sign in there, and still works in the right one", async () => {
    const fake = await meet(honest);
    const [browser, other] = [testBrowser(it.app), testBrowser(it.app)];
    const page = await browser.get(loginHref);
    const form = { csrf_token: hiddenField(page, "csrf_token"), redirect: hiddenField(page, "redirect") };
    const address = await recoveryLink(await browser.post("/sign-in/oidc", form));
    const planted = await other.get(address);
    assert.equal(planted.statusCode, 400);
    assert.ok(offersAgain(planted) && leadsToMethods(planted), "with the request that waited");
    assert.equal(fake.seen.filter(({ path }) => path === "/token").length, 0);
    assert.equal(other.cookies.get(session), undefined);
    assert.equal((await browser.get(address)).headers.location, redirect);
  });
});
