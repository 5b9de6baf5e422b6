import assert from "node:assert/strict";
import { test } from "node:test";
import { errorsOf, flood } from "../../tools/flood.ts";

// A short form of `npm run flood`, which takes a minute.
test("B-8: a flood of invalid anonymous requests stores a bounded number of rows and bytes, and other requests succeed (security finding 7, reliability finding 3)", async () => {
  const figures = await flood({ seconds: 6, connections: 32 });
  assert.deepEqual(errorsOf(figures), [], JSON.stringify(figures));
  const { audit_events = 0, refusals = 0 } = figures.rows;
  // More refusals of every type and every app were caused than are stored.
  assert.ok(audit_events > 0 && audit_events < 3000, String(audit_events));
  assert.ok(refusals > 0 && refusals < 1500, String(refusals));
  assert.ok(figures.logged < 2_000_000, String(figures.logged));
});
