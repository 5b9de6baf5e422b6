/**
 * Tests that draw random text, race with another process or once depended on the clock: `npm run test:chance`
 * repeats them.
 */
export interface Suspect {
  /** Below `test/`. */
  readonly file: string;
  /** The texts that the titles of the tests contain. */
  readonly titles: readonly string[];
}

export const suspects: readonly Suspect[] = [
  { file: "support/growth.test.ts", titles: ["linear work passes", "altered text"] },
  { file: "http/invitation.test.ts", titles: ["looking at a link"] },
  { file: "oauth/openid.test.ts", titles: ["T-15: sub is the user's UUID"] },
  { file: "oauth/introspect.test.ts", titles: ["I-4: "] },
  { file: "http/password.test.ts", titles: ["its two parts hold the same link"] },
  { file: "crypto/passwords.test.ts", titles: ["verifying against nothing costs"] },
  { file: "http/api/idempotency.test.ts", titles: ["of a process that died"] },
  { file: "storage/caches.test.ts", titles: ["made by another process", "a listener hears of another"] },
  { file: "oauth/evidence.test.ts", titles: ["searched", "long"] },
  { file: "ops/log.test.ts", titles: ["a long text is cut"] },
  { file: "web/device.test.ts", titles: ["a long text costs"] },
  { file: "http/api/json.test.ts", titles: ["depth is bounded"] },
  { file: "oauth/authorization_code.test.ts", titles: ["T-11: a code that is not the code"] },
  { file: "http/hardening.test.ts", titles: ["requests that never end"] },
  { file: "storage/postgres_driver.test.ts", titles: ["when PostgreSQL ends every connection"] },
  { file: "oauth/keys.test.ts", titles: ["D-4: a rotation by another process"] },
  { file: "storage/listing_plans.test.ts", titles: ["no page goes through a table"] },
  { file: "storage/migrations.test.ts", titles: ["start at once on an empty database"] },
  { file: "storage/serializable.test.ts", titles: ["start at once on an empty database"] },
  { file: "faults/database_away.long.test.ts", titles: ["F-4: workers wait for a database"] },
  { file: "interop/full_device.long.test.ts", titles: ["a full disk", "a reader that has stopped reading"] },
  { file: "ops/mail.test.ts", titles: ["the load is what waits"] },
  { file: "interop/replay.test.ts", titles: ["counts once", "kill -9"] },
  { file: "oauth/id_token_algorithms.test.ts", titles: ["leaves no key behind"] },
  { file: "http/dpop.test.ts", titles: ["over the wire"] },
  { file: "http/playground_proofs.test.ts", titles: ["pushes"] },
  { file: "interop/enhancements.long.test.ts", titles: ["a form that was sent is not sent again"] },
];
