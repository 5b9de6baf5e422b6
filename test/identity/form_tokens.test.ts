import assert from "node:assert/strict";
import { test } from "node:test";
import { formToken, isFormCookie, isFormToken, newFormCookie } from "../../src/identity/form_tokens.ts";
import { testServer } from "../support/authorization_server.ts";
import { aSession, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";

test("L-5: a form's token belongs to one browser before signing in, and to one session after it", async () => {
  const [sqlite] = databasesInForm;
  assert.ok(sqlite);
  const { server, store } = await testServer(await sqlite.open());
  const { memory, passwords, sealer, now, report } = server;
  const context = { store, memory, passwords, sealer, now, report, throttle: true };
  const user = await aUser(store);
  const holders = [
    { form_cookie: newFormCookie(context) },
    { form_cookie: newFormCookie(context) },
    { session: await aSession(store, { user_id: user.id }), user },
    { session: await aSession(store, { user_id: user.id }), user },
  ];
  for (const holder of holders) {
    const token = formToken(holder, context);
    for (const other of holders) assert.equal(isFormToken(token, other, context), other === holder);
    assert.equal(isFormToken("", holder, context), false);
    assert.equal(isFormToken(token.toLowerCase(), holder, context), false);
  }
  assert.ok(isFormCookie(newFormCookie(context)));
  for (const text of ["", "pot_", "chosen", "pse_x"]) assert.equal(isFormCookie(text), false);
});
