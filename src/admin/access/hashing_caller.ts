import type { Actor } from "./actor.ts";

/**
 * Returns the name under which the hash pool (crypto/hash_pool.ts) queues this actor's password hashes. The
 * names in a queue take turns. The API keys, service accounts and apps of an organization share one name.
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
