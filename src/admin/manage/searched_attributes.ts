/** Filters lists by an attribute (OC-7): only by those that the caller reads in every record of the list. */
import { detail } from "../../errors/details.ts";
import { type Reason, reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import {
  type Attribute,
  attributesOf,
  longestSearchedValue,
  valueOfText,
  valueReason,
  valueWord,
} from "../../records/rules/attributes.ts";
import type { Sought } from "../../storage/listing/branches.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import type { Filter } from "./resource.ts";

const name = "attribute";

export const attributeFilter: Filter = {
  name,
  kind: "text",
  meaning:
    "a searchable attribute and its value, or an entry of its list, in any case, such as department:Sales",
  to: name,
};

/** Returns the attributes by which the caller may filter users. */
export async function searchedAttributes(
  context: Pick<AdminContext, "actor" | "store" | "remembered">,
): Promise<readonly Attribute[]> {
  const { platform } = await permissionsOfActor(context);
  const definitions = await context.store.attributeDefinitions();
  return attributesOf("users", null, definitions).filter(
    ({ searchable, readers }) => searchable && (platform || readers.includes("admin")),
  );
}

/**
 * Returns the conditions of the filter. Users do not find themselves by an attribute that they may not read
 * of themselves. Throws 400 `invalid_filter`, with the same error for an attribute that does not exist and
 * one that the caller may not search.
 */
export async function attributeSought(
  context: AdminContext,
  table: TableName,
  { attribute: text }: { readonly attribute?: string },
): Promise<readonly Sought[]> {
  if (text === undefined || table !== "users") return [];
  const refused = (why: Reason) =>
    new Problem("invalid_filter", detail("wrong_filter"), [{ path: `/${name}`, ...why }]);
  const known = await searchedAttributes(context);
  const [named = "", ...rest] = text.split(":");
  const attribute = rest.length === 0 ? undefined : known.find((each) => each.name === named.trim());
  if (attribute === undefined)
    throw refused(reason("no_searchable_attribute", { names: known.map((each) => each.name) }));
  const typed = valueOfText(attribute, rest.join(":"));
  // A record whose value is a list is found by any entry of the list.
  const [value] = Array.isArray(typed) ? typed : [typed];
  const whole = attribute.value_type === "list" ? [value ?? ""] : value;
  const why = valueReason({ ...attribute, pattern: null }, whole);
  const word = valueWord(attribute.name, value);
  if (why !== undefined || word === undefined)
    throw refused(why ?? reason("too_long", { characters: longestSearchedValue }));
  const { platform, user_id } = await permissionsOfActor(context);
  const isHidden = !platform && user_id !== null && !attribute.readers.includes("user");
  return [{ value: word }, ...(isHidden ? [{ other_than: user_id }] : [])];
}
