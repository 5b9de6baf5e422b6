import { isDeepStrictEqual } from "node:util";
import { type FieldError, fieldError, pointerStep, reason } from "../../errors/field_errors.ts";
import type { AttributeDefinition, Row, TableName } from "../../records/definition/definition.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { recordLock } from "../../records/names/lock_names.ts";
import {
  type Attribute,
  areTooLarge,
  attributesOfRow,
  isForeignAddress,
  isWrittenBy,
  mostAttributeBytes,
  organizationOfRow,
  recordTypeOf,
  standardAttribute,
  usernameAttribute,
  valueReason,
} from "../../records/rules/attributes.ts";
import { isKnownTo, subjectOf } from "../../records/rules/readers.ts";
import type { EffectivePermissions } from "../access/actor.ts";
import { invalidRecord } from "../access/errors.ts";
import { type Change, type GuardedTransaction, type Rules, refuseAny, refuseInvalid } from "./rules.ts";

const mostDefinitions = 200;

function definitionErrors(
  definition: Omit<AttributeDefinition, "id" | "created_at" | "updated_at">,
): FieldError[] {
  const { record_type, organization_id, claim, scopes, writers, value_type } = definition;
  const isOfPerson = record_type === "users" || record_type === "memberships";
  const known = standardAttribute(definition);
  const errors: FieldError[] = [];
  if (record_type === "users" && organization_id !== null)
    errors.push(fieldError("/organization_id", "attribute_of_users"));
  if (record_type !== "users" && writers.includes("user"))
    errors.push(fieldError("/writers", "written_by_admins"));
  if (writers.includes("provider") && (writers.length > 1 || !isOfPerson))
    errors.push(fieldError("/writers", "provider_alone"));
  // A claim without a scope would be in every token, so users could not consent to it.
  if (claim !== null && scopes.length === 0 && isOfPerson)
    errors.push(fieldError("/scopes", "claim_without_scope"));
  if (known !== undefined && value_type !== known.value_type)
    errors.push(fieldError("/value_type", "fixed_for_standard"));
  if (known !== undefined && claim !== null && claim !== known.claim)
    errors.push(fieldError("/claim", "fixed_for_standard"));
  if (known === undefined && claim !== null && standardAttribute({ record_type: "users", name: claim }))
    errors.push(fieldError("/claim", "reserved_claim", { claim }));
  return errors;
}

/**
 * An organization cannot use the name or claim of one of the server's attributes, because tokens can contain
 * both.
 */
async function takenErrors(
  { tx }: Change,
  { organization_id, record_type, name, claim }: AttributeDefinition,
  isNew: boolean,
): Promise<FieldError[]> {
  if (organization_id === null) return [];
  const ofServer = await tx.list("attribute_definitions", { organization_id: null });
  return [
    ...(isNew && ofServer.some((each) => each.record_type === record_type && each.name === name)
      ? [fieldError("/name", "taken")]
      : []),
    ...(claim !== null && ofServer.some((each) => each.claim === claim)
      ? [fieldError("/claim", "taken")]
      : []),
  ];
}

/**
 * Held while a definition is written, so that the server and an organization cannot take the same name or
 * claim concurrently.
 */
export const definitionsLock = () => recordLock("attribute_definitions", "every name");

const defaults = { organization_id: null, claim: null, scopes: [], writers: ["admin"], value_type: "string" };

export const attributeRules: Rules<"attribute_definitions"> = {
  async onNew(change, record) {
    const definition = { ...defaults, ...record } as AttributeDefinition;
    const { organization_id } = definition;
    await change.tx.lock(definitionsLock());
    const all = await change.tx.list("attribute_definitions", { organization_id });
    const siblings = all.filter(({ id }) => id !== definition.id);
    refuseInvalid("attribute_definitions", [
      ...(siblings.length >= mostDefinitions
        ? [fieldError("/name", "too_many_records", { max: mostDefinitions })]
        : []),
      ...definitionErrors(definition),
      ...(await takenErrors(change, definition, true)),
    ]);
  },
  async onChange(change, current, changes) {
    const after = { ...current, ...changes };
    if (changes.claim !== undefined) await change.tx.lock(definitionsLock());
    refuseInvalid("attribute_definitions", [
      ...definitionErrors(after),
      ...(await takenErrors(change, after, false)),
    ]);
  },
};

type Values = Readonly<Record<string, unknown>>;

async function attributesFor(
  reads: Pick<GuardedTransaction, "list">,
  table: TableName,
  row: Values,
): Promise<readonly Attribute[]> {
  const owners = new Set([null, organizationOfRow(table, row)]);
  const definitions = await Promise.all(
    [...owners].map((organization_id) => reads.list("attribute_definitions", { organization_id })),
  );
  return attributesOfRow(table, row, definitions.flat());
}

/**
 * Checks the attributes that a write adds, changes or removes. Throws 422 `invalid_record`, or 403
 * `forbidden` for attributes that the actor may read but not write.
 */
export async function requireAttributes<T extends TableName>(
  tx: Pick<GuardedTransaction, "list">,
  actorPermissions: Pick<EffectivePermissions, "platform" | "user_id">,
  table: T,
  current: Row<T> | undefined,
  written: Values,
): Promise<void> {
  if (recordTypeOf(table) === undefined || written.attributes === undefined) return;
  const was = valuesOf(current);
  const is = valuesOf(written);
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => !isDeepStrictEqual(own(was, name), own(is, name)),
  );
  if (changed.length === 0) return;
  const whole = { ...current, ...written };
  const { platform, user_id } = actorPermissions;
  const attributes = await attributesFor(tx, table, whole);
  const known = attributes.filter((each) => platform || isKnownTo(user_id, subjectOf(table, whole), each));
  const named = changed.filter((name) => known.some((each) => each.name === name));
  // The size is checked first because matching patterns against a large value takes long.
  if (areTooLarge(is, named, attributes))
    throw invalidRecord(table, [fieldError("/attributes", "too_many_bytes", { bytes: mostAttributeBytes })]);
  // Rules for attributes may require a verified email address, and a new address is unverified.
  const account = { ...whole, ...(written.email !== undefined && { email_verified_at: null }) };
  const at = (name: string) => `/attributes/${pointerStep(name)}`;
  const errors = changed.flatMap((name): FieldError[] => {
    if (!Object.hasOwn(is, name)) return [];
    const attribute = known.find((each) => each.name === name);
    if (attribute === undefined)
      return [fieldError(at(name), "no_attribute", { names: known.map((each) => each.name) })];
    const isForeign = table === "users" && name === usernameAttribute && isForeignAddress(is[name], account);
    const why = valueReason(attribute, is[name]) ?? (isForeign ? reason("address_not_own") : undefined);
    return why === undefined ? [] : [{ path: at(name), ...why }];
  });
  refuseInvalid(table, errors);
  const isSelf = table === "users" && !platform && whole.id === user_id;
  const writer = isSelf ? "user" : "admin";
  const foreign = known.filter((each) => changed.includes(each.name) && !isWrittenBy(writer, platform, each));
  refuseAny(foreign.map(({ name }) => fieldError(at(name), "attribute_not_yours")));
}

const valuesOf = (row: object | undefined): Values => {
  const values = (row as { readonly attributes?: unknown } | undefined)?.attributes;
  return isObject(values) ? values : {};
};

const own = (values: Values, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;
