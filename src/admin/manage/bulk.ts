import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError, unknownField } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isUuid } from "../../records/formats/check.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Input } from "../access/errors.ts";
import { createRecord, etagOf, inState, removeRecord, revokeRecord } from "./manage.ts";
import { patchRecord } from "./patch_record.ts";
import type { Resource } from "./resource.ts";

export const mostOperations = 200;

const bulkActs = ["create", "update", "delete", "revoke"] as const;
export type BulkAct = (typeof bulkActs)[number];

export const bulkMembers: Readonly<Record<BulkAct, { needs: readonly string[]; takes: readonly string[] }>> =
  {
    create: { needs: ["data"], takes: [] },
    update: { needs: ["id", "data"], takes: ["if_match"] },
    delete: { needs: ["id"], takes: ["if_match", "data"] },
    revoke: { needs: ["id"], takes: ["if_match"] },
  };

interface BulkOperation {
  readonly op: BulkAct;
  readonly id: string;
  readonly data: Input;
  readonly if_match: string | undefined;
}

interface BulkDone {
  readonly status: 200 | 201 | 202 | 204;
  readonly etag?: string;
  readonly data?: PublicView;
}

export function bulkActsOf({ create, update, remove, revoke }: Resource): BulkAct[] {
  const offered = { create, update, delete: remove, revoke };
  return bulkActs.filter((act) => offered[act] !== undefined);
}

/**
 * Returns the operations in the request body. Throws 422 `invalid_record` naming every invalid operation, or
 * for more than `mostOperations` or `quota` operations. `quota` is the caller's limit of requests per minute
 * (H-52).
 */
export function readOperations(
  resource: Resource,
  body: Input,
  quota = Number.POSITIVE_INFINITY,
): BulkOperation[] {
  const { operations, ...unknown } = body;
  const errors: FieldError[] = Object.keys(unknown).map((name) => unknownField(name));
  if (!Array.isArray(operations)) errors.push(fieldError("/operations", "not_list"));
  else if (operations.length < 1 || operations.length > mostOperations) {
    errors.push(fieldError("/operations", "list_out_of_range", { min: 1, max: mostOperations }));
  } else if (operations.length > quota) {
    errors.push(fieldError("/operations", "more_than_quota", { max: quota }));
  }
  const all = Array.isArray(operations) && errors.length === 0 ? operations : [];
  const read = all.map((input: unknown, index) => readOperation(resource, input, `/operations/${index}`));
  errors.push(...read.flatMap((each) => ("errors" in each ? each.errors : [])));
  if (errors.length > 0) throw new Problem("invalid_record", detail("wrong_operations"), errors);
  return read as BulkOperation[];
}

function readOperation(
  resource: Resource,
  input: unknown,
  path: string,
): BulkOperation | { readonly errors: FieldError[] } {
  if (!isObject(input)) return { errors: [fieldError(path, "not_object")] };
  const values = bulkActsOf(resource);
  const op = values.find((act) => act === input.op);
  if (op === undefined) return { errors: [fieldError(`${path}/op`, "not_one_of", { values })] };
  const { needs, takes } = bulkMembers[op];
  const { id = "", if_match, data = {} } = input;
  const errors: FieldError[] = [
    ...Object.keys(input)
      .filter((name) => name !== "op" && !needs.includes(name) && !takes.includes(name))
      .map((name) => fieldError(`${path}/${name}`, "not_taken")),
    ...needs
      .filter((name) => !Object.hasOwn(input, name))
      .map((name) => fieldError(`${path}/${name}`, "required")),
  ];
  if (needs.includes("id") && Object.hasOwn(input, "id") && !(typeof id === "string" && isUuid(id))) {
    errors.push(fieldError(`${path}/id`, "not_uuid"));
  }
  if (!isObject(data)) errors.push(fieldError(`${path}/data`, "not_object"));
  if (if_match !== undefined && typeof if_match !== "string") {
    errors.push(fieldError(`${path}/if_match`, "not_text"));
  }
  if (errors.length > 0) return { errors };
  return { op, id: String(id), data: data as Input, if_match: if_match as string | undefined };
}

/** Executes one operation in a transaction of its own, with its own permission check and audit event. */
export async function doOperation(
  context: AdminContext,
  resource: Resource,
  { op, id, data, if_match }: BulkOperation,
): Promise<BulkDone> {
  const expected = if_match === undefined ? undefined : await inState(context, resource, if_match);
  switch (op) {
    case "create": {
      const { record, once, requested } = await createRecord(context, resource, data);
      if (requested) return { status: 202, data: record };
      return { status: 201, etag: etagOf(record), data: { ...record, ...once } };
    }
    case "update":
      return changed(await patchRecord(context, resource, id, data, expected));
    case "delete":
      await removeRecord(context, resource, id, expected, data);
      return { status: 204 };
    case "revoke":
      return changed(await revokeRecord(context, resource, id, expected));
    default:
      return op satisfies never;
  }
}

const changed = (record: PublicView): BulkDone => ({ status: 200, etag: etagOf(record), data: record });
