import { type FieldError, fieldError, pointerStep } from "../../errors/field_errors.ts";
import type { User } from "../../records/definition/definition.ts";
import { isStrings } from "../../records/names/json_shapes.ts";
import {
  type Attribute,
  areTooLarge,
  attributesOf,
  isForeignAddress,
  isWrittenBy,
  mostAttributeBytes,
  usernameAttribute,
  usernameKey,
  valueOfText,
  valueReason,
} from "../../records/rules/attributes.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Input } from "../access/errors.ts";
import type { PersonLine } from "./person_line.ts";

interface Kept {
  readonly attributes: Input;
  readonly losses: readonly FieldError[];
}

/**
 * Splits the line's attributes into those that this server can store for the user and those that are lost.
 */
export async function keptAttributes(
  { store }: Pick<AdminContext, "store">,
  line: Pick<PersonLine, "attributes" | "user" | "email_verified_at">,
  current: User | undefined,
): Promise<Kept> {
  const { attributes: given, email_verified_at = null } = line;
  const email = typeof line.user.email === "string" ? line.user.email : "";
  const account = current ?? { email, email_verified_at };
  if (Object.keys(given).length === 0) return { attributes: {}, losses: [] };
  const known = attributesOf("users", null, await store.attributeDefinitions());
  const losses: FieldError[] = [];
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    const path = `/attributes/${pointerStep(name)}`;
    const attribute = known.find((each) => each.name === name);
    const fitting = attribute && inForm(attribute, value);
    const why = attribute && valueReason(attribute, fitting);
    if (attribute === undefined)
      losses.push(fieldError(path, "no_attribute", { names: known.map((each) => each.name) }));
    else if (why !== undefined) losses.push({ path, ...why });
    else if (name === usernameAttribute && isForeignAddress(fitting, account))
      losses.push(fieldError(path, "address_not_own"));
    else if (!isWrittenBy("admin", true, attribute)) losses.push(fieldError(path, "attribute_not_yours"));
    else kept.push([name, fitting]);
  }
  const attributes = Object.fromEntries(kept);
  const username_key = usernameKey(attributes);
  const holder = username_key === null ? undefined : await store.find("users", { username_key });
  if (holder !== undefined && holder.id !== current?.id) {
    losses.push(fieldError("/attributes/preferred_username", "taken"));
    delete attributes.preferred_username;
  }
  const whole = { ...current?.attributes, ...attributes };
  if (!areTooLarge(whole, Object.keys(attributes), known)) return { attributes, losses };
  const bytes = fieldError("/attributes", "too_many_bytes", { bytes: mostAttributeBytes });
  return { attributes: {}, losses: [...losses, bytes] };
}

/**
 * Converts between a single text and a list, and text to a number or boolean, because other programs use
 * different forms.
 */
function inForm(attribute: Attribute, value: unknown): unknown {
  const { value_type } = attribute;
  if (value_type === "list") return typeof value === "string" ? [value] : value;
  const [only, ...more] = isStrings(value) ? value : [];
  const text = only !== undefined && more.length === 0 ? only : value;
  const isTyped = value_type === "number" || value_type === "boolean";
  return isTyped && typeof text === "string" ? valueOfText(attribute, text) : text;
}
