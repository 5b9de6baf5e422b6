export function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns a JSON value as a string for a message or a key. Objects and lists become JSON, because `String`
 * throws for an object whose `toString` is not a function.
 */
export const textOfJson = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
