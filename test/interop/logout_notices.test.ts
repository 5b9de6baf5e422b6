/** A web application with its own sessions is notified of a sign-out. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { createRemoteJWKSet, jwtVerify } from "jose";
import * as client from "openid-client";
import { type FormBrowser, formBrowser, goThrough } from "../support/form_browser.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { until } from "../support/until.ts";
import { bearer, call, expectStatus, type Json, operatorsKey } from "./management.ts";

const root = { email: "root@example.com", name: "Root", password: "correct horse battery staple" } as const;
const ada = { email: "ada@example.com", name: "Ada", password: "correct horse battery staple" } as const;
const web = { client_id: "web", secret: "the secret of a web application" } as const;

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/**
 * Starts an application that signs users in with openid-client, and ends their sessions as
 * docs/back-channel-logout.md describes. The library does not verify logout tokens, so jose verifies them
 * with the values that the library discovered and registered.
 */
async function anApplication() {
  const sessions = new Map<string, { readonly sub: string; readonly sid: unknown }>();
  let signOutUrl = "";
  const faults: unknown[] = [];
  let config: client.Configuration | undefined;
  const server = createServer(async (request, response) => {
    try {
      const form = new URLSearchParams(await textOf(request));
      assert.ok(config);
      const { issuer, jwks_uri = "" } = config.serverMetadata();
      const { client_id, id_token_signed_response_alg = "RS256" } = config.clientMetadata();
      const keys = createRemoteJWKSet(new URL(jwks_uri));
      const { payload } = await jwtVerify(form.get("logout_token") ?? "", keys, {
        issuer,
        audience: client_id,
        algorithms: [id_token_signed_response_alg],
        typ: "logout+jwt",
        maxTokenAge: "2 minutes",
      });
      const { events, sub, sid } = payload as Json;
      assert.deepEqual(events, { "http://schemas.openid.net/event/backchannel-logout": {} });
      for (const [id, session] of sessions)
        if (sid === undefined ? session.sub === sub : session.sid === sid) sessions.delete(id);
      response.writeHead(200).end();
    } catch (error) {
      faults.push(error);
      response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_request"}');
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    sessions,
    faults,
    close: () => server.close(),
    /** The address to which the application redirects the browser to sign out (RP-Initiated Logout 1.0). */
    signOutUrl: () => signOutUrl,
    /** Signs in in a browser, and returns the id of the application's own session. */
    async signIn(at: string, browser: FormBrowser): Promise<string> {
      const authentication = client.ClientSecretBasic(web.secret);
      const execute = [client.allowInsecureRequests];
      config = await client.discovery(new URL(at), web.client_id, undefined, authentication, {
        execute,
      });
      assert.equal(config.serverMetadata().backchannel_logout_supported, true);
      const pkceCodeVerifier = client.randomPKCECodeVerifier();
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: `${url}/callback`,
        scope: "openid",
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
      });
      const callback = await goThrough(browser, address, ada);
      const tokens = await client.authorizationCodeGrant(config, callback, { pkceCodeVerifier });
      signOutUrl = client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token ?? "" }).href;
      const { sub = "", sid } = (tokens.claims() ?? {}) as { sub?: string; sid?: unknown };
      const id = crypto.randomUUID();
      sessions.set(id, { sub, sid });
      return id;
    },
  };
}

describe("a web application and back-channel logout", () => {
  let application: Awaited<ReturnType<typeof anApplication>>;
  let served: ServedProcess;
  let key: string;

  before(async () => {
    application = await anApplication();
    served = await servedProcess({
      manifest: {
        users: [{ ...root, is_platform_admin: true }, ada],
        apps: [
          {
            client_id: web.client_id,
            name: "Web",
            owner: root.email,
            first_party: true,
            redirect_uris: [`${application.url}/callback`],
            allowed_scopes: ["openid"],
            secrets: [web.secret],
            backchannel_logout_uri: `${application.url}/logout`,
            backchannel_logout_internal: true,
          },
        ],
      },
      environment: { POSTERN_EXTRA_FEATURES: "logout_notices", POSTERN_OUTBOUND_ALLOW: "127.0.0.1" },
    });
    key = await operatorsKey(served, root.email);
  });
  after(async () => {
    await served?.stop();
    application.close();
  });

  const ask = async (method: string, path: string, body?: unknown) =>
    expectStatus(await call(served.url, method, `/api/v1/${path}`, { proof: bearer(key), body }), 200, 204)
      .json;

  /** Runs `end`, and waits until the application has ended its session. */
  async function heardAfter(end: () => Promise<unknown>): Promise<void> {
    await end();
    await until(() => application.sessions.size === 0);
    assert.deepEqual(application.faults, []);
  }

  test("BL-1: a sign-out by an administrator also signs the user out of an application with openid-client and jose", async () => {
    const browser = formBrowser();
    await application.signIn(served.url, browser);
    const { data } = await ask("GET", `users?email=${encodeURIComponent(ada.email)}`);
    const [{ id = "" } = {}] = data as { id: string }[];
    const operator = formBrowser();
    const login = await operator.get(`${served.url}/login`);
    await operator.submit(login, { email: root.email, password: root.password });
    const asked = await operator.get(`${served.url}/console/users/${id}/sign-out`);
    assert.equal(asked.status, 200, asked.body);
    await heardAfter(async () => {
      const done = await operator.submit(asked, { confirm: ada.email });
      assert.ok(done.status === 302 || done.status === 303, `${done.status} ${done.body}`);
    });
    // The browser signs in again, in a new session (BL-4).
    await application.signIn(served.url, browser);
    const [session] = [...application.sessions.values()];
    const [ended] = (await ask("GET", `sessions?user_id=${id}`)).data as { id: string; ended_at: unknown }[];
    assert.ok(session && ended);
    await heardAfter(() => ask("POST", `users/${id}/sign-out`, {}));
  });

  test("oidcc-backchannel-rp-initiated-logout: a sign-out at the application sends it a logout token", async () => {
    const browser = formBrowser();
    await application.signIn(served.url, browser);
    await heardAfter(async () => {
      const done = await browser.get(application.signOutUrl());
      assert.equal(done.status, 200, done.body);
    });
  });
});
