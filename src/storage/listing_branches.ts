/**
 * Where the rows of a list come from: stretches of an index in the order of ids, one for each way in which a row may
 * belong to whoever asks. What no index knows is asked of each row on the way.
 */
import { type RawBuilder, sql } from "kysely";
import { fieldsOf, type Row, type TableName } from "../records/definition.ts";
import type { Database } from "./database.ts";
import type { Dialect } from "./dialect.ts";
import type { Connection } from "./driver.ts";
import { firstId, firstIdAt, lastId, timeOfId } from "./ids.ts";
import { belongsTo, type Place } from "./places.ts";
import { endOfPrefix, wordTable } from "./search_words.ts";
import { statement } from "./statement.ts";
import type { Where } from "./verbs.ts";

/** Which rows are wanted. */
export interface Wanted<T extends TableName> {
  readonly where: Where<T>;
  readonly visible: Place | undefined;
  /** Each begins a word of the record. */
  readonly terms: readonly string[];
  readonly created_from: Date | undefined;
  readonly created_before: Date | undefined;
}

/** Ids between two others, neither included. */
export interface Stretch {
  readonly above: string;
  readonly below: string;
  readonly descending: boolean;
}

/** Some of the rows, and how they are found by an index. */
export interface Branch {
  /** Columns that must have a value, which the index begins with. */
  readonly columns: Readonly<Record<string, unknown>>;
  /** The index finds few rows, and not in the order of ids. */
  readonly few?: true;
  /** Narrows the stretch. */
  readonly within?: { readonly above: string; readonly below: string };
  /** Another table that names the ids, in this column. */
  readonly through?: { readonly table: TableName; readonly id: string };
}

export interface BranchPage<T extends TableName> {
  /** In the order of ids. */
  readonly rows: readonly Row<T>[];
  /** As far as this id the branch was read; undefined when it was read to its end. */
  readonly end: string | undefined;
}

/** How many rows a page reads at most where few of them may fit. */
export const mostRead = 3000;

/** Up to so many rows are read all to be put in order. */
const fewRows = 1000;

/** How many branches a list may have; past it the table is gone through. */
const mostBranches = 32;

/** The columns by which a table is found in the order of ids, the most telling first; `few` have an index of their own. */
interface Ways {
  readonly few?: readonly string[];
  /** An index finds them, not in the order of ids: used where it finds few. */
  readonly counted?: string;
  readonly ordered?: readonly string[];
  /** Worth using only where nothing tells more. */
  readonly wide?: readonly string[];
}

const ways: Readonly<Partial<Record<TableName, Ways>>> = {
  users: { few: ["email", "email_key"], wide: ["active"] },
  organizations: { few: ["slug"] },
  memberships: { ordered: ["user_id", "organization_id"] },
  oauth_accounts: { ordered: ["user_id"] },
  api_keys: { few: ["key_hash"], ordered: ["user_id", "organization_id"] },
  oauth_apps: { few: ["client_id"], ordered: ["owner_id", "organization_id"] },
  oauth_app_secrets: { ordered: ["app_id"] },
  oauth_tokens: {
    few: ["access_token_signature", "session_id"],
    // Every index in the order of ids costs each token that is issued 50 bytes on disk; one user has few of them.
    counted: "user_id",
    ordered: ["service_account_id", "app_id"],
  },
  oauth_auth_codes: { few: ["code_signature"], ordered: ["user_id", "app_id"] },
  oauth_consents: { ordered: ["user_id", "app_id"] },
  service_accounts: { few: ["email", "email_key"], ordered: ["organization_id", "created_by"] },
  service_account_key_pairs: { ordered: ["service_account_id"] },
  sessions: { ordered: ["user_id"] },
  signing_keys: { few: ["kid"] },
  audit_events: { ordered: ["target_id", "actor_id", "organization_id"], wide: ["type"] },
  refusals: { few: ["short_id"], ordered: ["app_id"], wide: ["error"] },
};

/** How what belongs to a user or an organization is found, for the tables that say so themselves or through another. */
interface Owners {
  readonly user?: string;
  readonly organization?: string;
  readonly through?: Branch["through"];
  /** The columns that name an app or a service account, which says it. */
  readonly app?: true;
  readonly account?: true;
}

const owners: Readonly<Partial<Record<TableName, Owners>>> = {
  users: { user: "id", organization: "organization_id", through: { table: "memberships", id: "user_id" } },
  organizations: { organization: "id" },
  memberships: { user: "user_id", organization: "organization_id" },
  oauth_accounts: { user: "user_id" },
  api_keys: { user: "user_id", organization: "organization_id" },
  oauth_apps: { user: "owner_id", organization: "organization_id" },
  oauth_app_secrets: { app: true },
  oauth_tokens: { user: "user_id", app: true, account: true },
  oauth_auth_codes: { user: "user_id", app: true },
  oauth_consents: { user: "user_id", app: true },
  service_accounts: { organization: "organization_id" },
  service_account_key_pairs: { account: true },
  sessions: { user: "user_id" },
  audit_events: { user: "actor_id", organization: "organization_id" },
  refusals: { app: true },
  invitations: { organization: "organization_id" },
};

/** Whoever runs questions of very many shapes: nothing is kept prepared for them. */
export function asking({ driver }: Database): Connection {
  return { ...driver, all: driver.ask };
}

const column = (name: string, of = "t") => sql.raw(`${of}.${name}`);

function equals(dialect: Dialect, table: TableName, name: string, value: unknown, of?: string) {
  const kind = fieldsOf(table)[name]?.kind;
  if (kind === undefined || value === undefined) throw new TypeError(`${table}.${name} cannot be asked for`);
  return value === null
    ? sql<boolean>`${column(name, of)} IS NULL`
    : sql<boolean>`${column(name, of)} = ${dialect.encode(kind, value)}`;
}

/** Whether a record of `id` has a word that begins so. */
function hasWord(table: TableName, term: string): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (SELECT 1 FROM ${sql.table(wordTable(table))} w
    WHERE w.record_id = t.id AND w.word >= ${term} AND w.word < ${endOfPrefix(term)} LIMIT 1 OFFSET 0)`;
}

/** What must hold of the row `t` beside what the index found it by; undefined when nothing more must. */
export function remaining<T extends TableName>(
  dialect: Dialect,
  table: T,
  wanted: Wanted<T>,
  found_by: Readonly<Record<string, unknown>>,
  term?: string,
): RawBuilder<boolean> | undefined {
  const { where, visible, terms, created_from, created_before } = wanted;
  const parts = Object.entries(where)
    .filter(([name, value]) => found_by[name] !== value)
    .map(([name, value]) => equals(dialect, table, name, value));
  if (visible !== undefined) parts.push(belongsTo(dialect, table, visible));
  parts.push(...terms.filter((each) => each !== term).map((each) => hasWord(table, each)));
  const time = (moment: Date) => dialect.encode("time", moment);
  if (created_from !== undefined) parts.push(sql<boolean>`t.created_at >= ${time(created_from)}`);
  if (created_before !== undefined) parts.push(sql<boolean>`t.created_at < ${time(created_before)}`);
  return parts.length === 0 ? undefined : sql<boolean>`${sql.join(parts, sql` AND `)}`;
}

/** The milliseconds in which the id of a machine's token and that of its family were made. */
const sameMoment = 2000;

/** A machine's token is alone in its family, whose id was made with its own; the index of families leaves it out. */
function branchesOfFamily(family_id: string): Branch[] {
  const at = timeOfId(family_id);
  return [
    { columns: { family_id }, few: true },
    { columns: {}, within: { above: firstIdAt(at - sameMoment), below: firstIdAt(at + sameMoment) } },
  ];
}

/** The branch that a condition on an indexed column gives. */
function branchBy(
  where: Readonly<Record<string, unknown>>,
  names: readonly string[] | undefined,
  few?: true,
): Branch | undefined {
  const name = names?.find((each) => where[each] !== undefined && where[each] !== null);
  return name === undefined ? undefined : { columns: { [name]: where[name] }, ...(few && { few }) };
}

/** What an index that is not in the order of ids finds; undefined when that is much. */
async function countedBranch(
  database: Database,
  table: TableName,
  name: string,
  value: unknown,
): Promise<Branch | undefined> {
  const { dialect } = database;
  const [row] = await statement<{ found: number }>(
    dialect,
    table,
    () => sql<{ found: number }>`SELECT count(*) AS found FROM (
      SELECT 1 FROM ${sql.table(table)} t WHERE ${equals(dialect, table, name, value)} LIMIT ${fewRows + 1}) counted`,
  ).all(asking(database), {});
  return Number(row?.found) > fewRows ? undefined : { columns: { [name]: value }, few: true };
}

/** The branches of what belongs to somebody; undefined when there would be too many. */
async function visibleBranches(
  database: Database,
  table: TableName,
  { organization_ids, user_id }: Place,
): Promise<Branch[] | undefined> {
  const { user, organization, through, app, account } = owners[table] ?? {};
  const branches: Branch[] = [];
  const own = (name: string, value: unknown): Branch => ({
    columns: { [name]: value },
    ...(name === "id" && { few: true as const }),
  });
  if (user !== undefined && user_id !== null) {
    const counted = ways[table]?.counted === user;
    const branch = counted ? await countedBranch(database, table, user, user_id) : own(user, user_id);
    if (branch === undefined) return undefined;
    branches.push(branch);
  }
  if (organization !== undefined) {
    for (const id of organization_ids)
      branches.push(through ? { columns: { [organization]: id }, through } : own(organization, id));
  }
  if (app) {
    for (const id of await idsOf(database, "oauth_apps", { organization_ids, user_id }))
      branches.push({ columns: { app_id: id } });
  }
  if (account) {
    for (const id of await idsOf(database, "service_accounts", { organization_ids, user_id: null }))
      branches.push({ columns: { service_account_id: id } });
  }
  return branches.length > mostBranches ? undefined : branches;
}

/** The records that belong to somebody, no more than are needed to know that there are too many. */
async function idsOf(
  database: Database,
  table: "oauth_apps" | "service_accounts",
  { organization_ids, user_id }: Place,
): Promise<string[]> {
  const conditions: Where<"oauth_apps">[] = organization_ids.map((organization_id) => ({ organization_id }));
  if (user_id !== null) conditions.push({ owner_id: user_id, organization_id: null });
  const lists = await Promise.all(
    conditions.map((where) => database.list(table, where as never, { limit: mostBranches + 1 })),
  );
  return lists.flat().map(({ id }) => id);
}

/**
 * Where the rows come from: the columns that are asked for where an index knows them, else what belongs to whoever
 * asks, else the words, else the whole table.
 */
export async function branchesOf<T extends TableName>(
  database: Database,
  table: T,
  { where, visible, terms }: Wanted<T>,
): Promise<readonly Branch[] | "by words"> {
  const { few, counted = "", ordered, wide } = ways[table] ?? {};
  const given = where as Readonly<Record<string, unknown>>;
  const telling = branchBy(given, ["id", ...(few ?? [])], true);
  if (telling !== undefined) return [telling];
  if (table === "oauth_tokens" && typeof given.family_id === "string")
    return branchesOfFamily(given.family_id);
  const counting = given[counted] !== undefined && given[counted] !== null;
  const one =
    (counting ? await countedBranch(database, table, counted, given[counted]) : undefined) ??
    branchBy(given, ordered);
  if (one !== undefined) return [one];
  if (counting) return [{ columns: {} }];
  if (visible !== undefined) return (await visibleBranches(database, table, visible)) ?? [{ columns: {} }];
  if (terms.length > 0) return "by words";
  return [branchBy(given, wide) ?? { columns: {} }];
}

function all(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}

/** The columns by which the index finds rows, as conditions on `of`. */
function foundBy(dialect: Dialect, { columns, through }: Branch, table: TableName, of: string) {
  const conditions = Object.entries(columns).map(([name, value]) =>
    equals(dialect, through?.table ?? table, name, value, of),
  );
  // The index of families holds users' tokens alone, and is used only where the question says the same.
  if ("family_id" in columns) conditions.push(sql<boolean>`${column("user_id", of)} IS NOT NULL`);
  return conditions;
}

/** One statement: the rows that fit and, when there are fewer than asked for, the row at which reading ended. */
function branchStatement<T extends TableName>(
  dialect: Dialect,
  table: T,
  wanted: Wanted<T>,
  branch: Branch,
  stretch: Stretch,
  limit: number,
): RawBuilder<Row<T>> {
  const { through, few, within, columns } = branch;
  const above = within !== undefined && within.above > stretch.above ? within.above : stretch.above;
  const below = within !== undefined && within.below < stretch.below ? within.below : stretch.below;
  const direction = sql.raw(stretch.descending ? "DESC" : "ASC");
  // A bound that is none would make PostgreSQL expect few rows, and sort them rather than read them in their order.
  const between = (id: RawBuilder<unknown>) => [
    ...(above === firstId ? [] : [sql<boolean>`${id} > ${dialect.encode("uuid", above)}`]),
    ...(below === lastId ? [] : [sql<boolean>`${id} < ${dialect.encode("uuid", below)}`]),
  ];
  const rest = remaining(dialect, table, wanted, through === undefined ? columns : {});
  const fits = rest ?? sql<boolean>`true`;
  const own = sql.table(table);
  const ended = sql`ORDER BY t.id ${direction} LIMIT ${limit}`;

  if (few) {
    return sql<
      Row<T>
    >`WITH few AS MATERIALIZED (SELECT * FROM ${own} t WHERE ${all(foundBy(dialect, branch, table, "t"))})
      SELECT t.* FROM few AS t WHERE ${all([...between(column("id")), fits])} ${ended}`;
  }
  if (rest === undefined && through === undefined) {
    return sql<Row<T>>`SELECT t.* FROM ${own} t
      WHERE ${all([...foundBy(dialect, branch, table, "t"), ...between(column("id"))])} ${ended}`;
  }
  const id = through === undefined ? "s.id" : `s.${through.id}`;
  const source = sql`FROM ${through === undefined ? own : sql.table(through.table)} s
    WHERE ${all([...foundBy(dialect, branch, table, "s"), ...between(sql.raw(id))])}
    ORDER BY ${sql.raw(id)} ${direction}`;
  const candidates =
    through === undefined
      ? sql`(SELECT s.* ${source} LIMIT ${mostRead}) t`
      : sql`(SELECT ${sql.raw(id)} AS candidate_id ${source} LIMIT ${mostRead}) c CROSS JOIN ${own} t`;
  const found = through === undefined ? fits : sql<boolean>`t.id = c.candidate_id AND ${fits}`;
  const order = sql.raw(through === undefined ? "t.id" : "c.candidate_id");
  return sql<Row<T>>`SELECT * FROM (
      SELECT t.*, 0 AS reading_ended FROM ${candidates} WHERE ${found} ORDER BY ${order} ${direction} LIMIT ${limit}
    ) fitting
    UNION ALL
    SELECT * FROM (
      SELECT t.*, 1 AS reading_ended FROM (SELECT ${sql.raw(id)} AS last_id ${source} LIMIT 1 OFFSET ${mostRead - 1}) e
      JOIN ${own} t ON t.id = e.last_id
    ) ending
    LIMIT ${limit}`;
}

/** What of a branch comes next: `limit` rows and one more, or fewer where that was its end or enough was read. */
export async function readBranch<T extends TableName>(
  database: Database,
  table: T,
  wanted: Wanted<T>,
  branch: Branch,
  stretch: Stretch,
  limit: number,
): Promise<BranchPage<T>> {
  const { dialect } = database;
  const text = branchStatement(dialect, table, wanted, branch, stretch, limit + 1);
  const read = await statement<Row<T> & { id: string; reading_ended?: number }>(
    dialect,
    table,
    () => text as RawBuilder<never>,
  ).all(asking(database), {});
  let end: string | undefined;
  const rows: (Row<T> & { id: string })[] = [];
  for (const { reading_ended, ...row } of read) {
    if (reading_ended) end = row.id;
    else rows.push(row as Row<T> & { id: string });
  }
  rows.sort((a, b) => (a.id === b.id ? 0 : a.id < b.id !== stretch.descending ? -1 : 1));
  if (rows.length >= limit) end = rows.length > limit || end !== undefined ? rows.at(-1)?.id : undefined;
  return { rows, end };
}
