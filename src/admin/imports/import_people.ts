/** People of another program, each in a transaction of its own, and each member once (MG-6). */
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { NewRow, Row, User } from "../../records/definition/definition.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import { checkChange } from "../../records/formats/check.ts";
import { newUser } from "../../records/formats/new_user.ts";
import { userLock } from "../../records/names/lock_names.ts";
import { type AdminContext, isUnlimited, permissionsOfActor, sealerOf } from "../access/actor.ts";
import { orConflict } from "../access/errors.ts";
import { type AdminEvent, logEvent } from "../changes/audit.ts";
import { finishEndings, type Transaction, writeChange, writeEvent, writeNew } from "../changes/changes.ts";
import { passwordHash } from "../records/password_input.ts";
import { addMemberships } from "./add_memberships.ts";
import { keptAttributes } from "./kept_attributes.ts";
import { type PersonLine, readPersonLine } from "./person_line.ts";

/** The result for one person. */
export interface ImportedPerson {
  readonly status: "created" | "updated" | "unchanged" | "refused";
  /** The user; undefined if the line was refused. */
  readonly id?: string;
  /** Data of the person that was not imported. */
  readonly losses: readonly FieldError[];
  /** Why they were not imported. */
  readonly errors: readonly FieldError[];
}

export interface ImportOptions {
  /** The program that the people come from: their external ids are unique within it. */
  readonly source: string;
  /** Returns the planned changes, and writes nothing. */
  readonly dry_run?: boolean;
  /** Refuses a person who was imported before. */
  readonly only_new?: boolean;
}

/** Ends the transaction of a dry run. */
class Undone extends Error {}

/**
 * Imports a person. They are found again by source and external id, and then keep what they have: only until
 * they sign in, and only members of which the earlier lines brought none, are added. No mail is sent. Throws an
 * OverloadedError if too many hashes wait, and 503 for the database.
 */
export async function importPerson(
  context: AdminContext,
  given: unknown,
  { source, dry_run = false, only_new = false }: ImportOptions,
): Promise<ImportedPerson> {
  const read = await readPersonLine(given, { rp_id: passkeyHost(context), at: context.now() });
  const refused = (errors: readonly FieldError[]): ImportedPerson => ({
    status: "refused",
    losses: [],
    errors,
  });
  if (read.errors.length > 0) return refused(read.errors);
  const { store } = context;
  const known = await store.find("imported_people", { source, external_id: read.external_id });
  const current = known && (await store.find("users", { id: known.user_id }));
  const left = known && current ? uncarried(read, known, current) : read;
  const kept = await keptAttributes(context, left.attributes, current);
  const line = { ...left, attributes: kept.attributes, losses: [...read.losses, ...kept.losses] };
  const named = line.id === undefined ? undefined : await store.find("users", { id: line.id });
  if (current !== undefined && (only_new || (line.id !== undefined && line.id !== current.id)))
    return refused([fieldError("/id", "other_person")]);
  if (current?.is_platform_admin && !isUnlimited(await permissionsOfActor(context)))
    return refused([fieldError("/external_id", "administrator_full_credential_only")]);
  if (current === undefined && named !== undefined) return refused([fieldError("/id", "taken")]);
  const by = { ...context, import_source: source };
  const password_hash = await newPasswordHash(line, by, dry_run);
  const result: { done?: Done; errors?: readonly FieldError[] } = {};
  try {
    await orConflict(
      store.transaction(async (tx) => {
        const outcome = current
          ? await completePerson(tx, by, line, { source, password_hash })
          : await makePerson(tx, by, line, { source, password_hash });
        if (Array.isArray(outcome)) result.errors = outcome;
        else result.done = outcome as Done;
        if (dry_run) throw new Undone("a dry run");
      }),
    );
  } catch (error) {
    const isTaken = error instanceof Problem && error.code === "conflict";
    const isLate = isTaken && known === undefined && !only_new;
    // A request whose answer was lost may still be at work: it made the person since they were looked for.
    if (isLate && (await store.find("imported_people", { source, external_id: line.external_id })))
      return importPerson(context, given, { source, dry_run });
    if (isTaken) return refused(error.errors.length > 0 ? error.errors : [fieldError("/email", "taken")]);
    if (!(error instanceof Undone)) throw error;
  }
  const { done, errors = [] } = result;
  if (done === undefined) return refused(errors);
  const { status, id, losses, events, changes } = done;
  if (!dry_run) {
    for (const event of events) logEvent(context, event);
    if (current && changes) await finishEndings(context, "users", current, changes, context.now());
  }
  return { status, id, losses: [...line.losses, ...losses], errors: [] };
}

interface Done {
  readonly status: "created" | "updated" | "unchanged";
  readonly id: string;
  readonly losses: readonly FieldError[];
  readonly events: readonly AdminEvent[];
  /** The record of an existing user. */
  readonly changes?: Partial<User>;
}

/** The host of this server's passkeys; undefined if unknown. */
function passkeyHost({ issuer }: AdminContext): string | undefined {
  return issuer === undefined ? undefined : new URL(issuer).hostname;
}

/** Members that come along once, so that none is restored that was changed or removed here (MG-6). */
const members = ["password", "totp", "passkeys", "linked_accounts", "memberships", "attributes"] as const;
type Member = (typeof members)[number];

const nothing = {
  ...{ password: undefined, totp: [], passkeys: [], linked_accounts: [], memberships: [], attributes: {} },
};

/** The line without the members that the person had before; without any of a person who has signed in here. */
function uncarried(
  line: PersonLine,
  { carried }: Pick<Row<"imported_people">, "carried">,
  { last_login_at, password_hash }: User,
): PersonLine {
  // Earlier versions did not note the members.
  const had: readonly string[] = carried ?? members.filter((name) => name !== "password");
  const isLeft = (name: Member) =>
    last_login_at === null && !had.includes(name) && (name !== "password" || password_hash === null);
  return {
    ...line,
    ...nothing,
    ...Object.fromEntries(members.flatMap((name) => (isLeft(name) ? [[name, line[name]]] : []))),
  };
}

/** The hash to store; undefined where the line has none. */
async function newPasswordHash(
  { password }: PersonLine,
  context: AdminContext,
  dry_run: boolean,
): Promise<string | undefined> {
  if (password === undefined) return undefined;
  if (dry_run && "hash" in password) return password.hash;
  return passwordHash(password, context);
}

async function makePerson(
  tx: Transaction,
  context: AdminContext,
  line: PersonLine,
  {
    source,
    password_hash = null,
  }: { readonly source: string; readonly password_hash?: string | null | undefined },
): Promise<Done | readonly FieldError[]> {
  const { store, now } = context;
  const at = now();
  const { email } = line.user;
  const { errors, record } = newUser(
    { name: email, ...line.user, ...(hasAttributes(line) && { attributes: line.attributes }) },
    {
      at,
      id: line.id ?? store.newId(at),
      created_at: line.created_at ?? at,
      email_verified_at: line.email_verified_at ?? null,
      webauthn_handle: line.webauthn_handle ?? null,
    },
  );
  if (errors.length > 0) return errors;
  const { id } = record;
  await tx.lock(userLock(id));
  const details = detailsOf(line, source);
  const { event } = await writeNew(
    tx,
    context,
    "users",
    { ...record, password_hash },
    { verb: "imported", details },
  );
  const imported_id = store.newId(at);
  await tx.insert("imported_people", {
    ...{ id: imported_id, user_id: id, source, external_id: line.external_id, created_at: at },
    carried: null,
  });
  const more = await addBelongings(tx, context, line, id, at);
  const carried = [
    ...(password_hash === null ? [] : ["password"]),
    ...(hasAttributes(line) ? ["attributes"] : []),
    ...more.added,
  ];
  await tx.update("imported_people", { id: imported_id }, { carried });
  return { status: "created", id, losses: more.losses, events: [event, ...more.events] };
}

const hasAttributes = ({ attributes }: PersonLine): boolean => Object.keys(attributes).length > 0;

/** Adds the members of which the person had none; everything else of them stays. */
async function completePerson(
  tx: Transaction,
  context: AdminContext,
  whole: PersonLine,
  { source, password_hash }: { readonly source: string; readonly password_hash: string | undefined },
): Promise<Done | readonly FieldError[]> {
  const at = context.now();
  const { external_id } = whole;
  const found = await tx.find("imported_people", { source, external_id });
  const id = found?.user_id ?? "";
  await tx.lock(userLock(id));
  // Another run may have added the same since the person was looked at.
  const known = await tx.find("imported_people", { source, external_id });
  const current = await tx.find("users", { id });
  if (known === undefined || current === undefined) return [fieldError("/external_id", "other_person")];
  const line = uncarried(whole, known, current);
  // Values that were set here stay.
  const attributes = { ...line.attributes, ...current.attributes };
  const { errors, record } = checkChange("users", current, hasAttributes(line) ? { attributes } : {});
  if (errors.length > 0) return errors;
  const more = await addBelongings(tx, context, line, id, at);
  const { losses } = more;
  const { webauthn_handle } = line;
  const changes: Partial<User> = {
    ...(line.password !== undefined && password_hash !== undefined && { password_hash }),
    ...(webauthn_handle &&
      more.added.includes("passkeys") &&
      current.webauthn_handle === null && { webauthn_handle }),
    ...record,
  };
  const added = [
    ...("password_hash" in changes ? ["password"] : []),
    ...("attributes" in changes ? ["attributes"] : []),
    ...more.added,
  ];
  if (added.length === 0) return { status: "unchanged", id, losses, events: [] };
  const had = known.carried ?? members.filter((name) => name !== "password");
  await tx.update("imported_people", { id: known.id }, { carried: [...had, ...added] });
  const details = detailsOf(line, source);
  const event =
    Object.keys(changes).length > 0
      ? (await writeChange(tx, context, "users", current, changes, at, { verb: "imported", details })).event
      : await writeEvent(tx, context, "users", current, "imported", details);
  return { status: "updated", id, losses, changes, events: [event, ...more.events] };
}

/** The audit details of an import: the number of imported items, and no secret. */
const detailsOf = ({ password, totp, passkeys }: PersonLine, source: string): JsonObject => ({
  source,
  ...(password && { password: true }),
  ...(totp.length > 0 && { authenticator_apps: totp.length }),
  ...(passkeys.length > 0 && { passkeys: passkeys.length }),
});

interface Added {
  /** The kinds of which there was something to add. */
  readonly added: readonly Member[];
  readonly losses: readonly FieldError[];
  readonly events: readonly AdminEvent[];
}

/** The person's data other than their record; existing items are unchanged. */
async function addBelongings(
  tx: Transaction,
  context: AdminContext,
  line: PersonLine,
  user_id: string,
  at: Date,
): Promise<Added> {
  const { store } = context;
  const losses: FieldError[] = [];
  const events: AdminEvent[] = [];
  const added = new Set<Member>();

  const hasApps = (await tx.count("totp_authenticators", { user_id })) > 0;
  for (const { secret, name } of hasApps ? [] : line.totp) {
    const id = store.newId(at);
    const secret_sealed = sealerOf(context).seal("totp_authenticator", secret, id);
    await tx.insert("totp_authenticators", {
      ...{ id, user_id, name, secret_sealed, last_step: 0, last_used_at: null, created_at: at },
    });
    added.add("totp");
  }
  for (const { row, path } of line.passkeys) {
    const found = await tx.find("passkeys", { credential_id: row.credential_id });
    if (found?.user_id === user_id) continue;
    if (found !== undefined) losses.push(fieldError(path, "taken"));
    else {
      await tx.insert("passkeys", { ...row, id: store.newId(at), user_id, created_at: at });
      added.add("passkeys");
    }
  }
  for (const { provider: slug, provider_user_id, path } of line.linked_accounts) {
    const provider = await tx.find("providers", { slug });
    if (provider === undefined) {
      losses.push(fieldError(`${path}/provider`, "no_record_of_name", { record: "provider", field: "slug" }));
      continue;
    }
    const found = await tx.find("oauth_accounts", { provider: slug, provider_user_id });
    if (found !== undefined && found.user_id !== user_id) losses.push(fieldError(path, "taken"));
    if (found !== undefined) continue;
    const id = store.newId(at);
    const row: NewRow<"oauth_accounts"> = {
      ...{ id, user_id, provider: slug, provider_user_id, provider_id: provider.id },
      ...{ access_token: sealerOf(context).seal("linked_account", "", id), created_at: at, updated_at: at },
    };
    events.push((await writeNew(tx, context, "oauth_accounts", row)).event);
    added.add("linked_accounts");
  }
  const more = await addMemberships(tx, context, line, user_id, at);
  if (more.added) added.add("memberships");
  return {
    added: [...added],
    losses: [...losses, ...more.losses],
    events: [...events, ...more.events],
  };
}
