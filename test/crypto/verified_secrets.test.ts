import assert from "node:assert/strict";
import { hash, randomBytes } from "node:crypto";
import { beforeEach, describe, test } from "node:test";
import { inspect } from "node:util";
import { type Guess, type GuessLimits, guessLimits } from "../../src/crypto/guess_limits.ts";
import { verifiedSecrets } from "../../src/crypto/verified_secrets.ts";
import { type Clock, testClock } from "../support/authorization_server.ts";

function memory(options: { max?: number } = {}) {
  let time = Date.parse("2030-01-01T00:00:00Z");
  const secrets = verifiedSecrets({ max: options.max ?? 10, ttl_seconds: 60, now: () => new Date(time) });
  return { secrets, pass: (seconds: number) => (time += seconds * 1000) };
}

describe("the cache of verified client secrets", () => {
  test("C-10: a cached secret is recognized for its hash, and no other combination is", () => {
    const { secrets } = memory();
    assert.equal(secrets.has("hash-1", "secret"), false);
    secrets.remember("hash-1", "secret");
    assert.ok(secrets.has("hash-1", "secret"));
    for (const other of ["", "Secret", "secret ", "secret\0", "secre"]) {
      assert.equal(secrets.has("hash-1", other), false);
    }
    assert.equal(secrets.has("hash-2", "secret"), false);
    assert.equal(secrets.has("hash-", "1secret"), false);
  });

  test("C-10: revoking a secret removes it, and only it, from the cache at once", () => {
    const { secrets } = memory();
    secrets.remember("hash-1", "one");
    secrets.remember("hash-2", "two");
    secrets.forget("hash-1");
    assert.equal(secrets.has("hash-1", "one"), false);
    assert.ok(secrets.has("hash-2", "two"));
    secrets.clear();
    assert.equal(secrets.has("hash-2", "two"), false);
  });

  test("C-10: a cached secret expires ttl_seconds after its verification, however often it is used", () => {
    const { secrets, pass } = memory();
    secrets.remember("hash", "secret");
    pass(59);
    assert.ok(secrets.has("hash", "secret"));
    pass(1);
    assert.equal(secrets.has("hash", "secret"), false);
    secrets.remember("hash", "secret");
    assert.ok(secrets.has("hash", "secret"));
  });

  test("at most max secrets are cached, and the least recently verified is removed first", () => {
    const { secrets } = memory({ max: 2 });
    secrets.remember("hash-1", "one");
    secrets.remember("hash-2", "two");
    secrets.remember("hash-1", "one");
    secrets.remember("hash-3", "three");
    assert.ok(secrets.has("hash-1", "one"));
    assert.equal(secrets.has("hash-2", "two"), false);
    assert.ok(secrets.has("hash-3", "three"));
  });

  test("with max 0 no secret is cached", () => {
    const { secrets } = memory({ max: 0 });
    secrets.remember("hash", "secret");
    assert.equal(secrets.has("hash", "secret"), false);
  });

  test("ill-formed Unicode does not match a cached replacement character", () => {
    const { secrets } = memory();
    secrets.remember("hash", "a\ufffd");
    assert.equal(secrets.has("hash", "a\ud800"), false);
    secrets.remember("other", "a\ud800");
    assert.equal(secrets.has("other", "a\ufffd"), false);
  });

  test("the cache stores a keyed hash, never the secret itself", (t) => {
    const key = randomBytes(32).toString("hex");
    const stored: unknown[] = [];
    const set = Map.prototype.set;
    t.mock.method(
      Map.prototype,
      "set",
      function (this: Map<unknown, unknown>, name: unknown, value: unknown) {
        stored.push(name, value);
        return set.call(this, name, value);
      },
    );
    verifiedSecrets({ max: 1, ttl_seconds: 1, now: () => new Date(0), key }).remember(
      "hash",
      "presented text",
    );
    t.mock.restoreAll();
    const [, entry] = stored;
    const digest = hash("sha256", `${key}hash\0presented text`, "buffer");
    assert.deepEqual(entry, { proof: Uint8Array.from(digest), expires_at_ms: 1000 });
    assert.ok(!inspect(stored, { depth: 9 }).includes("presented"));
  });
});

describe("limits on guessing client secrets", () => {
  let clock: Clock;
  let limits: GuessLimits;
  beforeEach(() => {
    clock = testClock();
    limits = guessLimits({ now: clock.now });
  });

  const refused = (client: string, source: string) => {
    const answer = limits.guess(client, source);
    return "retry_after" in answer ? answer.retry_after : undefined;
  };
  const wrong = (times: number, client: string, source: string) =>
    Array.from({ length: times }, () => refused(client, source)).filter((each) => each !== undefined).length;
  const right = (client: string, source: string) => (limits.guess(client, source) as Guess).forgive();

  test("B-7: after ten wrong secrets from one address for one client, it is refused for 15 minutes (security finding 15)", () => {
    assert.equal(wrong(10, "web", "a"), 0);
    assert.equal(refused("web", "a"), 900);
    clock.advance(600);
    assert.equal(refused("web", "a"), 300);
    assert.equal(refused("web", "b"), undefined);
    assert.equal(refused("other", "a"), undefined);
    clock.advance(300);
    assert.equal(refused("web", "a"), undefined);
  });

  test("B-7: a correct secret clears its address's count of wrong ones", () => {
    for (let round = 0; round < 30; round += 1) {
      assert.equal(wrong(9, "web", "a"), 0);
      right("web", "a");
      clock.advance(60);
    }
  });

  test("B-7: guesses from many addresses do not lock out a correct first attempt (security finding 15)", () => {
    for (let n = 0; n < 300; n += 1) wrong(1, "web", `stranger ${n}`);
    assert.equal(wrong(9, "web", "another stranger"), 8);
    right("web", "honest");
    right("web", "honest");
    assert.equal(refused("web", "stranger 7"), 900);
  });

  test("B-7: one address has a limited number of guesses across all clients", () => {
    let past = 0;
    for (let n = 0; n < 250; n += 1) past += wrong(1, `client ${n}`, "a");
    assert.equal(past, 50);
  });

  test("B-7: a secret that was not verified does not count as a guess", () => {
    for (let n = 0; n < 50; n += 1) (limits.guess("web", "a") as Guess).withdraw();
    assert.equal(refused("web", "a"), undefined);
  });
});
