import { type FieldError, type FieldErrorCode, fieldError } from "../../errors/field_errors.ts";
import {
  type ColumnOf,
  fieldsOf,
  type NewRow,
  type Row,
  type TableName,
} from "../../records/definition/definition.ts";
import { type Checked, checkChange, checkNew } from "../../records/formats/check.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import type { AdminContext } from "../access/actor.ts";
import { assertValid, type Input } from "../access/errors.ts";
import { type CreatedRow, changeRecord, type Expected, insertRecord } from "./changes.ts";
import { referenceErrors } from "./references.ts";
import { deleteRecord } from "./removal.ts";

export interface Meant {
  readonly input: Input;
  readonly errors: readonly FieldError[];
}

interface Drafting<T extends TableName> {
  /**
   * Columns that follow from others. Changes set them only if `from` changes, because a row of an earlier version
   * may lack a unique value that another row has.
   */
  readonly derived?: {
    readonly from: ColumnOf<T>;
    readonly of: (values: Partial<Row<T>>) => Partial<Row<T>>;
  };
  /**
   * Checks what the table's definition cannot express, and replaces names of other records in the input with
   * their ids.
   */
  meant?(reads: Pick<Verbs, "find">, input: Input, current?: Row<T>): Promise<Meant>;
  /** Initial values of columns that callers cannot set. */
  readonly made?: Partial<Row<T>>;
  /** Columns that can only be set on a new record. */
  readonly settled?: {
    readonly columns: readonly ColumnOf<T>[];
    readonly code: Extract<FieldErrorCode, `fixed${string}`>;
  };
}

const withErrors = <R>({ errors, record }: Checked<R>, further: readonly FieldError[]): Checked<R> => ({
  errors: [...errors, ...further],
  record,
});

/**
 * Returns the function that deletes a record of this table. Use it only for tables whose dependents need no
 * extra work.
 */
export function removal<T extends TableName>(table: T) {
  return (context: AdminContext, id: string, expected?: Expected<T>): Promise<void> =>
    deleteRecord(context, table, id, { expected });
}

/**
 * Returns the functions that create, update and delete records of this table, and the functions that
 * manifests use.
 */
export function readyMade<T extends TableName>(
  table: T,
  {
    made,
    settled = { columns: [], code: "fixed" },
    derived,
    meant = async (_, input) => ({ input, errors: [] }),
  }: Drafting<T> = {},
) {
  const times = ["created_at", "updated_at"].filter((name) => Object.hasOwn(fieldsOf(table), name));

  function draft({ store, now }: AdminContext, input: Input): Checked<NewRow<T>> {
    const at = now();
    const values = {
      ...(input.id === undefined ? { id: store.newId(at) } : {}),
      ...made,
      ...derived?.of(checkNew(table, input).record as Partial<Row<T>>),
      ...Object.fromEntries(times.map((name) => [name, at])),
    };
    return checkNew(table, input, values as Partial<Row<T>>);
  }

  function change(_: AdminContext, current: Row<T>, input: Input): Checked<Partial<Row<T>>> {
    const { errors, record } = checkChange(table, current, input);
    const isMoved = (name: ColumnOf<T>) => {
      const value = (record as Input)[name];
      return value !== undefined && value !== (current as Input)[name];
    };
    const moved = settled.columns.filter(isMoved);
    return {
      errors: [...errors, ...moved.map((name) => fieldError(`/${name}`, settled.code))],
      record: { ...record, ...(derived && isMoved(derived.from) && derived.of({ ...current, ...record })) },
    };
  }

  async function valid<R>(
    context: AdminContext,
    reads: Parameters<typeof referenceErrors>[1],
    { errors, record }: Checked<R>,
  ): Promise<R> {
    const missing = await referenceErrors(context, reads, table, record as Input);
    const further = missing.filter(({ path }) => errors.every((error) => error.path !== path));
    return assertValid(table, { errors: [...errors, ...further], record });
  }

  return {
    manifest: { draft, change },
    async create(context: AdminContext, requested: Input): Promise<CreatedRow<T>> {
      const { input, errors } = await meant(context.store, requested);
      const record = await valid(context, context.store, withErrors(draft(context, input), errors));
      return { row: await insertRecord(context, table, record) };
    },
    update: (context: AdminContext, id: string, requested: Input, expected?: Expected<T>): Promise<Row<T>> =>
      changeRecord(
        context,
        table,
        id,
        async (current, tx) => {
          const { input, errors } = await meant(tx, requested, current);
          return valid(context, tx, withErrors(change(context, current, input), errors));
        },
        { expected },
      ),
    remove: removal(table),
  };
}
