/** Calls with the same method, table and columns share one compiled statement. */
import { type AnyColumn, type Expression, sql } from "kysely";
import {
  type AuditEvent,
  type ColumnOf,
  fieldsOf,
  type NewRow,
  type Row,
  type TableName,
  tables,
} from "../../records/definition/definition.ts";
import type { Fields } from "../../records/definition/field.ts";
import type { Dialect, Schema } from "./dialect.ts";
import type { Connection } from "./driver.ts";
import type { EventMarks } from "./event_marks.ts";
import { type Feed, toldOfUser } from "./feed.ts";
import { jsonRows } from "./json_rows.ts";
import type { LogoutNotices } from "./logout_notices.ts";
import { haveWords, type WordKeeper, wordedTables } from "./search_words.ts";
import {
  type Arguments,
  allColumns,
  arg,
  columnNames,
  no,
  type Statement,
  statement,
  yes,
} from "./statement.ts";

/** Null matches null, and an empty object matches every row. */
export type Where<T extends TableName> = { readonly [K in ColumnOf<T>]?: Row<T>[K & keyof Row<T>] };

/** @public The type declarations of the published packages contain it. */
export interface ListOptions<T extends TableName> {
  readonly order_by?: ColumnOf<T>;
  readonly descending?: boolean;
  readonly limit?: number;
  readonly after?: unknown;
}

export interface Verbs {
  find<T extends TableName>(table: T, where: Where<T>): Promise<Row<T> | undefined>;
  list<T extends TableName>(table: T, where?: Where<T>, options?: ListOptions<T>): Promise<Row<T>[]>;
  /** Reads only these columns, because decoding whole rows takes most of the time of a long list. */
  listColumns<T extends TableName, C extends ColumnOf<T> & keyof Row<T>>(
    table: T,
    columns: readonly C[],
    where: Where<T>,
    options?: ListOptions<T>,
  ): Promise<Pick<Row<T>, C>[]>;
  count<T extends TableName>(table: T, where?: Where<T>): Promise<number>;
  /** Throws a UniqueViolation if another row has the same unique value. */
  insert<T extends TableName>(table: T, row: NewRow<T>): Promise<void>;
  update<T extends TableName>(table: T, where: Where<T>, changes: Partial<Row<T>>): Promise<number>;
  remove<T extends TableName>(table: T, where: Where<T>): Promise<number>;
}

export interface ConnectionVerbs extends Verbs {
  /** Returns the rows in any order. Throws as `insert` does. */
  insertAll<T extends TableName>(table: T, rows: readonly NewRow<T>[]): Promise<Row<T>[]>;
  /** `changes` must not be empty. */
  change<T extends TableName>(table: T, where: Where<T>, changes: Partial<Row<T>>): Promise<Row<T>[]>;
}

export interface VerbsShared {
  readonly statements: StatementCache;
  readonly words: WordKeeper;
  readonly marks: EventMarks | undefined;
  readonly feed?: Feed | undefined;
  readonly notices?: LogoutNotices;
}

/** Never cleared, because the code creates only a limited number of different statements. */
type StatementCache = Map<string, Statement<unknown>>;

export const endsSessions = (table: TableName, changes: Arguments): boolean =>
  (table === "sessions" && changes.ended_at instanceof Date) ||
  (table === "users" && changes.tokens_not_before instanceof Date);

/**
 * Returns the read and write methods of a connection. `changed` is called with the name of each table that
 * they change.
 */
export function verbsOn(
  connection: Connection,
  dialect: Dialect,
  { statements, words, marks, notices, feed }: VerbsShared,
  changed: (table: TableName) => void,
): ConnectionVerbs {
  function cached<R>(key: string, make: () => Statement<R>): Statement<R> {
    const found = statements.get(key);
    if (found !== undefined) return found as Statement<R>;
    const made = make();
    statements.set(key, made as Statement<unknown>);
    return made;
  }

  const kindOf = (table: TableName, column: string) => {
    const kind = fieldsOf(table)[column]?.kind;
    if (kind === undefined) throw new TypeError(`${table} has no column ${column}`);
    return kind;
  };

  /**
   * Null and booleans are literals, so that partial indexes are used, and are therefore part of the
   * statement's cache key.
   */
  function conditions(table: TableName, where: Arguments) {
    const names = Object.keys(where);
    const missing = names.find((name) => where[name] === undefined);
    // Without this check, an undefined value would become NULL, and the statement would match no row.
    if (missing !== undefined) throw new TypeError(`no value for ${table}.${missing}`);
    const isLiteral = (value: unknown) => value === null || typeof value === "boolean";
    const shape = names
      .map((name) => (isLiteral(where[name]) ? `${name}:${String(where[name])}` : name))
      .join(",");
    const args: Record<string, unknown> = {};
    for (const name of names) args[`where_${name}`] = where[name];
    const condition = () => {
      const parts = names.map((name) => {
        const column = sql.ref(name);
        const value = where[name];
        if (value === null) return sql<boolean>`${column} IS NULL`;
        if (typeof value === "boolean") return sql<boolean>`${column} = ${value ? yes : no}`;
        return sql<boolean>`${column} = ${arg.of(kindOf(table, name), `where_${name}`)}`;
      });
      return parts.length === 0 ? sql<boolean>`true` : sql.join<boolean>(parts, sql` AND `);
    };
    return { shape, args, condition };
  }

  type Column = AnyColumn<Schema, TableName>;
  const columnsIn = (input: Arguments) => Object.keys(input).filter((name) => input[name] !== undefined);
  const updateOf = (table: TableName, names: readonly string[], condition: () => Expression<boolean>) =>
    dialect.builder
      .updateTable(table)
      .set(Object.fromEntries(names.map((name) => [name, arg.of(kindOf(table, name), name)])) as never)
      .where(sql<boolean>`${condition()}`);

  function wholeRow(table: TableName, input: Arguments): Arguments {
    const fields: Fields = tables[table].fields;
    const row: Record<string, unknown> = {};
    for (const name of Object.keys(fields))
      row[name] = input[name] === undefined ? fields[name]?.default : input[name];
    return row;
  }

  async function follow(table: TableName, rows: readonly Arguments[]) {
    if (wordedTables.has(table))
      await words.add(connection, table, rows as readonly unknown[] as readonly { id: string }[]);
    if (table === "audit_events" && marks !== undefined) {
      const { sql: text, parameters } = marks.of(rows as readonly unknown[] as readonly AuditEvent[]);
      await connection.run(text, parameters);
    }
    if (feed !== undefined) await Promise.all(rows.map((row) => tellOfInsert(feed, table, row)));
  }

  async function tellOfInsert(feed: Feed, table: TableName, args: Arguments) {
    if (table === "audit_events") await feed.ofAudit(connection, args as unknown as AuditEvent);
    if (table !== "sessions") return;
    const { id, user_id, created_at } = args as unknown as Row<"sessions">;
    const started = { type: "session.started", key: user_id, data: { session_id: id } } as const;
    await feed.tell(connection, started, { at: created_at, actor_kind: "user" });
  }

  async function tellOfChange(
    feed: Feed,
    table: TableName,
    where: Arguments,
    given: Arguments,
    rows: number,
  ) {
    const { id } = where as { readonly id?: string };
    if (table !== "users" || id === undefined || rows === 0) return;
    const told = toldOfUser(id, given as Partial<Row<"users">>);
    const at = told.length === 0 ? undefined : (given.updated_at ?? given.email_verified_at);
    for (const each of told) await feed.tell(connection, each, { at: at as Date });
  }

  async function notifyOfEnds(table: TableName, where: Arguments, given: Arguments, rows: number) {
    if (notices === undefined || rows === 0 || !endsSessions(table, given)) return;
    const { id, user_id } = where as { readonly id?: string; readonly user_id?: string };
    if (table === "sessions" && id !== undefined)
      return notices.ofSession(connection, id, given.ended_at as Date);
    if (table === "sessions" && user_id !== undefined)
      return notices.ofUser(connection, user_id, given.ended_at as Date);
    if (table !== "users" || id === undefined)
      throw new TypeError(`an end of sessions names neither a session nor a user in ${table}`);
    const up_to = given.tokens_not_before as Date;
    // `updated_at` is the time of the change. `tokens_not_before` may be in the future, if it was once stored
    // while the clock was ahead.
    return notices.ofUser(connection, id, (given.updated_at as Date | undefined) ?? up_to, { up_to });
  }

  async function change(table: TableName, where: Arguments, input: Arguments): Promise<{ id: string }[]> {
    const { shape, args, condition } = conditions(table, where);
    const names = columnsIn(input);
    const updated = cached(`change ${table} ${shape} ${names.join(",")}`, () =>
      statement<{ id: string }>(dialect, table, () =>
        updateOf(table, names, condition).returning(columnNames(table) as never),
      ),
    );
    changed(table);
    const rows = await updated.all(connection, { ...args, ...input });
    await notifyOfEnds(table, where, input, rows.length);
    if (feed !== undefined) await tellOfChange(feed, table, where, input, rows.length);
    if (haveWords(table, names)) for (const row of rows) await words.replace(connection, table, row, names);
    return rows;
  }

  async function list<T extends TableName>(
    table: T,
    columns: readonly string[] | undefined,
    where: Where<T>,
    options: ListOptions<T>,
  ): Promise<unknown[]> {
    const { shape, args, condition } = conditions(table, where);
    const order = options.order_by ?? "id";
    const beyond = options.after === undefined ? "" : "after";
    const direction = options.descending ? "desc" : "asc";
    const limited = options.limit === undefined ? "" : "limit";
    const listed = cached(
      `list ${table} ${columns ?? ""} ${shape} ${order} ${direction} ${beyond} ${limited}`,
      () =>
        statement(dialect, table, (builder) => {
          let query = builder
            .selectFrom(table as TableName)
            .select((columns ?? columnNames(table)) as never)
            .where(sql<boolean>`${condition()}`)
            .orderBy(order as Column, direction);
          if (beyond) {
            const past = sql.raw(direction === "asc" ? ">" : "<");
            query = query.where(
              sql<boolean>`${sql.ref(order)} ${past} ${arg.of(kindOf(table, order), "after")}`,
            );
          }
          return limited ? query.limit(arg.int("limit")) : query;
        }),
    );
    return listed.all(connection, { ...args, after: options.after, limit: options.limit });
  }

  return {
    async find(table, where) {
      const { shape, args, condition } = conditions(table, where);
      const found = cached(`find ${table} ${shape}`, () =>
        statement(dialect, table, (query) =>
          query
            .selectFrom(table as TableName)
            .select(
              sql.join(
                columnNames(table).map((name) => dialect.selected(kindOf(table, name), name)),
              ) as never,
            )
            .where(sql<boolean>`${condition()}`)
            // A literal, because SQLite replans the query for each value of a bound limit.
            .limit(sql.lit(1)),
        ),
      );
      return (await found.first(connection, args)) as never;
    },

    list: async (table, where = {}, options = {}) => (await list(table, undefined, where, options)) as never,

    listColumns: async (table, columns, where, options = {}) =>
      (await list(table, columns, where, options)) as never,

    async count(table, where = {}) {
      const { shape, args, condition } = conditions(table, where);
      const counted = cached(`count ${table} ${shape}`, () =>
        statement(dialect, table, (query) =>
          query
            .selectFrom(table as TableName)
            .select(sql<number>`count(*)`.as("rows"))
            .where(sql<boolean>`${condition()}`),
        ),
      );
      return Number((await counted.first(connection, args))?.rows ?? 0);
    },

    async insert(table, row) {
      const inserted = cached(`insert ${table}`, () =>
        statement(dialect, table, (query) =>
          query
            .insertInto(table as TableName)
            .values(
              Object.fromEntries(
                columnNames(table).map((name) => [name, arg.of(kindOf(table, name), name)]),
              ) as never,
            ),
        ),
      );
      const args = wholeRow(table, row as Arguments);
      changed(table);
      await inserted.run(connection, args);
      await follow(table, [args]);
    },

    async insertAll(table, rows) {
      if (rows.length === 0) return [];
      const { encode, ...given } = jsonRows(dialect, table);
      const inserted = cached(`insert all ${table}`, () =>
        statement(
          dialect,
          table,
          () => sql`INSERT INTO ${sql.table(table)} (${given.columns})
            SELECT ${given.columns} FROM (${given.rows}) AS given RETURNING ${allColumns(table)}`,
        ),
      );
      const whole = rows.map((row) => wholeRow(table, row as Arguments));
      changed(table);
      const written = await inserted.all(connection, { rows: whole.map(encode) });
      await follow(table, whole);
      return written as never;
    },

    async update(table, where, changes) {
      const input = changes as Arguments;
      const names = columnsIn(input);
      if (names.length === 0) return 0;
      if (haveWords(table, names)) return (await change(table, where, input)).length;
      const { shape, args, condition } = conditions(table, where);
      const updated = cached(`update ${table} ${shape} ${names.join(",")}`, () =>
        statement(dialect, table, () => updateOf(table, names, condition)),
      );
      changed(table);
      const rows = await updated.run(connection, { ...args, ...input });
      await notifyOfEnds(table, where, input, rows);
      if (feed !== undefined) await tellOfChange(feed, table, where, input, rows);
      return rows;
    },

    async change(table, where, changes) {
      return (await change(table, where, changes as Arguments)) as never;
    },

    async remove(table, where) {
      const { shape, args, condition } = conditions(table, where);
      const removed = cached(`remove ${table} ${shape}`, () =>
        statement(dialect, table, (query) =>
          query.deleteFrom(table as TableName).where(sql<boolean>`${condition()}`),
        ),
      );
      changed(table);
      return removed.run(connection, args);
    },
  };
}
