/** Machines whose records have ended, asked by a process that still remembers them as they were. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { token } from "../../src/oauth/token/token.ts";
import { serverOn } from "../support/authorization_server.ts";
import { anOpenClient, anOrganization, later } from "../support/builders.ts";
import { databasesInForm, describeInForm } from "../support/databases.ts";
import { deactivate, deleteApp, revokeApp } from "../support/endings.ts";
import { ask, authorizeParameters, endpointRequest } from "../support/flows.ts";
import { aMachine, switchedOn } from "./machine.ts";
import { aParty, type Party, refusal, rejected, withStore } from "./party.ts";

for (const database of databasesInForm)
  describe(`F-9: a machine's token is stored only while what it stands on stands, on ${database.name} (reliability finding 6)`, () => {
    const stage = serverOn(database, switchedOn);
    const soon = () => later(1, stage.clock.now());

    const clientEndings = {
      "the app was deactivated": ({ app }: Machine) => deactivate(stage.store, "oauth_apps", app.id, soon()),
      "the app was revoked": ({ app }: Machine) => revokeApp(stage.store, app.id, soon()),
      "the app was deleted": ({ app }: Machine) => deleteApp(stage.store, app.id),
      "its organization was deactivated": ({ app }: Machine) =>
        deactivate(stage.store, "organizations", String(app.organization_id), soon()),
      "the secret was revoked": ({ app }: Machine) =>
        stage.store.update("oauth_app_secrets", { app_id: app.id }, { revoked: true }),
      "the secret has expired": ({ app }: Machine) =>
        stage.store.update("oauth_app_secrets", { app_id: app.id }, { expires_at: stage.clock.now() }),
    };
    type Machine = Awaited<ReturnType<typeof aParty>>;
    for (const [what, end] of Object.entries(clientEndings)) {
      test(`client credentials are refused although ${what} unheard`, async () => {
        const organization = await anOrganization(stage.store);
        const party = await aParty(stage, {
          app_type: "machine",
          organization_id: organization.id,
          allowed_grants: ["client_credentials"],
          allowed_scopes: ["orders:read"],
        });
        const remembered = await stage.store.findClient(party.app.client_id);
        const stale = party.at(withStore(stage, { findClient: async () => remembered }));
        assert.ok(await stale.clientCredentials());
        assert.equal(await stage.store.count("oauth_tokens", { app_id: party.app.id }), 1);
        await end(party);
        const rows = await stage.store.count("oauth_tokens", { app_id: party.app.id });
        await rejected(stale.clientCredentials(), "invalid_client", /client authentication failed/);
        assert.equal(await stage.store.count("oauth_tokens", { app_id: party.app.id }), rows);
      });
    }

    test("an assertion is refused although account, organization or key ended unheard, and is not spent", async () => {
      const endings = {
        account: ({ account }: Account) => deactivate(stage.store, "service_accounts", account.id, soon()),
        organization: ({ account }: Account) =>
          deactivate(stage.store, "organizations", account.organization_id, soon()),
        "revoked key": ({ key }: Account) =>
          stage.store.update("service_account_key_pairs", { id: key.id }, { revoked: true }),
        "inactive key": ({ key }: Account) =>
          stage.store.update("service_account_key_pairs", { id: key.id }, { active: false }),
      };
      type Account = Awaited<ReturnType<typeof aMachine>>;
      for (const [what, end] of Object.entries(endings)) {
        const machine = await aMachine(stage);
        assert.ok(await machine.exchange());
        const { id } = machine.account;
        const account = await stage.store.findServiceAccount(id);
        const key = await stage.store.find("service_account_key_pairs", { id: machine.key.id });
        const { find } = stage.store;
        const stale = withStore(stage, {
          findServiceAccount: async () => account,
          find: ((table: never, where: never) =>
            table === "service_account_key_pairs" ? Promise.resolve(key) : find(table, where)) as typeof find,
        });
        const assertion = await machine.assertion();
        await end(machine);
        const spent = await stage.store.count("ephemera", { kind: "assertion" });
        const rows = await stage.store.count("oauth_tokens", { service_account_id: id });
        const request = endpointRequest({ grant_type: switchedOn.extra_grants[0], assertion });
        await assert.rejects(token(request, stale.server), refusal("invalid_grant"), what);
        assert.equal(await stage.store.count("oauth_tokens", { service_account_id: id }), rows);
        assert.equal(await stage.store.count("ephemera", { kind: "assertion" }), spent);
      }
    });
  });

const gone = refusal("invalid_client");

describeInForm("clients that were deleted", (database) => {
  const stage = serverOn(database);
  const remove = ({ app }: Party) => stage.store.remove("oauth_apps", { id: app.id });

  /** Each kind of client with a code that is not redeemed and a refresh token. */
  async function parties() {
    const each = [
      await aParty(stage, { ...anOpenClient, provenance: "dynamic_registration" }),
      await aParty(stage, {}),
    ];
    return Promise.all(
      each.map(async (party) => ({
        party,
        code: await party.code(),
        refresh_token: (await party.flow()).refresh_token,
      })),
    );
  }

  test("PR-15: the token endpoint says invalid_client with 401, for codes and refresh tokens", async () => {
    for (const { party, code, refresh_token } of await parties()) {
      await remove(party);
      for (const requested of [
        party.exchange(code),
        party.refresh(refresh_token),
        party.refresh("unknown"),
      ]) {
        await assert.rejects(
          requested,
          (error) => gone(error) && (error as { status: number }).status === 401,
        );
      }
    }
  });

  test("PR-15: it says so where the client is deleted while it asks, or is still remembered", async () => {
    const requested: readonly ((
      made: Awaited<ReturnType<typeof parties>>[number],
      at: Party,
    ) => Promise<unknown>)[] = [
      ({ code }, at) => at.exchange(code),
      ({ refresh_token }, at) => at.refresh(refresh_token),
    ];
    for (const ask of requested) {
      for (const made of await parties()) {
        const { store } = stage;
        const late = withStore(stage, {
          redeemCode: (given) => remove(made.party).then(() => store.redeemCode(given)),
          rotateRefreshToken: (given) => remove(made.party).then(() => store.rotateRefreshToken(given)),
        });
        await assert.rejects(ask(made, made.party.at(late)), gone);
      }
      for (const made of await parties()) {
        const remembered = await stage.store.findClient(made.party.app.client_id);
        await remove(made.party);
        const elsewhere = withStore(stage, { findClient: async () => remembered });
        await assert.rejects(ask(made, made.party.at(elsewhere)), gone);
      }
    }
  });

  test("PR-15: the authorization endpoint tells the person, and redirects nowhere", async () => {
    for (const { party } of await parties()) {
      await remove(party);
      await assert.rejects(ask(stage, party.who, authorizeParameters(party.app)), {
        kind: "client_id",
        code: "invalid_request",
      });
    }
  });

  test("PR-15: a client that is there hears of its grant what is wrong with it", async () => {
    const [made] = await parties();
    assert.ok(made);
    await rejected(made.party.refresh("unknown"), "invalid_grant");
    await rejected(made.party.exchange("unknown"), "invalid_grant");
  });
});
