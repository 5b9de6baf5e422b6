/** The second half of a registration, after the user opened the email (SS-2). */
import { equalBytes } from "../../crypto/credentials.ts";
import { orTaken } from "../../errors/violations.ts";
import type { User } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import { newUser } from "../../records/formats/new_user.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import {
  type CredentialError,
  type FirstCredential,
  type MadeCredential,
  proveCredential,
  weaknessOf,
} from "../authenticators/passkeys/first_credential.ts";
import type { IdentityContext } from "../core/context/context.ts";
import { findAccount } from "../core/find_account.ts";
import { type OpenProof, openProof, redeemProof } from "../core/proofs/proofs.ts";

interface OpenRegistration {
  readonly email: string;
  readonly request: string;
  readonly proof: OpenProof<"registration">;
}

type RegistrationOutcome =
  | {
      readonly type: "registered";
      readonly user: User;
      readonly registration: OpenRegistration;
      readonly credential: MadeCredential;
    }
  | { readonly type: "dead_link" }
  | { readonly type: "account_exists" }
  | { readonly type: "refused"; readonly errors: readonly ("name" | CredentialError)[] };

/** Returns the registration of a link, without consuming it, so that mail scanners do no harm (SS-4). */
export async function findRegistration(
  token: string,
  context: IdentityContext,
  reads: Pick<Verbs, "find"> = context.store,
): Promise<OpenRegistration | undefined> {
  const proof = await openProof("registration", token, {}, context, reads);
  if (!proof?.data.may_register) return undefined;
  const { email, request } = proof.data;
  return { email, request, proof };
}

/**
 * Returns whether the registration started in the browser with this form cookie. Only that browser continues
 * at the URL for which the user registered (SS-4).
 */
export function beganIn({ proof }: OpenRegistration, form_cookie: string | undefined): boolean {
  return form_cookie !== undefined && equalBytes(form_cookie, proof.data.asked_in);
}

/**
 * Creates the account with a proved email address, without signing the user in. The link stays valid after a
 * rejected name, password or passkey. Throws an `OverloadedError` if too many hashes are waiting.
 */
export async function register(
  input: { readonly token: string; readonly name: string; readonly origin: RequestOrigin } & FirstCredential,
  context: IdentityContext,
): Promise<RegistrationOutcome> {
  const { store } = context;
  const { token, name, origin } = input;
  const seen = await findRegistration(token, context);
  if (seen === undefined) return { type: "dead_link" };
  const { email } = seen;
  const at = context.now();
  const columns = { id: store.newId(at), at, email_verified_at: at };
  const checked = newUser({ name: name.trim(), email }, columns);
  const weakness = weaknessOf(input, context);
  const inName = checked.errors.some(({ path }) => path === "/name");
  const errors = [...(inName ? (["name"] as const) : []), ...(weakness === undefined ? [] : [weakness])];
  if (errors.length > 0) return { type: "refused", errors };
  // The rules for email addresses may have changed since the email was sent.
  if (checked.errors.length > 0) return { type: "dead_link" };
  const credential = await proveCredential(input, token, context);
  if (typeof credential === "string") return { type: "refused", errors: [credential] };

  const once = () =>
    store.transaction(async (tx): Promise<RegistrationOutcome> => {
      const registration = await findRegistration(token, context, tx);
      if (registration === undefined) return { type: "dead_link" };
      if ((await findAccount(tx, email)) !== undefined) return { type: "account_exists" };
      if (await credential.isTaken(tx)) return { type: "refused", errors: ["passkey_taken"] };
      if (!(await redeemProof(tx, registration.proof))) return { type: "dead_link" };
      await tx.insert("users", { ...checked.record, ...credential.columns });
      const user = await tx.find("users", { id: checked.record.id });
      if (user === undefined) throw new Error("the user that was just created is missing");
      await tx.insert("audit_events", {
        id: store.newId(at),
        type: "user.created",
        outcome: "success",
        actor_kind: "user",
        actor_id: user.id,
        target_table: "users",
        target_id: user.id,
        ...origin,
        details: { registered: true },
        created_at: at,
      });
      const made = await credential.store(tx, user, origin);
      return { type: "registered", user, registration, credential: made };
    });
  // If an account with the same email address was created concurrently, the second attempt finds it.
  return orTaken(once(), once);
}
