/** SQL statements that Kysely builds, that are compiled once, and that run with named arguments. */
import { type CompiledQuery, type Expression, type RawBuilder, sql } from "kysely";
import { type ColumnOf, fieldsOf, type TableName } from "../../records/definition/definition.ts";
import type { Kind } from "../../records/definition/field.ts";
import type { Builder, Dialect } from "./dialect.ts";
import type { Connection, EncodedRow, PreparedStatement } from "./driver.ts";

class Placeholder {
  readonly kind: Kind;
  readonly name: string;
  readonly row: string | undefined;
  constructor(kind: Kind, name: string, row: string | undefined) {
    this.kind = kind;
    this.name = name;
    this.row = row;
  }
}

function placeholder<T>(kind: Kind) {
  return (name: string, row?: string): RawBuilder<T> => sql<T>`${new Placeholder(kind, name, row)}`;
}

/** With `row`, the value is a member of the argument that `row` names. */
export const arg = {
  uuid: placeholder<string>("uuid"),
  signature: placeholder<Buffer>("signature"),
  string: placeholder<string>("string"),
  int: placeholder<number>("int"),
  bool: placeholder<boolean>("bool"),
  time: placeholder<Date>("time"),
  json: placeholder<never>("json"),
  of: (kind: Kind, name: string, row?: string): Expression<never> => placeholder<never>(kind)(name, row),
};

/**
 * Returns the columns of a table that this version knows. `*` would include columns of a later version, and
 * PostgreSQL would then reject prepared statements (0A000).
 */
export function columnNames<T extends TableName>(table: T): ColumnOf<T>[] {
  return Object.keys(fieldsOf(table)) as ColumnOf<T>[];
}

/** Returns the columns of `columnNames` as a SQL list, each prefixed with `of` if given. */
export function allColumns(table: TableName, of?: string): RawBuilder<unknown> {
  const names = columnNames(table).map((name) => sql.ref(of === undefined ? name : `${of}.${name}`));
  return sql.join(names);
}

export const yes = sql<boolean>`true`;
export const no = sql<boolean>`false`;

export type Arguments = Readonly<Record<string, unknown>>;

export interface Statement<R> {
  prepare(args: Arguments): PreparedStatement;
  all(connection: Connection, args: Arguments): Promise<R[]>;
  first(connection: Connection, args: Arguments): Promise<R | undefined>;
  run(connection: Connection, args: Arguments): Promise<number>;
}

/** Returns a function that decodes the known columns of a row in place. */
export function rowDecoder<R>(dialect: Dialect, table: TableName): (row: EncodedRow) => R {
  const fields = fieldsOf(table);
  let columns: readonly (readonly [name: string, kind: Kind])[] | undefined;
  return (row) => {
    columns ??= Object.keys(row).flatMap((name) => {
      const kind = fields[name]?.kind;
      return kind === undefined ? [] : [[name, kind] as const];
    });
    for (const [name, kind] of columns) row[name] = dialect.decode(kind, row[name]);
    return row as R;
  };
}

interface Compilable<R> {
  compile(builder: Builder): CompiledQuery<R>;
}

/** Returns the statement that `write` builds; it is compiled on first use. */
export function statement<R>(
  dialect: Dialect,
  table: TableName,
  write: (builder: Builder) => Compilable<R>,
): Statement<R> {
  let compiled: { text: string; encode: (args: Arguments) => unknown[] } | undefined;
  const compile = () => {
    const query = write(dialect.builder).compile(dialect.builder);
    const encode = (args: Arguments) => {
      const values: unknown[] = [];
      for (const parameter of query.parameters) {
        if (!(parameter instanceof Placeholder)) values.push(parameter);
        else {
          const { kind, name, row } = parameter;
          values.push(dialect.encode(kind, (row === undefined ? args : (args[row] as Arguments))[name]));
        }
      }
      return values;
    };
    compiled = { text: query.sql, encode };
    dialect.onUse?.(write);
    return compiled;
  };
  dialect.onStatement?.(() => (compiled ?? compile()).text);
  const decode = rowDecoder<R>(dialect, table);
  return {
    prepare(args) {
      const { text, encode } = compiled ?? compile();
      return { sql: text, parameters: encode(args) };
    },
    async all(connection, args) {
      const { text, encode } = compiled ?? compile();
      const rows = await connection.all(text, encode(args));
      return rows.map(decode);
    },
    async first(connection, args) {
      const { text, encode } = compiled ?? compile();
      const row = await connection.first(text, encode(args));
      return row === undefined ? undefined : decode(row);
    },
    async run(connection, args) {
      const { text, encode } = compiled ?? compile();
      return connection.run(text, encode(args));
    },
  };
}
