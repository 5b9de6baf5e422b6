import assert from "node:assert/strict";
import { glob, readFile } from "node:fs/promises";
import { test } from "node:test";
import { knownValuesOf } from "../../src/records/definition/known_values.ts";

const sources = new URL("../../src/", import.meta.url);

/**
 * Returns the types and verbs of audit events in the sources; an event of the feed has a `key` after its
 * type.
 */
async function written(): Promise<{ types: Set<string>; verbs: Set<string> }> {
  const types = new Set<string>();
  const verbs = new Set<string>();
  for await (const path of glob("{admin,people,oauth,storage,server}/**/*.ts", { cwd: sources })) {
    const text = await readFile(new URL(path, sources), "utf8");
    for (const [, type = ""] of text.matchAll(/\btype: "([a-z_]+\.[a-z_]+)"(?!, key: )/g)) types.add(type);
    for (const [, verb = ""] of text.matchAll(/\bverb(?::| =) "([a-z_]+)"/g))
      if (verb.endsWith("ed") || verb.endsWith("reset")) verbs.add(verb);
  }
  return { types, verbs };
}

test("every type of audit event that the sources write is listed", async () => {
  const known = knownValuesOf("audit_events", "type") ?? [];
  const { types, verbs } = await written();
  assert.ok(types.size > 20 && verbs.size > 4, "the sources are read");
  const missing = [...types].filter((type) => !known.includes(type) && !type.startsWith("webauthn."));
  assert.deepEqual(missing, []);
  const last = new Set(known.map((type) => type.split(".")[1]));
  assert.deepEqual(
    [...verbs].filter((verb) => !last.has(verb)),
    [],
  );
  assert.equal(new Set(known).size, known.length);
});
