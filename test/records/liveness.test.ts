import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { presentations } from "../../src/console/presentations/presentations.http.ts";
import {
  stateOfAccess,
  stateOfApp,
  stateOfCode,
  stateOfConsent,
  stateOfCredential,
  stateOfRefresh,
  stateOfSession,
  stateOfToken,
  stateSince,
} from "../../src/records/names/liveness.ts";

const now = new Date("2030-06-01T12:00:00Z");
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const [before, after] = [at(-1), at(1)];

describe("the state of records", () => {
  test("a code is already expired at its exact expiry time", () => {
    assert.equal(stateOfCode({ used: false, expires_at: now }, now), "expired");
    assert.equal(stateOfCode({ used: false, expires_at: after }, now), "active");
    assert.equal(stateOfCode({ used: true, expires_at: after }, now), "used");
  });

  test("a revoked credential stays revoked, and one without an expiry never expires", () => {
    assert.equal(stateOfCredential({ revoked: true, expires_at: before }, now), "revoked");
    assert.equal(stateOfCredential({ revoked: false, expires_at: now }, now), "expired");
    assert.equal(stateOfCredential({ revoked: false, expires_at: null }, now), "active");
    assert.equal(stateOfCredential({ revoked: false, expires_at: null, active: false }, now), "inactive");
  });

  test("design 6.12: a session that was idle for twelve hours has expired, also in the console", () => {
    const session = { ended_at: null, expires_at: at(86_400), last_seen_at: at(-12 * 3600 + 1) };
    assert.equal(stateOfSession(session, now), "active");
    const idle = { ...session, last_seen_at: at(-12 * 3600) };
    assert.equal(stateOfSession(idle, now), "expired");
    assert.equal(stateOfSession({ ...idle, ended_at: before }, now), "ended");
    const shown = {
      ended_at: null,
      expires_at: idle.expires_at.toISOString(),
      last_seen_at: idle.last_seen_at.toISOString(),
    };
    assert.equal(presentations.sessions.state?.(shown, now), "expired");
    assert.equal(
      presentations.sessions.state?.({ ...shown, last_seen_at: now.toISOString() }, now),
      "active",
    );
  });

  test("design 6.10: access and refresh token of one row expire separately, and a revocation ends both", () => {
    const token = { revoked: false, access_expires_at: before, refresh_expires_at: after, rotated_at: null };
    assert.deepEqual(
      [stateOfAccess(token, now), stateOfRefresh(token, now), stateOfToken(token, now)],
      ["expired", "active", "active"],
    );
    const spent = { ...token, rotated_at: before };
    assert.deepEqual([stateOfRefresh(spent, now), stateOfToken(spent, now)], ["used", "expired"]);
    const revoked = { ...token, revoked: true, access_expires_at: after };
    assert.deepEqual(
      [stateOfAccess(revoked, now), stateOfRefresh(revoked, now), stateOfToken(revoked, now)],
      ["revoked", "revoked", "revoked"],
    );
    assert.equal(stateOfRefresh({ ...token, refresh_expires_at: null }, now), undefined);
  });

  test("apps are inactive or revoked, and consents are active or revoked", () => {
    assert.equal(stateOfApp({ active: false, revoked_at: before }), "revoked");
    assert.equal(stateOfApp({ active: false, revoked_at: null }), "inactive");
    assert.equal(stateOfConsent({ granted: false, revoked: false }), "revoked");
    assert.equal(stateOfConsent({ granted: true, revoked: false }), "active");
  });

  test("design 6.18: records created at or before the moment of a deactivation ended with it", () => {
    const record = { active: true, tokens_not_before: now };
    assert.equal(stateSince(record, now), "ended");
    assert.equal(stateSince(record, after), "active");
    assert.equal(stateSince({ ...record, tokens_not_before: null }, before), "active");
    assert.equal(stateSince({ ...record, active: false }, after), "inactive");
    assert.equal(stateSince({ ...record, revoked_at: before }, after), "revoked");
  });
});
