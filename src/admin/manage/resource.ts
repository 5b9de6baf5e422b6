/**
 * The description of a resource type, from which the API, the console, the command line and manifests are
 * built.
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
   * `time` is an ISO 8601 time, and `word` one of `values`. `text` is compared as a whole or, for a search,
   * split into words.
   */
  readonly kind: "id" | "text" | "bool" | "time" | "word";
  readonly meaning: string;
  readonly values?: readonly string[];
  /** The column values that match a word in `values`, if the word itself is not a column value. */
  readonly means?: Readonly<Record<string, readonly string[]>>;
  /**
   * The column that the filter compares. A filter without a column has `search`, `created_from`,
   * `created_before` or `attribute` here.
   */
  readonly to: string;
}

export interface IncludedValue<V = unknown> {
  readonly field: Field;
  /**
   * Returns the values by record id, in a bounded number of queries. Values that the actor may not read are
   * left out.
   */
  of(context: AdminContext, views: readonly PublicView[]): Promise<ReadonlyMap<unknown, V>>;
}

export interface Resource<T extends TableName = TableName> {
  readonly resourceType: ResourceType;
  readonly table: T;
  readonly path: string;
  readonly noun: RecordNoun;
  readonly filters: readonly Filter[];
  /** The columns of the command line's list; undefined if the command line defines them itself. */
  readonly columns: readonly string[] | undefined;
  readonly newest_first?: boolean;
  /**
   * For each action, input fields in addition to the columns that callers may set. The fields of `remove` are
   * query parameters.
   */
  readonly input?: { readonly [Verb in GivingVerb]?: Fields };
  readonly output?: Fields;
  /** Fields that callers cannot set, in addition to sensitive, internal and derived fields. */
  readonly server_set: readonly string[];
  /** Fields that can be set only at creation, in addition to immutable fields. */
  readonly fixed: readonly string[];
  /**
   * Fields with a default that depends on the rest of the record or on the caller, each with its default in
   * words.
   */
  readonly made_when_absent?: Readonly<Record<string, string>>;
  readonly unlisted?: readonly string[];
  readonly includes?: Readonly<Record<string, IncludedValue>>;
  /** The columns that name a record without a natural key. */
  readonly called_by?: readonly string[];
  /**
   * Whether the end of a record of this type signs users out. For example, the end of an app signs out its
   * users.
   */
  readonly signs_out?: true;
  readonly manifest?: ManifestRules<T>;
  complete?(context: AdminContext, input: Input): Input;
  /**
   * Set if, in some cases, creating a record only sends an invitation (status 202). `when` says in which
   * case.
   */
  readonly asks?: { readonly when: string; readonly noun: RecordNoun; readonly table: TableName };
  create?(context: AdminContext, input: Input): Promise<CreatedRow<T> | { readonly requested: PublicView }>;
  /** `seen` is the row if the permission check already read it. */
  update?(
    context: AdminContext,
    id: string,
    input: Input,
    expected?: Expected<T>,
    seen?: Row<T>,
  ): Promise<Row<T>>;
  remove?(context: AdminContext, id: string, expected?: Expected<T>, values?: Input): Promise<void>;
  revoke?(context: AdminContext, id: string, expected?: Expected<T>): Promise<Row<T>>;
  readonly verbs?: { readonly [Verb in OwnVerb]?: DoesVerb<T> };
  /**
   * Functions that return additional data about a record. Check the permission to read the record before
   * calling one.
   */
  readonly reads?: { readonly [Name in OwnRead]?: (context: AdminContext, id: string) => Promise<object> };
}

const ownReads = ["sign_in_methods"] as const;
export type OwnRead = (typeof ownReads)[number];

/**
 * `register` turns a client with a metadata document into an app with an owner. `revoke_everything` ends a
 * user's sessions, tokens, consents and API keys.
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
  // Declared as a method: parameters of methods are bivariant, so resources of different tables fit one type.
  does(
    context: AdminContext,
    id: string,
    values: Input,
    expected?: Expected<T>,
  ): Promise<Row<T> | CreatedRow<T>>;
}["does"];

/** Returns the name of an action or a read with hyphens, as in paths and commands. */
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

/** Returns the fields that callers may set in this action, with their names. */
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

export function isRequired({ made_when_absent = {} }: Resource, name: string, field: Field): boolean {
  return mustBeGiven(field) && name !== "id" && !Object.hasOwn(made_when_absent, name);
}
