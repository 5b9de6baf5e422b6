import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SignJWT } from "jose";
import { guessLimits } from "../../../src/crypto/guess_limits.ts";
import { answerConsent } from "../../../src/oauth/authorize/consent.ts";
import { describePending, pendingInteraction } from "../../../src/oauth/authorize/pending_request.ts";
import { pushRequest } from "../../../src/oauth/authorize/push_request.ts";
import { allowsOpenClients } from "../../../src/oauth/core/rules_for.ts";
import type { Settings } from "../../../src/oauth/core/server.ts";
import { discoveryDocument } from "../../../src/oauth/discovery_document.ts";
import { introspect } from "../../../src/oauth/introspect.ts";
import { revoke } from "../../../src/oauth/revoke.ts";
import { token } from "../../../src/oauth/token/token.ts";
import type { JsonObject } from "../../../src/records/definition/field.ts";
import type { SignedIn } from "../../../src/records/definition/request_origin.ts";
import { type TestServer, testServer } from "../../support/authorization_server.ts";
import { anApp, later } from "../../support/builders.ts";
import { describeInForm } from "../../support/databases.ts";
import {
  ask,
  authorizeAndConsent,
  credentialsOf,
  endpointRequest,
  formOf,
  origin,
  type Parameters,
  redirected,
  signedIn,
} from "../../support/flows.ts";
import { listed } from "../../support/listed.ts";
import { refusal, rejected, withPart, withSettings } from "../client_fixture.ts";
import { aPair } from "../machine.ts";
import { assertionType, jwkOf } from "../signing_client.ts";
import {
  aDocumentHost,
  aDocumentServer,
  aPerson,
  authorizationOf,
  type DocumentHost,
  openApi,
  reaching,
  redeeming,
} from "./document_fixture.ts";

const day = 86_400;

describeInForm("clients with a metadata document", (database) => {
  let as: TestServer;
  let host: DocumentHost;
  let who: SignedIn;
  let paths = 0;
  const nextPath = () => `/client/${paths++}`;

  before(async () => {
    host = await aDocumentHost();
    as = await aDocumentServer(await database.open());
    who = await aPerson(as);
  });
  after(() => host.host.close());

  const fetches = (client_id: string) => host.host.seen.filter((path) => client_id.endsWith(path)).length;
  const reported = (what: string, client_id: string) =>
    as.events.filter(({ type, details }) => type === what && details?.client_id === client_id).length;
  const rowOf = (client_id: string) => as.store.find("oauth_apps", { client_id });
  const redeem = (client_id: string, code: string, overrides: Parameters = {}, at = as) =>
    token(endpointRequest(redeeming(client_id, code, overrides)), at.server);
  const refresh = (client_id: string, refresh_token: string | undefined, at = as) =>
    token(endpointRequest({ grant_type: "refresh_token", client_id, refresh_token }), at.server);

  async function flow(client_id: string, overrides: Parameters = {}, at = as) {
    const answer = await authorizeAndConsent(at, who, authorizationOf(client_id, overrides));
    const { redirect_uri } = { redirect_uri: "https://app.example/cb", ...overrides };
    return redeem(client_id, answer.get("code") ?? "", { redirect_uri }, at);
  }

  test("PR-16: a client with the URL of its document as client_id gets tokens and refreshes them", async () => {
    const client_id = host.publish(nextPath());
    const outcome = await ask(as, who, authorizationOf(client_id));
    assert.ok(outcome.type === "consent");
    assert.equal(outcome.client.app.name, "Client");
    const tokens = await flow(client_id);
    assert.equal(tokens.scope, "openid offline_access");
    const again = await refresh(client_id, tokens.refresh_token);
    assert.ok(again.refresh_token);
    const app = await rowOf(client_id);
    assert.equal(app?.provenance, "metadata_document");
    assert.equal(app?.organization_id, null);
    const owner = await as.store.find("users", { id: app?.owner_id ?? "" });
    assert.deepEqual([owner?.active, owner?.email], [false, "open-clients@postern.invalid"]);
    assert.equal(fetches(client_id), 1);
  });

  test("PR-1, PR-2: discovery offers client documents only under the profile and with an open API", async () => {
    const documentOf = async ({ server }: TestServer) =>
      discoveryDocument(server, ["RS256"], { open_clients: await allowsOpenClients(server) });
    const on = await documentOf(as);
    assert.equal(on.client_id_metadata_document_supported, true);
    const { client_id_metadata_document_supported: _, ...rest } = on;
    const plain = await documentOf(await testServer(as.store));
    assert.equal(JSON.stringify(plain), JSON.stringify(rest));
    await as.store.update("resources", { identifier: openApi }, { who_may_ask: "registered" });
    assert.equal(JSON.stringify(await documentOf(as)), JSON.stringify(rest));
    const client_id = host.publish(nextPath());
    await rejected(ask(as, who, authorizationOf(client_id)), "invalid_request", /registered/);
    assert.equal(fetches(client_id), 0);
    await as.store.update("resources", { identifier: openApi }, { who_may_ask: "any" });
  });

  test("PR-2: if the feature is off, no document is fetched and a client with a document is unknown", async () => {
    const client_id = host.publish(nextPath());
    const tokens = await flow(client_id);
    const off = reaching(await testServer(as.store));
    await rejected(ask(off, who, authorizationOf(client_id)), "invalid_request", /registered/);
    await rejected(refresh(client_id, tokens.refresh_token, off), "invalid_client");
    await rejected(ask(off, who, authorizationOf(host.publish(nextPath()))), "invalid_request");
    assert.equal(fetches(client_id), 1);
  });

  test("PR-16: a registered app whose client_id is a URL is found as before, and nothing is fetched", async () => {
    const client_id = host.publish(nextPath());
    const app = await anApp(as.store, { client_id, public: true });
    const outcome = await ask(as, who, authorizationOf(client_id, { redirect_uri: app.redirect_uris[0] }));
    assert.equal(outcome.type === "consent" && outcome.client.app.id, app.id);
    assert.equal(fetches(client_id), 0);
  });

  test("PR-16: a client_id at which no document may be is refused before any fetch", async () => {
    const before = host.host.seen.length;
    for (const path of ["", "/", "/a/../b", "/a#b", "/%2e/a"]) {
      await rejected(
        ask(as, who, authorizationOf(`https://${host.name}${path}`)),
        "invalid_client",
        /^client_id must/,
      );
    }
    assert.equal(host.host.seen.length, before);
  });

  test("PR-92: an arbitrary text as client_id is refused, fetches nothing, and causes no server error", async () => {
    const before = host.host.seen.length;
    const par = withSettings(as, { extra_features: ["par"] });
    const nonsense = [
      ...listed`https:// https://\0 https://${host.name}/\0 https:///a https://[::1 https://%00/a`,
      ...["https://a b/c", "https://\u0130.example/a", `https://${host.name}/${"a".repeat(9000)}`],
      ...["https://user@host.example/a", "https://host.example:99999/a", "https://.../a", "https://a\r\n/b"],
    ];
    for (const client_id of [...nonsense, [`https://${host.name}/a`, `https://${host.name}/b`]]) {
      const isRefused = (error: unknown) => {
        const { name, status } = error as { name: string; status: number };
        assert.deepEqual([name, status < 500], ["OAuthError", true], String(client_id));
        return true;
      };
      const request = { ...authorizationOf(""), client_id };
      await assert.rejects(async () => ask(as, who, request), isRefused);
      await assert.rejects(async () => ask(as, undefined, request), isRefused);
      await assert.rejects(async () => pushRequest(endpointRequest(request), par.server), isRefused);
      await assert.rejects(
        async () =>
          token(endpointRequest({ grant_type: "refresh_token", refresh_token: "x", client_id }), as.server),
        isRefused,
      );
    }
    assert.equal(host.host.seen.length, before);
  });

  test("PR-17: a document that breaks a rule is refused, and the error page and a push name the rule", async () => {
    const client_id = host.publish(nextPath(), { client_secret: "s" });
    const push = withSettings(as, { extra_features: ["par"] });
    const about = refusal("invalid_client", /client_secret in the client metadata document must be absent/);
    await assert.rejects(ask(as, who, authorizationOf(client_id)), about);
    await assert.rejects(pushRequest(endpointRequest(authorizationOf(client_id)), push.server), about);
    const moved = host.publish(nextPath(), {}, { status: 302, headers: { location: "/client/0" } });
    await rejected(ask(as, who, authorizationOf(moved)), "invalid_client", /without a redirect/);
    const large = host.publish(nextPath(), { padding: "x".repeat(5000) });
    await rejected(ask(as, who, authorizationOf(large)), "invalid_client", /5120 bytes/);
    const packed = host.publish(nextPath(), {}, { headers: { "content-encoding": "gzip" } });
    await rejected(ask(as, who, authorizationOf(packed)), "invalid_client", /compressed/);
    assert.equal(await rowOf(client_id), undefined);
  });

  test("PR-18: the client is stored only when a signed-in user requests it", async () => {
    const client_id = host.publish(nextPath());
    assert.equal((await ask(as, undefined, authorizationOf(client_id))).type, "login");
    const url = `/oauth/authorize?${formOf(authorizationOf(client_id, { prompt: "login" }))}`;
    // No page shows the name that the client claims before a user has signed in (PR-11).
    assert.equal((await describePending(url, as.server)).client_name, host.name);
    assert.equal(await pendingInteraction(url, who, as.server), "sign_in");
    const silent = redirected(await ask(as, undefined, authorizationOf(client_id, { prompt: "none" })));
    assert.equal(silent.get("error"), "login_required");
    await rejected(redeem(client_id, "code"), "invalid_client");
    assert.equal(await rowOf(client_id), undefined);
    await as.store.flush();
    assert.equal(await as.store.count("statistics", { kind: "refusals" }).then((rows) => rows <= 1), true);
    assert.equal((await ask(as, who, authorizationOf(client_id))).type, "consent");
    assert.ok(await rowOf(client_id));
    assert.equal(fetches(client_id), 1);
  });

  test("PR-18: if several processes see a new client at once, one stores it", async () => {
    const client_id = host.publish(nextPath());
    const others = [as, reaching(as), reaching(as), reaching(as)];
    const outcomes = await Promise.all(others.map((each) => ask(each, who, authorizationOf(client_id))));
    const ids = outcomes.map((outcome) => outcome.type === "consent" && outcome.client.app.id);
    assert.deepEqual([...new Set(ids)], [(await rowOf(client_id))?.id]);
    assert.equal(reported("client_document_stored", client_id), 1);
  });

  test("PR-18: tokens, refreshes and introspection work although the client's host has been down for years", async () => {
    const client_id = host.publish(nextPath());
    const answer = await authorizeAndConsent(as, who, authorizationOf(client_id));
    host.die();
    const cold = reaching(as);
    const tokens = await redeem(client_id, answer.get("code") ?? "", {}, cold);
    as.clock.advance(3 * day);
    const renewed = await refresh(client_id, tokens.refresh_token, cold);
    const api = await anApp(as.store, {
      app_type: "service",
      allowed_scopes: ["token:introspect"],
      allowed_grants: ["client_credentials"],
    });
    const authorization = await credentialsOf(as, api);
    const seen = await introspect(
      endpointRequest({ token: renewed.access_token }, authorization),
      cold.server,
    );
    assert.equal((seen as { client_id?: string }).client_id, client_id);
    await revoke(endpointRequest({ client_id, token: renewed.refresh_token }), cold.server);
    await rejected(refresh(client_id, renewed.refresh_token, cold), "invalid_grant");
    assert.equal(fetches(client_id), 1);
    who = await signedIn(as, who.user);
  });

  test("PR-18: while the host is down, the last document is valid for a day, and the user sees that", async () => {
    const client_id = host.publish(nextPath());
    await flow(client_id);
    host.die();
    as.clock.advance(day - 1);
    who = await signedIn(as, who.user);
    assert.equal((await ask(as, who, authorizationOf(client_id))).type, "redirect");
    as.clock.advance(1);
    await assert.rejects(ask(as, who, authorizationOf(client_id)), (error: unknown) => {
      const { code, status, retry_after } = error as { code: string; status: number; retry_after: number };
      assert.deepEqual([code, status, retry_after], ["temporarily_unavailable", 503, 10]);
      return true;
    });
    host.publish(client_id.slice(client_id.indexOf("/client")));
    as.clock.advance(400);
    assert.equal((await ask(as, who, authorizationOf(client_id))).type, "redirect");
  });

  test("PR-18: a failed fetch is tried again at the next request, and a host that keeps failing is paused", async () => {
    const other = await aDocumentHost("failing.outbound.test");
    const cold = reaching(as);
    const client_id = other.publish("/client");
    other.die();
    for (let turn = 0; turn < 10; turn++)
      await rejected(ask(cold, who, authorizationOf(client_id)), "temporarily_unavailable");
    assert.equal(other.host.seen.length, 3);
    await rejected(ask(cold, who, authorizationOf(`https://${other.name}/other`)), "temporarily_unavailable");
    assert.equal(other.host.seen.length, 3);
    as.clock.advance(10);
    other.publish("/client");
    assert.equal((await ask(cold, who, authorizationOf(client_id))).type, "consent");
    await other.host.close();
  });

  test("PR-19: a document is fetched once for its cache time, and by one request at a time", async () => {
    const client_id = host.publish(
      nextPath(),
      {},
      { headers: { "content-type": "application/json", "cache-control": "max-age=600" } },
    );
    const requested = await Promise.all(
      Array.from({ length: 20 }, () => ask(as, undefined, authorizationOf(client_id))),
    );
    assert.ok(requested.every(({ type }) => type === "login"));
    assert.equal(fetches(client_id), 1);
    await ask(as, who, authorizationOf(client_id));
    as.clock.advance(599);
    await ask(reaching(as), who, authorizationOf(client_id));
    assert.equal(fetches(client_id), 1);
    as.clock.advance(1);
    await Promise.all(Array.from({ length: 20 }, () => ask(as, undefined, authorizationOf(client_id))));
    assert.equal(fetches(client_id), 2);
  });

  test("PR-19: a request that waited while another one fetched the document does not fetch it again", async () => {
    const client_id = host.publish(nextPath());
    await ask(as, who, authorizationOf(client_id));
    const before = fetches(client_id);
    as.clock.advance(100_000);
    const { store } = as.server;
    const read = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const find: typeof store.find = async (table, where) => {
      const row = await store.find(table, where);
      if (table !== "client_documents") return row;
      read.resolve();
      await goOn.promise;
      return row;
    };
    const late = ask(
      { ...as, server: { ...as.server, store: { ...store, find } } },
      who,
      authorizationOf(client_id),
    );
    await read.promise;
    const { type } = await ask(as, who, authorizationOf(client_id));
    goOn.resolve();
    assert.equal((await late).type, type);
    assert.equal(fetches(client_id), before + 1);
  });

  test("PR-18: anonymous requests cause a limited number of fetches, and do not delay those for clients in use", async () => {
    const throttled = reaching(withPart(as, { guesses: guessLimits({ now: as.clock.now }) }));
    const used = host.publish(nextPath());
    await ask(throttled, who, authorizationOf(used));
    as.clock.advance(4000);
    const before = host.host.seen.length;
    let refused = 0;
    for (let turn = 0; turn < 100; turn++) {
      await ask(throttled, undefined, authorizationOf(host.publish(`/flood/${turn}`))).catch(
        (error: unknown) => {
          assert.equal((error as { status: number }).status, 429);
          refused += 1;
        },
      );
    }
    assert.deepEqual([host.host.seen.length - before, refused], [20, 80]);
    assert.equal((await ask(throttled, undefined, authorizationOf(used))).type, "login");
    assert.equal(host.host.seen.length - before, 21);
  });

  test("PR-18: the document of a client in use that became invalid is fetched a limited number of times", async () => {
    const throttled = reaching(withPart(as, { guesses: guessLimits({ now: as.clock.now }) }));
    const path = nextPath();
    const used = host.publish(path);
    await ask(throttled, who, authorizationOf(used));
    for (const served of [{ status: 404 }, { status: 503 }, { body: "no JSON" }]) {
      as.clock.advance(5000);
      host.serve(path, served);
      const before = host.host.seen.length;
      for (let turn = 0; turn < 40; turn++) {
        assert.equal((await ask(throttled, undefined, authorizationOf(used))).type, "login");
      }
      assert.equal(host.host.seen.length - before, 10, JSON.stringify(served));
    }
  });

  test("PR-19: if the clock is set back, neither a cached document nor the pause of a host lasts longer", async () => {
    const own = await aDocumentServer(await database.open());
    const someone = await aPerson(own);
    const client_id = host.publish(nextPath());
    const dead = await aDocumentHost("early.outbound.test");
    const failing = dead.publish("/client");
    dead.die();
    await ask(own, someone, authorizationOf(client_id));
    await own.store.update(
      "client_documents",
      {},
      { fetched_at: later(30 * day), expires_at: later(31 * day) },
    );
    const before = fetches(client_id);
    assert.equal((await ask(own, undefined, authorizationOf(client_id))).type, "login");
    assert.equal(fetches(client_id), before + 1);
    own.clock.advance(30 * day);
    for (let turn = 0; turn < 4; turn++)
      await rejected(ask(own, undefined, authorizationOf(failing)), "temporarily_unavailable");
    own.clock.advance(-30 * day);
    dead.publish("/client");
    assert.equal((await ask(own, undefined, authorizationOf(failing))).type, "login");
    await dead.host.close();
  });

  test("PR-23: a host that the operator forbids is refused at every endpoint, also for clients in use", async () => {
    const client_id = host.publish(nextPath());
    const tokens = await flow(client_id);
    const before = host.host.seen.length;
    const under = (settings: Partial<Settings>) => withSettings(as, settings);
    const dotted = client_id.replace("outbound.test", "outbound.test.");
    for (const settings of [
      { client_hosts: ["other.example", "*.example"] },
      { client_hosts: [] },
      { client_hosts_denied: ["client.outbound.test"] },
      { client_hosts: ["client.outbound.test"], client_hosts_denied: ["*.outbound.test"] },
      { client_hosts_denied: ["*"] },
    ]) {
      const closed = under(settings);
      const refused = refusal("invalid_client", /does not allow clients whose client_id is on this host/);
      await assert.rejects(ask(closed, who, authorizationOf(client_id)), refused);
      await assert.rejects(ask(closed, who, authorizationOf(dotted)), refused);
      await rejected(refresh(client_id, tokens.refresh_token, closed), "invalid_client");
    }
    assert.equal(host.host.seen.length, before);
    for (const settings of [
      { client_hosts: ["client.outbound.test"] },
      {
        client_hosts: ["a.example", "*.test"],
        client_hosts_denied: ["outbound.test", "*.client.outbound.test"],
      },
    ]) {
      assert.equal((await ask(under(settings), who, authorizationOf(client_id))).type, "redirect");
    }
  });

  test("PR-12: a consent counts for the document that was shown, and is requested again after a change", async () => {
    const path = nextPath();
    const client_id = host.publish(path);
    await flow(client_id);
    assert.equal((await ask(as, who, authorizationOf(client_id))).type, "redirect");
    const changes: readonly JsonObject[] = [
      { client_name: "Other" },
      { redirect_uris: ["https://app.example/cb", "https://app.example/more"] },
      {
        token_endpoint_auth_method: "private_key_jwt",
        jwks: { keys: [jwkOf(aPair("ES256"), { kid: "a" })] },
      },
      {},
    ];
    const signing = withSettings(as, { extra_client_auth: ["private_key_jwt"] });
    for (const change of changes) {
      host.publish(path, change);
      as.clock.advance(3600);
      const outcome = await ask(signing, who, authorizationOf(client_id));
      assert.ok(outcome.type === "consent", JSON.stringify(change));
      assert.deepEqual(
        [outcome.first_time, outcome.scopes.some(({ already_granted }) => already_granted)],
        [true, false],
      );
      await authorizeAndConsent(signing, who, authorizationOf(client_id));
      assert.equal((await ask(signing, who, authorizationOf(client_id))).type, "redirect");
    }
    host.publish(path, { logo_uri: "https://app.example/logo.png" });
    as.clock.advance(3600);
    assert.equal((await ask(as, who, authorizationOf(client_id))).type, "redirect");
  });

  test("PR-17: a document with text that no database can store is refused", async () => {
    const signing = withSettings(as, { extra_client_auth: ["private_key_jwt"] });
    for (const text of ["\0", "\uD800"]) {
      const client_id = host.publish(nextPath(), {
        token_endpoint_auth_method: "private_key_jwt",
        jwks: { keys: [jwkOf(aPair("ES256"), { kid: "a", note: text })] },
      });
      await rejected(authorizeAndConsent(signing, who, authorizationOf(client_id)), "invalid_client", /NUL/);
      assert.equal(await rowOf(client_id), undefined);
    }
  });

  test("PR-20: a consent form shown before the document changed is not accepted afterwards", async () => {
    const path = nextPath();
    const client_id = host.publish(path);
    const shown = await ask(as, who, authorizationOf(client_id));
    assert.ok(shown.type === "consent");
    host.publish(path, { client_name: "Other" });
    as.clock.advance(3600);
    who = await signedIn(as, who.user);
    const later = { ...who, session: { ...who.session } };
    const requested = await ask(as, later, authorizationOf(client_id));
    assert.ok(requested.type === "consent");
    host.publish(path, { client_name: "Third" });
    as.clock.advance(3600 - 1700);
    await as.store.update(
      "client_documents",
      { app_id: requested.client.app.id },
      { expires_at: as.clock.now() },
    );
    await ask(as, undefined, authorizationOf(client_id));
    await rejected(
      answerConsent({ form: requested.form, decision: "allow", signedIn: later, origin }, as.server),
      "invalid_request",
      /has expired|metadata document has changed/,
    );
  });

  test("PR-20: authorization codes for a redirect URI that the document removed end, and others do not", async () => {
    const path = nextPath();
    const two = ["https://app.example/cb", "http://localhost/cb"];
    const client_id = host.publish(path, { redirect_uris: two });
    const code = async (redirect_uri: string) =>
      (await authorizeAndConsent(as, who, authorizationOf(client_id, { redirect_uri }))).get("code") ?? "";
    const old = await code("http://localhost/cb");
    // The old code has expired; a change of the document reads no expired codes, however many there are.
    as.clock.advance(700);
    const [kept, ended] = [await code("https://app.example/cb"), await code("http://localhost/cb")];
    host.publish(path, { redirect_uris: two.slice(0, 1) });
    const app = await rowOf(client_id);
    await as.store.update("client_documents", { app_id: app?.id ?? "" }, { expires_at: as.clock.now() });
    await ask(as, undefined, authorizationOf(client_id));
    await rejected(redeem(client_id, ended, { redirect_uri: "http://localhost/cb" }), "invalid_grant");
    await rejected(redeem(client_id, old, { redirect_uri: "http://localhost/cb" }), "invalid_grant");
    const left = await as.store.list("oauth_auth_codes", { app_id: app?.id ?? "" }, { order_by: "id" });
    assert.deepEqual(
      left.map(({ redirect_uri }) => redirect_uri),
      ["http://localhost/cb", "https://app.example/cb"],
    );
    assert.ok(await redeem(client_id, kept));
    const [event] = as.events.filter(({ type }) => type === "client_document_changed").slice(-1);
    assert.deepEqual(event?.details, {
      redirect_uris_before: JSON.stringify(two),
      redirect_uris_after: JSON.stringify(two.slice(0, 1)),
    });
  });

  for (const status of [404, 410])
    test(`PR-20: a client whose document answers ${status} expires a day after the document was last available`, async () => {
      const path = nextPath();
      const client_id = host.publish(path);
      const tokens = await flow(client_id);
      host.serve(path, { status });
      as.clock.advance(7200);
      assert.equal((await ask(as, who, authorizationOf(client_id))).type, "redirect");
      const renewed = await refresh(client_id, tokens.refresh_token);
      as.clock.advance(day - 7200);
      who = await signedIn(as, who.user);
      await rejected(
        ask(as, who, authorizationOf(client_id)),
        "invalid_client",
        /no client metadata document/,
      );
      await rejected(refresh(client_id, renewed.refresh_token), "invalid_client");
      assert.equal(reported("client_document_gone", client_id), 1);
      host.publish(path);
      assert.equal((await ask(as, who, authorizationOf(client_id))).type, "redirect");
      assert.ok(await refresh(client_id, renewed.refresh_token));
    });

  test("PR-15: a client that an administrator deleted is invalid_client, and is a new client at its next request", async () => {
    const client_id = host.publish(nextPath());
    const tokens = await flow(client_id);
    const before = await rowOf(client_id);
    await as.store.remove("oauth_apps", { client_id });
    await assert.rejects(refresh(client_id, tokens.refresh_token), (error: unknown) => {
      const { code, status } = error as { code: string; status: number };
      assert.deepEqual([code, status], ["invalid_client", 401]);
      return true;
    });
    assert.equal((await ask(as, who, authorizationOf(client_id))).type, "consent");
    assert.notEqual((await rowOf(client_id))?.id, before?.id);
  });

  test("PR-15: a client that an administrator deactivated stays inactive, whatever its document says", async () => {
    const client_id = host.publish(nextPath());
    const tokens = await flow(client_id);
    await as.store.update("oauth_apps", { client_id }, { active: false });
    as.clock.advance(7200);
    host.publish(client_id.slice(client_id.indexOf("/client")), { client_name: "New" });
    await rejected(ask(as, who, authorizationOf(client_id)), "invalid_request", /not active/);
    await rejected(refresh(client_id, tokens.refresh_token), "invalid_client");
  });

  test("PR-18: a new client can push its request, and any process finds it", async () => {
    const par = withSettings(as, { extra_features: ["par"] });
    const client_id = host.publish(nextPath());
    const { request_uri } = await pushRequest(endpointRequest(authorizationOf(client_id)), par.server);
    assert.equal(await rowOf(client_id), undefined);
    const other = reaching(par);
    const answer = await authorizeAndConsent(other, who, { client_id, request_uri });
    assert.ok(await redeem(client_id, answer.get("code") ?? "", {}, other));
    const another = host.publish(nextPath());
    await rejected(ask(par, who, { client_id: another, request_uri }), "invalid_request_uri");
  });

  test("PR-17: a client authenticates with keys in its document or at its jwks_uri", async () => {
    const signing = withSettings(as, { extra_client_auth: ["private_key_jwt"], extra_features: ["par"] });
    const pair = aPair("ES256");
    const keys = { keys: [jwkOf(pair, { kid: "k1" })] };
    const keyPath = nextPath();
    host.serve(keyPath, { body: JSON.stringify(keys) });
    for (const members of [{ jwks: keys }, { jwks_uri: `https://${host.name}${keyPath}` }]) {
      const path = nextPath();
      const publish = (token_endpoint_auth_signing_alg: string) =>
        host.publish(path, {
          token_endpoint_auth_method: "private_key_jwt",
          token_endpoint_auth_signing_alg,
          ...members,
        });
      const client_id = publish("ES256");
      const assertion = async (jti = crypto.randomUUID()) => {
        const now = Math.floor(as.clock.now().getTime() / 1000);
        const named = { iss: client_id, sub: client_id, aud: as.server.issuer };
        const claims = { ...named, exp: now + 60, iat: now, jti };
        const client_assertion = await new SignJWT(claims)
          .setProtectedHeader({ alg: "ES256", kid: "k1" })
          .sign(pair.privateKey);
        return { client_assertion_type: assertionType, client_assertion };
      };
      const limited = reaching(withPart(signing, { guesses: guessLimits({ now: as.clock.now }) }));
      let refused = 0;
      for (let turn = 0; turn < 205; turn++) {
        const proof = { ...authorizationOf(client_id), ...(await assertion()), response_type: "none" };
        await assert.rejects(pushRequest(endpointRequest(proof), limited.server), (error: unknown) => {
          if ((error as { status: number }).status === 429) refused += 1;
          return true;
        });
      }
      assert.equal(refused, 5);
      const before = fetches(client_id);
      const once = await assertion();
      const push = { ...authorizationOf(client_id), ...once };
      const { request_uri } = await pushRequest(endpointRequest(push), signing.server);
      await rejected(pushRequest(endpointRequest(push), reaching(signing).server), "invalid_client");
      const answer = await authorizeAndConsent(signing, who, { client_id, request_uri });
      const code = answer.get("code") ?? "";
      await rejected(redeem(client_id, code, {}, signing), "invalid_client");
      assert.ok(await redeem(client_id, code, await assertion(), signing));
      // Two processes received a request of the client before it was stored.
      assert.equal(fetches(client_id) - before, 2);
      const algorithm = async () => (await rowOf(client_id))?.token_endpoint_auth_signing_alg;
      assert.equal(await algorithm(), "ES256");
      publish("PS256");
      as.clock.advance(day);
      await ask(signing, who, authorizationOf(client_id));
      assert.equal(await algorithm(), "PS256");
      await rejected(
        pushRequest(
          endpointRequest({ ...authorizationOf(client_id), ...(await assertion()) }),
          signing.server,
        ),
        "invalid_client",
      );
    }
  });
});
