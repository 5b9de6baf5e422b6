/**
 * A resource type as the API, the console, the command line and manifests use it: a plain object in
 * `resources.ts`.
 */
import type { RecordNoun } from "../../errors/messages.ts";
import { type ColumnOf, fieldsOf, type Row, type TableName } from "../../records/definition/definition.ts";
import { type Field, type Fields, mayBeGiven, mustBeGiven } from "../../records/definition/field.ts";
import { type ResourceType, tableOfResourceType } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import type { AdminContext } from "../access/actor.ts";
import { type Input, nounOf } from "../access/errors.ts";
import type { CreatedRow, Expected } from "../changes/changes.ts";
import type { ManifestRules } from "./manifest_rules.ts";

export interface Filter {
  readonly name: string;
  /**
   * `id` is a UUID, `text` an exact match, `bool` true or false, and `time` ISO 8601. `word` is one of
   * `values`, or the text of a search.
   */
  readonly kind: "id" | "text" | "bool" | "time" | "word";
  readonly meaning: string;
  readonly values?: readonly string[];
  /** Maps a filter word to column values, if the word is not a value itself. */
  readonly means?: Readonly<Record<string, readonly string[]>>;
  /**
   * The column whose value must equal the filter's. Filters without a column are `search`, `created_from`,
   * `created_before` and, for users, `attribute`.
   */
  readonly to: string;
}

/** A value, other than a referenced record, that lists and records contain if `include` names it. */
export interface IncludedValue<V = unknown> {
  readonly field: Field;
  /** Returns the values by record id, where the actor may read them, with a bounded number of statements. */
  of(context: AdminContext, views: readonly PublicView[]): Promise<ReadonlyMap<unknown, V>>;
}

export interface Resource<T extends TableName = TableName> {
  readonly resourceType: ResourceType;
  readonly table: T;
  /** The segment of the resource's path under /api/v1, such as `app-secrets`. */
  readonly path: string;
  /** The name of one record, such as `app secret`. */
  readonly noun: RecordNoun;
  readonly filters: readonly Filter[];
  /** The columns of `list` on the command line; undefined if the command defines its own. */
  readonly columns: readonly string[] | undefined;
  readonly newest_first?: boolean;
  /** Input fields that are not fields of the record, by action; those of `remove` are query parameters. */
  readonly input?: { readonly [Verb in GivingVerb]?: Fields };
  readonly output?: Fields;
  /** Fields that a caller may not set, apart from sensitive, internal and derived ones. */
  readonly server_set: readonly string[];
  /** Fields, other than immutable ones, that can be set only at creation. */
  readonly fixed: readonly string[];
  /** Required fields, other than `id`, whose default depends on the rest of the record or on the caller. */
  readonly made_when_absent?: readonly string[];
  /** Fields that are shown for a single record, but not in lists because they are long. */
  readonly unlisted?: readonly string[];
  readonly includes?: Readonly<Record<string, IncludedValue>>;
  /** The columns that describe a record without a natural key. */
  readonly called_by?: readonly string[];
  /**
   * Whether users are signed out if a record of this type that concerns them ends. If a record of another
   * type ends, users only lose access.
   */
  readonly signs_out?: true;
  readonly manifest?: ManifestRules<T>;
  /** Adds to the input the defaults that depend on the caller, such as the owner. */
  complete?(context: AdminContext, input: Input): Input;
  /** The case in which a creation only sends an invitation (202), and the resource type of the invitation. */
  readonly asks?: { readonly when: string; readonly noun: RecordNoun; readonly table: TableName };
  create?(context: AdminContext, input: Input): Promise<CreatedRow<T> | { readonly requested: PublicView }>;
  /** `seen` is the row if it was already read. */
  update?(
    context: AdminContext,
    id: string,
    input: Input,
    expected?: Expected<T>,
    seen?: Row<T>,
  ): Promise<Row<T>>;
  /** `values` are the fields of `input.remove`. */
  remove?(context: AdminContext, id: string, expected?: Expected<T>, values?: Input): Promise<void>;
  revoke?(context: AdminContext, id: string, expected?: Expected<T>): Promise<Row<T>>;
  /** Actions that few kinds of records have; `values` are the fields that `input` lists for the action. */
  readonly verbs?: { readonly [Verb in OwnVerb]?: DoesVerb<T> };
  /**
   * Additional data about one record that is not in its fields. The caller must first check the permission to
   * read the record.
   */
  readonly reads?: { readonly [Name in OwnRead]?: (context: AdminContext, id: string) => Promise<object> };
}

const ownReads = ["sign_in_methods"] as const;
export type OwnRead = (typeof ownReads)[number];

/**
 * `register` turns a client that was registered from its metadata document into an app. `reset_factors`
 * removes all of a user's authenticators, `remove_factor` one. `sign_out` ends a user's sessions, and
 * `revoke_everything` also ends everything that was issued to the user. `test_logout` sends an app a test
 * notice, and `retry` resends a notice. `ping` sends a test event to a webhook endpoint, `replay` resends
 * events to it, and `rotate_secret` replaces its secret.
 */
const ownVerbs = [
  "register",
  "reset_factors",
  "remove_factor",
  "sign_out",
  "revoke_everything",
  "test_logout",
  "retry",
  "ping",
  "replay",
  "rotate_secret",
] as const;
export type OwnVerb = (typeof ownVerbs)[number];

type DoesVerb<T extends TableName> = {
  // A method, because the bivariance of methods lets resources of all tables have one type.
  does(
    context: AdminContext,
    id: string,
    values: Input,
    expected?: Expected<T>,
  ): Promise<Row<T> | CreatedRow<T>>;
}["does"];

/** Returns the name of an action or a read as paths and commands spell it. */
export const spelledVerb = (verb: OwnVerb | OwnRead): string => verb.replaceAll("_", "-");

export function ownReadsOf({ reads = {} }: Resource): OwnRead[] {
  return ownReads.filter((name) => reads[name] !== undefined);
}

export const hasEnding = ({ remove, revoke }: Resource): boolean => (remove ?? revoke) !== undefined;

export function ownVerbsOf({ verbs = {} }: Resource): OwnVerb[] {
  return ownVerbs.filter((verb) => verbs[verb] !== undefined);
}

type TableOf<R extends ResourceType> = (typeof tableOfResourceType)[R];

type Following = "resourceType" | "table" | "path" | "noun";
type Usual = "server_set" | "fixed";

export function resource<R extends ResourceType>(
  resourceType: R,
  stated: Omit<Resource<TableOf<R>>, Following | Usual> &
    Partial<Pick<Resource, Usual>> & { readonly columns: readonly ColumnOf<TableOf<R>>[] | undefined },
): Resource<TableOf<R>> {
  const table: TableOf<R> = tableOfResourceType[resourceType];
  const path = resourceType.replaceAll("_", "-");
  return { resourceType, table, path, noun: nounOf(table), server_set: [], fixed: [], ...stated };
}

export type GivingVerb = "create" | "update" | "remove" | OwnVerb;

/**
 * Returns the fields that a caller may set when creating, changing or deleting a record, by name: those of
 * the record and the additional ones of `input`. Empty if the action is not offered.
 */
export function givenFields(resource: Resource, verb: GivingVerb): [string, Field][] {
  const { table, input, server_set, fixed, verbs = {} } = resource;
  const offered = { ...verbs, create: resource.create, update: resource.update, remove: resource.remove };
  if (offered[verb] === undefined) return [];
  const members = input?.[verb] ?? {};
  const isOpen = (name: string, { immutable }: Field) =>
    verb === "create" || (verb === "update" && !immutable && !fixed.includes(name));
  const own = Object.entries(fieldsOf(table)).filter(
    ([name, field]) =>
      isOpen(name, field) && mayBeGiven(field) && !server_set.includes(name) && !Object.hasOwn(members, name),
  );
  return [...own, ...Object.entries(members)];
}

export function isRequired({ made_when_absent = [] }: Resource, name: string, field: Field): boolean {
  return mustBeGiven(field) && name !== "id" && !made_when_absent.includes(name);
}
