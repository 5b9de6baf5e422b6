/**
 * Collects all errors of a form in which some fields could not be parsed, so that users can correct them
 * together.
 */
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { fieldsOf, type Row, type TableName, tables } from "../../records/definition/definition.ts";
import type { TableDefinition } from "../../records/definition/table.ts";
import { checkChange, checkNew } from "../../records/formats/check.ts";
import type { AdminContext } from "../access/actor.ts";
import { fieldOfKey, type Input } from "../access/errors.ts";
import { referenceErrors } from "../changes/references.ts";
import type { WritableRecord } from "./manage.ts";
import { givenFields, isRequired, type Resource } from "./resource.ts";

/**
 * Returns the errors of a new record, at most one for each path. Call it only for actors that may create the
 * record.
 */
export async function errorsOfNew(
  context: AdminContext,
  resource: Resource,
  input: Input,
): Promise<FieldError[]> {
  const { table, manifest } = resource;
  const values = columnsIn(resource, resource.complete?.(context, input) ?? input);
  const { errors, record } = manifest?.draft(context, values) ?? checkNew(table, values);
  const open = new Map(givenFields(resource, "create"));
  const counting = errors.filter(({ path, code }) => {
    const name = nameIn(path);
    const field = open.get(name);
    return field !== undefined && (code !== "required" || isRequired(resource, name, field));
  });
  return onePerPath([...counting, ...(await errorsBeside(context, table, record as Input, counting))]);
}

export async function errorsOfChange(
  context: AdminContext,
  resource: Resource,
  { id }: WritableRecord,
  input: Input,
): Promise<FieldError[]> {
  const { table, manifest } = resource;
  const current = await context.store.find(table, { id });
  if (current === undefined) return [];
  const values = columnsIn(resource, input);
  const { errors, record } =
    manifest?.change(context, current, values) ?? checkChange(table, current, values);
  const open = new Map(givenFields(resource, "update"));
  const counting = errors.filter(({ path }) => open.has(nameIn(path)));
  const changed = Object.fromEntries(
    Object.entries(record as Input).filter(([name, value]) => value !== (current as Input)[name]),
  );
  return onePerPath([...counting, ...(await errorsBeside(context, table, changed, counting, current))]);
}

function columnsIn({ table, manifest }: Resource, input: Input): Input {
  const fields = fieldsOf(table);
  const isRead = (name: string) =>
    (Object.hasOwn(fields, name) && !fields[name]?.sensitive) || manifest?.requested?.includes(name) === true;
  return Object.fromEntries(Object.entries(input).filter(([name]) => isRead(name)));
}

async function errorsBeside<T extends TableName>(
  context: AdminContext,
  table: T,
  values: Input,
  errors: readonly FieldError[],
  current?: Row<T>,
): Promise<FieldError[]> {
  const faulty = new Set(errors.map(({ path }) => nameIn(path)));
  const sound = Object.fromEntries(Object.entries(values).filter(([name]) => !faulty.has(name)));
  const missing = await referenceErrors(context, context.store, table, sound);
  return [...missing, ...(await takenErrors(context, table, sound, current))];
}

async function takenErrors<T extends TableName>(
  { store }: Pick<AdminContext, "store">,
  table: T,
  values: Input,
  current?: Row<T>,
): Promise<FieldError[]> {
  const { unique = [] }: TableDefinition = tables[table];
  const alone = Object.entries(fieldsOf(table)).flatMap(([name, field]) =>
    field.unique && !field.sensitive && field.kind !== "signature" ? [[name]] : [],
  );
  const errors: FieldError[] = [];
  for (const columns of [...alone, ...unique]) {
    if (!columns.some((name) => Object.hasOwn(values, name))) continue;
    const key = Object.fromEntries(
      columns.map((name) => [name, Object.hasOwn(values, name) ? values[name] : (current as Input)?.[name]]),
    );
    if (Object.values(key).some((value) => value === undefined || value === null)) continue;
    const other = (await store.find(table, key as never)) as { readonly id: string } | undefined;
    if (other === undefined || other.id === (current as { id?: string } | undefined)?.id) continue;
    errors.push(...columns.map((name) => fieldError(`/${fieldOfKey[name] ?? name}`, "taken")));
  }
  return errors;
}

const nameIn = (path: string): string => path.split("/")[1] ?? "";

function onePerPath(errors: readonly FieldError[]): FieldError[] {
  return errors.filter(({ path }, index) => errors.findIndex((error) => error.path === path) === index);
}
