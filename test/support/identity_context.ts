/** The context of the identity functions on a test server, and the users who are signed in there. */
import assert from "node:assert/strict";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import { findSession, startSession } from "../../src/people/core/sessions.ts";
import type { User } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import type { Store } from "../../src/storage/store.ts";
import type { TestServer } from "./authorization_server.ts";
import { byPassword } from "./builders.ts";
import { origin } from "./flows.ts";

type Whole = IdentityContext & { readonly store: Store };

/** Returns the context; attempts are throttled unless the test says otherwise. */
export function identityOn<T extends Partial<IdentityContext>>(server: TestServer["server"], input?: T) {
  const { store, memory, passwords, sealer, now, report } = server;
  return { store, memory, passwords, sealer, now, report, throttle: true, ...input } as Whole & T;
}

/** Returns a user who signed in with these proofs, as the next request sees them. */
export async function inSession(
  user: User,
  context: IdentityContext,
  methods = byPassword(context.now()),
): Promise<SignedIn> {
  const { cookie } = await startSession({ user, methods, origin }, context);
  return (await findSession(cookie, context)) ?? assert.fail("no session");
}
