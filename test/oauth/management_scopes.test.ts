import assert from "node:assert/strict";
import { test } from "node:test";
import { introspectionScope } from "../../src/records/names.ts";
import { managementScopes, manageScope } from "../../src/records/permissions.ts";
import { serverOn } from "../support/authorization_server.ts";
import { describeInForm } from "../support/databases.ts";
import { ask, authorizeParameters, redirected } from "../support/flows.ts";
import { aParty, claimsOf, refusal, rejected } from "./party.ts";

const users = "postern:users:read";
const allowed_scopes = ["openid", "orders:read", users, manageScope, introspectionScope];

describeInForm("scopes of the management API", (database) => {
  const stage = serverOn(database);

  test("design 6.7: an app that was given one gets it in a user's token, after the user was asked by name", async () => {
    const party = await aParty(stage, { allowed_scopes });
    const asked = await ask(stage, party.who, authorizeParameters(party.app, { scope: `openid ${users}` }));
    assert.ok(asked.type === "consent");
    assert.deepEqual(asked.scopes, [
      { name: "openid", already_granted: false },
      { name: users, already_granted: false },
    ]);
    const tokens = await party.flow({ scope: `openid ${users}` });
    assert.equal(claimsOf(tokens.access_token).scope, `openid ${users}`);
    const next = await party.refresh(tokens.refresh_token);
    assert.equal(next.scope, `openid ${users}`);
    assert.equal((await party.refresh(next.refresh_token, { scope: "openid" })).scope, "openid");
  });

  test("design 6.7: a wider one asks the user again", async () => {
    const party = await aParty(stage, { allowed_scopes });
    await party.flow({ scope: `openid ${users}` });
    const again = await ask(
      stage,
      party.who,
      authorizeParameters(party.app, { scope: `openid ${manageScope}` }),
    );
    assert.equal(again.type, "consent");
  });

  test("design 6.7: client credentials carry each of them where it is allowed and asked for", async () => {
    const party = await aParty(stage, {
      app_type: "machine",
      allowed_grants: ["client_credentials"],
      allowed_scopes: [...managementScopes, introspectionScope],
    });
    for (const scope of managementScopes)
      assert.equal((await party.clientCredentials({ scope })).scope, scope);
    await rejected(party.clientCredentials({ scope: undefined }), "invalid_scope", /scope is missing/);
  });

  test("design 6.7: none that was not given, none that does not exist, and never token:introspect", async () => {
    const given = [...allowed_scopes, "postern:everything", "token:anything"];
    const party = await aParty(stage, {
      allowed_scopes: given,
      allowed_grants: ["auth_code", "client_credentials"],
    });
    for (const scope of ["postern:apps:write", "postern:everything", "token:anything", introspectionScope]) {
      await assert.rejects(party.clientCredentials({ scope }), refusal("invalid_scope"), scope);
      const parameters = authorizeParameters(party.app, { scope: `openid ${scope}` });
      const answer = redirected(await ask(stage, party.who, parameters));
      assert.equal(answer.get("error"), "invalid_scope", scope);
    }
  });
});
