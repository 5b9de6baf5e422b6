import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { formBrowser, goThrough } from "../support/form_browser.ts";
import { runPostern, type ServedProcess, servedProcess, startPostern } from "../support/process.ts";
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
  test("authorization-code waits for the browser, and refresh goes on from there", async () => {
    const command = startPostern([...perform("authorization-code", native), "--scope", "openid profile"]);
    const address = () => /^http\S+\/oauth\/authorize\S+$/m.exec(command.err())?.[0];
    for (const deadline = Date.now() + 10_000; address() === undefined && Date.now() < deadline; )
      await wait(20);
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

  test("client-credentials prints the token, and says why there is none", async () => {
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
    assert.match(stranger.err, /401: it does not know this client_id/);
  });

  test("an issuer that is not there is named, and the exit code is 1", async () => {
    const nowhere = ["perform", "client-credentials", "--issuer", "http://127.0.0.1:9", "--client-id", "any"];
    const { code, err } = await runPostern(nowhere);
    assert.equal(code, 1);
    assert.match(err, /http:\/\/127\.0\.0\.1:9/);
    assert.doesNotMatch(err, /\n\s+at /);
  });
});
