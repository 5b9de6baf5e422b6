/** The attributes on a user's own page (OC-7). */
import type { Params } from "../../oauth/core/params.ts";
import type { User } from "../../records/definition/definition.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { type Attribute, attributesOf, textOfValue, valueOfText } from "../../records/rules/attributes.ts";
import type { Clients } from "../../storage/ports.ts";

export interface OwnAttribute extends Pick<Attribute, "name" | "value_type" | "label"> {
  /** The stored value as the text of a form; undefined if there is none. */
  readonly text: string | undefined;
  readonly is_editable: boolean;
}

/** The name of an attribute's field in the form. */
export const fieldOf = ({ name }: Pick<Attribute, "name">): string => `attributes.${name}`;

/**
 * The attributes that their definitions show the user. A ready-made one without a definition is among them if
 * it has a value, or an app asks for its claim: the page asks for no data that has no reader.
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
    return { name, value_type, label, text, is_editable: writers.includes("user") };
  });
}

/** The typed texts of the form by attribute; a check box sends `false` before it. */
export function typedAttributes(
  attributes: readonly OwnAttribute[],
  { pairs }: Pick<Params, "pairs">,
): ReadonlyMap<string, string> {
  const sent = new Map(pairs);
  return new Map(
    attributes.flatMap((attribute): [string, string][] => {
      const text = sent.get(fieldOf(attribute));
      // Browsers send line ends as CR LF (HTML 4.10.21.4).
      const isTyped = attribute.is_editable && text !== undefined;
      return isTyped ? [[attribute.name, text.replaceAll("\r\n", "\n")]] : [];
    }),
  );
}

/** The merge patch of the typed texts that differ from the stored values; undefined if none does. */
export function attributesPatch(
  attributes: readonly OwnAttribute[],
  typed: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> | undefined {
  const changed = attributes.flatMap((attribute): [string, unknown][] => {
    const { name, value_type, text: stored } = attribute;
    const text = typed.get(name);
    // A box that was never checked says nothing.
    const was = stored ?? (value_type === "boolean" ? "false" : "");
    if (text === undefined || text === was) return [];
    return [[name, text.trim() === "" ? null : valueOfText(attribute, text)]];
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
