/** The database queries of a request, counted in SQLite itself, as in the table of docs/scaling.md. */
import assert from "node:assert/strict";
import { StatementSync } from "node:sqlite";
import { after, before, describe, mock, test } from "node:test";
import { decodeJwt } from "jose";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { membershipScopes } from "../../src/records/names/names.ts";
import type { TestBrowser } from "../support/app.ts";
import { aConsent, aGroup, aGroupMember, anApp, aRole } from "../support/builders.ts";
import { type ConsoleFixture, consoleFixture, formOn } from "../support/console.ts";
import {
  authorizeParameters,
  codeParameters,
  credentialsOf,
  formOf,
  type Parameters,
} from "../support/flows.ts";

const meant = /^\s*(?:(insert into|update|delete from)\s+"?(\w+)|select\b[\s\S]*?\bfrom\s+"?(\w+)|(commit))/i;

/** Returns the first words of the statements that read or write rows, and the commits, during the work. */
async function requested(work: () => Promise<{ readonly statusCode: number }>): Promise<string[]> {
  const seen: string[] = [];
  for (const verb of ["get", "all", "run"] as const) {
    const real = StatementSync.prototype[verb] as (...values: never[]) => never;
    mock.method(StatementSync.prototype, verb, function (this: StatementSync, ...values: never[]) {
      const [, write, written, read, commit] = meant.exec(this.sourceSQL) ?? [];
      if (write !== undefined) seen.push(`${write.toLowerCase()} ${written}`);
      if (read !== undefined) seen.push(`select ${read}`);
      if (commit !== undefined) seen.push("commit");
      return real.apply(this, values);
    });
  }
  try {
    const { statusCode } = await work();
    assert.ok(statusCode < 400, String(statusCode));
  } finally {
    mock.restoreAll();
  }
  return seen;
}

describe("the number of database queries of a request", () => {
  let it: ConsoleFixture;
  let browser: TestBrowser;
  let client: OAuthApp;
  let authorization: string | undefined;
  before(async () => {
    it = await consoleFixture();
    browser = it.browsers["organization admin"];
    client = await anApp(it.store, { allowed_grants: ["auth_code", "refresh", "client_credentials"] });
    await aConsent(it.store, {
      app_id: client.id,
      user_id: it.people["organization admin"].id,
      scopes: ["openid"],
    });
    authorization = await credentialsOf(it, client);
    // After this request, the secret and the client are cached.
    await token({ grant_type: "client_credentials" });
  });
  after(() => mock.restoreAll());

  const address = () => `/oauth/authorize?${formOf(authorizeParameters(client))}`;
  const token = (parameters: Parameters, credentials = authorization) =>
    it.app.inject({
      method: "POST",
      url: "/oauth/token",
      headers: { authorization: credentials, "content-type": "application/x-www-form-urlencoded" },
      payload: formOf(parameters),
    });

  test("a request for a code with an existing consent reads session and consent, and writes the code", async () => {
    await browser.get(address());
    assert.deepEqual(await requested(() => browser.get(address())), [
      ...["select sessions", "select oauth_consents", "insert into oauth_auth_codes", "commit"],
    ]);
  });

  test("a code is read, marked as used and redeemed in one transaction", async () => {
    const { location } = (await browser.get(address())).headers;
    const code = new URL(String(location)).searchParams.get("code") ?? "";
    assert.deepEqual(await requested(() => token(codeParameters(client, code))), [
      ...["select oauth_auth_codes", "update oauth_auth_codes", "insert into oauth_tokens", "commit"],
    ]);
  });

  test("client credentials read nothing from the database, and write only the token", async () => {
    assert.deepEqual(await requested(() => token({ grant_type: "client_credentials" })), [
      "insert into oauth_tokens",
      "commit",
    ]);
  });

  test("a form of the console reads its record once before the lock and once under it", async () => {
    const { action, fields } = formOn(await browser.get(`/console/apps/${it.ids.apps}/edit`));
    const statements = await requested(() => browser.post(action, { ...fields, name: "Orders of today" }));
    const of = (statement: string) => statements.filter((each) => each === statement).length;
    // The statements read the app's owner, and the app before and under its lock.
    assert.equal(of("select oauth_apps"), 3, String(statements));
    assert.equal(of("update oauth_apps"), 1);
    assert.equal(of("insert into audit_events"), 1);
    assert.equal(of("commit"), 1);
    assert.equal(statements.length, 12, String(statements));
  });

  test("a form that is answered by a redirect reads nothing that only pages show", async () => {
    const root = it.browsers["platform administrator"];
    const { action, fields } = formOn(await root.get(`/console/apps/${it.ids.apps}/edit`));
    const statements = await requested(() => root.post(action, { ...fields, name: "Orders of tomorrow" }));
    // One read is for the viewer's membership, the other for a name in the form. Only pages need the menu of
    // organizations.
    assert.equal(statements.filter((each) => each === "select organizations").length, 2, String(statements));
    assert.equal(statements.length, 13, String(statements));
  });

  test("OC-3: organization, roles and groups for tokens are read once and then cached", async () => {
    const { store, acme } = it;
    const of = { organization_id: acme.id };
    const role = await aRole(store, { ...of, name: "clerk" });
    const user_id = it.people["organization admin"].id;
    const membership = await store.find("memberships", { ...of, user_id });
    assert.ok(membership);
    await aGroupMember(store, membership, await aGroup(store, { ...of, role_ids: [role.id] }));
    const scopes = ["openid", "offline_access", ...membershipScopes];
    const costOf = async (organization_mode: OAuthApp["organization_mode"], named: Parameters = {}) => {
      const made = await anApp(store, { first_party: true, organization_mode, allowed_scopes: scopes });
      const credentials = await credentialsOf(it, made);
      const parameters = { ...authorizeParameters(made), ...named, scope: scopes.join(" ") };
      const at = `/oauth/authorize?${formOf(parameters)}`;
      const code = async () => {
        const { location } = (await browser.get(at)).headers;
        return new URL(String(location)).searchParams.get("code") ?? "";
      };
      const post = (parameters: Parameters) => token(parameters, credentials);
      const cost: Record<string, string[]> = {};
      for (let turn = 0; turn < 2; turn++) {
        cost.authorize = await requested(() => browser.get(at));
        const grant = codeParameters(made, await code());
        let refresh_token = "";
        cost.code = await requested(async () => {
          const answer = await post(grant);
          refresh_token = answer.json().refresh_token;
          return answer;
        });
        let access_token = "";
        cost.refresh = await requested(async () => {
          const answer = await post({ grant_type: "refresh_token", refresh_token });
          access_token = answer.json().access_token;
          return answer;
        });
        const claims = decodeJwt(access_token);
        assert.deepEqual(claims.roles, organization_mode === "none" ? undefined : ["admin", "clerk"]);
      }
      return cost;
    };
    const without = await costOf("none");
    assert.deepEqual(await costOf("auto"), without);
    assert.deepEqual(await costOf("optional", { organization: acme.slug }), without);
  });
});
