/**
 * Operations on single records for the API, the console and the command line. Each checks the actor's
 * permission and returns only fields that the actor may see.
 */
import { sha256 } from "../../crypto/digest.ts";
import { detail } from "../../errors/details.ts";
import { fieldError, unknownParameter } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { Row, TableName } from "../../records/definition/definition.ts";
import type { Permission } from "../../records/definition/permissions.ts";
import { isSubject } from "../../records/definition/token_subjects.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { requirePermission, requirePermissionForNew } from "../access/access.ts";
import { type AdminContext, type EffectivePermissions, permissionsOfActor } from "../access/actor.ts";
import { type Input, notFound } from "../access/errors.ts";
import type { Expected } from "../changes/changes.ts";
import { viewFor } from "../changes/record_view.ts";
import { credentialErrors, refuseAny } from "../guards/rules.ts";
import { givenFields, type OwnRead, type OwnVerb, type Resource } from "./resource.ts";

export interface CreatedRecord {
  readonly record: PublicView;
  readonly once: Readonly<Record<string, string>>;
  /** Set if the request only sent an invitation. `record` is then the invitation. */
  readonly requested?: true;
}

/** Returns the record's visible fields. Throws 403 `forbidden`, 404 `not_found`. */
export async function getRecord(context: AdminContext, resource: Resource, id: string): Promise<PublicView> {
  await requirePermission(context, permissionTo("read", resource), resource.table, id);
  const row = await context.store.find(resource.table, { id: id.toLowerCase() });
  if (row === undefined) throw notFound(resource.table, id);
  return representation(resource, row, await permissionsOfActor(context));
}

/** Returns additional data about a record: `name` is one of `resource.reads`. */
export async function readOfRecord(
  context: AdminContext,
  resource: Resource,
  name: OwnRead,
  id: string,
): Promise<object> {
  const read = resource.reads?.[name];
  if (read === undefined) throw new TypeError(`${resource.resourceType} have no ${name}`);
  await requirePermission(context, permissionTo("read", resource), resource.table, id);
  return read(context, id.toLowerCase());
}

/**
 * Creates a record. Throws 403 `forbidden`, 404 `not_found`, 405 `method_not_allowed`, 409 `conflict`, 422
 * `invalid_record`.
 */
export async function createRecord(
  context: AdminContext,
  resource: Resource,
  input: Input,
): Promise<CreatedRecord> {
  if (resource.create === undefined) throw notOffered(resource, "no_creation");
  const whole = resource.complete?.(context, input) ?? input;
  await requirePermissionForNew(context, permissionTo("write", resource), resource.table, whole);
  const actorPermissions = await permissionsOfActor(context);
  if (Object.hasOwn(input, "id")) {
    // Tokens name users and service accounts by this id. A caller who could choose it could impersonate
    // another subject (RFC 9700, section 4.15).
    const errors = credentialErrors(actorPermissions, { id: isSubject(resource.table) });
    refuseAny(actorPermissions.platform ? errors : [fieldError("/id", "platform_chooses")]);
  }
  const made = await resource.create(context, whole);
  if ("requested" in made) return { record: made.requested, once: {}, requested: true };
  const { row, once = {} } = made;
  return { record: representation(resource, row, actorPermissions), once };
}

/** Proves that `requireWritable` has checked the permission, because only that function creates instances. */
class Writable {
  readonly id: string;
  readonly view: PublicView;
  readonly #context: AdminContext;
  readonly #resource: Resource;
  readonly #row: Row<TableName>;

  constructor(context: AdminContext, resource: Resource, row: Row<TableName>, view: PublicView) {
    this.id = row.id;
    this.view = view;
    this.#context = context;
    this.#resource = resource;
    this.#row = row;
  }

  get etag(): string {
    return etagOf(this.view);
  }

  seenBy(context: AdminContext, resource: Resource): Row<TableName> | undefined {
    return this.#context === context && this.#resource === resource ? this.#row : undefined;
  }
}

export type WritableRecord = Writable;

/**
 * Returns the record if the actor may write it. Writes check the permission again on the locked row. Throws
 * 403 `forbidden`, 404 `not_found`.
 */
export async function requireWritable(
  context: AdminContext,
  resource: Resource,
  id: string,
): Promise<WritableRecord> {
  const { table } = resource;
  await requirePermission(context, permissionTo("write", resource), table, id);
  const row = await context.store.find(table, { id: id.toLowerCase() });
  if (row === undefined) throw notFound(table, id);
  const view = representation(resource, row, await permissionsOfActor(context));
  return new Writable(context, resource, row, view);
}

async function writing(
  context: AdminContext,
  resource: Resource,
  subject: string | WritableRecord,
): Promise<{ id: string; seen?: Row<TableName> }> {
  if (typeof subject !== "string") {
    const seen = subject.seenBy(context, resource);
    if (seen !== undefined) return { id: subject.id, seen };
  }
  const id = typeof subject === "string" ? subject : subject.id;
  await requirePermission(context, permissionTo("write", resource), resource.table, id);
  return { id: id.toLowerCase() };
}

/**
 * Returns a function that throws 412 `stale` unless the actor's view of the row matches one of `tags`. Times
 * of last use are not compared.
 */
export async function inState(
  context: AdminContext,
  resource: Resource,
  ...tags: readonly string[]
): Promise<Expected> {
  const actorPermissions = await permissionsOfActor(context);
  return (row) => {
    const etag = etagOf(representation(resource, row, actorPermissions));
    if (tags.some((tag) => isSameState(tag, etag))) return;
    throw new Problem("stale", detail("stale"));
  };
}

/**
 * Sets the given fields of the record and returns it. Replaces nested objects as a whole; `patchRecord`
 * merges them.
 */
export async function updateRecord(
  context: AdminContext,
  resource: Resource,
  subject: string | WritableRecord,
  input: Input,
  expected?: Expected,
): Promise<PublicView> {
  if (resource.update === undefined) throw notOffered(resource, "no_change");
  const { id, seen } = await writing(context, resource, subject);
  const row = await resource.update(context, id, input, expected, seen);
  return representation(resource, row, await permissionsOfActor(context));
}

/**
 * Deletes the record and everything that belongs to it. `values` are the query parameters in
 * `resource.input.remove`.
 */
export async function removeRecord(
  context: AdminContext,
  resource: Resource,
  subject: string | WritableRecord,
  expected?: Expected,
  values: Input = {},
): Promise<void> {
  if (resource.remove === undefined) throw notOffered(resource, "no_deletion");
  const { id } = await writing(context, resource, subject);
  refuseUnknown(resource, "remove", values);
  await resource.remove(context, id, expected, values);
}

/** Ends the record permanently and returns it. A record that has already ended does not change. */
export async function revokeRecord(
  context: AdminContext,
  resource: Resource,
  subject: string | WritableRecord,
  expected?: Expected,
): Promise<PublicView> {
  if (resource.revoke === undefined) throw notOffered(resource, "no_revocation");
  const { id } = await writing(context, resource, subject);
  const row = await resource.revoke(context, id, expected);
  return representation(resource, row, await permissionsOfActor(context));
}

/**
 * Performs one of the resource's own actions (`resource.verbs`). `values` are its fields in `resource.input`.
 */
export async function actOnRecord(
  context: AdminContext,
  resource: Resource,
  verb: OwnVerb,
  subject: string | WritableRecord,
  values: Input,
  expected?: Expected,
): Promise<PublicView> {
  const act = resource.verbs?.[verb];
  if (act === undefined) throw notOffered(resource, "no_such_act");
  const { id } = await writing(context, resource, subject);
  refuseUnknown(resource, verb, values);
  const done = await act(context, id, values, expected);
  const { row, once } = "row" in done ? done : { row: done };
  return { ...representation(resource, row, await permissionsOfActor(context)), ...once };
}

function refuseUnknown(resource: Resource, verb: "remove" | OwnVerb, values: Input): void {
  const known = givenFields(resource, verb).map(([name]) => name);
  const unknown = Object.keys(values).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const errors = unknown.map((name) => unknownParameter(name));
  const code = verb === "remove" ? "wrong_deletion" : "wrong_act";
  throw new Problem("invalid_record", detail(code, { record: resource.noun }), errors);
}

function permissionTo(verb: "read" | "write", { resourceType }: Resource): Permission {
  return `${resourceType}:${verb}`;
}

function notOffered(
  { noun }: Resource,
  code: "no_creation" | "no_change" | "no_deletion" | "no_revocation" | "no_such_act",
): Problem {
  return new Problem("method_not_allowed", detail(code, { record: noun }));
}

export type Reading = Pick<EffectivePermissions, "platform" | "user_id" | "definitions">;

/** Returns the fields of a row that the actor may see, never secrets or hashes. */
export function representation(
  resource: Resource,
  row: Row<Resource["table"]>,
  actorPermissions: Reading,
): PublicView {
  return viewFor(actorPermissions, resource.table, row);
}

const changedByUse: readonly string[] = ["last_used_at", "last_login_at", "last_seen_at"];

/**
 * Returns a strong, quoted entity tag of the visible fields (RFC 9110, section 8.8.3). It contains two hashes
 * separated by a dot. The first excludes the times of last use, so that If-Match can succeed for a key that
 * is in use.
 */
export function etagOf(view: PublicView): string {
  const whole: string[] = [];
  const kept: string[] = [];
  for (const name of Object.keys(view).sort()) {
    const value = canonical(view[name]);
    if (value === undefined) continue;
    const member = `${JSON.stringify(name)}:${value}`;
    whole.push(member);
    if (!changedByUse.includes(name)) kept.push(member);
  }
  const hashes = [kept, whole].map((members) =>
    sha256(`{${members.join(",")}}`)
      .subarray(0, 16)
      .toString("base64url"),
  );
  return `"${hashes.join(".")}"`;
}

/** Returns the first part of a tag from `etagOf`, which does not depend on the times of last use. */
export function stateIn(etag: string): string {
  const [state = ""] = etag.split(".");
  return state;
}

function isSameState(one: string, other: string): boolean {
  return stateIn(one) === stateIn(other);
}

/** Sorts the fields of JSON objects, because databases return them in different orders. */
function canonical(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return JSON.stringify(value, (_, item: unknown) =>
    isObject(item)
      ? Object.fromEntries(
          Object.keys(item)
            .sort()
            .map((name) => [name, item[name]]),
        )
      : item,
  );
}
