import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { type Guess, type GuessLimits, guessLimits } from "../../src/crypto/guess_limits.ts";
import { type Clock, testClock } from "../support/authorization_server.ts";

describe("guesses at client secrets", () => {
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

  test("B-7: ten wrong ones from one source at one client, and then none for a quarter of an hour (security finding 15)", () => {
    assert.equal(wrong(10, "web", "a"), 0);
    assert.equal(refused("web", "a"), 900);
    clock.advance(600);
    assert.equal(refused("web", "a"), 300);
    assert.equal(refused("web", "b"), undefined);
    assert.equal(refused("other", "a"), undefined);
    clock.advance(300);
    assert.equal(refused("web", "a"), undefined);
  });

  test("B-7: a right secret forgives the wrong ones of its source", () => {
    for (let round = 0; round < 30; round += 1) {
      assert.equal(wrong(9, "web", "a"), 0);
      right("web", "a");
      clock.advance(60);
    }
  });

  test("B-7: guesses from everywhere keep nobody out who is right at the first try (security finding 15)", () => {
    for (let n = 0; n < 300; n += 1) wrong(1, "web", `stranger ${n}`);
    assert.equal(wrong(9, "web", "another stranger"), 8);
    right("web", "honest");
    right("web", "honest");
    assert.equal(refused("web", "stranger 7"), 900);
  });

  test("B-7: one source has a bounded number at all clients together", () => {
    let past = 0;
    for (let n = 0; n < 250; n += 1) past += wrong(1, `client ${n}`, "a");
    assert.equal(past, 50);
  });

  test("B-7: one that was not looked at counts for nothing", () => {
    for (let n = 0; n < 50; n += 1) (limits.guess("web", "a") as Guess).withdraw();
    assert.equal(refused("web", "a"), undefined);
  });
});
