import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import * as assertion from "../../src/oauth/refusals/assertion_refusals.ts";
import * as authorization from "../../src/oauth/refusals/authorization_refusals.ts";
import * as document from "../../src/oauth/refusals/client_document_refusals.ts";
import * as client from "../../src/oauth/refusals/client_refusals.ts";
import * as grant from "../../src/oauth/refusals/grant_refusals.ts";
import * as proof from "../../src/oauth/refusals/proof_refusals.ts";
import { type EvidenceMade, type RefusalKind, refusalKinds } from "../../src/oauth/refusals/refuse.ts";
import * as registration from "../../src/oauth/refusals/registration_refusals.ts";
import * as request from "../../src/oauth/refusals/request_refusals.ts";
import * as upstream from "../../src/oauth/refusals/upstream_refusals.ts";
import { type EvidenceKind, evidenceFacts } from "../../src/records/evidence.ts";

const src = join(import.meta.dirname, "../../src");

/** Sources, by their path in `src`. */
const sources = new Map(
  readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => [path.replaceAll("\\", "/"), readFileSync(join(src, path), "utf8")]),
);

/** The names that a text holds as literals, or as templates that any of `names` may come of. */
function namesIn(text: string, names: readonly string[]): string[] {
  const literals = [...text.matchAll(/"([a-z0-9_]+)"/g)].map(([, literal = ""]) => literal);
  const templates = [...text.matchAll(/`([a-z_]*)\$\{\w+\}([a-z_]*)`/g)].filter(([all]) => all.includes("_"));
  const made = names.filter((name) =>
    templates.some(([, start = "", end = ""]) => name.startsWith(start) && name.endsWith(end)),
  );
  return [...literals, ...made];
}

/** The refusals that a source names where it throws, or in a table of theirs. */
function refusalsIn(source: string): string[] {
  const calls = [...source.matchAll(/\brefuse\((`[^`]*`|[^;{}]*)/g)];
  const tables = [...source.matchAll(/\{([^{}]*)\} as const satisfies [^;]*\bRefusalKind\b/g)];
  return [...calls, ...tables].flatMap(([, text = ""]) => namesIn(text, refusalKinds));
}

describe("the catalogue of refusals", () => {
  test("no refusal stands in it twice", () => {
    const files = [request, client, document, assertion, authorization, grant, proof, registration, upstream];
    const groups = files.flatMap((file) => Object.values(file));
    const kinds = groups.flatMap((group) => Object.keys(group));
    assert.deepEqual(kinds.toSorted(), refusalKinds.toSorted());
  });

  test("every refusal is thrown somewhere", () => {
    const thrown = new Set(
      [...sources].flatMap(([path, text]) => (path.startsWith("oauth/refusals/") ? [] : refusalsIn(text))),
    );
    assert.deepEqual(
      refusalKinds.filter((kind) => !thrown.has(kind)),
      [],
    );
  });

  test("a refusal that is only mentioned does not count as thrown", () => {
    const kinds = refusalsIn('const a = "denied"; throw refuse("consent", { requested: ["client_id"] });');
    assert.deepEqual(kinds, ["consent" satisfies RefusalKind]);
  });

  test("an OAuthError is made by refuse alone", () => {
    const makers = [...sources].filter(([, text]) => /\bnew (?:OAuthError|ReplayError)\(/.test(text));
    assert.deepEqual(
      makers.map(([path]) => path),
      ["oauth/refusals/refuse.ts"],
    );
  });

  test("there are words for no evidence that is never made", () => {
    // A kind that no refusal makes does not compile here.
    const unmade: Readonly<Record<Exclude<EvidenceKind, EvidenceMade>, string>> = {};
    assert.deepEqual(unmade, {});
    const said = new Set(
      [...sources].flatMap(([path, text]) =>
        /^(?:oauth|identity)\//.test(path) ? namesIn(text, evidenceFacts) : [],
      ),
    );
    assert.deepEqual(
      evidenceFacts.filter((fact) => !said.has(fact)),
      [],
    );
  });
});
