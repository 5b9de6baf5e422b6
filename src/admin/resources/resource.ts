/**
 * What a resource type is to the faces of management: a plain object, of which `resources.ts` lists one for
 * each.
 */
import { fieldsOf, type Row, type TableName } from "../../records/definition.ts";
import { type Field, mayBeGiven } from "../../records/field.ts";
import type { ResourceType } from "../../records/permissions.ts";
import type { PublicView } from "../../records/view.ts";
import type { AdminContext } from "../access/actor.ts";
import type { CreatedRow, Expected } from "../changes.ts";
import type { Input } from "../faults.ts";

/** A JSON Schema of 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Members beside the record's own fields, by name. */
export interface ExtraMember {
  readonly meaning: string;
  readonly schema: JsonSchema;
  /** True when the member must be given. */
  readonly required?: true;
}
export type ExtraMembers = Readonly<Record<string, ExtraMember>>;

/** A query parameter of a list. */
export interface Filter {
  readonly name: string;
  /**
   * `id` a UUID, `text` what must be equal, `bool` true or false, `time` ISO 8601, `word` one of `values` or
   * a search.
   */
  readonly kind: "id" | "text" | "bool" | "time" | "word";
  readonly meaning: string;
  /** The values there are, when they are few. */
  readonly values?: readonly string[];
  /** The column that must be equal; `search`, `created_from` and `created_before` are the list's own. */
  readonly to: string;
}

export interface Resource<T extends TableName = TableName> {
  readonly resourceType: ResourceType;
  readonly table: T;
  /** The segment of its path under /api/v1, such as `app-secrets`. */
  readonly path: string;
  /** What one record is called, such as `app secret`. */
  readonly noun: string;
  readonly filters: readonly Filter[];
  /** Lists begin with what was made last. */
  readonly newest_first?: boolean;
  /** Members beside the record's own fields; those of `remove` are query parameters. */
  readonly input?: {
    readonly create?: ExtraMembers;
    readonly update?: ExtraMembers;
    readonly remove?: ExtraMembers;
  };
  /** What the answer to a creation holds beside the record, once. */
  readonly output?: ExtraMembers;
  /** Fields that a caller may not give, beside those that are sensitive, internal or kept up to date. */
  readonly server_set: readonly string[];
  /** Fields that can be given at creation alone, beside those that are immutable. */
  readonly fixed: readonly string[];
  /**
   * Required fields that follow from the rest or from who asks when the caller leaves them out, beside `id`.
   */
  readonly made_when_absent?: readonly string[];
  /** Fields that are shown of one record, but not in lists, because they are long. */
  readonly unlisted?: readonly string[];
  /** The input with what follows from who asks, such as whose it is. */
  complete?(context: AdminContext, input: Input): Input;
  /** That a creation may only ask somebody for it (202): when, and by a record of which kind. */
  readonly asks?: { readonly when: string; readonly noun: string; readonly table: TableName };
  create?(context: AdminContext, input: Input): Promise<CreatedRow<T> | { readonly asked: PublicView }>;
  update?(context: AdminContext, id: string, input: Input, expected?: Expected<T>): Promise<Row<T>>;
  /** `given` are members of `input.remove`. */
  remove?(context: AdminContext, id: string, expected?: Expected<T>, given?: Input): Promise<void>;
  revoke?(context: AdminContext, id: string, expected?: Expected<T>): Promise<Row<T>>;
}

/**
 * The fields of the record that a caller may give when it is made or when it is changed, by name; none where
 * nobody makes or changes such records.
 */
export function givenFields(resource: Resource, when: "create" | "update"): [name: string, field: Field][] {
  const { table, server_set, fixed } = resource;
  if (resource[when] === undefined) return [];
  return Object.entries(fieldsOf(table)).filter(
    ([name, field]) =>
      mayBeGiven(field) &&
      !server_set.includes(name) &&
      !(when === "update" && (field.immutable || fixed.includes(name))),
  );
}
