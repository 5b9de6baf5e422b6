/** Whether the key set that an app publishes can be used, as an operator wants to hear it. */
import { hasKeyFor } from "../admin/records/profile_misfits.ts";
import { fetchPublishedKeys } from "../oauth/client_metadata/published_keys.ts";
import { OutboundError } from "../outbound/outbound.ts";
import { type OutboundSettings, outboundOf } from "./outbound_of.ts";

/** Words for what stands between the server and an address that an app names. */
const errors: Readonly<Record<OutboundError["kind"], string>> = {
  not_a_url: "it is not an address",
  not_https: "it is not https",
  has_user_info: "it holds a user name",
  unresolved: "its host is not found",
  internal_address: "its host is not public; POSTERN_OUTBOUND_ALLOW may allow the address",
  busy: "too many requests are under way",
  timeout: "it does not answer in time",
  unreachable: "it cannot be reached",
  proxy: "the proxy of POSTERN_OUTBOUND_PROXY cannot be reached, or refuses it",
  tls: "its certificate cannot be verified",
  too_large: "its answer is too large",
  encoded: "its answer is compressed",
};

/**
 * What is wrong with the key set at this address, for assertions signed by one of these algorithms;
 * undefined when nothing is.
 */
export async function keySetError(
  url: string,
  algorithms: readonly string[],
  settings: OutboundSettings,
): Promise<string | undefined> {
  try {
    const keys = await fetchPublishedKeys(url, outboundOf(settings));
    if (keys.length === 0) return "it has no key that verifies a signature";
    return hasKeyFor(keys, algorithms) ? undefined : `it has no key that signs by ${algorithms.join(", ")}`;
  } catch (error) {
    if (error instanceof OutboundError) return errors[error.kind];
    if (error instanceof SyntaxError) return "its answer is no JSON";
    return error instanceof Error ? error.message : String(error);
  }
}
