/**
 * Pages of records, each of which costs the same however large the table is: from where the page before
 * ended, in the order of an index.
 */
import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import { isUuid } from "../../records/check.ts";
import type { Row, TableName } from "../../records/definition.ts";
import type { Owner } from "../../records/ownership.ts";
import type { Database } from "../database.ts";
import { firstId, firstIdAt, lastId } from "../ids.ts";
import type { Where } from "../verbs.ts";
import { type BranchPage, readBranch, type Stretch, type Wanted } from "./branches.ts";
import { planBranches } from "./plan_branches.ts";
import { isSearchable, isWord, termsOf } from "./search_words.ts";
import { chosenTerm, readWords, type WordPlace } from "./words.ts";

export interface ListQuery<T extends TableName> {
  /** Columns that must equal a value; null means that there is none. */
  readonly where?: Where<T>;
  /**
   * Whose rows are listed: those that belong to one of the organizations, or to the user. Absent:
   * everybody's.
   */
  readonly visible?: Owner | undefined;
  /** Words; each must begin a word of a searchable field. */
  readonly search?: string | undefined;
  /** Made at this moment or later. */
  readonly created_from?: Date | undefined;
  /** Made before this moment. */
  readonly created_before?: Date | undefined;
  /** Rows of a page, at most; 1 or more. */
  readonly limit: number;
  /** The `next_cursor` of the page before, which was asked for with the same query. */
  readonly cursor?: string | undefined;
  /**
   * In the order of ids, which is that of time, from its end. A search among everybody's rows goes by the
   * words found.
   */
  readonly newest_first?: boolean | undefined;
}

export interface Page<T extends TableName> {
  readonly rows: Row<T>[];
  /** Leads to the next page; null on the last. */
  readonly next_cursor: string | null;
}

/** Tables whose ids are made here together with `created_at`, and so begin with it (RFC 9562 5.7). */
const idsTellTime: ReadonlySet<TableName> = new Set<TableName>([
  "oauth_tokens",
  "oauth_auth_codes",
  "sessions",
  "audit_events",
  "refusals",
]);

/** Milliseconds by which an id may have been made before or after its row's `created_at`. */
const idTolerance = 60_000;

const lesser = (a: string, b: string) => (a < b ? a : b);
const greater = (a: string, b: string) => (a > b ? a : b);

function wrongCursor(): Problem {
  return new Problem("invalid_page", detail("wrong_cursor"));
}

/** A cursor is the place where the page ended, as JSON in base64url: an id, or a word and an id. */
function written(place: readonly string[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function read(cursor: string, members: number): string[] {
  const bytes = Buffer.from(cursor, "base64url");
  let place: unknown;
  try {
    place = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw wrongCursor();
  }
  const texts = Array.isArray(place) && place.every((part) => typeof part === "string") ? place : [];
  if (texts.length !== members || !isUuid(texts[0] ?? "") || written(texts) !== cursor) throw wrongCursor();
  return texts;
}

/** The stretch of ids that a page may come from. */
function stretchOf<T extends TableName>(table: T, query: ListQuery<T>): Stretch {
  const { created_from, created_before, cursor, newest_first = false } = query;
  let above = firstId;
  let below = lastId;
  if (idsTellTime.has(table)) {
    if (created_from !== undefined) above = firstIdAt(created_from.getTime() - idTolerance);
    if (created_before !== undefined) below = firstIdAt(created_before.getTime() + idTolerance);
  }
  if (cursor !== undefined) {
    const [id = ""] = read(cursor, 1);
    if (newest_first) below = lesser(below, id.toLowerCase());
    else above = greater(above, id.toLowerCase());
  }
  return { above, below, descending: newest_first };
}

/** The pages of several branches as one: as far as each of them was read, every row once. */
function merged<T extends TableName>(
  pages: readonly BranchPage<T>[],
  limit: number,
  descending: boolean,
): Page<T> {
  const before = (a: string, b: string) => (descending ? a > b : a < b);
  const ends = pages.flatMap(({ end }) => (end === undefined ? [] : [end]));
  const horizon = ends.reduce<string | undefined>(
    (nearest, end) => (nearest === undefined || before(end, nearest) ? end : nearest),
    undefined,
  );
  const byId = new Map<string, Row<T>>();
  for (const { rows } of pages) {
    for (const row of rows) {
      const { id } = row as { id: string };
      if (horizon === undefined || !before(horizon, id)) byId.set(id, row);
    }
  }
  const ids = [...byId.keys()].sort((a, b) => (a === b ? 0 : before(a, b) ? -1 : 1));
  const taken = ids.slice(0, limit);
  const next = ids.length > limit ? taken.at(-1) : horizon;
  return {
    rows: taken.map((id) => byId.get(id) as Row<T>),
    next_cursor: next === undefined ? null : written([next]),
  };
}

export function listingRules(database: Database) {
  async function byWords<T extends TableName>(
    table: T,
    query: ListQuery<T>,
    wanted: Wanted<T>,
  ): Promise<Page<T>> {
    let from: WordPlace | undefined;
    if (query.cursor !== undefined) {
      const [id = "", word = "", term = ""] = read(query.cursor, 3);
      if (!wanted.terms.includes(term) || !word.startsWith(term) || !isWord(word)) throw wrongCursor();
      from = { id, word, term };
    }
    const term = from?.term ?? (await chosenTerm(database, table, wanted.terms));
    const { rows, next } = await readWords(database, table, wanted, term, from, query.limit);
    return { rows, next_cursor: next === undefined ? null : written([next.id, next.word, next.term]) };
  }

  return {
    /**
     * One page. Where few rows match a condition without an index, a page reads some thousands of rows and
     * then ends (revoked tokens of an app that has hundreds of thousands, say). It may hold fewer rows than
     * `limit`, or none, and still lead on. Only `next_cursor` null says that there is no more. Rows that are
     * there throughout are met exactly once whatever is added meanwhile. Throws `Problem` 400 `invalid_page`
     * for a cursor that is none.
     */
    async listPage<T extends TableName>(table: T, query: ListQuery<T>): Promise<Page<T>> {
      const { visible, search, created_from, created_before, limit, newest_first = false } = query;
      const terms = search === undefined || search.trim() === "" ? [] : termsOf(search);
      const nothing = { rows: [], next_cursor: null };
      // Words that are none, such as "---", begin no word.
      if (terms === undefined || (terms.length > 0 && !isSearchable(table))) return nothing;
      const wanted = { where: query.where ?? {}, visible, terms, created_from, created_before };
      const branches = await planBranches(database, table, wanted);
      if (branches === "by words") return byWords(table, query, wanted as Wanted<typeof table>);
      const stretch = stretchOf(table, query);
      const pages = await Promise.all(
        branches.map((branch) => readBranch(database, table, wanted, branch, stretch, limit)),
      );
      return merged(pages, limit, newest_first);
    },
  };
}

export type ListingRules = ReturnType<typeof listingRules>;
