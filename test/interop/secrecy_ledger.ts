/** Collects secrets and published texts separately, and finds the secrets in the texts. */
import assert from "node:assert/strict";
import { fieldsOf, type TableName, tables } from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";

export interface Ledger {
  /** Records the part of a secret that no text may contain, however it is escaped. */
  secret(name: string, part: string): void;
  /** Records a response or a written text; `made` names the secrets that this response itself created. */
  reported(what: string, text: string, made?: readonly string[]): void;
  /** Returns the published texts that contain this text. */
  sourcesOf(text: string): string[];
  /** Fails if a secret was published. */
  check(): void;
  readonly secrets: ReadonlyMap<string, string>;
}

/** Shorter texts could be found by chance. */
const shortest = 12;

export function newLedger(): Ledger {
  const secrets = new Map<string, string>();
  const reported: { what: string; text: string; made: readonly string[] }[] = [];
  return {
    secrets,
    secret(name, part) {
      assert.ok(part.length >= shortest && part !== "undefined", `${name} is long enough to be looked for`);
      assert.ok(!secrets.has(name), `${name} is noted once`);
      secrets.set(name, part);
    },
    reported(what, text, made = []) {
      reported.push({ what, text, made });
    },
    sourcesOf: (text) => reported.filter((each) => each.text.includes(text)).map(({ what }) => what),
    check() {
      const leaks = new Set<string>();
      for (const { what, text, made } of reported) {
        for (const [name, part] of secrets) {
          if (text.includes(part) && !made.includes(name))
            leaks.add(`${what} holds the ${name}: …${before(text, part)}…`);
        }
        for (const name of made) {
          if (!text.includes(secrets.get(name) ?? "?")) leaks.add(`${what} lacks the ${name} that it made`);
        }
      }
      assert.deepEqual([...leaks], []);
    },
  };
}

/** Returns up to 60 characters that precede `part`. */
function before(text: string, part: string): string {
  const at = text.indexOf(part);
  return text.slice(Math.max(0, at - 60), at);
}

/** Returns the end of a secret of this server, because its beginning may be shown as its prefix (spec 5). */
export const endOf = (text: string): string => text.slice(-20);

/**
 * Returns the part of a P-256 key's private scalar in the first line of its PEM (PKCS #8), after 36 bytes
 * that all such keys share.
 */
export const scalarIn = (pem: string): string => (pem.split("\n")[1] ?? "").slice(48);

/**
 * Records every stored form of a secret: the sensitive fields, and the hashes by which tokens, codes and
 * sessions are found, in every encoding that a response could contain. Returns the fields that had a value.
 */
export async function noteStored(ledger: Ledger, store: Pick<Store, "list">): Promise<Set<string>> {
  const held = new Set<string>();
  for (const table of Object.keys(tables) as TableName[]) {
    for (const row of await store.list(table)) {
      for (const [name, field] of Object.entries(fieldsOf(table))) {
        const value: unknown = (row as Record<string, unknown>)[name];
        if (!(field.sensitive || field.kind === "signature") || value === null) continue;
        held.add(`${table}.${name}`);
        const { id } = row as { id: string };
        for (const [spelling, part] of Object.entries(spellingsOf(value))) {
          ledger.secret(`stored ${table}.${name} of ${id}, ${spelling}`, part);
        }
      }
    }
  }
  return held;
}

function spellingsOf(value: unknown): Record<string, string> {
  if (!Buffer.isBuffer(value)) return { text: JSON.stringify(String(value)).slice(1, -1) };
  return {
    hex: value.toString("hex"),
    base64: value.toString("base64").slice(0, -2),
    base64url: value.toString("base64url").slice(0, -2),
    bytes: [...value].join(","),
  };
}
