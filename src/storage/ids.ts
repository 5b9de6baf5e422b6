import { v7 } from "uuid";
import { nilUuid } from "../records/nil_uuid.ts";

export const firstId = nilUuid;
export const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

function idBeside(id: string, distance: bigint): string {
  const digits = (BigInt(`0x${id.replaceAll("-", "")}`) + distance).toString(16).padStart(32, "0");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The id before this one, in the order of ids; the first has none. */
export const idBefore = (id: string): string => (id === firstId ? id : idBeside(id, -1n));

/** The id after this one, in the order of ids; the last has none. */
export const idAfter = (id: string): string => (id === lastId ? id : idBeside(id, 1n));

/** The first id that begins with this moment, in milliseconds since 1970. */
export function firstIdAt(milliseconds: number): string {
  const time = Math.min(Math.max(milliseconds, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}${firstId.slice(13)}`;
}

const bytesPerId = 16;
const pooledIds = 256;

/**
 * A function that makes UUIDs of version 7 that begin with the moment given (RFC 9562 5.7). Randomness is
 * drawn for many at once: one at a time it was measured to cost more than everything else about an id.
 */
export function idMaker(): (now: Date) => string {
  const pool = new Uint8Array(bytesPerId * pooledIds);
  let used = pool.length;
  return (now) => {
    if (used === pool.length) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    const random = pool.subarray(used, used + bytesPerId);
    used += bytesPerId;
    return v7({ msecs: now.getTime(), random });
  };
}
