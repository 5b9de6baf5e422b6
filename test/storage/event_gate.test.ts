import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { leakyBuckets } from "../../src/records/names/leaky_buckets.ts";
import type { NotedEvent } from "../../src/storage/operation/event_gate.ts";
import { eventGate } from "../../src/storage/operation/event_gate.ts";
import { later, start } from "../support/builders.ts";

const failure: NotedEvent = {
  type: "client_authentication",
  outcome: "failure",
  actor_kind: "anonymous",
  actor_id: null,
  target_table: null,
  target_id: null,
  client_ip: "192.0.2.1",
  user_agent: "Browser/1",
  request_id: "request-1",
  details: null,
  created_at: start,
};

/**
 * Sends `times` events, each from a separate address unless `input` sets one; returns how many were stored.
 */
function flood(gate: ReturnType<typeof eventGate>, times: number, input: (n: number) => Partial<NotedEvent>) {
  let kept = 0;
  for (let n = 0; n < times; n += 1) {
    const event = { ...failure, ...input(n) };
    const by = gate.closedTo(event);
    if (by === undefined) kept += 1;
    else gate.count(event, by);
  }
  return kept;
}

/** Returns an address that is a separate source. */
const address = (n: number) => `2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`;

describe("the limits on stored audit events", () => {
  test("B-1: the first failures of a source are stored, and further ones are only counted (security finding 7)", () => {
    const gate = eventGate();
    assert.equal(
      flood(gate, 33_272, () => ({})),
      20,
    );
    assert.deepEqual(gate.take(later(59), false), []);
    const [counted, ...others] = gate.take(later(60), false);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [counted?.by, counted?.more, counted?.event.client_ip, counted?.event.user_agent],
      ["source", 33_252, "192.0.2.1", null],
    );
    assert.deepEqual(gate.take(later(600), true), []);
  });

  test("B-1: when too many sources cause failures, none is stored, and a few events report their number (reliability finding 3)", () => {
    const gate = eventGate();
    let kept = 0;
    let rows = 0;
    let more = 0;
    for (let second = 0; second < 60; second += 1) {
      const created_at = later(second);
      kept += flood(gate, 1000, (n) => ({ client_ip: address(second * 1000 + n), created_at }));
    }
    for (const counted of gate.take(later(60), true)) {
      rows += 1;
      more += counted.more;
      assert.equal(counted.by, "all");
    }
    assert.ok(kept >= 300 && kept <= 320, String(kept));
    assert.deepEqual([rows, kept + more], [1, 60_000]);
  });

  test("B-1: many sources that exceed their share create a bounded number of events a minute", () => {
    const gate = eventGate();
    const kept = flood(gate, 300 * 100, (n) => ({ client_ip: address(n % 15) }));
    assert.equal(kept, 300);
    const counted = gate.take(later(60), true);
    assert.ok(counted.length <= 11, String(counted.length));
    assert.equal(
      counted.reduce((sum, { more }) => sum + more, 0),
      300 * 100 - kept,
    );
  });

  test("B-1: a client whose secret many sources guess has its own share, and other clients' failures are stored", () => {
    const gate = eventGate();
    const guessed = { actor_kind: "client", actor_id: "web" } as const;
    assert.equal(
      flood(gate, 200, (n) => ({ ...guessed, client_ip: address(n) })),
      60,
    );
    assert.equal(
      flood(gate, 20, (n) => ({ actor_kind: "client", actor_id: "other", client_ip: address(900 + n) })),
      20,
    );
    const [counted] = gate.take(later(60), true);
    assert.deepEqual([counted?.by, counted?.more, counted?.event.actor_id], ["client", 140, "web"]);
  });

  test("B-1: a flood of one event type leaves room for all others, and for internal errors", () => {
    const gate = eventGate();
    flood(gate, 5000, (n) => ({ client_ip: address(n) }));
    for (const type of ["sign_in", "revocation_failed", "code_replay"])
      assert.equal(gate.closedTo({ ...failure, type }), undefined, type);
    const kind = { type: "revocation_failed", details: { error: "server_error" } };
    assert.equal(
      flood(gate, 500, () => kind),
      500,
    );
  });

  test("B-1: successes, and refusals of signed-in users, are always stored", () => {
    const gate = eventGate();
    for (const input of [{ outcome: "success" }, { type: "consent" }] as const)
      assert.equal(
        flood(gate, 5000, () => input),
        5000,
      );
  });
});

describe("the leaky buckets that limit audit events", () => {
  test("B-1: take from all given keys or from none, and refill over time", () => {
    const take = leakyBuckets();
    const [small, large] = [{ size: 1, every: 1000 } as const, { size: 2, every: 1000 } as const];
    const both = (at: Date) =>
      take(
        [
          ["large", large],
          ["small", small],
        ],
        at,
      );
    assert.deepEqual([both(start), both(start), both(start)], [undefined, "small", "small"]);
    assert.deepEqual(
      [take([["large", large]], start), take([["large", large]], start)],
      [undefined, "large"],
    );
    assert.equal(both(later(1)), undefined);
    // A clock that is set back neither removes nor adds anything.
    assert.equal(both(start), "large");
  });

  test("B-1: do not stay empty if the clock is set back an hour", () => {
    const take = leakyBuckets();
    const shares = [["key", { size: 1, every: 1000 }]] as const;
    assert.deepEqual([take(shares, later(3600)), take(shares, later(3600))], [undefined, "key"]);
    assert.equal(take(shares, start), "key");
    assert.equal(take(shares, later(1)), undefined);
  });

  test("B-1: store a bounded number of keys", () => {
    const take = leakyBuckets(10);
    const rate = { size: 1, every: 1000 };
    for (let n = 0; n < 100; n += 1) assert.equal(take([[`key ${n}`, rate]], start), undefined);
    assert.equal(take([["key 99", rate]], start), "key 99");
    assert.equal(take([["key 0", rate]], start), undefined);
  });
});
