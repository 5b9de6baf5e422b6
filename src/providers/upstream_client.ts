import type { JSONWebKeySet, JWK } from "jose";
import type { Outbound } from "../outbound/outbound.ts";
import { documentCache } from "../records/names/document_cache.ts";
import { documentAddress, fetchDiscovery, requireAddresses } from "./discovery.ts";
import { presetOf } from "./presets/all_presets.ts";
import type { Preset, ProviderMetadata } from "./presets/preset.ts";
import type { ProviderSettings } from "./presets/provider_settings.ts";
import { type ProviderRequests, requestObject } from "./request_provider.ts";
import { sharedFairly } from "./shared_fairly.ts";
import { UpstreamError } from "./upstream_error.ts";

export interface UpstreamClient extends ProviderRequests {
  readonly now: () => Date;
  /** Throws `UpstreamError`. */
  metadata(provider: ProviderSettings): Promise<ProviderMetadata>;
  /**
   * If `suffices` returns false for the cached keys, they are fetched again, at most once a minute. Throws
   * `UpstreamError`.
   */
  keys(url: string, suffices?: (keys: readonly JWK[]) => boolean, owner?: string): Promise<JSONWebKeySet>;
}

/** Milliseconds for one response of a provider (EP-17). */
const usualTimeout = 5000;

/** Published documents are used for an hour without revalidation (EP-17); `fresh` is in milliseconds. */
const kept = { fresh: 3_600_000, most: 200 } as const;

/** Creates the client without sending a request. */
export function upstreamClient({
  outbound,
  now,
  timeout = usualTimeout,
}: {
  readonly outbound: Outbound;
  readonly now: () => Date;
  readonly timeout?: number;
}): UpstreamClient {
  const requests = { outbound: sharedFairly(outbound, now), timeout };
  const documents = documentCache<ProviderMetadata>({ now, ...kept });
  const keySets = documentCache<JSONWebKeySet>({ now, ...kept });
  return {
    ...requests,
    now,
    async metadata(provider) {
      const preset = presetOf(provider);
      const metadata =
        preset.metadata?.(provider) ??
        (await discovered(preset, provider, (url) =>
          documents.get(url, () => fetchDiscovery(url, { ...requests, owner: provider.owner })),
        ));
      requireAddresses(metadata);
      return metadata;
    },
    keys: (url, suffices, owner) =>
      keySets.get(
        url,
        () => fetchKeys(url, { ...requests, owner }),
        suffices && (({ keys }) => suffices(keys)),
      ),
  };
}

/** The issuer in the document must be exactly the expected one (EP-4). */
async function discovered(
  preset: Preset,
  provider: ProviderSettings,
  get: (url: string) => Promise<ProviderMetadata>,
): Promise<ProviderMetadata> {
  const issuer = provider.issuer ?? preset.issuer;
  if (preset.protocol !== "oidc" || issuer === undefined) {
    const expected = preset.protocol === "oidc" ? "issuer" : "endpoints";
    throw new UpstreamError("not_configured", { expected });
  }
  const metadata = await get(documentAddress(issuer));
  const expected = preset.discoveredIssuer?.(issuer) ?? issuer;
  if (metadata.issuer !== expected) {
    throw new UpstreamError("metadata_issuer", { expected, received: metadata.issuer });
  }
  return metadata;
}

async function fetchKeys(url: string, requests: ProviderRequests): Promise<JSONWebKeySet> {
  const { keys } = await requestObject(requests, { method: "GET", url });
  if (!Array.isArray(keys)) throw new UpstreamError("keys", { expected: "a JSON Web Key Set" });
  const objects = keys.filter((key) => typeof key === "object" && key !== null).slice(0, mostKeys);
  // Certificates (`x5c`) are not used, but take most of the space.
  return { keys: objects.map(({ x5c: _, ...key }) => key) };
}

const mostKeys = 100;
