/** A user who signs out at the provider, a second Postern, is signed out at the first Postern too. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { formBrowser, goThrough } from "../support/form_browser.ts";
import { freePort } from "../support/free_port.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { until } from "../support/until.ts";
import { bearer, call, expectStatus, operatorsKey } from "./management.ts";

const there = { email: "ann@provider.example", name: "Ann", password: "a password of the provider" };
const here = { email: "ann@here.example", name: "Ann", password: "a password of this server" };
const secret = "the-secret-of-postern-at-the-provider";
const loopback = "127.0.0.0/8,::1/128";

describe("sign-out at a second Postern that is the identity provider", () => {
  let upstream: ServedProcess;
  let served: ServedProcess;

  before(async () => {
    const [port, port_there] = [await freePort(), await freePort()];
    const base = `http://localhost:${port}/sign-in/other`;
    upstream = await servedProcess({
      manifest: {
        users: [{ ...there, is_platform_admin: true }],
        apps: [
          {
            client_id: "postern",
            name: "Postern here",
            owner: there.email,
            redirect_uris: [`${base}/callback`],
            allowed_scopes: ["openid", "profile", "email"],
            first_party: true,
            secrets: [secret],
            backchannel_logout_uri: `${base}/backchannel-logout`,
            backchannel_logout_internal: true,
          },
        ],
      },
      environment: {
        POSTERN_PORT: String(port_there),
        // The issuer of a provider on plain http must have a loopback address as its host.
        POSTERN_BASE_URL: `http://127.0.0.1:${port_there}`,
        POSTERN_EXTRA_FEATURES: "logout_notices",
        POSTERN_OUTBOUND_ALLOW: loopback,
      },
    });
    served = await servedProcess({
      manifest: {
        users: [{ ...here, is_platform_admin: true }],
        providers: [
          {
            slug: "other",
            label: "Other",
            preset: "oidc",
            issuer: `http://127.0.0.1:${port_there}`,
            client_id: "postern",
            client_secret: secret,
            sign_up: "never",
          },
        ],
      },
      environment: {
        POSTERN_PORT: String(port),
        POSTERN_OUTBOUND_ALLOW: loopback,
      },
    });
    const idAt = async ({ url }: ServedProcess, { email }: typeof here, key: string) => {
      const path = `/api/v1/users?email=${encodeURIComponent(email)}`;
      const { json } = expectStatus(await call(url, "GET", path, { proof: bearer(key) }), 200);
      return (json.data as { id: string }[])[0]?.id;
    };
    const key = await operatorsKey(served, here.email);
    const body = {
      user_id: await idAt(served, here, key),
      provider: "other",
      provider_user_id: await idAt(upstream, there, await operatorsKey(upstream, there.email)),
      access_token: "none",
    };
    expectStatus(
      await call(served.url, "POST", "/api/v1/linked-accounts", { proof: bearer(key), body }),
      201,
    );
  });
  after(async () => {
    await served?.stop();
    await upstream?.stop();
  });

  test("BL-9: a user who signs out at the provider is signed out here, and another user is not", async () => {
    const at_provider = [formBrowser(), formBrowser()] as const;
    const visits = [];
    for (const theirs of at_provider) {
      const browser = formBrowser();
      const login = await browser.get(`${served.url}/login?redirect=%2Faccount`);
      const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(login.body)?.[1] ?? "";
      const sent = await browser.post(`${served.url}/sign-in/other`, { csrf_token, redirect: "/account" });
      const back = await goThrough(theirs, sent.location ?? "", there);
      const page = await browser.follow(await browser.get(back.href));
      assert.equal(page.status, 200, page.body);
      assert.match(page.url, /\/account/);
      visits.push(async () => (await browser.get(`${served.url}/account`)).status === 200);
    }
    const [first = assert.fail(), second = assert.fail()] = visits;
    assert.deepEqual([await first(), await second()], [true, true]);
    const [browser] = at_provider;
    await browser.submit(await browser.get(`${upstream.url}/logout`), {});
    await until(async () => !(await first()));
    assert.equal(await second(), true);
  });
});
