import { readPublishedKeys } from "../../crypto/client_keys.ts";
import type { ClientKey } from "../../crypto/key_sets.ts";
import type { Outbound } from "../../outbound/outbound.ts";

const mostBytes = 65_536;

/** Milliseconds for the fetch of a key set. */
const timeout = 3000;

/**
 * Returns the keys that a client publishes at this `jwks_uri` (PR-37). Throws an `OutboundError`, a
 * `SyntaxError` for invalid JSON, and an `Error` for any other response without a key set.
 */
export async function fetchPublishedKeys(url: string, outbound: Outbound): Promise<readonly ClientKey[]> {
  const { status, body } = await outbound.send({
    method: "GET",
    url,
    accept: "application/jwk-set+json, application/json",
    max_bytes: mostBytes,
    timeout,
  });
  if (status !== 200) throw new Error(`the response has status ${status}`);
  const keys = readPublishedKeys(JSON.parse(body.toString()));
  if (keys === undefined) throw new Error("the response is not a key set");
  return keys;
}
