import { isObject } from "../../records/names/json_shapes.ts";

/** Characters that are kept of what an app answers. */
const longestFault = 200;

/** Anything but printable characters, so that an answer stays one line of text. */
const unprintable = /[\p{C}\p{Z}]+/gu;

/** These members of an answer, shortened. */
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
