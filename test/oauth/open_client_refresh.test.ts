import assert from "node:assert/strict";
import { test } from "node:test";
import { rulesFor } from "../../src/oauth/rules/rules_for.ts";
import type { OAuthApp } from "../../src/records/definition.ts";
import { serverOn } from "../support/authorization_server.ts";
import { anOpenClient } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { aParty, rejected, withSettings } from "./party.ts";

const replay = { name: "ReplayError", code: "invalid_grant" };

describeInForm("refresh tokens of open clients", (database) => {
  const stage = serverOn(database);
  const anOpenParty = (given: Partial<OAuthApp> = {}) => aParty(stage, { ...anOpenClient, ...given });

  test("PR-13: for 60 seconds the spent token gets the same answer byte for byte, and then ends its family", async () => {
    const party = await anOpenParty();
    const first = await party.flow();
    const second = await party.refresh(first.refresh_token);
    stage.clock.advance(59.999);
    assert.equal(JSON.stringify(await party.refresh(first.refresh_token)), JSON.stringify(second));
    stage.clock.advance(0.001);
    await assert.rejects(party.refresh(first.refresh_token), replay);
    assert.equal((await party.rowOf(second.access_token)).revoked, true);
    await rejected(party.refresh(second.refresh_token), "invalid_grant", /revoked/);
  });

  test("PR-13: the answer is its client's alone", async () => {
    const party = await anOpenParty();
    const first = await party.flow();
    const second = await party.refresh(first.refresh_token);
    const stranger = await anOpenParty();
    await rejected(stranger.refresh(first.refresh_token), "invalid_grant", /this client/);
    assert.deepEqual(await party.refresh(first.refresh_token), second);
    assert.equal((await party.rowOf(second.access_token)).revoked, false);
  });

  test("PR-13: the operator closes the window for open clients; that of registered apps is another one", async () => {
    const strict = withSettings(stage, { open_reuse_window: 0 });
    const party = (await anOpenParty()).at(strict);
    const first = await party.flow();
    const second = await party.refresh(first.refresh_token);
    await assert.rejects(party.refresh(first.refresh_token), replay);
    assert.equal((await party.rowOf(second.access_token)).revoked, true);
    const registered = await aParty(stage, { ...anOpenClient, provenance: "registered" });
    const spent = await registered.flow();
    await registered.refresh(spent.refresh_token);
    await assert.rejects(registered.refresh(spent.refresh_token), replay);
  });

  test("PR-13: an open client rotates and uses PKCE, whatever its record says", async () => {
    for (const provenance of ["metadata_document", "dynamic_registration"] as const) {
      const { app } = await anOpenParty({ provenance, refresh_token_rotation: false, public: false });
      const { pkce, refresh } = rulesFor(app, stage.server);
      assert.deepEqual([pkce, refresh.rotates, refresh.reuse_window], [true, true, 60]);
    }
  });
});
