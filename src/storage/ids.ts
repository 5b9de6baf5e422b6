import { v7 } from "uuid";

const bytesPerId = 16;
const pooledIds = 256;

/**
 * A function that makes UUIDs of version 7 that begin with the moment given (RFC 9562 5.7). Randomness is drawn for many
 * at once: one at a time it was measured to cost more than everything else about an id.
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
