import type { Actor } from "./actor.ts";

/**
 * Returns the unit of fair queueing for management's hashes (crypto/hash_pool.ts): a user, or an
 * organization with all of its actors.
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
