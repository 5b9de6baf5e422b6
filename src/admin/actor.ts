import type { PasswordHasher } from "../crypto/passwords.ts";
import type { Sealer } from "../crypto/sealing.ts";
import type { AuditEvent, User } from "../records/definition.ts";
import type { Store } from "../storage/store.ts";

/** Who asks for a change: the operator at the command line (`label` says through which door), or a person signed in. */
export type Actor =
  | { readonly kind: "system"; readonly label: string }
  | { readonly kind: "user"; readonly user: User };

/** What management needs around it. */
export interface AdminContext {
  readonly store: Store;
  readonly passwords: PasswordHasher;
  readonly now: () => Date;
  readonly actor: Actor;
  /** Needed by whatever is encrypted at rest: signing keys and linked accounts. */
  readonly sealer?: Sealer;
  /** Where the request came from, for the audit. */
  readonly origin?: Partial<Pick<AuditEvent, "client_ip" | "user_agent" | "request_id">>;
}

/** Whether the actor may do what reaches across organizations (spec 2.1 `is_platform_admin`, design 6.7). */
export function isPlatformAdministrator(actor: Actor): boolean {
  switch (actor.kind) {
    case "system":
      return true;
    case "user":
      return actor.user.is_platform_admin && actor.user.active;
    default:
      return actor satisfies never;
  }
}

/** The sealer of the context; throws an Error where the caller forgot to give one. */
export function sealerOf(context: AdminContext): Sealer {
  if (context.sealer === undefined) throw new Error("this needs the secret key, and the context has none");
  return context.sealer;
}
