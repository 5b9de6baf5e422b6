import assert from "node:assert/strict";
import { test } from "node:test";
import { learnForeignHashes } from "../../src/server/learn_foreign_hashes.ts";

test("MG-3: a start measures imported hashes only with optimizing compilers, which it needs for nothing else", async () => {
  const steps = async (samples: { passwords: string[]; secrets: string[] }) => {
    const done: string[] = [];
    const passwords = { learn: async (texts: readonly string[]) => void done.push(...texts) };
    await learnForeignHashes({ store: { foreignSamples: async () => samples }, passwords }, () =>
      done.push("prepared"),
    );
    return done;
  };
  assert.deepEqual(await steps({ passwords: ["a"], secrets: ["b"] }), ["prepared", "a", "b"]);
  assert.deepEqual(await steps({ passwords: [], secrets: ["b"] }), ["prepared", "b"]);
  assert.deepEqual(await steps({ passwords: [], secrets: [] }), []);
});
