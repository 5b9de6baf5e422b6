/**
 * Chooses the index ranges (branches) from which a list is read. Where possible, they contain only rows that
 * the caller may see. Reading and skipping other rows would reveal them by the length, the cursor and the
 * response time of a page.
 */
import type { TableName } from "../../records/definition/definition.ts";
import {
  type Owner,
  ownerOnRow,
  ownershipOf,
  referencedBy,
  sharesOwner,
} from "../../records/definition/ownership.ts";
import { timeOfId } from "../../records/names/ids.ts";
import type { Database } from "../database/database.ts";
import { firstIdAt } from "../database/ids.ts";
import type { Branch, Sought, Wanted } from "./branches.ts";
import { indexesOf } from "./indexes.ts";
import { branchByWord, branchByWords, countedBranch, newestIsTheirs } from "./probes.ts";

const mostBranches = 32;

type Requested = Readonly<Record<string, unknown>>;

const sameMoment = 2000;

/**
 * A token family without a user has one token, which was created at about the time in the ID of the family.
 */
function momentOf(family_id: string): NonNullable<Branch["within"]> {
  const at = timeOfId(family_id);
  return { above: firstIdAt(at - sameMoment), below: firstIdAt(at + sameMoment) };
}

function branchBy(where: Requested, names: readonly string[] | undefined, few?: true): Branch | undefined {
  const name = names?.find((each) => isRequested(where, each));
  return name === undefined ? undefined : { columns: { [name]: where[name] }, ...(few && { few }) };
}

/**
 * A filter with several values is checked on each row, because no index returns the rows for several values
 * in the order of the list.
 */
function isRequested(where: Requested, name: string): boolean {
  return where[name] !== undefined && where[name] !== null && !Array.isArray(where[name]);
}

/**
 * The ranges contain every row of the caller that matches the filters, and no rows of others. Undefined if
 * they would be too many or too large.
 */
async function branchesOfTheirs(
  database: Database,
  table: TableName,
  where: Requested,
  owner: Owner,
): Promise<Branch[] | undefined> {
  const { user, organization, through = [], readers } = ownershipOf(table);
  const theirs = (name: string | undefined, ids: readonly string[]) =>
    name === undefined ? [] : ids.filter((id) => where[name] === undefined || where[name] === id);
  // The last column of `through` finds the fewest rows, so it is tried first.
  const parents = through
    .toReversed()
    .map(
      async (name) => [name, await idsOf(database, referencedBy(table, name), where[name], owner)] as const,
    );
  const named = organization ?? readers?.organization;
  const whose: (readonly [string | undefined, readonly string[]])[] = [
    ...(await Promise.all(parents)),
    [named, theirs(named, owner.organization_ids)],
    [user?.column, theirs(user?.column, owner.user_id === null ? [] : [owner.user_id])],
  ];
  // If the filter selects the caller, one of its organizations or one of their records, a single range
  // contains every matching row.
  const selective = whose.find(
    ([name, ids]) => name !== undefined && isRequested(where, name) && ids.length > 0,
  );
  const found = (selective === undefined ? whose : [selective]).flatMap(([name = "", ids]) =>
    ids.map((id) => [name, id] as const),
  );
  if (found.length > mostBranches) return undefined;
  const branches = await Promise.all(
    found.map(([name, id]) =>
      name === readers?.organization
        ? { columns: { [name]: id }, through: { table: readers.table as TableName, id: readers.row } }
        : branchOfTheirs(database, table, where, name, id, selective === undefined),
    ),
  );
  const known = branches.filter((branch) => branch !== undefined);
  return known.length < branches.length ? undefined : known;
}

/** Undefined if no index has the order of the list and the range has too many rows to sort. */
async function branchOfTheirs(
  database: Database,
  table: TableName,
  where: Requested,
  name: string,
  id: string,
  own: boolean,
): Promise<Branch | undefined> {
  const { pair, counted } = indexesOf(table);
  const other = pair?.includes(name) ? pair.find((each) => each !== name) : undefined;
  if (other !== undefined && isRequested(where, other)) {
    const both = await countedBranch(database, table, { [name]: id, [other]: where[other] });
    if (both !== undefined) return both;
  }
  if (name === counted) return countedBranch(database, table, { [name]: id });
  const { user } = ownershipOf(table);
  const nothing = Object.entries(user?.where ?? {}).filter(([, value]) => value === null);
  // A partial index contains exactly these rows, such as a user's apps without an organization.
  if (own && name === user?.column && nothing.length > 0)
    return { columns: { [name]: id, ...Object.fromEntries(nothing) } };
  return { columns: { [name]: id }, ...(name === "id" && { few: true as const }) };
}

async function idsOf(
  database: Database,
  table: TableName,
  requested: unknown,
  owner: Owner,
): Promise<string[]> {
  if (requested !== undefined) {
    const row =
      typeof requested === "string" ? await database.find(table, { id: requested } as never) : undefined;
    return row !== undefined && sharesOwner(ownerOnRow(table, row), owner) ? [row.id] : [];
  }
  const { user, organization } = ownershipOf(table);
  const conditions: Record<string, unknown>[] =
    organization === undefined ? [] : owner.organization_ids.map((id) => ({ [organization]: id }));
  if (user !== undefined && owner.user_id !== null)
    conditions.push({ ...user.where, [user.column]: owner.user_id });
  const lists = await Promise.all(
    conditions.map((where) => database.list(table, where as never, { limit: mostBranches + 1 })),
  );
  return lists.flat().map(({ id }) => id);
}

/** Scans the whole table only if `branchesOfTheirs` returns undefined and no filter selects few rows. */
async function branchesFor(
  database: Database,
  table: TableName,
  where: Requested,
  owner: Owner,
): Promise<readonly Branch[]> {
  const { probed = [], counted } = indexesOf(table);
  for (const name of probed) {
    if (isRequested(where, name) && (await newestIsTheirs(database, table, name, where[name], owner)))
      return [{ columns: { [name]: where[name] } }];
  }
  const theirs = await branchesOfTheirs(database, table, where, owner);
  if (theirs !== undefined) return theirs;
  const few =
    counted !== undefined && isRequested(where, counted)
      ? await countedBranch(database, table, { [counted]: where[counted] })
      : undefined;
  return [few ?? { columns: {} }];
}

async function branchesByNames(
  database: Database,
  table: TableName,
  sought: readonly Sought[],
): Promise<readonly Branch[] | undefined> {
  const { ordered = [], counted } = indexesOf(table);
  const [named] = sought.flatMap((each) => ("named" in each ? [each.named] : []));
  const found = named?.flatMap(({ column, ids }) => ids.map((id) => ({ [column]: id })));
  if (found === undefined || found.length > mostBranches) return undefined;
  const branches = await Promise.all(
    found.map(async (columns) => {
      const [name = ""] = Object.keys(columns);
      if (name === counted) return countedBranch(database, table, columns);
      return ordered.includes(name) ? { columns } : undefined;
    }),
  );
  const known = branches.filter((branch) => branch !== undefined);
  return known.length < branches.length ? undefined : known;
}

async function branchesOfAll(
  database: Database,
  table: TableName,
  { terms, sought = [] }: Pick<Wanted<TableName>, "terms" | "sought">,
  where: Requested,
  most_read: number | undefined,
): Promise<readonly Branch[]> {
  const { counted = "", ordered, wide } = indexesOf(table);
  const [value] = sought.flatMap((each) => ("value" in each ? [each.value] : []));
  const valued =
    value === undefined
      ? undefined
      : await branchByWord(database, table, { term: value, inside: false, is_value: true }, most_read);
  if (valued !== undefined) return [valued];
  const counting = isRequested(where, counted);
  const one =
    (counting ? await countedBranch(database, table, { [counted]: where[counted] }) : undefined) ??
    branchBy(where, ordered);
  if (one !== undefined) return [one];
  if (counting) return [{ columns: {} }];
  const named = await branchesByNames(database, table, sought);
  if (named !== undefined) return named;
  const found = terms.length === 0 ? undefined : await branchByWords(database, table, terms, most_read);
  return [found ?? branchBy(where, wide) ?? { columns: {} }];
}

/**
 * Returns the index ranges of a list. With `most_read`, only that many rows are read, so the range of a
 * frequent search word may be used.
 */
export async function planBranches<T extends TableName>(
  database: Database,
  table: T,
  wanted: Wanted<T>,
  most_read?: number,
): Promise<readonly Branch[]> {
  const { visible } = wanted;
  const where = wanted.where as Requested;
  const selective = branchBy(where, ["id", ...(indexesOf(table).few ?? [])], true);
  if (selective !== undefined) return [selective];
  if (table === "oauth_tokens" && typeof where.family_id === "string") {
    const within = momentOf(where.family_id);
    const machines =
      visible === undefined ? [{ columns: {} }] : await branchesFor(database, table, where, visible);
    const family: Branch = { columns: { family_id: where.family_id }, few: true };
    return [family, ...machines.map((branch) => ({ ...branch, within }))];
  }
  return visible === undefined
    ? branchesOfAll(database, table, wanted, where, most_read)
    : branchesFor(database, table, where, visible);
}
