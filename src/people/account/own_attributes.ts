/** The attributes that users see on their profile page (OC-7). */
import type { User } from "../../records/definition/definition.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { type Attribute, attributesOf, textOfValue, valueOfText } from "../../records/rules/attributes.ts";
import type { Clients } from "../../storage/ports.ts";

export interface OwnAttribute extends Pick<Attribute, "name" | "value_type" | "label"> {
  readonly text: string | undefined;
  readonly is_editable: boolean;
  readonly field: string;
}

/**
 * Returns the attributes that the user may see. Leaves out predefined attributes that have no value and whose
 * claim no app requests.
 */
export async function ownAttributes(
  { attributes }: Pick<User, "attributes">,
  store: Pick<Clients, "attributeDefinitions" | "claimsOfApps">,
): Promise<readonly OwnAttribute[]> {
  const [definitions, wanted] = await Promise.all([store.attributeDefinitions(), store.claimsOfApps()]);
  const values = isObject(attributes) ? attributes : {};
  return attributesOf("users", null, definitions).flatMap((attribute) => {
    const { name, value_type, label, claim, readers, writers } = attribute;
    const text = Object.hasOwn(values, name) ? textOfValue(values[name]) : undefined;
    const isDefined = definitions.some((each) => each.record_type === "users" && each.name === name);
    const isUsed = isDefined || text !== undefined || (claim !== null && wanted.has(claim));
    if (!isUsed || !readers.includes("user")) return [];
    const is_editable = writers.includes("user");
    return { name, value_type, label, text, is_editable, field: `attributes.${name}` };
  });
}

/** Returns the submitted string of each editable attribute. */
export function typedAttributes(
  attributes: readonly OwnAttribute[],
  { pairs }: { readonly pairs: Iterable<readonly [string, string]> },
): ReadonlyMap<string, string> {
  const sent = new Map(pairs);
  return new Map(
    attributes.flatMap((attribute): [string, string][] => {
      const text = sent.get(attribute.field);
      // Browsers submit line breaks as CR LF (WHATWG HTML, form submission).
      const isTyped = attribute.is_editable && text !== undefined;
      return isTyped ? [[attribute.name, text.replaceAll("\r\n", "\n")]] : [];
    }),
  );
}

/**
 * Returns a merge patch with the submitted values that differ from the stored ones; undefined if none does.
 */
export function attributesPatch(
  attributes: readonly OwnAttribute[],
  typed: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> | undefined {
  const changed = attributes.flatMap((attribute): [string, unknown][] => {
    const { name, value_type, text: stored } = attribute;
    const text = typed.get(name);
    const was = stored ?? (value_type === "boolean" ? "false" : "");
    if (text === undefined || text === was) return [];
    return [[name, text.trim() === "" ? null : valueOfText(attribute, text)]];
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
