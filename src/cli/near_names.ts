/** What a mistyped name may have meant. */
import { editDistance } from "../config/unknown_names.ts";

/** Whether one of both is probably the other mistyped: two letters apart, or a third of a long name. */
function isNear(typed: string, name: string): boolean {
  return editDistance(typed, name) <= Math.max(2, Math.floor(name.length / 3));
}

/** The complaint of Commander about an unknown name, with the suggestions in it that are near alone. */
export function withNearNames(complaint: string): string {
  const typed = /'([^']*)'/.exec(complaint)?.[1] ?? "";
  return complaint.replace(/\n\(Did you mean (?:one of )?([^?\n]*)\?\)/, (_, listed: string) => {
    const near = listed.split(", ").filter((name) => isNear(typed, name));
    if (near.length === 0) return "";
    return `\n(Did you mean ${near.length > 1 ? "one of " : ""}${near.join(", ")}?)`;
  });
}
