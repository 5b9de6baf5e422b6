/** Imports users of another program; each field of a user is imported only once (MG-6). */
import { setTimeout as rest } from "node:timers/promises";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { User } from "../../records/definition/definition.ts";
import { emailKey } from "../../records/names/email.ts";
import type { FoundPeople } from "../../storage/people/imported_people.ts";
import { type AdminContext, isUnlimited, permissionsOfActor } from "../access/actor.ts";
import { isText } from "../access/errors.ts";
import { logEvent } from "../changes/audit.ts";
import { finishEndings, type Transaction } from "../changes/changes.ts";
import { writeOrTry } from "../changes/dry_run.ts";
import { passwordHash } from "../records/password_input.ts";
import { hasNothing, uncarried } from "./carried.ts";
import { completePerson } from "./complete_person.ts";
import { keptAttributes } from "./kept_attributes.ts";
import { type Done, makePeople, type NewPerson, newRecord } from "./new_people.ts";
import { type PersonLine, readPersonLine } from "./person_line.ts";

export interface ImportedPerson {
  readonly status: "created" | "updated" | "unchanged" | "refused";
  readonly id?: string;
  readonly losses: readonly FieldError[];
  readonly errors: readonly FieldError[];
}

interface ImportOptions {
  /** The name of the program from which the users come. External ids are unique within it. */
  readonly source: string;
  readonly dry_run?: boolean;
  readonly only_new?: boolean;
  /** Set if the users come from another Postern server (MG-12). */
  readonly complete_applied?: boolean;
}

/** On SQLite, a transaction for 50 users takes about ten milliseconds, during which other writes wait. */
const peopleAtOnce = 50;

/**
 * Imports users in the given order and sends no email. Throws an OverloadedError if too many password hashes
 * are queued, and 503 if the database is unavailable.
 */
export async function importPeople(
  context: AdminContext,
  people: readonly unknown[],
  options: ImportOptions,
): Promise<ImportedPerson[]> {
  const results: ImportedPerson[] = [];
  for (let from = 0; from < people.length; from += peopleAtOnce) {
    const started = performance.now();
    results.push(...(await importSome(context, people.slice(from, from + peopleAtOnce), options)));
    // Pauses for as long as the last part took, so that other requests get half of the time.
    if (people.length > 1) await rest(performance.now() - started);
  }
  return results;
}

export async function importPerson(
  context: AdminContext,
  given: unknown,
  options: ImportOptions,
): Promise<ImportedPerson> {
  return importAlone(context, await readPersonLine(given, readingOf(context)), options);
}

const readingOf = ({ issuer, now }: AdminContext) => ({
  rp_id: issuer === undefined ? undefined : new URL(issuer).hostname,
  at: now(),
});

interface Waiting {
  readonly at: number;
  readonly person: NewPerson;
  readonly read: PersonLine;
}

async function importSome(
  context: AdminContext,
  people: readonly unknown[],
  options: ImportOptions,
): Promise<ImportedPerson[]> {
  const lines = await Promise.all(people.map((given) => readPersonLine(given, readingOf(context))));
  const here = await findPeople(context, lines, options);
  const results: ImportedPerson[] = [];
  const claimed = new Set([...here.taken_keys].map((key) => `email ${key}`));
  const waiting: Waiting[] = [];
  async function make(): Promise<void> {
    const together = waiting.splice(0);
    for (const [index, result] of (await makeTogether(context, together, options)).entries())
      results[together[index]?.at ?? lines.length] = result;
  }
  for (const [at, read] of lines.entries()) {
    const plan = await planOf(context, read, here, options);
    const claims = plan.type === "new" ? claimsOf(plan.person) : [];
    if (plan.type === "result") results[at] = plan.result;
    else if (plan.type === "new" && !claims.some((each) => claimed.has(each))) {
      for (const each of claims) claimed.add(each);
      const password_hash = await newPasswordHash(plan.person.line, context, options);
      waiting.push({ at, read, person: { ...plan.person, password_hash } });
    } else {
      // Creates the users of earlier lines first: if two lines conflict, the earlier one wins.
      await make();
      results[at] = await importAlone(context, read, options);
    }
  }
  await make();
  return results;
}

const claimsOf = ({ record, line }: Pick<NewPerson, "record" | "line">): string[] => [
  `email ${record.email_key}`,
  `external id ${line.external_id}`,
  `id ${record.id}`,
];

const findPeople = (
  { store }: Pick<AdminContext, "store">,
  lines: readonly PersonLine[],
  { source }: ImportOptions,
): Promise<FoundPeople> => {
  const read = lines.filter(({ errors }) => errors.length === 0);
  return store.peopleHere({
    source,
    external_ids: read.map(({ external_id }) => external_id),
    ids: read.flatMap(({ id }) => id ?? []),
    email_keys: read.flatMap(({ user: { email } }) => (isText(email) ? emailKey(email) : [])),
  });
};

const refused = (errors: readonly FieldError[]): ImportedPerson => ({
  status: "refused",
  losses: [],
  errors,
});

type Plan =
  | { readonly type: "result"; readonly result: ImportedPerson }
  | { readonly type: "new"; readonly person: Omit<NewPerson, "password_hash"> }
  | { readonly type: "known"; readonly line: PersonLine; readonly current: User };

async function planOf(
  context: AdminContext,
  read: PersonLine,
  { imported, users }: Pick<FoundPeople, "imported" | "users">,
  { only_new = false }: ImportOptions,
): Promise<Plan> {
  const refuse = (errors: readonly FieldError[]): Plan => ({ type: "result", result: refused(errors) });
  if (read.errors.length > 0) return refuse(read.errors);
  const known = imported.get(read.external_id);
  const current = known && users.get(known.user_id);
  // A user with the line's id who was not imported under the line's external id.
  const unknown = current === undefined && read.id !== undefined ? users.get(read.id) : undefined;
  const left = known && current ? uncarried(read, known, current) : read;
  const kept = await keptAttributes(context, left, current ?? unknown);
  const isAppointed = (current ?? unknown)?.is_platform_admin === true;
  const unappointed =
    read.is_platform_admin && !isAppointed ? [fieldError("/is_platform_admin", "appoints_nobody")] : [];
  const losses = [...read.losses, ...kept.losses, ...unappointed];
  const line = { ...left, attributes: kept.attributes, losses };
  if (current !== undefined && (only_new || (line.id !== undefined && line.id !== current.id)))
    return refuse([fieldError("/id", "other_person")]);
  if (current?.is_platform_admin && !isUnlimited(await permissionsOfActor(context)))
    return refuse([fieldError("/external_id", "administrator_full_credential_only")]);
  if (current !== undefined) {
    if (!hasNothing(line)) return { type: "known", line, current };
    return { type: "result", result: { status: "unchanged", id: current.id, losses, errors: [] } };
  }
  if (unknown !== undefined)
    return only_new ? refuse([fieldError("/id", "taken")]) : { type: "known", line, current: unknown };
  const { errors, record } = newRecord(context, line);
  return errors.length > 0 ? refuse(errors) : { type: "new", person: { line, record } };
}

async function newPasswordHash(
  { password }: PersonLine,
  context: AdminContext,
  { dry_run = false }: ImportOptions,
): Promise<string | undefined> {
  if (password === undefined) return undefined;
  if (dry_run && "hash" in password) return password.hash;
  return passwordHash(password, context);
}

/**
 * Creates the users in one transaction. If one of them conflicts with an existing record, creates each in its
 * own transaction, so that the others are still imported.
 */
async function makeTogether(
  context: AdminContext,
  together: readonly Waiting[],
  options: ImportOptions,
): Promise<ImportedPerson[]> {
  const people = together.map(({ person }) => person);
  if (people.length === 0) return [];
  try {
    const made = await inTransaction(context, options, (tx, by) =>
      makePeople(tx, by, people, makingOf(options)),
    );
    return made.map((done, index) => finished(context, done, people[index]?.line, options));
  } catch (error) {
    if (!isConflict(error)) throw error;
    const results: ImportedPerson[] = [];
    for (const { read, person } of together)
      results.push(await importAlone(context, read, options, person.password_hash));
    return results;
  }
}

async function importAlone(
  context: AdminContext,
  read: PersonLine,
  options: ImportOptions,
  hash?: string,
): Promise<ImportedPerson> {
  const plan = await planOf(context, read, await findPeople(context, [read], options), options);
  if (plan.type === "result") return plan.result;
  const { line } = plan.type === "new" ? plan.person : plan;
  const { source, dry_run = false, only_new = false, complete_applied = false } = options;
  const password_hash = hash ?? (await newPasswordHash(line, context, options));
  try {
    const done = await inTransaction(context, options, async (tx, by) =>
      plan.type === "new"
        ? (await makePeople(tx, by, [{ ...plan.person, password_hash }], makingOf(options)))[0]
        : completePerson(tx, by, line, { source, password_hash, complete_applied }),
    );
    if (done === undefined || !("status" in done)) return refused(done ?? []);
    if (plan.type === "known" && done.changes !== undefined && !dry_run)
      await finishEndings(context, "users", plan.current, done.changes, context.now());
    return finished(context, done, line, options);
  } catch (error) {
    if (!isConflict(error)) throw error;
    // An earlier request whose response was lost may have created the user after this request looked for
    // them.
    const isLate = plan.type === "new" && !only_new;
    if (isLate && (await context.store.find("imported_people", { source, external_id: line.external_id })))
      return importAlone(context, read, { source, dry_run, complete_applied });
    return refused(error.errors.length > 0 ? error.errors : [fieldError("/email", "taken")]);
  }
}

const makingOf = ({ source, complete_applied = false }: ImportOptions) => ({
  source,
  only_applied: complete_applied,
});

const isConflict = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === "conflict";

const inTransaction = <R>(
  context: AdminContext,
  { source, dry_run = false }: ImportOptions,
  work: (tx: Transaction, by: AdminContext) => Promise<R>,
): Promise<R> => writeOrTry(context, dry_run, (tx) => work(tx, { ...context, import_source: source }));

function finished(
  context: AdminContext,
  { status, id, losses, events }: Done,
  line: PersonLine | undefined,
  { dry_run = false }: ImportOptions,
): ImportedPerson {
  if (!dry_run) for (const event of events) logEvent(context, event);
  return { status, id, losses: [...(line?.losses ?? []), ...losses], errors: [] };
}
