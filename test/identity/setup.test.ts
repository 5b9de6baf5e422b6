import assert from "node:assert/strict";
import { test } from "node:test";
import { passwordError } from "../../src/crypto/password_rules.ts";
import { fieldError } from "../../src/errors/field_errors.ts";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import {
  completeSetup,
  makeFirstAdministrator,
  makeSetupLink,
  stateOfSetupLink,
} from "../../src/people/entry/setup.ts";
import { signIn } from "../../src/people/entry/sign_in.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { aUser } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { identityOn } from "../support/identity_context.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };
const ada = { name: "Ada", email: "ada@example.com", password: "correct horse battery staple" };

describeInForm("the setup of the first administrator", (database) => {
  async function setUp(): Promise<TestServer & { context: IdentityContext; token: string }> {
    const it = await testServer(await database.open());
    const context = identityOn(it.server);
    const link = await makeSetupLink(context);
    return { ...it, context, token: String(link).replace("/setup?token=", "") };
  }

  test("a setup link creates one administrator, who can sign in, and cannot be used again", async () => {
    const { store, context, token } = await setUp();
    assert.equal(await stateOfSetupLink(token, context), "open");
    const outcome = await completeSetup({ ...ada, token, origin }, context);
    assert.equal(outcome.type, "made");
    const user = await store.find("users", { email_key: "ada@example.com" });
    assert.ok(user?.is_platform_admin && user.active);
    assert.equal((await signIn({ ...ada, origin }, context)).type, "signed_in");
    assert.equal((await completeSetup({ ...ada, token, origin }, context)).type, "done");
    assert.equal(await makeSetupLink(context), undefined);
    const [event] = await store.list("audit_events");
    assert.equal(event?.target_id, user.id);
    assert.doesNotMatch(JSON.stringify(event), /battery/);
  });

  test("setup links used concurrently create one administrator", async () => {
    const { store, context, token } = await setUp();
    const other = String(await makeSetupLink(context)).replace("/setup?token=", "");
    const outcomes = await Promise.all(
      [token, token, other, other].map((each, index) =>
        completeSetup({ ...ada, email: `ada${index}@example.com`, token: each, origin }, context),
      ),
    );
    assert.equal(outcomes.filter(({ type }) => type === "made").length, 1);
    assert.equal(await store.count("users", { is_platform_admin: true }), 1);
  });

  test("a setup link is valid for a day, and only its signature is stored", async () => {
    const { store, context, clock, token } = await setUp();
    assert.doesNotMatch(JSON.stringify(await store.list("ephemera")), new RegExp(token));
    clock.advance(86_400);
    assert.deepEqual(await completeSetup({ ...ada, token, origin }, context), { type: "dead_link" });
    assert.equal((await completeSetup({ ...ada, token: "guessed", origin }, context)).type, "dead_link");
    assert.equal(await store.count("users"), 0);
  });

  test("all invalid fields are reported at once, and the link stays valid", async () => {
    const { context, token, store } = await setUp();
    const outcome = await completeSetup(
      { name: " ", email: "nobody", password: "short", token, origin },
      context,
    );
    assert.deepEqual(outcome.type === "refused" && outcome.errors.map(({ path }) => path).sort(), [
      "/email",
      "/name",
      "/password",
    ]);
    await aUser(store, { email: "ADA@example.com" });
    const taken = await completeSetup({ ...ada, token, origin }, context);
    assert.deepEqual(taken, {
      type: "refused",
      errors: [fieldError("/email", "belongs_to_user")],
    });
    const made = await completeSetup({ ...ada, email: "ada@example.org", token, origin }, context);
    assert.equal(made.type, "made");
  });

  test("L-15: setup refuses an address whose account is stored in the earlier normalized form", async () => {
    const { store, context } = await setUp();
    const email = "stra\u00dfe@example.com";
    await aUser(store, { email, email_key: email });
    assert.deepEqual(await makeFirstAdministrator({ ...ada, email }, context), {
      type: "refused",
      errors: [fieldError("/email", "belongs_to_user")],
    });
  });

  test("the first administrator can also be created without a link, by the operator", async () => {
    const { context } = await setUp();
    assert.equal((await makeFirstAdministrator({ ...ada, password: "" }, context)).type, "refused");
    assert.equal((await makeFirstAdministrator(ada, context)).type, "made");
    assert.equal((await makeFirstAdministrator(ada, context)).type, "done");
  });
});

test("L-13: a letter with its combining marks counts as one character of a new password", () => {
  assert.equal(passwordError("n\u0303andu\u0301 y")?.code, "password_too_short");
  assert.equal(passwordError("n\u0303andu\u0301 ya"), undefined);
});

test("L-13: a new password has eight characters of any kind, at most a kilobyte, and is not common", () => {
  for (const password of ["aaaa aabc", "🦊🦉🦊🐻🦊🦉🦊🐻", "lower case only", `${"x".repeat(1022)}yz`]) {
    assert.equal(passwordError(password), undefined);
  }
  for (const password of [
    "",
    "1234567",
    "🦊🦊🦊🦊",
    "password1",
    "Password123",
    "x".repeat(1025),
    "é".repeat(513),
    "\ud800 abcdefg",
  ]) {
    assert.match(passwordError(password)?.code ?? "", /^password_too_/);
  }
});
