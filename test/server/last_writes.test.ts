import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UnavailableError } from "../../src/errors.ts";
import { eachInTurn, lastWrites } from "../../src/server/last_writes.ts";

function aLog() {
  const lines: (readonly [unknown, string])[] = [];
  return { lines, error: (fields: unknown, message: string) => void lines.push([fields, message]) };
}

const lost = /^queued writes .* are lost at this shutdown$/;

describe("F-30: a database that cannot be used does not delay a server's stop", () => {
  test("F-30: a last write that completes in time is not logged", async () => {
    const log = aLog();
    await lastWrites(async () => {}, log);
    assert.deepEqual(log.lines, []);
  });

  test("F-30: an unavailable database is reported, and the stop continues", async () => {
    const log = aLog();
    await lastWrites(() => Promise.reject(new UnavailableError("away", "it is away", undefined)), log);
    const [[fields, message] = []] = log.lines;
    assert.deepEqual(fields, { fault: "away", reason: "it is away" });
    assert.match(String(message), lost);
  });

  test("F-30: a database that does not answer is abandoned, and its late answer is ignored", async () => {
    const log = aLog();
    const answer = Promise.withResolvers<void>();
    await lastWrites(() => answer.promise, log, 10);
    answer.reject(new Error("too late"));
    assert.equal(log.lines.length, 1);
    assert.match(String(log.lines[0]?.[1]), lost);
  });

  test("F-30: a part that fails to close is reported, and later parts are still closed", async () => {
    const ended: string[] = [];
    const failure = new UnavailableError("away", "it is away", undefined);
    const parts = [
      () => ended.push("first"),
      () => Promise.reject(failure),
      undefined,
      async () => ended.push("last"),
    ];
    await assert.rejects(eachInTurn(parts), failure);
    assert.deepEqual(ended, ["first", "last"]);
  });

  test("F-30: any other failure makes the stop fail", async () => {
    const failure = new TypeError("of our own");
    await assert.rejects(
      lastWrites(() => Promise.reject(failure), aLog()),
      failure,
    );
  });
});
