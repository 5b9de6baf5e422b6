import assert from "node:assert/strict";
import { test } from "node:test";
import { revoke } from "../../src/oauth/revoke.ts";
import { serverOn, type TestServer } from "../support/authorization_server.ts";
import { describeInForm } from "../support/databases.ts";
import { basic, endpointRequest, type Parameters } from "../support/flows.ts";
import { aClientFixture, rejected, withPart, withStore } from "./client_fixture.ts";

describeInForm("token revocation", (database) => {
  const scenario = serverOn(database);

  test("V-1: every revocation request is answered without an error", async () => {
    const fixture = await aClientFixture(scenario);
    const { access_token } = await fixture.flow();
    const headers = [
      undefined,
      "",
      "Basic",
      "Basic ====",
      "Basic AA==",
      "Bearer x",
      `Basic ${btoa("\0:\0")}`,
      `Basic ${btoa("nobody:nothing")}`,
      basic(fixture.app.client_id, "secr wrong"),
      fixture.authorization,
    ];
    const forms = [
      {},
      { token: "" },
      { token: "garbage" },
      { token: "a".repeat(20_000) },
      { token: ["a", "b"] },
      { token: "prt_", token_type_hint: "nonsense" },
      { client_id: fixture.app.client_id, client_secret: "secr wrong", token: "x" },
    ];
    for (const header of headers) {
      for (const form of forms)
        assert.equal(await revoke(endpointRequest(form, header), scenario.server), undefined);
    }
    assert.equal(await fixture.isActive(access_token), true);
  });

  test("V-2: without authentication, or for another client's token, nothing is revoked, and the log says so", async () => {
    const fixture = await aClientFixture(scenario);
    const open = await aClientFixture(scenario, { public: true });
    const stranger = await aClientFixture(scenario);
    const mine = await fixture.flow();
    const theirs = await open.flow();
    const { client_id } = fixture.app;
    scenario.events.length = 0;
    for (const token of [mine.access_token, mine.refresh_token]) {
      const attempts = [
        endpointRequest({ token }),
        endpointRequest({ token, client_id }),
        endpointRequest({ token }, basic(client_id, "secr wrong")),
        endpointRequest({ token, client_id, client_secret: "secr wrong" }),
        endpointRequest({ token, client_id: open.app.client_id }),
        endpointRequest({ token }, stranger.authorization),
      ];
      for (const attempt of attempts) await revoke(attempt, scenario.server);
    }
    for (const token of [theirs.access_token, theirs.refresh_token]) {
      await revoke(endpointRequest({ token }, stranger.authorization), scenario.server);
    }
    assert.equal(await fixture.isActive(mine.access_token), true);
    assert.equal(await fixture.isActive(mine.refresh_token), true);
    assert.ok(await open.refresh(theirs.refresh_token));
    const failures = scenario.events.filter(({ type }) => type === "revocation_failed");
    assert.equal(failures.length, 14);
    assert.deepEqual(
      new Set(failures.map(({ details }) => details?.error)),
      new Set(["invalid_client", "invalid_grant"]),
    );
    assert.ok(!scenario.events.some(({ type }) => type === "token_revoked"));
  });

  test("H-8: the audit event of a failed revocation names the client only if it authenticated", async () => {
    const fixture = await aClientFixture(scenario);
    const stranger = await aClientFixture(scenario);
    const { access_token: token } = await fixture.flow();
    const actorOf = async (authorization: string | undefined, parameters: Parameters) => {
      scenario.events.length = 0;
      await revoke(endpointRequest(parameters, authorization), scenario.server);
      return scenario.events.find(({ type }) => type === "revocation_failed")?.actor;
    };
    const { client_id } = stranger.app;
    assert.deepEqual(await actorOf(stranger.authorization, { token }), { kind: "client", id: client_id });
    assert.deepEqual(await actorOf(stranger.authorization, {}), { kind: "client", id: client_id });
    assert.deepEqual(await actorOf(basic(client_id, "secr wrong"), { token }), { kind: "anonymous" });
    assert.deepEqual(await actorOf(undefined, { token }), { kind: "anonymous" });
  });

  test("B-1: a failed revocation writes one audit event, for the client if one is known (security finding 7)", async () => {
    const fixture = await aClientFixture(scenario);
    const { client_id, id } = fixture.app;
    for (const authorization of [undefined, "Basic !!!", basic("nobody", "x"), basic(client_id, "wrong")]) {
      scenario.events.length = 0;
      await revoke(endpointRequest({ token: "x" }, authorization), scenario.server);
      const target = authorization === basic(client_id, "wrong") ? { table: "oauth_apps", id } : undefined;
      assert.deepEqual(
        scenario.events.map((event) => [event.type, event.actor.kind, event.target]),
        [["revocation_failed", "anonymous", target]],
        String(authorization),
      );
    }
  });

  test("V-3: revoking a refresh token ends its access tokens and the whole family", async () => {
    const fixture = await aClientFixture(scenario);
    const bystander = await fixture.flow();
    const first = await fixture.flow();
    const second = await fixture.refresh(first.refresh_token);
    scenario.clock.advance(5);
    await fixture.revoke(second.refresh_token);
    for (const token of [second.access_token, second.refresh_token]) {
      assert.equal(await fixture.isActive(token), false);
    }
    const row = await fixture.rowOf(second.access_token);
    assert.deepEqual(
      [row.revoked, row.revoked_reason, row.revoked_at],
      [true, "revoked", scenario.clock.now()],
    );
    await rejected(fixture.refresh(second.refresh_token), "invalid_grant", /revoked/);
    assert.equal(await fixture.isActive(bystander.access_token), true);
  });

  test("V-3: revoking a refresh token that was already rotated also ends the family", async () => {
    const fixture = await aClientFixture(scenario);
    const first = await fixture.flow();
    const second = await fixture.refresh(first.refresh_token);
    await fixture.revoke(first.refresh_token);
    assert.equal(await fixture.isActive(second.access_token), false);
    assert.equal(await fixture.isActive(second.refresh_token), false);
  });

  test("V-3: revoking an access token makes it inactive", async () => {
    const fixture = await aClientFixture(scenario);
    const { access_token, refresh_token } = await fixture.flow();
    await fixture.revoke(access_token);
    assert.equal(await fixture.isActive(access_token), false);
    assert.equal(await fixture.isActive(refresh_token), true);
    const machine = await aClientFixture(scenario, { allowed_grants: ["client_credentials"] });
    const own = await machine.clientCredentials();
    await machine.revoke(own.access_token);
    assert.equal(await machine.isActive(own.access_token), false);
    const row = await machine.rowOf(own.access_token);
    assert.deepEqual([row.revoked, row.revoked_reason], [true, "revoked"]);
  });

  test("V-4: a public client can revoke its own token with its client_id", async () => {
    const fixture = await aClientFixture(scenario, { public: true });
    const first = await fixture.flow();
    await fixture.revoke(first.access_token);
    assert.ok((await fixture.rowOf(first.access_token)).access_expires_at <= scenario.clock.now());
    await fixture.revoke(first.refresh_token);
    await rejected(fixture.refresh(first.refresh_token), "invalid_grant", /revoked/);
  });

  test("V-5, design 6.6: if the database fails briefly, the revocation is retried until the token is revoked", async () => {
    const fixture = await aClientFixture(scenario);
    for (const times of [1, 3]) {
      const { refresh_token, access_token } = await fixture.flow();
      scenario.events.length = 0;
      let calls = 0;
      const flaky = withStore(scenario, {
        async revokeFamily(...input) {
          if (++calls <= times) throw new Error("the disk is gone");
          return scenario.store.revokeFamily(...input);
        },
      });
      await fixture.at(flaky).revoke(refresh_token);
      assert.equal(calls, times + 1);
      assert.equal(await fixture.isActive(access_token), false);
      assert.deepEqual(
        scenario.events
          .filter(({ type }) => type.startsWith("revocation") || type === "token_revoked")
          .map(({ type }) => type),
        ["token_revoked"],
      );
    }
  });

  test("V-5: if the database keeps failing, the revocation is logged with the cause, and not as a success", async () => {
    const fixture = await aClientFixture(scenario);
    const { refresh_token } = await fixture.flow();
    const cause = new Error("the disk is gone");
    const broken: Record<string, TestServer> = {
      "the family": withStore(scenario, { revokeFamily: () => Promise.reject(cause) }),
      "the look-up": withStore(scenario, { findByRefreshToken: () => Promise.reject(cause) }),
      "the client": withStore(scenario, { findClient: () => Promise.reject(cause) }),
    };
    for (const [what, server] of Object.entries(broken)) {
      scenario.events.length = 0;
      assert.equal(await fixture.at(server).revoke(refresh_token), undefined);
      const reported = scenario.events.filter(
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
    assert.equal(await fixture.isActive(refresh_token), true);
  });

  test("revoking a client's own active access token needs no look-up, and the audit event names the token's row", async () => {
    const fixture = await aClientFixture(scenario);
    const { access_token } = await fixture.flow();
    const { id } = await fixture.rowOf(access_token);
    scenario.events.length = 0;
    const unread = withStore(scenario, {
      findByAccessToken: () => Promise.reject(new Error("no look-up is needed")),
    });
    await fixture.at(unread).revoke(access_token);
    const [event] = scenario.events.filter(({ type }) => type === "token_revoked");
    assert.deepEqual(event?.target, { table: "oauth_tokens", id });
    assert.deepEqual(event?.details, { half: "access_token" });
    assert.equal(await fixture.isActive(access_token), false);
  });

  test("V-6: a wrong token_type_hint does not prevent a revocation, and a repeated revocation succeeds", async () => {
    const fixture = await aClientFixture(scenario);
    for (const token_type_hint of ["access_token", "refresh_token", "nonsense", "__proto__", ""]) {
      const { access_token, refresh_token } = await fixture.flow();
      await fixture.revoke(access_token, { token_type_hint });
      assert.equal(await fixture.isActive(access_token), false, token_type_hint);
      await fixture.revoke(refresh_token, { token_type_hint });
      await fixture.revoke(refresh_token, { token_type_hint });
      assert.equal(await fixture.isActive(refresh_token), false, token_type_hint);
      assert.equal((await fixture.rowOf(access_token)).revoked_reason, "revoked");
    }
  });

  test("V-6: a code, an id_token or a secret sent for revocation revokes nothing", async () => {
    const fixture = await aClientFixture(scenario);
    const { access_token, id_token = "", code } = await fixture.flow();
    const fresh = await fixture.code();
    for (const token of [id_token, code, fresh, `secret of ${fixture.app.client_id}`])
      await fixture.revoke(token);
    assert.equal(await fixture.isActive(access_token), true);
    assert.ok(await fixture.exchange(fresh));
  });

  test("V-3: a revocation concurrent with twelve refreshes leaves no active token", async () => {
    for (let round = 0; round < 4; round++) {
      const fixture = await aClientFixture(scenario);
      const { refresh_token, access_token } = await fixture.flow();
      const { family_id } = await fixture.rowOf(access_token);
      const refreshes = Array.from({ length: 12 }, () => fixture.refresh(refresh_token));
      refreshes.splice(round * 3, 0, fixture.revoke(refresh_token) as Promise<never>);
      await Promise.allSettled(refreshes);
      assert.equal(await scenario.store.count("oauth_tokens", { family_id, revoked: false }), 0);
    }
  });

  test("L-12: a revocation is not refused while password hashing is overloaded", async () => {
    const fixture = await aClientFixture(scenario);
    const { access_token } = await fixture.flow();
    const queues: string[] = [];
    const busy = withPart(scenario, {
      verifiedSecrets: { ...scenario.server.verifiedSecrets, has: () => false },
      passwords: {
        ...scenario.server.passwords,
        verify: (phc, secret, queue = "sign_in") => {
          queues.push(queue);
          return scenario.server.passwords.verify(phc, secret, queue);
        },
      },
    });
    await fixture.at(busy).revoke(access_token);
    assert.deepEqual(queues, ["revocation"]);
    assert.equal(await fixture.isActive(access_token), false);
  });

  test("B-4: a revocation for an unknown client or secret prefix computes no hash (security finding 10)", async () => {
    const fixture = await aClientFixture(scenario);
    const { client_id } = fixture.app;
    const never = () => Promise.reject(new Error("a hash was made"));
    let pauses = 0;
    const counting = withPart(scenario, {
      passwords: {
        ...scenario.server.passwords,
        verify: never,
        verifyAgainstNothing: never,
        async pause() {
          pauses += 1;
        },
      },
    });
    scenario.events.length = 0;
    const headers = Array.from({ length: 1500 }, (_, n) => basic(`nobody-${n}`, "x"));
    headers.push(basic(client_id, "begins-like-none"));
    // Only fifty at a time, so that no look-up on a busy machine delays its revocation past the response.
    for (let at = 0; at < headers.length; at += 50) {
      const some = headers.slice(at, at + 50);
      await Promise.all(
        some.map((header) => revoke(endpointRequest({ token: "x" }, header), counting.server)),
      );
    }
    assert.equal(pauses, 1501);
    assert.ok(scenario.events.every(({ details }) => details?.error === "invalid_client"));
  });
});
