import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { formBrowser, goThrough } from "../support/form_browser.ts";
import { runPostern, type ServedProcess, servedProcess, startPostern } from "../support/process.ts";
import { until } from "../support/until.ts";
import { ada, machine, manifest, native } from "./registrations.ts";

let served: ServedProcess;

before(async () => {
  served = await servedProcess({ manifest });
});
after(() => served.stop());

const perform = (grant: string, { client_id, secret }: { client_id: string; secret?: string }): string[] => [
  ...["perform", grant, "--issuer", served.url, "--client-id", client_id],
  ...(secret === undefined ? [] : ["--client-secret", secret]),
];

describe("postern perform", () => {
  test("authorization-code waits for the browser, and refresh continues with its tokens", async () => {
    const command = startPostern([...perform("authorization-code", native), "--scope", "openid profile"]);
    const address = () => /^http\S+\/oauth\/authorize\S+$/m.exec(command.err())?.[0];
    await until(() => address() !== undefined, "the command says where to go");
    const callback = await goThrough(formBrowser(), address() ?? "", ada);
    assert.match(await (await fetch(callback)).text(), /close this window/);
    const { code, out } = await command.finished;
    assert.equal(code, 0);
    const tokens = JSON.parse(out) as { scope: string; id_token: string; refresh_token: string };
    assert.equal(tokens.scope, "openid profile");
    assert.ok(tokens.id_token);

    const args = [...perform("refresh", native), "--refresh-token", tokens.refresh_token];
    const refreshed = await runPostern(args);
    assert.equal(refreshed.code, 0);
    const again = await runPostern(args);
    assert.equal(again.code, 1);
    assert.match(again.err, /invalid_grant/);
  });

  test("PR-44, PR-50: pushes requests, signs them and sends DPoP proofs if the app requires it", async () => {
    const keyFile = join(served.folder, "proof.jwk");
    const signing = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const clientKey = join(served.folder, "client.jwk");
    writeFileSync(clientKey, JSON.stringify(signing.privateKey.export({ format: "jwk" })));
    const demanding = { require_pushed_authorization_requests: true, dpop_bound_access_tokens: true };
    const jwks = { keys: [signing.publicKey.export({ format: "jwk" })] };
    const apps = manifest.apps.map((app) =>
      app.client_id === native.client_id
        ? { ...app, ...demanding }
        : app.client_id === machine.client_id
          ? { ...app, dpop_bound_access_tokens: true, token_endpoint_auth_method: "private_key_jwt", jwks }
          : app,
    );
    const environment = {
      POSTERN_EXTRA_FEATURES: "par,dpop",
      POSTERN_EXTRA_CLIENT_AUTH: "private_key_jwt",
      POSTERN_DPOP_NONCE: "always",
    };
    const strict = await servedProcess({ manifest: { ...manifest, apps }, environment });
    const on = (args: string[]) => args.map((arg) => (arg === served.url ? strict.url : arg));
    const proving = ["--dpop-key", keyFile];

    const command = startPostern([...on(perform("authorization-code", native)), ...proving]);
    const address = () => /^http\S+\/oauth\/authorize\S+$/m.exec(command.err())?.[0];
    await until(() => address() !== undefined, "the address is told");
    assert.deepEqual([...new URL(address() ?? "").searchParams.keys()], ["client_id", "request_uri"]);
    await fetch(await goThrough(formBrowser(), address() ?? "", ada));
    const { code, out } = await command.finished;
    assert.equal(code, 0);
    const tokens = JSON.parse(out) as { token_type: string; refresh_token: string };
    assert.equal(tokens.token_type, "DPoP");
    assert.equal(statSync(keyFile).mode & 0o777, 0o600);

    const refresh = on([...perform("refresh", native), "--refresh-token", tokens.refresh_token]);
    const without = await runPostern(refresh);
    assert.deepEqual([without.code, without.out], [1, ""]);
    assert.match(without.err, /this request requires a DPoP proof.*; use --dpop-key to send DPoP proofs/);
    assert.equal((await runPostern([...refresh, ...proving])).code, 0);

    const signed = on(perform("client-credentials", { client_id: machine.client_id }));
    const args = [...signed, "--scope", "orders:read", "--client-key", clientKey];
    const answered = await runPostern([...args, ...proving]);
    assert.equal(answered.code, 0, answered.err);
    assert.equal((JSON.parse(answered.out) as { token_type: string }).token_type, "DPoP");
    const publicKey = join(served.folder, "public.jwk");
    writeFileSync(publicKey, JSON.stringify(jwks.keys[0]));
    for (const [file, reason] of [
      [publicKey, /public\.jwk does not contain a private key as a JWK/],
      [join(served.folder, "absent.jwk"), /^[^:]+absent\.jwk cannot be read: ENOENT/],
    ] as const) {
      const unreadable = await runPostern([...signed, "--client-key", file]);
      assert.equal(unreadable.code, 1);
      assert.match(unreadable.err, reason);
    }
    await strict.stop();
  });

  test("client-credentials prints the token, or the reason why there is none", async () => {
    const args = perform("client-credentials", machine);
    const { code, out } = await runPostern([...args, "--scope", "orders:read"]);
    assert.equal(code, 0);
    assert.equal((JSON.parse(out) as { scope: string }).scope, "orders:read");
    const refused = await runPostern([...args, "--scope", "openid"]);
    assert.deepEqual([refused.code, refused.out], [1, ""]);
    assert.match(refused.err, /invalid_scope/);
    assert.doesNotMatch(refused.err, /\n\s+at /);
    const stranger = await runPostern([
      ...perform("client-credentials", { ...machine, secret: "wrong" }),
      "--scope",
      "a",
    ]);
    assert.equal(stranger.code, 1);
    assert.match(stranger.err, /401: the client_id or the secret is wrong/);
  });

  test("control characters in the response are printed as JSON escapes", async (t) => {
    const sent = { access_token: "a", token_type: "bearer", scope: "\u009b2Jorders\u202e" };
    const server = createServer(({ url }, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(url === "/token" ? sent : { issuer, token_endpoint: `${issuer}/token` }));
    });
    t.after(() => server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = ["perform", "client-credentials", "--issuer", issuer, "--client-id", "any"];
    const { out, err } = await runPostern(args);
    assert.deepEqual(JSON.parse(out || err), sent);
    assert.match(out, /\\u009b2Jorders\\u202e/);
  });

  test("reports an unreachable issuer with its address and exit code 1", async () => {
    const nowhere = ["perform", "client-credentials", "--issuer", "http://127.0.0.1:9", "--client-id", "any"];
    const { code, err } = await runPostern(nowhere);
    assert.equal(code, 1);
    assert.match(err, /http:\/\/127\.0\.0\.1:9/);
    assert.doesNotMatch(err, /\n\s+at /);
    const unnamed = ["perform", "client-credentials", "--client-id", "any"];
    const here = await runPostern(unnamed, { environment: { POSTERN_PORT: "9" } });
    assert.equal(here.code, 1);
    assert.match(here.err, /^http:\/\/localhost:9 cannot be reached/m);
  });
});
