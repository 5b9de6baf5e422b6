/**
 * Defines how the rules of a table list the actions and fields that only platform administrators may use.
 * `guards.ts` enforces these lists, and the console hides the actions and fields from others.
 */
import { isDeepStrictEqual } from "node:util";
import type { Detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { fieldsOf, type Row, type TableName } from "../../records/definition/definition.ts";
import type { EffectivePermissions } from "../access/actor.ts";

type Name<T extends TableName> = keyof Row<T> & string;

export interface PlatformOnly<T extends TableName> {
  readonly create?: Detail;
  readonly remove?: Detail;
  readonly fields?: readonly Name<T>[];
  /**
   * Fields that only platform administrators may change after creation, in addition to `fields`: the listed
   * ones, or all except those in `but`.
   */
  readonly kept?: readonly Name<T>[] | { readonly but: readonly Name<T>[] };
  readonly members?: readonly string[];
  /** The field in which users other than platform administrators may name only themselves. */
  readonly self?: Name<T>;
}

type Values = Readonly<Record<string, unknown>>;

export function fieldsOfPlatform<T extends TableName>(
  table: T,
  only: PlatformOnly<T>,
  verb: "create" | "update",
): readonly string[] {
  const { fields = [], members = [], self } = only;
  return [
    ...(verb === "create" ? fields : unchanged(table, only)),
    ...members,
    ...(self === undefined ? [] : [self]),
  ];
}

export function errorsOfNew<T extends TableName>(
  actorPermissions: EffectivePermissions,
  table: T,
  { fields = [], self }: PlatformOnly<T>,
  record: Values,
): FieldError[] {
  const initial = (name: string) => fieldsOf(table)[name]?.default ?? null;
  const input = fields.filter((name) => !isDeepStrictEqual(record[name] ?? null, initial(name)));
  return [...errorsOfSelf(actorPermissions, self, record), ...input.map(platformError)];
}

export function errorsOfChange<T extends TableName>(
  actorPermissions: EffectivePermissions,
  table: T,
  only: PlatformOnly<T>,
  changes: Values,
): FieldError[] {
  const names = unchanged(table, only).filter((name) => changes[name] !== undefined);
  const self = names.some((name) => name === only.self) ? undefined : only.self;
  return [...names.map(platformError), ...errorsOfSelf(actorPermissions, self, changes)];
}

function unchanged<T extends TableName>(table: T, { fields = [], kept = [] }: PlatformOnly<T>): string[] {
  return "but" in kept ? [...othersThan(table, kept.but), ...fields] : [...kept, ...fields];
}

/** Returns the table's fields that callers can set, except those in `free`. */
export function othersThan(table: TableName, free: readonly string[]): string[] {
  return Object.entries(fieldsOf(table)).flatMap(([name, { internal, auto_update }]) =>
    internal || auto_update || free.includes(name) ? [] : [name],
  );
}

export function platformError(name: string): FieldError {
  return fieldError(`/${name}`, "platform_only");
}

/** Machine actors have no user id; the rules of the table decide which users they may name. */
function errorsOfSelf(
  { user_id }: EffectivePermissions,
  self: string | undefined,
  values: Values,
): FieldError[] {
  const named = self === undefined ? undefined : values[self];
  if (named === undefined || named === null || user_id === null || named === user_id) return [];
  return [fieldError(`/${self}`, "not_you")];
}
