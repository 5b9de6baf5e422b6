import assert from "node:assert/strict";
import { test } from "node:test";
import type { IdentityContext } from "../../../src/people/core/context/context.ts";
import { newFormCookie } from "../../../src/people/core/form_tokens.ts";
import {
  beginProviderSignIn,
  type NewProviderSignIn,
} from "../../../src/people/providers/begin_provider_sign_in.ts";
import {
  finishProviderSignIn,
  storeFormAnswer,
  takeFormAnswer,
} from "../../../src/people/providers/finish_provider_sign_in.ts";
import type { UpstreamAnswer } from "../../../src/providers/upstream.ts";
import { UpstreamError } from "../../../src/providers/upstream_error.ts";
import { providerPresets } from "../../../src/records/names/names.ts";
import { testServer } from "../../support/authorization_server.ts";
import { aUser } from "../../support/builders.ts";
import { describeInForm } from "../../support/databases.ts";
import { identityOn, inSession } from "../../support/identity_context.ts";
import {
  aProvider,
  origin,
  scriptedBrowser,
  scriptedClient,
  upstreamPerson,
} from "../../support/scripted_providers.ts";

describeInForm("the redirect to a provider and its response", (database) => {
  async function setUp() {
    const { server, clock } = await testServer(await database.open());
    const client = scriptedClient();
    const context = identityOn(server, { provider_client: client });
    const { store } = context;
    const provider = await aProvider(store);
    return { clock, context, client, provider, store, browser: scriptedBrowser(context, client) };
  }

  const session = async (context: IdentityContext) => inSession(await aUser(context.store), context);

  test("EP-3: state, nonce and verifier are new for each sign-in, have at least 256 bits, and are stored encrypted", async () => {
    const { browser, provider, client, store } = await setUp();
    await browser.begin(provider);
    await browser.begin(provider);
    const values = client.begun.flatMap(({ state, nonce, code_verifier }) => [state, nonce, code_verifier]);
    assert.equal(new Set(values).size, 6);
    for (const { code_verifier } of client.begun) assert.match(code_verifier, /^[A-Za-z0-9._~-]{43,128}$/);
    const rows = JSON.stringify(await store.list("ephemera", { kind: "proof" }));
    for (const value of values) assert.ok(!rows.includes(value));
  });

  test("EP-3: if the response arrives 50 times at once, one request continues", async () => {
    const { browser, provider } = await setUp();
    const state = await browser.begin(provider);
    const all = await Promise.all(
      Array.from({ length: 50 }, () => browser.comeBack(provider, state, upstreamPerson())),
    );
    assert.equal(all.filter(({ type }) => type === "came_back").length, 1);
    assert.equal(all.filter(({ type }) => type === "unsolicited").length, 49);
  });

  test("EP-3: two sign-ins started in one browser can both be completed, in any order", async () => {
    const { browser, provider } = await setUp();
    const first = await browser.begin(provider, { request: "/first" });
    const second = await browser.begin(provider, { request: "/second" });
    for (const [state, request] of [
      [second, "/second"],
      [first, "/first"],
    ] as const) {
      const back = await browser.comeBack(provider, state, upstreamPerson());
      assert.equal(back.type === "came_back" && back.account.request, request);
    }
  });

  test("EP-3: a state is valid for ten minutes, only in its browser and session", async () => {
    const { browser, provider, context, clock, client } = await setUp();
    const other = scriptedBrowser(context, client);
    const signedIn = await session(context);
    const state = await browser.begin(provider);
    const unsolicited = { type: "unsolicited", request: "/account" };
    assert.deepEqual(await other.comeBack(provider, state, upstreamPerson()), unsolicited);
    assert.deepEqual(await browser.comeBack(provider, state, upstreamPerson(), signedIn), unsolicited);
    const none = { provider, answer: { state, code: "x" }, browser: undefined, signedIn: undefined };
    assert.deepEqual(await finishProviderSignIn(none, context), unsolicited);
    assert.equal(client.expected.length, 0, "nothing was asked of the provider");
    clock.advance(600);
    const late = await browser.comeBack(provider, state, upstreamPerson());
    assert.deepEqual(late, { type: "unsolicited", request: undefined });
  });

  test("EP-12: linking that started in one session is refused in another", async () => {
    const { browser, provider, context } = await setUp();
    const [one, other] = [await session(context), await session(context)];
    const state = await browser.begin(provider, { purpose: "link", signedIn: one });
    assert.equal((await browser.comeBack(provider, state, upstreamPerson(), other)).type, "unsolicited");
    assert.equal((await browser.comeBack(provider, state, upstreamPerson())).type, "unsolicited");
    assert.equal((await browser.comeBack(provider, state, upstreamPerson(), one)).type, "came_back");
  });

  test("EP-12: whatever ends the user's tokens also ends linking that is in progress", async () => {
    const { browser, provider, context, store, clock } = await setUp();
    const signedIn = await session(context);
    const state = await browser.begin(provider, { purpose: "link", signedIn });
    await store.update("users", { id: signedIn.user.id }, { tokens_not_before: clock.now() });
    const back = await browser.comeBack(provider, state, upstreamPerson(), signedIn);
    assert.equal(back.type, "unsolicited");
  });

  test("EP-4: a state for one provider is refused at the callback of another", async () => {
    const { browser, provider, client, store } = await setUp();
    const other = await aProvider(store, { slug: "other" });
    const state = await browser.begin(provider);
    const back = await browser.comeBack(other, state, upstreamPerson());
    assert.deepEqual(back, { type: "unsolicited", request: undefined });
    assert.equal(client.expected.length, 0, "no code left for the other provider");
    assert.equal((await browser.comeBack(provider, state, upstreamPerson())).type, "came_back");
  });

  test("EP-6: a form_post response is stored for a minute and read once, if this server issued its state", async () => {
    const { browser, context, clock, store } = await setUp();
    const provider = await aProvider(store, { slug: "apple", preset: "apple" });
    const state = await browser.begin(provider);
    const rows = await store.count("ephemera");
    const keep = (answer: UpstreamAnswer, of = provider) => storeFormAnswer(of, answer, origin, context);
    assert.equal(await keep({ state: "made up", code: "c" }), false);
    assert.equal(await store.count("ephemera"), rows, "made-up responses leave no row");
    assert.equal(await keep({ state, code: "c" }), true);
    const other = await aProvider(store, { slug: "other", preset: "apple" });
    assert.equal(await takeFormAnswer(other, state, context), undefined);
    const taken = await Promise.all([1, 2, 3].map(() => takeFormAnswer(provider, state, context)));
    assert.deepEqual(
      taken.filter((answer) => answer !== undefined),
      [{ state, code: "c" }],
    );
    assert.equal(await keep({ state, code: "c" }), true);
    clock.advance(60);
    assert.equal(await takeFormAnswer(provider, state, context), undefined);
  });

  test("EP-6: of several form_post responses with one state, only the newest is stored", async () => {
    const { browser, context, store } = await setUp();
    const provider = await aProvider(store, { slug: "apple", preset: "apple" });
    const state = await browser.begin(provider);
    const rows = await store.count("ephemera");
    for (let turn = 0; turn < 20; turn++) {
      await storeFormAnswer(provider, { state, code: `c${turn}` }, origin, context);
    }
    assert.equal(await store.count("ephemera"), rows + 1);
    assert.deepEqual(await takeFormAnswer(provider, state, context), { state, code: "c19" });
  });

  test("EP-6: no response is stored for a provider that does not use form_post", async () => {
    const { browser, context, store } = await setUp();
    for (const preset of providerPresets.filter((name) => name !== "apple")) {
      const provider = await aProvider(store, { slug: preset, preset });
      const state = await browser.begin(provider);
      const rows = await store.count("ephemera");
      assert.equal(await storeFormAnswer(provider, { state, code: "c" }, origin, context), false, preset);
      assert.equal(await store.count("ephemera"), rows, preset);
    }
  });

  test("EP-6: form_post responses from one source are limited, and do not disturb sign-ins in progress", async () => {
    const { browser, context, store } = await setUp();
    const provider = await aProvider(store, { slug: "apple", preset: "apple" });
    const state = await browser.begin(provider);
    const kept: boolean[] = [];
    for (let turn = 0; turn < 60; turn++) {
      kept.push(await storeFormAnswer(provider, { state, code: "c" }, origin, context));
    }
    assert.deepEqual(kept.slice(0, 10), Array(10).fill(true));
    assert.equal(kept.at(-1), false);
    const elsewhere = { client_ip: "198.51.100.7" };
    assert.equal(await storeFormAnswer(provider, { state, code: "c" }, elsewhere, context), true);
    assert.ok(await browser.begin(provider));
  });

  test("EP-16: cancelling at the provider is not counted as a failure, and failures are counted across attempts", async () => {
    const { browser, provider, context } = await setUp();
    const state = await browser.begin(provider);
    const answer = { state, error: "access_denied" };
    const input = { provider, answer, browser: browser.browser, signedIn: undefined };
    assert.deepEqual(await finishProviderSignIn(input, context), {
      type: "cancelled",
      request: "/account",
      purpose: "sign_in",
    });
    const again = await browser.begin(provider, { failures: 1 });
    const back = await browser.comeBack(provider, again, new UpstreamError("nonce"));
    assert.equal(back.type === "failed" && back.failures, 2);
    assert.equal(back.type === "failed" && back.error.kind, "nonce");
  });

  test("EP-15: a fresh sign-in is requested of providers that support it, and always to confirm a sensitive action", async () => {
    const { browser, provider, client, store, clock, context } = await setUp();
    const github = await aProvider(store, { slug: "github", preset: "github" });
    const signedIn = await session(context);
    await browser.begin(provider, { prompt: "login" });
    await browser.begin(provider, { max_age: 300 });
    await browser.begin(provider, { purpose: "sudo", signedIn });
    await browser.begin(github, { prompt: "select_account" });
    await browser.begin(provider);
    assert.deepEqual(
      client.begun.map(({ prompt, max_age }) => ({ prompt, max_age })),
      [
        { prompt: "login", max_age: 0 },
        { prompt: undefined, max_age: 300 },
        { prompt: "login", max_age: 0 },
        { prompt: "select_account", max_age: undefined },
        { prompt: undefined, max_age: undefined },
      ],
    );
    const state = await browser.begin(provider, { max_age: 300 });
    await browser.comeBack(provider, state, upstreamPerson());
    const since = client.expected.at(-1)?.fresh_since;
    assert.equal(since?.getTime(), clock.now().getTime() - 300_000, "the leg allows for other clocks, once");
  });

  test("EP-15: a provider that cannot prove a fresh sign-in is not asked for one, and its sign-ins have no time", async () => {
    const { browser, provider, context, store, clock } = await setUp();
    const signedIn = await session(context);
    const ignoring = providerPresets.filter((preset) => preset !== "oidc" && preset !== "microsoft");
    const requested: Partial<NewProviderSignIn>[] = [
      { prompt: "login" },
      { max_age: 3600 },
      { purpose: "sudo", signedIn },
    ];
    const auth_time = clock.now();
    for (const preset of ignoring) {
      const other = await aProvider(store, { slug: preset, preset });
      for (const fresh of requested) {
        await assert.rejects(browser.begin(other, fresh), { message: "not begun: cannot_freshen" }, preset);
      }
      const back = await browser.comeBack(other, await browser.begin(other), upstreamPerson({ auth_time }));
      assert.ok(back.type === "came_back" && back.account.undated, preset);
    }
    const silent = await browser.comeBack(provider, await browser.begin(provider), upstreamPerson());
    assert.ok(silent.type === "came_back" && silent.account.undated);
    const dated = await browser.comeBack(
      provider,
      await browser.begin(provider),
      upstreamPerson({ auth_time }),
    );
    assert.ok(dated.type === "came_back" && dated.account.undated === undefined);
  });

  test("EP-3: sign-ins started from one source are limited, and each stores two rows", async () => {
    const { context, provider, store } = await setUp();
    const browser = newFormCookie(context);
    const requested = {
      provider,
      purpose: "sign_in",
      browser,
      signedIn: undefined,
      request: "/",
      redirect_uri: "https://id.example/sign-in/example/callback",
      failures: 0,
      origin,
    } as const;
    const before = await store.count("ephemera");
    const outcomes = [];
    for (let turn = 0; turn < 45; turn++) outcomes.push(await beginProviderSignIn(requested, context));
    assert.deepEqual(
      outcomes.slice(38).map(({ type }) => type),
      ["redirect", "redirect", ...Array.from({ length: 5 }, () => "throttled")],
    );
    assert.equal(await store.count("ephemera"), before + 80);
  });
});
