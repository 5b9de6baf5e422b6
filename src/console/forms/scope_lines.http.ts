import { describedIn } from "../../records/formats/metadata.ts";
import { isObject } from "../../records/names/json_shapes.ts";

type Scopes = Readonly<Record<string, unknown>>;

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

const shownText = (scopes: Scopes, scope: string, language: string) =>
  oneLine(describedIn(scopes, scope, language)?.text ?? "");

/**
 * Returns lines such as `orders:read = See your orders`, with descriptions in the viewer's language if
 * available.
 */
export function scopeLines(scopes: Scopes, language: string): string {
  return Object.keys(scopes)
    .map((scope) => {
      const text = shownText(scopes, scope, language);
      return text === "" ? scope : `${scope} = ${text}`;
    })
    .join("\n");
}

/**
 * Parses lines such as `orders:read = See your orders`. A changed description replaces the one that
 * `scopeLines` showed; those in other languages are kept.
 */
export function readScopeLines(typed: string, stored: Scopes, language: string): Scopes {
  const lines = typed.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [scope = "", description = ""] = line.split(/\s+=(?:\s+|$)(.*)/s, 2).map(oneLine);
      const was = Object.hasOwn(stored, scope) ? stored[scope] : null;
      if (description === shownText(stored, scope, language)) return [scope, was];
      if (!isObject(was)) return [scope, description === "" ? null : description];
      const at = describedIn(stored, scope, language)?.language;
      const tag =
        Object.keys(was).find((each) => each === at) ??
        Object.keys(was).find((each) => each.toLowerCase().split("-", 1)[0] === at) ??
        language;
      const { [tag]: _, ...others } = was;
      const texts = description === "" ? others : { ...was, [tag]: description };
      return [scope, Object.keys(texts).length === 0 ? null : texts];
    }),
  );
}
