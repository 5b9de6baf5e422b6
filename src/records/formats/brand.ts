/**
 * The appearance that an organization chooses for this server's pages when users sign in to its apps:
 * `settings.brand` (spec 2.2 does not define the content of `settings`).
 */
import { type FieldError, fieldError, type Reason, reason } from "../../errors/field_errors.ts";
import type { Organization } from "../definition/definition.ts";
import { isObject } from "../names/json_shapes.ts";
import { isInlinePicture, longestInlinePicture } from "../names/picture.ts";
import { isPlainText } from "../names/plain_text.ts";

export interface Brand {
  /**
   * `#rrggbb`. If its contrast on the pages is too low, a darker or lighter color of the same hue
   * replaces it.
   */
  readonly accent?: string;
  /**
   * An https URL, or the picture itself as a data URL. If omitted, the organization's own `logo_url` is used.
   */
  readonly logo_url?: string;
  readonly name?: string;
}

const accentShape = /^#[0-9a-f]{6}$/i;
const longestName = 100;
const longestUrl = 2048;

function isHttpsUrl(value: unknown): value is string {
  if (typeof value !== "string" || value.length > longestUrl) return false;
  const url = URL.parse(value);
  return url?.protocol === "https:" && url.username === "" && url.password === "";
}

const rules: Readonly<Record<keyof Brand, { holds: (value: unknown) => boolean; why: Reason }>> = {
  accent: {
    holds: (value) => typeof value === "string" && accentShape.test(value),
    why: reason("not_colour"),
  },
  logo_url: {
    holds: (value) => isHttpsUrl(value) || (typeof value === "string" && isInlinePicture(value)),
    why: reason("not_picture", { url_characters: longestUrl, picture_characters: longestInlinePicture }),
  },
  name: {
    holds: (value) =>
      typeof value === "string" &&
      value.trim() !== "" &&
      value.length <= longestName &&
      isPlainText(value, "line"),
    why: reason("not_visible_text", { characters: longestName }),
  },
};

/**
 * Returns the errors of the brand in an organization's `settings`; other fields of `settings` are not
 * checked.
 */
export function brandErrors(settings: unknown): FieldError[] {
  if (!isObject(settings) || settings.brand === undefined) return [];
  const path = "/settings/brand";
  if (!isObject(settings.brand)) return [fieldError(path, "not_object")];
  return Object.entries(settings.brand).flatMap(([name, value]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof Brand] : undefined;
    if (rule === undefined) return [fieldError(`${path}/${name}`, "unknown_brand_member")];
    return rule.holds(value) ? [] : [{ path: `${path}/${name}`, ...rule.why }];
  });
}

/** Returns the valid fields of an organization's brand; undefined if there are none. */
export function brandOf({ settings }: Pick<Organization, "settings">): Brand | undefined {
  const brand: unknown = settings?.brand;
  if (!isObject(brand)) return undefined;
  const sound = Object.entries(rules).filter(([name, { holds }]) => holds(brand[name]));
  return sound.length === 0 ? undefined : Object.fromEntries(sound.map(([name]) => [name, brand[name]]));
}
