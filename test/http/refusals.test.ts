import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { before, describe, test } from "node:test";
import { evidenceKinds } from "../../src/records/names/evidence.ts";
import { wordsOf } from "../../src/web/words/words.ts";
import { endOf, newLedger } from "../interop/secrecy_ledger.ts";
import { jwtBearer } from "../oauth/machine.ts";
import { aPerson, signInAs, testApp, testBrowser } from "../support/app.ts";
import { anApp } from "../support/builders.ts";
import { authorizeParameters, formOf, type Parameters } from "../support/flows.ts";
import { listed } from "../support/listed.ts";
import { readHtml } from "../web/read_html.ts";
import { refusedClients } from "./refused_clients.ts";
import { refusedPeople } from "./refused_people.ts";
import { refusedProofs } from "./refused_proofs.ts";
import { explained, type Refusing, refusing, shortIdOf } from "./refusing.ts";

const refusedCases = [...refusedClients, ...refusedPeople, ...refusedProofs];

describe("the page that explains a refused request", () => {
  let setting: Refusing;
  before(async () => {
    setting = await refusing();
  });

  for (const { kind, error, shows, about, make } of refusedCases) {
    const { what, advice, adviceInForm = advice } = wordsOf("en").refusal.kinds[kind];
    test(`${kind}: the page explains ${what} (${shows[0]?.source})`, async () => {
      const answer = await make(setting);
      const { row, text } = await explained(setting, answer);
      // The number of stored refusals per time is limited, so the clock is advanced between the cases.
      setting.it.clock.advance(8);
      assert.equal(row.error, error);
      assert.ok(row.evidence.some((piece) => piece.kind === kind));
      const isForm = ["/oauth/token", "/oauth/introspect", "/oauth/revoke"].includes(row.endpoint);
      assert.ok(text.includes(what) && text.includes(isForm ? adviceInForm : advice));
      for (const shown of shows) assert.match(text, shown);
      if (about !== undefined) assert.equal(row.app_id, setting[about].id);
      for (const [language, person] of [
        ["es", setting.administrator],
        ["zh", setting.administrator],
      ] as const) {
        const page = await person.get(`/console/refusals/${row.short_id}`, { "accept-language": language });
        assert.ok(readHtml(page.body).text.includes(wordsOf(language).refusal.kinds[kind].what));
      }
    });
  }

  test("there is a test for every kind of evidence", () => {
    const made = new Set(refusedCases.map(({ kind }) => kind));
    assert.deepEqual(
      evidenceKinds.filter((kind) => !made.has(kind)),
      [],
    );
  });

  test("the first character that differs is marked in both redirect URIs", async () => {
    const answer = await setting.requested(setting.web, { redirect_uri: "http://app.example/cb" });
    const { page } = await explained(setting, answer);
    assert.match(page, /<code>http<mark>:<\/mark>\/\/app\.example\/cb<\/code>/);
    assert.match(page, /<code>http<mark>s<\/mark>:\/\/app\.example\/cb<\/code>/);
  });

  test("requested values that are not allowed are marked, and nothing else is", async () => {
    const answer = await setting.requested(setting.web, { scope: "orders:write" });
    const { page } = await explained(setting, answer);
    assert.deepEqual(
      [...page.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, marked]) => marked),
      ["orders:write"],
    );
  });

  test("the page names the app with a link, the request and where it came from", async () => {
    const answer = await setting.app.inject({
      url: `/oauth/authorize?${formOf(authorizeParameters(setting.web, { redirect_uri: "https://x.example/" }))}`,
      headers: { accept: "text/html", "user-agent": "A browser/1.0" },
    });
    const { page, row } = await explained(setting, answer);
    assert.ok(page.includes(`href="/console/apps/${setting.web.id}"`));
    assert.ok(page.includes(`/console/audit-events?request_id=${row.request_id}`));
    for (const shown of ["127.0.0.1", "A browser/1.0", "/oauth/authorize", row.id])
      assert.ok(page.includes(shown));
    assert.equal(row.user_id, null);
  });

  test("the error page links to the explanation, and Bearer challenges and JSON contain its id", async () => {
    const page = await setting.requested(setting.web, { redirect_uri: "https://x.example/" });
    assert.ok(page.body.includes(`href="/console/refusals/${shortIdOf(page)}"`));
    const headers = { authorization: "Bearer nonsense" };
    const answer = await setting.app.inject({ url: "/oauth/userinfo", headers });
    const { error_uri } = answer.json();
    assert.match(String(answer.headers["www-authenticate"]), new RegExp(`error_uri="${error_uri}"`));
    const silent = await setting.app.inject("/oauth/userinfo");
    assert.doesNotMatch(String(silent.headers["www-authenticate"]), /error/);
  });

  test("the explanation of a refusal to a signed-in user names that user", async () => {
    const answer = await setting.requested(setting.web, { scope: "nothing:known" });
    assert.equal((await explained(setting, answer)).row.user_id, setting.user.id);
  });

  test("developers see refusals of their organization's apps, and others get the 404 of an unknown id", async () => {
    const { developer, stranger } = setting;
    const ours = await setting.requested(setting.web, { redirect_uri: "https://x.example/" });
    await explained(setting, ours, developer);
    const nobodys = await setting.requested(setting.web, { client_id: "no-such-app" });
    const foreign = await setting.requested(await anApp(setting.it.store), {
      redirect_uri: "https://x.example/",
    });
    for (const [browser, answer] of [
      [stranger, ours],
      [stranger, nobodys],
      [developer, nobodys],
      [developer, foreign],
    ] as const) {
      const page = await browser.get(`/console/refusals/${shortIdOf(answer)}`);
      const unknown = await browser.get("/console/refusals/ZZZZZZZZZZ");
      assert.equal(page.statusCode, 404);
      const words = (body: string) => readHtml(body).text;
      assert.equal(words(page.body), words(unknown.body));
      assert.match(words(page.body), /it has expired/);
    }
    await explained(setting, foreign);
    await explained(setting, nobodys);
  });

  test("the client_id of another organization's app is hidden, and one of the same organization shown", async () => {
    const { it, code, redeem, public_app, web } = setting;
    const same = await explained(setting, await redeem(await code(public_app)), setting.developer);
    assert.ok(same.text.includes(public_app.client_id));
    const foreign = await anApp(it.store, { first_party: true, public: true });
    const other = await explained(setting, await redeem(await code(foreign)), setting.developer);
    assert.ok(!JSON.stringify(other.row.evidence).includes(foreign.client_id));
    assert.ok(other.text.includes(web.client_id) && /another app/.test(other.text));
  });

  test("the id of a refusal is found in any case, with dashes, with letters typed for digits, and by its UUID", async () => {
    const answer = await setting.requested(setting.web, { redirect_uri: "https://x.example/" });
    const { row } = await explained(setting, answer);
    const { short_id } = row;
    const mistaken = short_id.toLowerCase().replaceAll("0", "o").replaceAll("1", "l");
    const dashed = `${short_id.slice(0, 5)}-${short_id.slice(5)}`;
    for (const id of [mistaken, dashed, row.id, row.id.toUpperCase()]) {
      assert.equal((await setting.administrator.get(`/console/refusals/${id}`)).statusCode, 200, id);
    }
    for (const id of ["x", "%00", "ABCDEFGHIU", `${short_id}0`, "<script>", "__proto__"]) {
      const page = await setting.administrator.get(`/console/refusals/${encodeURIComponent(id)}`);
      assert.equal(page.statusCode, 404, id);
    }
  });

  test("a refusal is stored for the configured number of days, and not shown longer", async () => {
    const it = await refusing();
    const answer = await it.requested(it.web, { redirect_uri: "https://x.example/" });
    const { row } = await explained(it, answer);
    assert.equal(row.expires_at.getTime() - row.created_at.getTime(), 7 * 86_400_000);
    it.it.clock.advance(7 * 86_400);
    await signInAs(it.administrator, await aPerson(it.it, { is_platform_admin: true }));
    assert.equal((await it.administrator.get(`/console/refusals/${row.short_id}`)).statusCode, 404);
  });

  test("V-1, V-7: a refused revocation is answered with {}, and is stored nevertheless", async () => {
    const { it, post, authorization, web, tokens } = setting;
    const { access_token } = await tokens();
    const answer = await post(
      "/oauth/revoke",
      { token: access_token },
      { authorization: setting.machineAuthorization },
    );
    assert.equal(answer.body, "{}");
    await post("/oauth/revoke", {}, { authorization });
    await it.store.flushRefusals();
    const kept = (await it.store.list("refusals", { endpoint: "/oauth/revoke" })).toSorted((one, other) =>
      one.error < other.error ? -1 : 1,
    );
    assert.deepEqual(
      kept.map(({ error, app_id, evidence }) => [error, app_id, evidence[0]?.kind]),
      [
        ["invalid_grant", setting.machine_app.id, "other_app"],
        ["invalid_request", web.id, "missing"],
      ],
    );
  });

  test("missing pages, internal errors and errors of the management API are not stored as refusals", async () => {
    const { it, app } = setting;
    await it.store.flushRefusals();
    const kept = await it.store.count("refusals");
    for (const url of ["/oauth/nothing", "/nothing", "/api/v1/users", "/api/v1/nothing"]) {
      const answer = await app.inject(url);
      assert.doesNotMatch(answer.body, /refusals/, url);
    }
    const { body } = await setting.stranger.get("/console/users/no-such-id");
    assert.doesNotMatch(body, /console\/refusals\//);
    const failing = await testApp({
      server: { ...it.server, keys: async () => Promise.reject(new Error("sealed")) },
    });
    assert.equal("error_uri" in (await failing.app.inject("/.well-known/jwks.json")).json(), false);
    await it.store.flushRefusals();
    assert.equal(await it.store.count("refusals"), kept);
  });
});

test("refusals are counted for the server, the app and its organization, and failed sign-ins separately", async () => {
  const setting = await refusing();
  const { it, web, organization } = setting;
  await setting.requested(web, { redirect_uri: "https://x.example/" });
  await setting.requested(web, { scope: "nothing:known" });
  await setting.requested(web, { client_id: "no-such-app" });
  await signInAs(testBrowser(setting.app), { email: "nobody@example.com" });
  await it.store.flushCounts();
  const counted = async (subject: string | null) =>
    (await it.store.countsByHour(subject, ["refusals"], new Date(0), new Date("2100-01-01"))).map(
      ({ count }) => count,
    );
  assert.deepEqual(await counted(null), [3]);
  assert.deepEqual(await counted(web.id), [2]);
  assert.deepEqual(await counted(organization.id), [2]);
});

test("in a flood, fifty refusals of an app are stored, then one every two seconds, and the page explains the missing ones", async () => {
  const setting = await refusing();
  const { it, web, public_app } = setting;
  const refused = () => setting.requested(web, { redirect_uri: "https://x.example/" });
  for (let count = 0; count < 50; count += 1) await refused();
  const late = await refused();
  const kept = async () => {
    await it.store.flushRefusals();
    return it.store.count("refusals", { app_id: web.id });
  };
  assert.equal(await kept(), 50);
  const page = await setting.administrator.get(`/console/refusals/${shortIdOf(late)}`);
  assert.equal(page.statusCode, 404);
  assert.match(readHtml(page.body).text, /because too many requests were refused/);
  // Refusals of other apps are still stored.
  await explained(setting, await setting.requested(public_app, { redirect_uri: "https://x.example/" }));
  it.clock.advance(1.9);
  await refused();
  assert.equal(await kept(), 50);
  it.clock.advance(0.1);
  await explained(setting, await refused());
  await refused();
  assert.equal(await kept(), 51);
});

describe("secrets in refusals", () => {
  test("H-7: no row, page or API response about a refusal contains a parameter's value, a header or a cookie", async () => {
    const setting = await refusing();
    const { it, app, web, authorization, browser, administrator } = setting;
    const secrets = newLedger();
    const secret = (name: string) => {
      const marker = `marker${randomBytes(12).toString("hex")}`;
      secrets.secret(name, marker);
      return marker;
    };
    const code = await setting.code();
    const tokens = await setting.tokens();
    for (const [name, value] of Object.entries({ code, ...tokens })) {
      if (["code", "access_token", "refresh_token", "id_token"].includes(name))
        secrets.secret(name, endOf(value));
    }
    const { access_token = "", refresh_token = "", id_token = "" } = tokens;
    const names = listed`code code_verifier code_challenge client_secret client_assertion assertion
      refresh_token access_token token password state nonce login_hint id_token_hint request request_uri
      registration csrf_token secret colour`;
    const everywhere = (where: string): Record<string, string> =>
      Object.fromEntries(names.map((name) => [name, secret(`${name} of ${where}`)]));
    const headers = (where: string) => ({
      cookie: `__Host-postern_session=${secret(`session of ${where}`)}; other=${secret(`cookie of ${where}`)}`,
      "x-api-key": secret(`key of ${where}`),
      accept: "text/html",
    });
    const marked = (where: string) =>
      `https://${secret(`user of ${where}`)}:${secret(`password of ${where}`)}@app.example/cb?token=${secret(`token in ${where}`)}&next=${encodeURIComponent(`https://x.example/?api_key=${secret(`key in ${where}`)}`)}#access_token=${secret(`fragment of ${where}`)}`;

    const endpoints = listed`/oauth/authorize /oauth/token /oauth/par /oauth/introspect /oauth/revoke
      /oauth/userinfo /oauth/logout /login /consent /logout /setup /.well-known/jwks.json`;
    const client_id = web.client_id;
    for (const url of endpoints) {
      const grants = listed`authorization_code refresh_token client_credentials ${jwtBearer}`;
      for (const grant_type of [...grants, undefined]) {
        const where = `${url} ${grant_type}`;
        const form = (overrides: Parameters = {}) => formOf({ grant_type, client_id, ...overrides });
        const scheme = grant_type === undefined ? "Bearer" : "Basic";
        for (const [at, overrides] of [
          ["all", everywhere(`${where} all`)],
          ["redirect", { redirect_uri: marked(where), post_logout_redirect_uri: marked(`${where} logout`) }],
        ] as const) {
          const proofs = [
            authorization,
            `${scheme} ${secret(`credentials of ${where} ${at}`)}`,
            `Basic ${btoa(`${secret(`swapped secret of ${where} ${at}`)}:${client_id}`)}`,
            `Bearer ${refresh_token}`,
            undefined,
          ];
          for (const [index, proof] of proofs.entries()) {
            const sent = {
              ...headers(`${where} ${at} ${index}`),
              ...(proof !== undefined && { authorization: proof }),
            };
            await app.inject({ method: "GET", url: `${url}?${form(overrides)}`, headers: sent });
            const body = { ...sent, "content-type": "application/x-www-form-urlencoded" };
            await app.inject({ method: "POST", url, headers: body, payload: form(overrides) });
            setting.it.clock.advance(8);
          }
        }
      }
    }
    // Real secrets, each sent in parameters for other values.
    for (const value of [code, access_token, refresh_token, id_token, secret("misplaced")]) {
      for (const name of ["code", "refresh_token", "token", "id_token_hint", "assertion", "code_verifier"]) {
        const parameters = { grant_type: "authorization_code", [name]: value };
        await setting.post("/oauth/token", parameters, { authorization });
        await setting.post("/oauth/token", { ...parameters, [name]: [value, value] }, { authorization });
        await setting.post("/oauth/userinfo", { access_token: value }, {});
        await browser.get(
          `/oauth/authorize?${formOf({ client_id, redirect_uri: `https://x.example/?${name}=${value}` })}`,
        );
        setting.it.clock.advance(20);
      }
    }
    for (const value of [code, refresh_token, access_token]) {
      await browser.get(
        `/oauth/authorize?${formOf({ client_id: value, redirect_uri: `https://x.example/${value}` })}`,
      );
      await browser.get(
        `/oauth/authorize?${formOf({ client_id, redirect_uri: `https://x.example/${value}` })}`,
      );
    }
    // Sent in a request of its own, because a secret next to an assertion would be ignored.
    const client_secret = secret("client_secret alone");
    await setting.post("/oauth/token", { grant_type: "client_credentials", client_id, client_secret });
    await signInAs(testBrowser(app), { email: secret("e-mail") }, { password: secret("password") });

    await it.store.flushRefusals();
    const rows = await it.store.list("refusals");
    assert.ok(rows.length > 300, String(rows.length));
    const kinds = new Set<string>(rows.flatMap(({ evidence }) => evidence.map(({ kind }) => kind)));
    for (const kind of listed`redirect_uri client_secret unknown_credential client_id repeated sign_in`) {
      assert.ok(kinds.has(kind), kind);
    }
    secrets.reported("the rows", JSON.stringify(rows));
    for (const { short_id } of rows.filter((_, index) => index % 10 === 0)) {
      secrets.reported(
        `the page of ${short_id}`,
        (await administrator.get(`/console/refusals/${short_id}`)).body,
      );
    }
    secrets.reported("the list of the API", (await administrator.get("/api/v1/refusals?limit=200")).body);
    assert.ok(
      secrets.sourcesOf("https://…@app.example/cb?token=…").length > 0,
      "the rest of an address is told",
    );
    secrets.check();
  });
});
