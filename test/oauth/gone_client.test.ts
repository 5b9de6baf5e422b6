import assert from "node:assert/strict";
import { test } from "node:test";
import { serverOn } from "../support/authorization_server.ts";
import { anOpenClient } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { ask, authorizeParameters } from "../support/flows.ts";
import { aParty, type Party, refusal, rejected, withStore } from "./party.ts";

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
      for (const asked of [party.exchange(code), party.refresh(refresh_token), party.refresh("unknown")]) {
        await assert.rejects(asked, (error) => gone(error) && (error as { status: number }).status === 401);
      }
    }
  });

  test("PR-15: it says so where the client is deleted while it asks, or is still remembered", async () => {
    const asked: readonly ((
      made: Awaited<ReturnType<typeof parties>>[number],
      at: Party,
    ) => Promise<unknown>)[] = [
      ({ code }, at) => at.exchange(code),
      ({ refresh_token }, at) => at.refresh(refresh_token),
    ];
    for (const ask of asked) {
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
