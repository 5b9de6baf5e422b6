/**
 * Filters lists by the value of an attribute (OC-7). Callers can use only attributes that they may read in
 * the records of others.
 */
import { detail } from "../../errors/details.ts";
import { type Reason, reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { isUuid } from "../../records/formats/check.ts";
import {
  type Attribute,
  attributesOf,
  longestSearchedValue,
  recordTypeOf,
  valueOfText,
  valueReason,
  valueWord,
} from "../../records/rules/attributes.ts";
import { subjectColumn } from "../../records/rules/readers.ts";
import type { Sought } from "../../storage/listing/branches.ts";
import { permissionsIn } from "../access/access.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import type { Filter, Resource } from "./resource.ts";

const name = "attribute";

export const attributeFilter: Filter = {
  name,
  kind: "text",
  meaning:
    "name and value of a searchable attribute, such as department:Sales, regardless of case. For a list, one entry must have the value",
  to: name,
};

interface Filtered extends Pick<Resource, "table" | "resourceType"> {
  readonly organization_id: string | undefined;
}

/**
 * Returns the attributes by which the caller may filter a list. The attributes of an organization are
 * included only in the list of that organization.
 */
export async function searchedAttributes(
  context: Pick<AdminContext, "actor" | "store" | "remembered">,
  { table, resourceType, organization_id: id }: Filtered,
): Promise<readonly Attribute[]> {
  const record_type = recordTypeOf(table);
  if (record_type === undefined) return [];
  const actorPermissions = await permissionsOfActor(context);
  const theirs = id !== undefined && isUuid(id) ? id.toLowerCase() : undefined;
  const isRead = theirs !== undefined && permissionsIn(actorPermissions, theirs).has(`${resourceType}:read`);
  const owner = isRead ? theirs : null;
  const definitions = await context.store.attributeDefinitions(...(owner === null ? [] : [owner]));
  return attributesOf(record_type, owner, definitions).filter(
    ({ searchable, readers }) => searchable && (actorPermissions.platform || readers.includes("admin")),
  );
}

/**
 * Returns the conditions for a filter such as `department:Sales`. Leaves out the record of a caller who may
 * not read the attribute in their own record. Attributes that do not exist or that the caller may not search
 * get the same 400 `invalid_filter`.
 */
export async function attributeSought(
  context: AdminContext,
  filtered: Filtered,
  text: string | undefined,
): Promise<readonly Sought[]> {
  if (text === undefined) return [];
  const refused = (why: Reason) =>
    new Problem("invalid_filter", detail("wrong_filter"), [{ path: `/${name}`, ...why }]);
  const known = await searchedAttributes(context, filtered);
  const [named = "", ...rest] = text.split(":");
  const attribute = rest.length === 0 ? undefined : known.find((each) => each.name === named.trim());
  if (attribute === undefined)
    throw refused(reason("no_searchable_attribute", { names: known.map((each) => each.name) }));
  const typed = valueOfText(attribute, rest.join(":"));
  const [value] = Array.isArray(typed) ? typed : [typed];
  const whole = attribute.value_type === "list" ? [value ?? ""] : value;
  const why = valueReason({ ...attribute, pattern: null }, whole);
  const word = valueWord(attribute.name, value);
  if (why !== undefined || word === undefined)
    throw refused(why ?? reason("too_long", { characters: longestSearchedValue }));
  const { platform, user_id } = await permissionsOfActor(context);
  const isHidden = !platform && user_id !== null && !attribute.readers.includes("user");
  const column = subjectColumn(filtered.table);
  return [{ value: word }, ...(isHidden ? [{ other_than: user_id, column }] : [])];
}
