/**
 * Tests that draw random text, race with another process or once depended on the clock: `npm run test:chance`
 * repeats them.
 */
export interface Suspect {
  /** The path of the test file below `test/`. */
  readonly file: string;
  /** Texts that the titles of the suspected tests contain. */
  readonly titles: readonly string[];
}

export const suspects: readonly Suspect[] = [
  { file: "oauth/openid.test.ts", titles: ["T-15: sub is the user's UUID"] },
  { file: "oauth/introspect.test.ts", titles: ["I-4: "] },
  { file: "http/password.test.ts", titles: ["its two parts contain the same link"] },
  { file: "crypto/passwords.test.ts", titles: ["verification without an account takes as long"] },
  { file: "http/api/idempotency.test.ts", titles: ["after a process died"] },
  { file: "storage/caches.test.ts", titles: ["another process's change"] },
  { file: "oauth/evidence.test.ts", titles: ["long"] },
  { file: "ops/log.test.ts", titles: ["a long text is truncated"] },
  { file: "web/device.test.ts", titles: ["the time to recognize a User-Agent"] },
  { file: "http/api/json.test.ts", titles: ["depth is limited"] },
  { file: "oauth/authorization_code.test.ts", titles: ["T-11: a code with any changed character"] },
  { file: "http/hardening.test.ts", titles: ["unfinished requests"] },
  { file: "storage/postgres_driver.test.ts", titles: ["when PostgreSQL ends every connection"] },
  { file: "oauth/keys.test.ts", titles: ["D-4: another process's rotation"] },
  { file: "storage/listing_plans.test.ts", titles: ["no page scans a table"] },
  { file: "storage/migrations.test.ts", titles: ["starting concurrently on an empty database"] },
  { file: "storage/serializable.test.ts", titles: ["starting concurrently on an empty database"] },
  { file: "faults/database_away.long.test.ts", titles: ["F-4: workers wait for an unavailable database"] },
  { file: "interop/full_device.long.test.ts", titles: ["a full disk", "a log reader that hangs"] },
  { file: "ops/mail.test.ts", titles: ["the load reports"] },
  { file: "interop/replay.test.ts", titles: ["accepted once", "kill -9"] },
  { file: "oauth/id_token_algorithms.test.ts", titles: ["leaves no key"] },
  { file: "http/dpop.test.ts", titles: ["over the wire"] },
  { file: "http/playground_proofs.test.ts", titles: ["pushes"] },
  { file: "interop/enhancements.long.test.ts", titles: ["does not send a form twice"] },
];
