import { credentialPrefix, findSignature, newCredential } from "../../crypto/credentials.ts";
import { passwordError, shortestBy } from "../../crypto/password_rules.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import type { User } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import { newUser } from "../../records/formats/new_user.ts";
import { trimEmail } from "../../records/names/email.ts";
import { firstAdministratorLock } from "../../records/names/lock_names.ts";
import type { Transaction } from "../../storage/database/database.ts";
import {
  type FirstCredential,
  type MadeCredential,
  type PasskeyCredentialError,
  proveCredential,
} from "../authenticators/passkeys/first_credential.ts";
import type { IdentityContext } from "../core/context/context.ts";
import { findAccount } from "../core/find_account.ts";

export const setupLinkHours = 24;

type NewAdministrator = { readonly name: string; readonly email: string } & FirstCredential;

type SetupOutcome =
  /** `credential` is undefined if the operator set a password. */
  | { readonly type: "made"; readonly user: User; readonly credential: MadeCredential | undefined }
  | { readonly type: "done" }
  | { readonly type: "dead_link" }
  | { readonly type: "refused"; readonly errors: readonly FieldError[] }
  | { readonly type: "passkey_refused"; readonly error: PasskeyCredentialError };

/**
 * Returns the path and query of the one-time link that creates the first platform administrator; undefined if
 * there is one already.
 */
export async function makeSetupLink(context: IdentityContext): Promise<string | undefined> {
  const { store } = context;
  if (await hasAdministrator(store)) return undefined;
  const now = context.now();
  const token = newCredential(credentialPrefix.one_time, now);
  const key = findSignature(credentialPrefix.one_time, token);
  if (key === undefined) throw new TypeError("a setup token has the shape of a credential");
  await store.storeEphemeral(
    "setup_link",
    key,
    "setup",
    new Date(now.getTime() + setupLinkHours * 3_600_000),
    now,
  );
  return `/setup?token=${token}`;
}

/** Returns whether no account exists yet. */
export async function awaitsSetup({ store }: Pick<IdentityContext, "store">): Promise<boolean> {
  const [anybody] = await store.list("users", {}, { limit: 1 });
  return anybody === undefined;
}

/** Returns `done` once an administrator exists, and `dead_link` for an unknown, used or expired link. */
export async function stateOfSetupLink(
  token: string,
  { store, now }: IdentityContext,
): Promise<"open" | "done" | "dead_link"> {
  if (await hasAdministrator(store)) return "done";
  const key = findSignature(credentialPrefix.one_time, token);
  const kept = key && (await store.findEphemeral("setup_link", key, now()));
  return kept === undefined ? "dead_link" : "open";
}

/**
 * Consumes a setup link to create the first platform administrator. The link stays valid if a field is
 * invalid.
 */
export async function completeSetup(
  input: NewAdministrator & { readonly token: string; readonly origin: RequestOrigin },
  context: IdentityContext,
): Promise<SetupOutcome> {
  const state = await stateOfSetupLink(input.token, context);
  if (state !== "open") return { type: state };
  const key = findSignature(credentialPrefix.one_time, input.token);
  return addFirst(input, context, { token: input.token, origin: input.origin }, async (tx) => {
    return key !== undefined && (await tx.remove("ephemera", { kind: "setup_link", key })) > 0;
  });
}

/** Creates the first platform administrator on behalf of the operator. */
export async function makeFirstAdministrator(
  input: { readonly name: string; readonly email: string; readonly password: string },
  context: IdentityContext,
): Promise<Exclude<SetupOutcome, { type: "passkey_refused" }>> {
  if (await hasAdministrator(context.store)) return { type: "done" };
  const outcome = await addFirst(input, context, undefined, async () => true);
  if (outcome.type === "passkey_refused") throw new TypeError("the operator gives a password");
  return outcome;
}

async function addFirst(
  values: NewAdministrator,
  context: IdentityContext,
  link: { readonly token: string; readonly origin: RequestOrigin } | undefined,
  permit: (tx: Transaction) => Promise<boolean>,
): Promise<SetupOutcome> {
  const { store } = context;
  const { name, email, password } = values;
  const origin = link?.origin;
  const now = context.now();
  const id = store.newId(now);
  const described = { name: name.trim(), email: trimEmail(email) };
  const { errors: found, record } = newUser(described, { id, at: now, is_platform_admin: true });
  const password_error =
    password === undefined ? undefined : passwordError(password, shortestBy(context.settings));
  const errors = password_error === undefined ? found : [...found, { path: "/password", ...password_error }];
  if (errors.length > 0) return { type: "refused", errors };
  const credential = await proveCredential(values, link?.token ?? "", context);
  if (typeof credential === "string") return { type: "passkey_refused", error: credential };

  return store.transaction(async (tx): Promise<SetupOutcome> => {
    await tx.lock(firstAdministratorLock());
    if (await hasAdministrator(tx)) return { type: "done" };
    if (await findAccount(tx, email)) {
      return { type: "refused", errors: [fieldError("/email", "belongs_to_user")] };
    }
    if (await credential.isTaken(tx)) return { type: "passkey_refused", error: "passkey_taken" };
    if (!(await permit(tx))) return { type: "dead_link" };
    await tx.insert("users", { ...record, ...credential.columns });
    await tx.insert("audit_events", {
      id: store.newId(now),
      type: "user.created",
      outcome: "success",
      actor_kind: origin === undefined ? "system" : "anonymous",
      target_table: "users",
      target_id: id,
      client_ip: origin?.client_ip ?? null,
      user_agent: origin?.user_agent ?? null,
      request_id: origin?.request_id ?? null,
      details: { first_administrator: true },
      created_at: now,
    });
    const user = await tx.find("users", { id });
    if (user === undefined) throw new Error("the administrator that was just created is missing");
    const made = link && (await credential.store(tx, user, link.origin));
    return { type: "made", user, credential: made };
  });
}

async function hasAdministrator(store: Pick<Transaction, "find">): Promise<boolean> {
  return (await store.find("users", { is_platform_admin: true, active: true })) !== undefined;
}
