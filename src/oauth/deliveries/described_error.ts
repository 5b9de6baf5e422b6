import { isObject } from "../../records/names/json_shapes.ts";

const longestFault = 200;

/** A space replaces these characters, because a stored response is one line of text. */
const unprintable = /[\p{C}\p{Z}]+/gu;

/** Returns the strings in these fields of a JSON response, on one line; null if there are none. */
export function describedError(body: Buffer, members: readonly string[]): string | null {
  let said: unknown;
  try {
    said = JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
  if (!isObject(said)) return null;
  const parts = members.map((name) => said[name]).filter((part) => typeof part === "string");
  return parts.length === 0 ? null : parts.join(": ").replace(unprintable, " ").slice(0, longestFault);
}
