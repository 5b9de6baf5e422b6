/**
 * How an organization wants the pages of its applications to look: `settings.brand` (spec 2.2 leaves
 * `settings` open).
 */
import type { FieldFault } from "../errors.ts";
import type { Organization } from "./definition.ts";
import { isInlinePicture, longestInlinePicture } from "./picture.ts";
import { isPlainText } from "./plain_text.ts";

export interface Brand {
  /**
   * `#rrggbb`. Where its contrast is too low on our pages, a darker or lighter one of the same hue replaces
   * it.
   */
  readonly accent?: string;
  /**
   * https, because the browser would refuse any other, or the picture itself. The record's own `logo_url` is
   * used where this is absent.
   */
  readonly logo_url?: string;
  /** The record's own `name` is used where this is absent. */
  readonly name?: string;
}

const accentShape = /^#[0-9a-f]{6}$/i;
const longestName = 100;
const longestUrl = 2048;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isHttpsUrl(value: unknown): value is string {
  if (typeof value !== "string" || value.length > longestUrl) return false;
  const url = URL.parse(value);
  return url?.protocol === "https:" && url.username === "" && url.password === "";
}

const rules: Readonly<Record<keyof Brand, { holds: (value: unknown) => boolean; message: string }>> = {
  accent: {
    holds: (value) => typeof value === "string" && accentShape.test(value),
    message: "must be a colour such as #0e6655",
  },
  logo_url: {
    holds: (value) => isHttpsUrl(value) || (typeof value === "string" && isInlinePicture(value)),
    message: `must be an https URL of at most ${longestUrl} characters, or a data:image/png;base64 picture of at most ${longestInlinePicture}`,
  },
  name: {
    holds: (value) =>
      typeof value === "string" &&
      value.trim() !== "" &&
      value.length <= longestName &&
      isPlainText(value, "line"),
    message: `must be a text of at most ${longestName} visible characters, not empty`,
  },
};

/**
 * The faults of the brand in an organization's `settings`. Other members of `settings` are the caller's own.
 */
export function brandFaults(settings: unknown): FieldFault[] {
  if (!isObject(settings) || settings.brand === undefined) return [];
  const path = "/settings/brand";
  if (!isObject(settings.brand)) return [{ path, message: "must be an object" }];
  return Object.entries(settings.brand).flatMap(([name, value]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof Brand] : undefined;
    if (rule === undefined) return [{ path: `${path}/${name}`, message: "is not a member of a brand" }];
    return rule.holds(value) ? [] : [{ path: `${path}/${name}`, message: rule.message }];
  });
}

/**
 * The brand of an organization, or undefined when it has none. A member that does not hold, written before
 * the rules were, is left out.
 */
export function brandOf({ settings }: Pick<Organization, "settings">): Brand | undefined {
  const brand: unknown = settings?.brand;
  if (!isObject(brand)) return undefined;
  const sound = Object.entries(rules).filter(([name, { holds }]) => holds(brand[name]));
  return sound.length === 0 ? undefined : Object.fromEntries(sound.map(([name]) => [name, brand[name]]));
}
