import { hasKeyFor } from "../admin/records/profile_misfits.ts";
import type { Config } from "../config.ts";
import { fetchPublishedKeys } from "../oauth/client_metadata/published_keys.ts";
import { OutboundError } from "../outbound/outbound.ts";
import type { OAuthApp } from "../records/definition/definition.ts";
import { isOpenClient } from "../records/rules/client_record.ts";
import { reachOf } from "../records/rules/outbound_reach.ts";
import { type OutboundSettings, outboundOf, reachOfOpenClients, within } from "./outbound_of.ts";

const errors: Readonly<Record<OutboundError["kind"], string>> = {
  not_a_url: "it is not a URL",
  not_https: "it does not use https",
  has_user_info: "it contains a user name",
  unresolved: "its host cannot be resolved",
  internal_address: "its host is not public; add the address to POSTERN_OUTBOUND_ALLOW to allow it",
  busy: "too many requests are in progress",
  timeout: "it does not respond in time",
  unreachable: "it cannot be reached",
  proxy: "the proxy of POSTERN_OUTBOUND_PROXY cannot be reached, or refuses the request",
  tls: "its certificate cannot be verified",
  too_large: "its response is too large",
  encoded: "its response is compressed",
};

/**
 * Returns why no key in the app's `jwks_uri` can verify signatures with these algorithms; undefined if one
 * can.
 */
export async function keySetError(
  app: Pick<OAuthApp, "organization_id" | "jwks_uri" | "provenance">,
  algorithms: readonly string[],
  settings: OutboundSettings & Pick<Config, "base_url">,
): Promise<string | undefined> {
  const { organization_id, jwks_uri } = app;
  const reach = isOpenClient(app) ? reachOfOpenClients(settings.base_url) : reachOf({ organization_id });
  try {
    const outbound = outboundOf(settings, within(reach));
    const keys = await fetchPublishedKeys(String(jwks_uri), outbound);
    if (keys.length === 0) return "it has no key for signatures";
    return hasKeyFor(keys, algorithms) ? undefined : `it has no key for ${algorithms.join(", ")}`;
  } catch (error) {
    if (error instanceof OutboundError)
      return error.kind === "internal_address" && reach === "public"
        ? "its host is not public; register the keys of this app as jwks instead"
        : errors[error.kind];
    if (error instanceof SyntaxError) return "its response is not JSON";
    return error instanceof Error ? error.message : String(error);
  }
}
