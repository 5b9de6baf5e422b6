import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace";
import fc from "fast-check";
import { createApp } from "../../src/app.ts";
import { createTracing } from "../../src/ops/tracing.ts";
import { tracedDriver, tracedGrants, tracedMethods, tracedPasswords } from "../../src/server/traced.ts";
import { signInAs, testBrowser } from "../support/app.ts";
import { testServer } from "../support/authorization_server.ts";
import { anApp, aSecret, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { authorizeParameters, basic, formOf, type Parameters, verifier } from "../support/flows.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

/** Returns an application with a separate database, of which every part is traced, and the exported spans. */
async function tracedApp(database: (typeof databasesInForm)[number]) {
  const exporter = new InMemorySpanExporter();
  const tracing = await createTracing({
    processors: [new SimpleSpanProcessor({ exporter })],
    resource: resourceFromAttributes({}),
    sampling: { ratio: 1, by_parent: false },
    propagates: true,
  });
  const store = await database.open({
    around: (driver) => tracedDriver(driver, tracing),
  });
  const plain = await testServer(store);
  const passwords = tracedPasswords(plain.server.passwords, tracing);
  const server = {
    ...plain.server,
    passwords,
    grants: tracedGrants(plain.server.grants, tracing),
    clientAuthenticationMethods: tracedMethods(plain.server.clientAuthenticationMethods, tracing),
  };
  const { memory, sealer, now, report } = server;
  const identity = { ...{ store, memory, passwords, sealer, now, report }, throttle: false };
  const app = createApp({
    store,
    server,
    identity: { ...identity, sends_mail: false, settings: {} },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    ready: async () => ({ ready: true, components: {} }),
    ...{ secure: true, trust_proxy: [], tracing },
  });
  await app.ready();
  return { app, store, server, exporter };
}

let drawn = 0;

/** Unique texts, which a span contains only if they came from this request. */
const secretText = fc.stringMatching(/^[a-zA-Z0-9]{12,24}$/).map((text) => {
  drawn += 1;
  return `${text}Zq${drawn}`;
});

for (const database of databasesInForm)
  describe(`tracing spans on ${database.name}`, () => {
    test("H-54: spans contain no secret, token, address or name of a user, and no part of a query, path, form or header", async () => {
      const { app, store, server, exporter } = await tracedApp(database);
      const property = fc.asyncProperty(
        fc.record({
          local: secretText,
          name: secretText,
          password: secretText,
          secret: secretText,
          client_id: secretText,
          state: secretText,
          anything: secretText,
        }),
        async ({ local, name, password, secret, client_id, state, anything }) => {
          exporter.reset();
          const email = `${local}@people.example`;
          const user = await aUser(store, {
            ...{ email, name, is_platform_admin: true },
            password_hash: await server.passwords.hash(password),
          });
          const client = await anApp(store, {
            ...{ client_id, owner_id: user.id, first_party: true },
            allowed_scopes: ["openid", "email", "offline_access", "token:introspect"],
            allowed_grants: ["auth_code", "refresh", "client_credentials"],
          });
          const secret_hash = await server.passwords.hash(secret);
          await aSecret(store, { app_id: client.id, secret_hash, secret_prefix: secret.slice(0, 4) });
          const authorization = basic(client_id, secret);
          const post = (
            url: string,
            fields: Parameters,
            headers: Record<string, string> = { authorization },
          ) => app.inject({ method: "POST", url, payload: formOf(fields), headers: { ...form, ...headers } });

          const browser = testBrowser(app);
          await signInAs(browser, user, { password: anything });
          await signInAs(browser, user, { password });
          const requested = authorizeParameters(client, { state, scope: "openid email offline_access" });
          const back = await browser.get(`/oauth/authorize?${formOf(requested)}`);
          const code = new URL(String(back.headers.location)).searchParams.get("code") ?? "";
          assert.notEqual(code, "", back.body.slice(0, 300));
          const redirect_uri = client.redirect_uris[0];
          const redeemed = { grant_type: "authorization_code", code, redirect_uri, code_verifier: verifier };
          const { access_token, refresh_token, id_token } = (await post("/oauth/token", redeemed)).json();
          const refreshed = { grant_type: "refresh_token", refresh_token };
          const second = (await post("/oauth/token", refreshed)).json();
          await post("/oauth/token", refreshed);
          await post("/oauth/token", { grant_type: anything, code: anything });
          await post("/oauth/token", redeemed, { authorization: basic(client_id, anything) });
          await post("/oauth/introspect", { token: access_token });
          await post("/oauth/revoke", { token: second.access_token });
          const bearer = { authorization: `Bearer ${access_token}` };
          await app.inject({ url: "/oauth/userinfo", headers: bearer });
          await app.inject({ url: `/${anything}?${anything}=${anything}`, headers: { host: anything } });
          await browser.get(`/console/users?q=${local}`);
          await browser.get(`/console/users/${user.id}?email=${encodeURIComponent(email)}`);
          const tracestate = { traceparent: anything, tracestate: anything, baggage: anything };
          await app.inject({ url: `/api/v1/users/${anything}`, headers: { ...bearer, ...tracestate } });

          const spans = exporter.getFinishedSpans();
          const reported = JSON.stringify(
            spans.map(({ name, attributes, events, links, status }) => [
              name,
              attributes,
              events,
              links,
              status,
            ]),
          );
          for (const wanted of [
            ...["/oauth/token", "hash verify", "grant", "client authentication", "SELECT users"],
          ])
            assert.ok(reported.includes(wanted), `${wanted} is missing`);
          const tokens = [access_token, refresh_token, id_token, second.access_token, second.refresh_token];
          const cookies = [...browser.cookies.values()];
          const hidden = [local, name, password, secret, client_id, state, anything, code, verifier, user.id];
          for (const each of [...hidden, ...tokens, ...cookies].filter((text) => text && text.length > 8))
            assert.ok(!reported.includes(each), `${each} in ${reported.slice(0, 2000)}`);
        },
      );
      await fc.assert(property, { numRuns: 2, endOnFailure: true });
    });
  });
