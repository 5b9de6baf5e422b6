/** The nil UUID (RFC 9562 section 5.9): no record has it, and it precedes every other id. */
export const nilUuid = "00000000-0000-0000-0000-000000000000";

/** Returns the time at the beginning of an id (RFC 9562 section 5.7), in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): value is string {
  return typeof value === "string" && uuidShape.test(value);
}
