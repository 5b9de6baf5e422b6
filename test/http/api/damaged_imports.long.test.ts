/** Damaged hashes and exports, sent through the API in the same way as by `postern import`. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { exportFile, readText } from "../../moving_in/reading.ts";
import { databases } from "../../support/databases.ts";
import { type ApiServer, apiServer, bearer } from "./server.ts";

/**
 * How many damaged hashes and how many damaged exports are sent. The seed is fixed, so a failure can be
 * repeated.
 */
const times = 10_000;
const seed = 38;
/** Maximum milliseconds in which the server answers no other request. */
const longestHang = 1000;

const { made_by }: { made_by: Record<string, readonly (readonly [scheme: string, hash: string])[]> } =
  JSON.parse(readFileSync(new URL("../../crypto/foreign_hash_vectors.json", import.meta.url), "utf8"));
const hashes = Object.values(made_by).flatMap((vectors) => vectors.map(([, hash]) => hash));

const exports: readonly (readonly [from: string, file: string])[] = [
  ["keycloak", "keycloak_26.json"],
  ["auth0", "auth0_users.ndjson"],
  ["auth0", "auth0_hashes.ndjson"],
  ["auth0", "auth0_clients.json"],
  ["clerk", "clerk.csv"],
  ["cognito", "cognito.json"],
  ["firebase", "firebase.json"],
  ["okta", "okta.json"],
  ["supabase", "supabase.ndjson"],
  ["zitadel", "zitadel.json"],
  ["csv", "people.csv"],
];

/** Characters that replace a part of the text; some of them have a meaning in hashes or exports. */
const patch = fc.oneof(
  fc.constantFrom(
    "",
    "$",
    "=",
    ",",
    "{",
    "}",
    '"',
    "[",
    "]",
    "\0",
    "\uFFFD",
    "0",
    "99999999999",
    "-1",
    "null",
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: "grapheme", minLength: 1000, maxLength: 1200 }),
);
const damage = fc.array(fc.record({ at: fc.nat(1_000_000), length: fc.nat(8), patch }), {
  minLength: 1,
  maxLength: 4,
});
type Damage = typeof damage extends fc.Arbitrary<infer D> ? D : never;

function damaged(text: string, changes: Damage): string {
  let whole = text;
  for (const { at, length, patch: other } of changes) {
    const place = at % (whole.length + 1);
    whole = whole.slice(0, place) + other + whole.slice(place + length);
  }
  return whole;
}

/**
 * Returns parts of the hashes and secrets in a text, each long enough to be unique. No response may repeat
 * one.
 */
const pieces = (text: string) =>
  [...text.matchAll(/[A-Za-z0-9+/._-]{24,}/g)].flatMap(([run]) => [run.slice(0, 20), run.slice(-20)]);

/** Matches members that contain secrets; Keycloak's credentials are JSON in a string. */
const secretMember =
  /(?:\\"value\\"|"(?:secret|hash|password\w*|salt\w*|client_?secret|totp_secret|encrypted_password)")\s*:\s*\\?"([^"\\]{16,})/gi;

describe("damaged import files", () => {
  let it: ApiServer;
  const delay = monitorEventLoopDelay({ resolution: 10 });
  before(async () => {
    const [sqlite] = databases;
    it = await apiServer(sqlite ?? assert.fail("no database"));
    return () => it.app.close();
  });

  /** Returns the response, and its results if the request was well formed. */
  async function send(people: readonly unknown[]) {
    const { statusCode, body } = await it.app.inject({
      method: "POST",
      url: "/api/v1/import/people",
      headers: { "content-type": "application/json", ...bearer(it.key) },
      payload: JSON.stringify({ source: "damaged", people }),
    });
    assert.ok(statusCode < 500, `${statusCode} ${body}`);
    const { results = [] } = JSON.parse(body) as {
      results?: readonly { readonly losses: readonly unknown[] }[];
    };
    return { body, results };
  }

  function checkHang(): void {
    const longest = delay.max / 1e6;
    console.log(`the event loop was held for ${longest.toFixed(0)} ms at most`);
    assert.ok(longest < longestHang, `${longest} ms`);
  }

  test(`MG-2: ${times} damaged password hashes are each refused or imported, without a hang, and never quoted`, async () => {
    delay.enable();
    const inputs = fc.sample(fc.tuple(fc.nat(hashes.length - 1), damage), { seed, numRuns: times });
    const counts: Record<string, number> = {};
    for (const [index, [which, changes]] of inputs.entries()) {
      const text = damaged(hashes[which] ?? "", changes);
      const { body: answer, results } = await send([
        { external_id: `h${index}`, email: `h${index}@example.com`, password: { hash: text } },
      ]);
      for (const piece of pieces(text)) assert.ok(!answer.includes(piece), `${index}: ${answer}`);
      const [result] = results;
      const kind = result === undefined ? "ill-formed" : result.losses.length > 0 ? "refused" : "imported";
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    console.log(counts);
    assert.ok((counts.refused ?? 0) > times / 2 && (counts.imported ?? 0) > 0);
    const logged = it.logged.join("\n");
    for (const hash of hashes) for (const piece of pieces(hash)) assert.ok(!logged.includes(piece), piece);
    checkHang();
  });

  test(`MG-8: ${times} damaged exports are each refused with a line or sent on, without a server error, and never quoted`, async () => {
    delay.reset();
    const inputs = fc.sample(fc.tuple(fc.nat(exports.length - 1), damage), { seed, numRuns: times });
    const texts = exports.map(([, file]) => readFileSync(exportFile(file), "utf8"));
    const hidden = texts.map((text) => [
      ...new Set([...text.matchAll(secretMember)].flatMap(([, value = ""]) => pieces(value))),
    ]);
    assert.ok(hidden.flat().length > 20);
    const outcomes = { refused: 0, read: 0, sent: 0 };
    for (const [which, changes] of inputs) {
      const [from] = exports[which] ?? assert.fail();
      const text = damaged(texts[which] ?? "", changes);
      const known = hidden[which] ?? [];
      const silent = (said: string, what: string) => {
        for (const piece of known)
          assert.ok(!said.includes(piece), `${from} ${what}: ${said.slice(0, 2000)}`);
      };
      let read: Awaited<ReturnType<typeof readText>>;
      try {
        read = await readText(from, text);
      } catch (error) {
        assert.ok(error instanceof Error && /, line \d+: |is not UTF-8/.test(error.message), String(error));
        silent(error.message, "error");
        outcomes.refused += 1;
        continue;
      }
      outcomes.read += 1;
      silent(read.losses.join("\n"), "losses");
      if (read.people.length === 0) continue;
      outcomes.sent += 1;
      silent((await send(read.people)).body, "answer");
    }
    console.log(outcomes);
    assert.ok(outcomes.refused > 0 && outcomes.sent > times / 10);
    const logged = it.logged.join("\n");
    for (const piece of hidden.flat()) assert.ok(!logged.includes(piece), piece);
    checkHang();
  });
});
