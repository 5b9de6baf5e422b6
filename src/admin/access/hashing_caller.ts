import type { Actor } from "./actor.ts";

/**
 * Returns the caller for which the hash pool (crypto/hash_pool.ts) queues a hash, so that callers get fair
 * shares: a user, or an organization with all of its actors.
 */
export function hashingCaller(actor: Actor): string {
  switch (actor.kind) {
    case "system":
      return "system";
    case "user":
      return actor.user.id;
    case "organization":
      return actor.organization.id;
    case "service_account":
      return actor.account.organization_id ?? actor.account.id;
    case "client":
      return actor.app.organization_id ?? actor.app.id;
    default:
      return actor satisfies never;
  }
}
