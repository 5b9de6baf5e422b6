/** The management context, with a clock that the test advances. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { Actor, AdminContext } from "../../src/admin/access/actor.ts";
import { passwordHasher } from "../../src/crypto/passwords.ts";
import { type Sealer, sealer } from "../../src/crypto/sealing.ts";
import { Problem } from "../../src/errors.ts";
import type { OAuthAccount } from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";
import { type Clock, cheapHashing, testClock } from "../support/authorization_server.ts";

export interface TestContext extends AdminContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly sealer: Sealer;
}

const operator: Actor = { kind: "system", label: "test" };

export function testContext(store: Store, actor: Actor = operator): TestContext {
  const clock = testClock();
  return {
    store,
    passwords: passwordHasher({ concurrency: 2, queue: 1000, parameters: cheapHashing }),
    sealer: sealer([randomBytes(32)]),
    now: clock.now,
    actor,
    switches: {},
    clock,
  };
}

/**
 * Returns the decrypted tokens of a linked account. Throws a SealError unless they were encrypted for its id.
 */
export function openedTokens(
  { sealer }: Pick<TestContext, "sealer">,
  { id, access_token, refresh_token }: OAuthAccount,
) {
  const open = (sealed: string) => sealer.open("linked_account", sealed, id);
  return {
    access_token: open(access_token),
    refresh_token: refresh_token === null ? null : open(refresh_token),
  };
}

/**
 * Asserts that the work is refused. `forbidden /email` names the problem's code and the paths of all its
 * errors.
 */
export function refused(work: Promise<unknown>, expected: string, title?: string): Promise<void> {
  const [code = "", ...paths] = expected.trim().split(/\s+/);
  return assert.rejects(work, problem(code, paths), title);
}

/** Returns a check for `assert.rejects`: a problem with this code, and with errors at exactly these paths. */
export function problem(code: string, paths: readonly string[] = []) {
  return (error: Problem) => {
    const found = { name: error.name, code: error.code, paths: error.errors?.map(({ path }) => path) };
    const expected = { name: "Problem", code, paths };
    if (JSON.stringify(found) === JSON.stringify(expected)) return true;
    throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(found)}: ${error.message}`);
  };
}

/** Returns the paths and codes of the errors of refused work, such as `/email taken`. */
export async function errorsOf(work: Promise<unknown>): Promise<string[]> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Problem, String(error));
  return error.errors.map(({ path, code }) => `${path} ${code}`);
}
