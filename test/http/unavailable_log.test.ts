import assert from "node:assert/strict";
import { test } from "node:test";
import { OverloadedError } from "../../src/errors.ts";
import { unavailableLog } from "../../src/http/error_answers.ts";
import { createLog } from "../../src/ops/log.ts";

test("B-8: requests refused in a flood are counted in one log line a second (security finding 7)", () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line) => lines.push(line) } });
  const unavailable = unavailableLog(log);
  const started = performance.now();
  for (let n = 0; n < 10_000; n += 1) unavailable.hashing(new OverloadedError(1), { route: "/login" });
  assert.ok(lines.length <= 1 + (performance.now() - started) / 1000, String(lines.length));
  assert.match(lines[0] ?? "", /"route":"\/login".*"msg":"the server is too busy and refuses some requests"/);
});
