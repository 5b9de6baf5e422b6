/**
 * Clients and service accounts whose records have ended send requests to a process that still caches the
 * records as active.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { token } from "../../src/oauth/token/token.ts";
import { serverOn } from "../support/authorization_server.ts";
import { anOpenClient, anOrganization, later } from "../support/builders.ts";
import { databasesInForm, describeInForm } from "../support/databases.ts";
import { deactivate, deleteApp, revokeApp } from "../support/endings.ts";
import { ask, authorizeParameters, endpointRequest } from "../support/flows.ts";
import { aClientFixture, type ClientFixture, refusal, rejected, withStore } from "./client_fixture.ts";
import { aMachine, switchedOn } from "./machine.ts";

for (const database of databasesInForm)
  describe(`F-9: a machine's token is stored only while its account, app and organization are active, on ${database.name} (reliability finding 6)`, () => {
    const scenario = serverOn(database, switchedOn);
    const soon = () => later(1, scenario.clock.now());

    const clientEndings = {
      "the app was deactivated": ({ app }: Machine) =>
        deactivate(scenario.store, "oauth_apps", app.id, soon()),
      "the app was revoked": ({ app }: Machine) => revokeApp(scenario.store, app.id, soon()),
      "the app was deleted": ({ app }: Machine) => deleteApp(scenario.store, app.id),
      "its organization was deactivated": ({ app }: Machine) =>
        deactivate(scenario.store, "organizations", String(app.organization_id), soon()),
      "the secret was revoked": ({ app }: Machine) =>
        scenario.store.update("oauth_app_secrets", { app_id: app.id }, { revoked: true }),
      "the secret has expired": ({ app }: Machine) =>
        scenario.store.update("oauth_app_secrets", { app_id: app.id }, { expires_at: scenario.clock.now() }),
    };
    type Machine = Awaited<ReturnType<typeof aClientFixture>>;
    for (const [what, end] of Object.entries(clientEndings)) {
      test(`client credentials are refused even if this process has not yet been notified that ${what}`, async () => {
        const organization = await anOrganization(scenario.store);
        const fixture = await aClientFixture(scenario, {
          app_type: "machine",
          organization_id: organization.id,
          allowed_grants: ["client_credentials"],
          allowed_scopes: ["orders:read"],
        });
        const remembered = await scenario.store.findClient(fixture.app.client_id);
        const stale = fixture.at(withStore(scenario, { findClient: async () => remembered }));
        assert.ok(await stale.clientCredentials());
        assert.equal(await scenario.store.count("oauth_tokens", { app_id: fixture.app.id }), 1);
        await end(fixture);
        const rows = await scenario.store.count("oauth_tokens", { app_id: fixture.app.id });
        await rejected(stale.clientCredentials(), "invalid_client", /client authentication failed/);
        assert.equal(await scenario.store.count("oauth_tokens", { app_id: fixture.app.id }), rows);
      });
    }

    test("an assertion is refused even if this process does not yet know that its account, organization or key ended", async () => {
      const endings = {
        account: ({ account }: Account) => deactivate(scenario.store, "service_accounts", account.id, soon()),
        organization: ({ account }: Account) =>
          deactivate(scenario.store, "organizations", account.organization_id, soon()),
        "revoked key": ({ key }: Account) =>
          scenario.store.update("service_account_key_pairs", { id: key.id }, { revoked: true }),
        "inactive key": ({ key }: Account) =>
          scenario.store.update("service_account_key_pairs", { id: key.id }, { active: false }),
      };
      type Account = Awaited<ReturnType<typeof aMachine>>;
      for (const [what, end] of Object.entries(endings)) {
        const machine = await aMachine(scenario);
        assert.ok(await machine.exchange());
        const { id } = machine.account;
        const account = await scenario.store.findServiceAccount(id);
        const key = await scenario.store.find("service_account_key_pairs", { id: machine.key.id });
        const { find } = scenario.store;
        const stale = withStore(scenario, {
          findServiceAccount: async () => account,
          find: ((table: never, where: never) =>
            table === "service_account_key_pairs" ? Promise.resolve(key) : find(table, where)) as typeof find,
        });
        const assertion = await machine.assertion();
        await end(machine);
        const spent = await scenario.store.count("ephemera", { kind: "assertion" });
        const rows = await scenario.store.count("oauth_tokens", { service_account_id: id });
        const request = endpointRequest({ grant_type: switchedOn.extra_grants[0], assertion });
        await assert.rejects(token(request, stale.server), refusal("invalid_grant"), what);
        assert.equal(await scenario.store.count("oauth_tokens", { service_account_id: id }), rows);
        assert.equal(await scenario.store.count("ephemera", { kind: "assertion" }), spent);
      }
    });
  });

const gone = refusal("invalid_client");

describeInForm("clients that were deleted", (database) => {
  const scenario = serverOn(database);
  const remove = ({ app }: ClientFixture) => scenario.store.remove("oauth_apps", { id: app.id });

  /** Creates each kind of client with an unused code and a refresh token. */
  async function fixtures() {
    const each = [
      await aClientFixture(scenario, { ...anOpenClient, provenance: "dynamic_registration" }),
      await aClientFixture(scenario, {}),
    ];
    return Promise.all(
      each.map(async (fixture) => ({
        fixture,
        code: await fixture.code(),
        refresh_token: (await fixture.flow()).refresh_token,
      })),
    );
  }

  test("PR-15: codes and refresh tokens of a deleted client get invalid_client with 401", async () => {
    for (const { fixture, code, refresh_token } of await fixtures()) {
      await remove(fixture);
      for (const requested of [
        fixture.exchange(code),
        fixture.refresh(refresh_token),
        fixture.refresh("unknown"),
      ]) {
        await assert.rejects(
          requested,
          (error) => gone(error) && (error as { status: number }).status === 401,
        );
      }
    }
  });

  test("PR-15: a client that is deleted during the request, or still cached, gets the same answer", async () => {
    const requested: readonly ((
      made: Awaited<ReturnType<typeof fixtures>>[number],
      at: ClientFixture,
    ) => Promise<unknown>)[] = [
      ({ code }, at) => at.exchange(code),
      ({ refresh_token }, at) => at.refresh(refresh_token),
    ];
    for (const ask of requested) {
      for (const made of await fixtures()) {
        const { store } = scenario;
        const late = withStore(scenario, {
          redeemCode: (input) => remove(made.fixture).then(() => store.redeemCode(input)),
          rotateRefreshToken: (input) => remove(made.fixture).then(() => store.rotateRefreshToken(input)),
        });
        await assert.rejects(ask(made, made.fixture.at(late)), gone);
      }
      for (const made of await fixtures()) {
        const remembered = await scenario.store.findClient(made.fixture.app.client_id);
        await remove(made.fixture);
        const elsewhere = withStore(scenario, { findClient: async () => remembered });
        await assert.rejects(ask(made, made.fixture.at(elsewhere)), gone);
      }
    }
  });

  test("PR-15: at the authorization endpoint, a page informs the user that the client was deleted", async () => {
    for (const { fixture } of await fixtures()) {
      await remove(fixture);
      await assert.rejects(ask(scenario, fixture.who, authorizeParameters(fixture.app)), {
        kind: "client_id",
        code: "invalid_request",
      });
    }
  });

  test("PR-15: an existing client gets invalid_grant for an unknown code or refresh token", async () => {
    const [made] = await fixtures();
    assert.ok(made);
    await rejected(made.fixture.refresh("unknown"), "invalid_grant");
    await rejected(made.fixture.exchange("unknown"), "invalid_grant");
  });
});
