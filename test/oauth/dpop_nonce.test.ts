import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { currentNonce } from "../../src/oauth/dpop/proof.ts";
import { proveSender } from "../../src/oauth/dpop/sender.ts";
import { token } from "../../src/oauth/token/token.ts";
import { userinfo } from "../../src/oauth/userinfo.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { start } from "../support/builders.ts";
import { databasesInForm, describeInForm, openStoreAt } from "../support/databases.ts";
import { aProof, aProofKey, dpopOn, tokenUrl, userinfoUrl } from "../support/dpop.ts";
import { codeParameters, endpointRequest, origin } from "../support/flows.ts";
import { aParty, refusal, withSettings } from "./party.ts";

const key = aProofKey();

describe("nonces and clocks of proofs", () => {
  let plain: TestServer;
  before(async () => {
    const [sqlite] = databasesInForm;
    assert.ok(sqlite);
    plain = await testServer(await sqlite.open());
  });

  const at = (dpop_nonce: "off" | "clock" | "always") => withSettings(plain, { ...dpopOn, dpop_nonce });
  const confirmed = async (stage: TestServer, skew: number, nonce?: unknown) => {
    const iat = Math.floor(stage.clock.now().getTime() / 1000) + skew;
    const header = await aProof(stage, key, { claims: { iat, nonce } });
    return proveSender({ method: "POST", path: "/oauth/token", dpop: header }, stage.server);
  };

  test("PR-48: a minute of difference passes either way, and no more", async () => {
    for (const policy of ["off", "clock"] as const) {
      for (const skew of [0, 10, -10, 60, -60]) assert.ok(await confirmed(at(policy), skew));
      const code = policy === "off" ? "invalid_dpop_proof" : "use_dpop_nonce";
      for (const skew of [62, -62, 3600, -1e9, 1e15]) {
        const told = new RegExp(skew > 0 ? "ahead of" : "behind");
        await assert.rejects(confirmed(at(policy), skew), refusal(code, told));
      }
    }
  });

  test("PR-48: a nonce stands in for a clock that is wrong, at the first retry", async () => {
    const stage = at("clock");
    await assert.rejects(confirmed(stage, -3600), refusal("use_dpop_nonce"));
    assert.ok(await confirmed(stage, -3600, currentNonce(stage.server)));
    await assert.rejects(confirmed(stage, -3600, "x"), refusal("use_dpop_nonce"));
    await assert.rejects(
      confirmed(at("off"), -3600, currentNonce(stage.server)),
      refusal("invalid_dpop_proof"),
    );
  });

  test("PR-48: a nonce that this server did not give out is refused whatever is asked for, and the current one passes", async () => {
    for (const policy of ["off", "clock", "always"] as const) {
      const stage = at(policy);
      for (const nonce of ["", "of another server"])
        await assert.rejects(confirmed(stage, 0, nonce), refusal("use_dpop_nonce", /not one of this server/));
      assert.ok(await confirmed(stage, 0, currentNonce(stage.server)), policy);
    }
  });

  test("PR-48: where each proof needs a nonce, none without passes", async () => {
    const stage = at("always");
    await assert.rejects(confirmed(stage, 0), refusal("use_dpop_nonce", /needs the nonce/));
    await assert.rejects(confirmed(stage, 0, "x"), refusal("use_dpop_nonce", /has ended/));
    assert.ok(await confirmed(stage, 0, currentNonce(stage.server)));
  });

  test("PR-48: a nonce is good in every process with the same key, for five minutes at most", async () => {
    const stage = at("always");
    const other = withSettings(await testServer(plain.store), { ...dpopOn, dpop_nonce: "always" });
    const nonce = currentNonce(stage.server);
    assert.ok(await confirmed(other, 0, nonce));
    other.clock.advance(301);
    await assert.rejects(confirmed(other, 0, nonce), refusal("use_dpop_nonce"));
    assert.notEqual(currentNonce(other.server), nonce);
    assert.ok(await confirmed(other, 0, currentNonce(other.server)));
    const foreign = { ...other, server: { ...other.server, issuer: "https://other.example" } };
    assert.notEqual(currentNonce(foreign.server), currentNonce(other.server));
  });
});

describeInForm("one proof in many requests", (database) => {
  test("PR-48: of parallel requests at two servers exactly one passes, also after a restart", async () => {
    const address = await database.address();
    const [one, two] = [await openStoreAt(address), await openStoreAt(address)];
    await one.migrate(start);
    const stages = [await testServer(one, dpopOn), await testServer(two, dpopOn)];
    const [stage] = stages;
    assert.ok(stage);
    const party = await aParty(stage, {
      allowed_grants: ["client_credentials"],
      allowed_scopes: ["orders:read"],
    });
    const asked = { grant_type: "client_credentials", scope: "orders:read" };
    const used = await aProof(stage, key, { url: tokenUrl });
    const request = { ...endpointRequest(asked, party.authorization), dpop: used };
    const many = Array.from({ length: 20 }, (_, index) => stages[index % 2] ?? stage);
    const answers = await Promise.allSettled(many.map(({ server }) => token(request, server)));
    const given = answers.filter(({ status }) => status === "fulfilled");
    assert.equal(given.length, 1);
    for (const answer of answers) {
      if (answer.status === "rejected") refusal("invalid_dpop_proof", /already used/)(answer.reason);
    }
    await one.close();
    await two.close();
    const again = await testServer(await openStoreAt(address), dpopOn);
    await assert.rejects(token(request, again.server), refusal("invalid_dpop_proof", /already used/));
  });

  test("PR-48: of parallel requests to a resource exactly one passes", async () => {
    const stage = await testServer(await database.open(), dpopOn);
    const party = await aParty(stage);
    const form = codeParameters(party.app, await party.code());
    const bound = await token(
      { ...endpointRequest(form, party.authorization), dpop: await aProof(stage, key) },
      stage.server,
    );
    const { access_token } = bound;
    const proof = await aProof(stage, key, { method: "GET", url: userinfoUrl, access_token });
    const authorization = `DPoP ${access_token}`;
    const request = { method: "GET", authorization, dpop: proof, params: undefined, origin };
    const asked = Array.from({ length: 12 }, () => userinfo(request, stage.server));
    const answers = await Promise.allSettled(asked);
    assert.equal(answers.filter(({ status }) => status === "fulfilled").length, 1);
  });
});
