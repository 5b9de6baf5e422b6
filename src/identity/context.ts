/** The parts that sign-in and accounts work with. */
import type { PasswordHasher } from "../crypto/passwords.ts";
import type { Sealer } from "../crypto/sealing.ts";
import type { RequestOrigin } from "../records/request_origin.ts";
import type { Store } from "../storage/store.ts";

/** Everything that signing in needs; passed to each operation, so that a test can exchange any part of it. */
export interface IdentityContext {
  readonly store: Store;
  readonly passwords: PasswordHasher;
  readonly sealer: Sealer;
  readonly now: () => Date;
  readonly report: (event: IdentityEvent) => void;
  /** False lifts the limits on guessing. */
  readonly throttle: boolean;
}

/** The events of a person's sign-in (H-8). Never holds a password, nor an e-mail without an account. */
export interface IdentityEvent {
  readonly type: "sign_in" | "sign_out" | "password_reset_request" | "password_reset";
  readonly outcome: "success" | "failure";
  readonly actor: { readonly kind: "user" | "anonymous"; readonly id?: string };
  readonly target?: { readonly table: string; readonly id: string };
  readonly origin: RequestOrigin;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}
