/** A new account with a passkey in place of a password, on both databases (docs/decisions/0072). */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { IdentityContext } from "../../src/identity/context.ts";
import { newFormCookie } from "../../src/identity/form_tokens.ts";
import { askForFirstPasskey } from "../../src/identity/passkeys/first_passkey.ts";
import { makeRegistrationLetter } from "../../src/identity/registration/ask_to_register.ts";
import { register } from "../../src/identity/registration/register.ts";
import { softwareAuthenticator } from "../support/authenticator.ts";
import { testServer } from "../support/authorization_server.ts";
import { describeInForm } from "../support/databases.ts";
import { type Device, passkeyOrigin as origin, testSite as site } from "../support/passkeys.ts";

const holder = "a token of forms";

describeInForm("a first passkey", (database) => {
  async function setUp() {
    const { server } = await testServer(await database.open());
    const { store, memory, passwords, sealer, now, report } = server;
    const context: IdentityContext = { store, memory, passwords, sealer, now, report, throttle: true };
    const link = async (email: string) => {
      const rules = [{ policy: "open", domains: [] }] as const;
      const asked = { email, origin, browser: newFormCookie(context), request: "/", rules };
      const letter = await makeRegistrationLetter(asked, context);
      return letter?.type === "link" ? letter.token : assert.fail(letter?.type);
    };
    const ask = (token: string) => {
      const asked = { holder, site, server_name: "ID" };
      const options = askForFirstPasskey({ token, email: "ada@example.com" }, asked, context);
      return options as { challenge: string; user: { id: string } };
    };
    const finish = (token: string, device: Device, challenge: string) => {
      const answer = JSON.stringify(device.register(challenge));
      const passkey = { answer, holder, site, name: "Key" };
      return register({ token, name: "Ada", origin, passkey }, context);
    };
    return { context, store, link, ask, finish };
  }

  test("PK-1 the handle is the same for each try with a link, and another for another link", async () => {
    const { link, ask } = await setUp();
    const [one, other] = [await link("ada@example.com"), await link("bob@example.com")];
    assert.equal(ask(one).user.id, ask(one).user.id);
    assert.notEqual(ask(one).user.id, ask(other).user.id);
    assert.notEqual(ask(one).challenge, ask(one).challenge);
  });

  test("SS-2 of parallel finishers one makes the account with its passkey", async () => {
    const { store, link, ask, finish } = await setUp();
    const token = await link("ada@example.com");
    const outcomes = await Promise.all(
      [1, 2, 3, 4, 5].map(() => finish(token, softwareAuthenticator(site), ask(token).challenge)),
    );
    assert.equal(outcomes.filter(({ type }) => type === "registered").length, 1);
    assert.deepEqual([await store.count("users"), await store.count("passkeys")], [1, 1]);
  });

  test("PK-2 a passkey of another account, and one made for another link, make no account", async () => {
    const { store, link, ask, finish } = await setUp();
    const [one, other] = [await link("ada@example.com"), await link("bob@example.com")];
    const device = softwareAuthenticator(site);
    assert.equal((await finish(one, device, ask(one).challenge)).type, "registered");
    assert.deepEqual(await finish(other, device, ask(other).challenge), {
      type: "refused",
      errors: ["passkey_taken"],
    });
    const theirs = softwareAuthenticator(site);
    assert.deepEqual(await finish(other, theirs, ask(one).challenge), {
      type: "refused",
      errors: ["passkey_refused"],
    });
    assert.equal(await store.count("users"), 1);
    assert.equal((await finish(other, theirs, ask(other).challenge)).type, "registered");
  });

  test("PK-6 a passkey that does not verify its user makes no account", async () => {
    const { store, link, ask, finish } = await setUp();
    const token = await link("ada@example.com");
    const device = softwareAuthenticator({ ...site, uv: false });
    assert.deepEqual(await finish(token, device, ask(token).challenge), {
      type: "refused",
      errors: ["passkey_refused"],
    });
    assert.equal(await store.count("users"), 0);
  });
});
