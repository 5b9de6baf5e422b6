import assert from "node:assert/strict";
import { test } from "node:test";
import { revoke } from "../../src/oauth/revoke.ts";
import { serverOn, type TestServer } from "../support/authorization_server.ts";
import { describeInForm } from "../support/databases.ts";
import { basic, endpointRequest, type Parameters } from "../support/flows.ts";
import { aParty, rejected, withPart, withStore } from "./party.ts";

describeInForm("revocation", (database) => {
  const stage = serverOn(database);

  test("V-1: whatever comes, revocation answers without an error", async () => {
    const party = await aParty(stage);
    const { access_token } = await party.flow();
    const headers = [
      undefined,
      "",
      "Basic",
      "Basic ====",
      "Basic AA==",
      "Bearer x",
      `Basic ${btoa("\0:\0")}`,
      `Basic ${btoa("nobody:nothing")}`,
      basic(party.app.client_id, "secr wrong"),
      party.authorization,
    ];
    const forms = [
      {},
      { token: "" },
      { token: "garbage" },
      { token: "a".repeat(20_000) },
      { token: ["a", "b"] },
      { token: "prt_", token_type_hint: "nonsense" },
      { client_id: party.app.client_id, client_secret: "secr wrong", token: "x" },
    ];
    for (const header of headers) {
      for (const form of forms)
        assert.equal(await revoke(endpointRequest(form, header), stage.server), undefined);
    }
    assert.equal(await party.isActive(access_token), true);
  });

  test("V-2: without proof, or for another client's token, nothing is revoked, and the log says so", async () => {
    const party = await aParty(stage);
    const open = await aParty(stage, { public: true });
    const stranger = await aParty(stage);
    const mine = await party.flow();
    const theirs = await open.flow();
    const { client_id } = party.app;
    stage.events.length = 0;
    for (const token of [mine.access_token, mine.refresh_token]) {
      const attempts = [
        endpointRequest({ token }),
        endpointRequest({ token, client_id }),
        endpointRequest({ token }, basic(client_id, "secr wrong")),
        endpointRequest({ token, client_id, client_secret: "secr wrong" }),
        endpointRequest({ token, client_id: open.app.client_id }),
        endpointRequest({ token }, stranger.authorization),
      ];
      for (const attempt of attempts) await revoke(attempt, stage.server);
    }
    for (const token of [theirs.access_token, theirs.refresh_token]) {
      await revoke(endpointRequest({ token }, stranger.authorization), stage.server);
    }
    assert.equal(await party.isActive(mine.access_token), true);
    assert.equal(await party.isActive(mine.refresh_token), true);
    assert.ok(await open.refresh(theirs.refresh_token));
    const failures = stage.events.filter(({ type }) => type === "revocation_failed");
    assert.equal(failures.length, 14);
    assert.deepEqual(
      new Set(failures.map(({ details }) => details?.error)),
      new Set(["invalid_client", "invalid_grant"]),
    );
    assert.ok(!stage.events.some(({ type }) => type === "token_revoked"));
  });

  test("H-8: a revocation that failed names the client when it proved itself, and nobody when it did not", async () => {
    const party = await aParty(stage);
    const stranger = await aParty(stage);
    const { access_token: token } = await party.flow();
    const actorOf = async (authorization: string | undefined, parameters: Parameters) => {
      stage.events.length = 0;
      await revoke(endpointRequest(parameters, authorization), stage.server);
      return stage.events.find(({ type }) => type === "revocation_failed")?.actor;
    };
    const { client_id } = stranger.app;
    assert.deepEqual(await actorOf(stranger.authorization, { token }), { kind: "client", id: client_id });
    assert.deepEqual(await actorOf(stranger.authorization, {}), { kind: "client", id: client_id });
    assert.deepEqual(await actorOf(basic(client_id, "secr wrong"), { token }), { kind: "anonymous" });
    assert.deepEqual(await actorOf(undefined, { token }), { kind: "anonymous" });
  });

  test("B-1: a revocation that fails is one event, about the client where there is one (security finding 7)", async () => {
    const party = await aParty(stage);
    const { client_id, id } = party.app;
    for (const authorization of [undefined, "Basic !!!", basic("nobody", "x"), basic(client_id, "wrong")]) {
      stage.events.length = 0;
      await revoke(endpointRequest({ token: "x" }, authorization), stage.server);
      const target = authorization === basic(client_id, "wrong") ? { table: "oauth_apps", id } : undefined;
      assert.deepEqual(
        stage.events.map((event) => [event.type, event.actor.kind, event.target]),
        [["revocation_failed", "anonymous", target]],
        String(authorization),
      );
    }
  });

  test("V-3: revoking a refresh token ends its access tokens and the whole family", async () => {
    const party = await aParty(stage);
    const bystander = await party.flow();
    const first = await party.flow();
    const second = await party.refresh(first.refresh_token);
    stage.clock.advance(5);
    await party.revoke(second.refresh_token);
    for (const token of [second.access_token, second.refresh_token]) {
      assert.equal(await party.isActive(token), false);
    }
    const row = await party.rowOf(second.access_token);
    assert.deepEqual([row.revoked, row.revoked_reason, row.revoked_at], [true, "revoked", stage.clock.now()]);
    await rejected(party.refresh(second.refresh_token), "invalid_grant", /revoked/);
    assert.equal(await party.isActive(bystander.access_token), true);
  });

  test("V-3: revoking an already rotated refresh token ends the family, too", async () => {
    const party = await aParty(stage);
    const first = await party.flow();
    const second = await party.refresh(first.refresh_token);
    await party.revoke(first.refresh_token);
    assert.equal(await party.isActive(second.access_token), false);
    assert.equal(await party.isActive(second.refresh_token), false);
  });

  test("V-3: revoking an access token makes it inactive", async () => {
    const party = await aParty(stage);
    const { access_token, refresh_token } = await party.flow();
    await party.revoke(access_token);
    assert.equal(await party.isActive(access_token), false);
    assert.equal(await party.isActive(refresh_token), true);
    const machine = await aParty(stage, { allowed_grants: ["client_credentials"] });
    const own = await machine.clientCredentials();
    await machine.revoke(own.access_token);
    assert.equal(await machine.isActive(own.access_token), false);
    const row = await machine.rowOf(own.access_token);
    assert.deepEqual([row.revoked, row.revoked_reason], [true, "revoked"]);
  });

  test("V-4: a public client revokes its own token by its client_id", async () => {
    const party = await aParty(stage, { public: true });
    const first = await party.flow();
    await party.revoke(first.access_token);
    assert.ok((await party.rowOf(first.access_token)).access_expires_at <= stage.clock.now());
    await party.revoke(first.refresh_token);
    await rejected(party.refresh(first.refresh_token), "invalid_grant", /revoked/);
  });

  test("V-5, design 6.6: a storage that fails for a moment is asked again until the token is revoked", async () => {
    const party = await aParty(stage);
    for (const times of [1, 3]) {
      const { refresh_token, access_token } = await party.flow();
      stage.events.length = 0;
      let calls = 0;
      const flaky = withStore(stage, {
        async revokeFamily(...given) {
          if (++calls <= times) throw new Error("the disk is gone");
          return stage.store.revokeFamily(...given);
        },
      });
      await party.at(flaky).revoke(refresh_token);
      assert.equal(calls, times + 1);
      assert.equal(await party.isActive(access_token), false);
      assert.deepEqual(
        stage.events
          .filter(({ type }) => type.startsWith("revocation") || type === "token_revoked")
          .map(({ type }) => type),
        ["token_revoked"],
      );
    }
  });

  test("V-5: a storage that stays broken is reported with its cause and not taken for success", async () => {
    const party = await aParty(stage);
    const { refresh_token } = await party.flow();
    const cause = new Error("the disk is gone");
    const broken: Record<string, TestServer> = {
      "the family": withStore(stage, { revokeFamily: () => Promise.reject(cause) }),
      "the look-up": withStore(stage, { findByRefreshToken: () => Promise.reject(cause) }),
      "the client": withStore(stage, { findClient: () => Promise.reject(cause) }),
    };
    for (const [what, server] of Object.entries(broken)) {
      stage.events.length = 0;
      assert.equal(await party.at(server).revoke(refresh_token), undefined);
      const reported = stage.events.filter(
        ({ type }) => type === "revocation_failed" || type === "token_revoked",
      );
      assert.equal(reported.length, 1, what);
      assert.deepEqual(
        [reported[0]?.outcome, reported[0]?.details],
        ["failure", { error: "server_error" }],
        what,
      );
      assert.equal(reported[0]?.cause, cause, what);
    }
    assert.equal(await party.isActive(refresh_token), true);
  });

  test("an active access token of the client's own is revoked without a look-up, and the event names its row", async () => {
    const party = await aParty(stage);
    const { access_token } = await party.flow();
    const { id } = await party.rowOf(access_token);
    stage.events.length = 0;
    const unread = withStore(stage, {
      findByAccessToken: () => Promise.reject(new Error("no look-up is needed")),
    });
    await party.at(unread).revoke(access_token);
    const [event] = stage.events.filter(({ type }) => type === "token_revoked");
    assert.deepEqual(event?.target, { table: "oauth_tokens", id });
    assert.deepEqual(event?.details, { half: "access_token" });
    assert.equal(await party.isActive(access_token), false);
  });

  test("V-6: a wrong hint still revokes, and twice is fine", async () => {
    const party = await aParty(stage);
    for (const token_type_hint of ["access_token", "refresh_token", "nonsense", "__proto__", ""]) {
      const { access_token, refresh_token } = await party.flow();
      await party.revoke(access_token, { token_type_hint });
      assert.equal(await party.isActive(access_token), false, token_type_hint);
      await party.revoke(refresh_token, { token_type_hint });
      await party.revoke(refresh_token, { token_type_hint });
      assert.equal(await party.isActive(refresh_token), false, token_type_hint);
      assert.equal((await party.rowOf(access_token)).revoked_reason, "revoked");
    }
  });

  test("V-6: a code, an id_token and a secret revoke nothing", async () => {
    const party = await aParty(stage);
    const { access_token, id_token = "", code } = await party.flow();
    const fresh = await party.code();
    for (const token of [id_token, code, fresh, `secret of ${party.app.client_id}`])
      await party.revoke(token);
    assert.equal(await party.isActive(access_token), true);
    assert.ok(await party.exchange(fresh));
  });

  test("V-3: a revocation and twelve refreshes at once leave no token alive", async () => {
    for (let round = 0; round < 4; round++) {
      const party = await aParty(stage);
      const { refresh_token, access_token } = await party.flow();
      const { family_id } = await party.rowOf(access_token);
      const refreshes = Array.from({ length: 12 }, () => party.refresh(refresh_token));
      refreshes.splice(round * 3, 0, party.revoke(refresh_token) as Promise<never>);
      await Promise.allSettled(refreshes);
      assert.equal(await stage.store.count("oauth_tokens", { family_id, revoked: false }), 0);
    }
  });

  test("L-12: revocation is not turned away while hashing is overloaded", async () => {
    const party = await aParty(stage);
    const { access_token } = await party.flow();
    const queues: string[] = [];
    const busy = withPart(stage, {
      verifiedSecrets: { ...stage.server.verifiedSecrets, has: () => false },
      passwords: {
        ...stage.server.passwords,
        verify: (phc, secret, queue = "sign_in") => {
          queues.push(queue);
          return stage.server.passwords.verify(phc, secret, queue);
        },
      },
    });
    await party.at(busy).revoke(access_token);
    assert.deepEqual(queues, ["revocation"]);
    assert.equal(await party.isActive(access_token), false);
  });

  test("B-4: for a client that there is not, or a secret that begins like none, revocation makes no hash (security finding 10)", async () => {
    const party = await aParty(stage);
    const { client_id } = party.app;
    const never = () => Promise.reject(new Error("a hash was made"));
    let pauses = 0;
    const counting = withPart(stage, {
      passwords: {
        ...stage.server.passwords,
        verify: never,
        verifyAgainstNothing: never,
        async pause() {
          pauses += 1;
        },
      },
    });
    stage.events.length = 0;
    const headers = Array.from({ length: 1500 }, (_, n) => basic(`nobody-${n}`, "x"));
    headers.push(basic(client_id, "begins-like-none"));
    // Fifty at a time: no look-up of a busy machine waits so long that its revocation is carried out later.
    for (let at = 0; at < headers.length; at += 50) {
      const some = headers.slice(at, at + 50);
      await Promise.all(
        some.map((header) => revoke(endpointRequest({ token: "x" }, header), counting.server)),
      );
    }
    assert.equal(pauses, 1501);
    assert.ok(stage.events.every(({ details }) => details?.error === "invalid_client"));
  });
});
