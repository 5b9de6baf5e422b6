import type { Sealer } from "../../crypto/sealing.ts";
import { presetOf } from "../../providers/presets/all_presets.ts";
import type { ClaimNames, ProviderSettings } from "../../providers/presets/provider_settings.ts";
import type { Provider } from "../core/proofs/provider_account.ts";

interface PresetMembers {
  readonly team_id?: string;
  readonly key_id?: string;
  readonly claim_names?: ClaimNames;
  readonly revocation_endpoint?: string;
  readonly pkce?: boolean;
}

/**
 * Returns the provider client's settings, with the secret decrypted. Throws `SealError` if the secret key is
 * missing or the stored secret was altered.
 */
export function providerSettings(provider: Provider, sealer: Sealer): ProviderSettings {
  const { id, organization_id: owner, issuer, client_secret, scopes } = provider;
  const { team_id, key_id, claim_names, revocation_endpoint, pkce } = provider.settings as PresetMembers;
  const { authorization_endpoint, token_endpoint, userinfo_endpoint } = provider;
  const secret = client_secret === "" ? undefined : sealer.open("provider_secret", client_secret, id);
  const isKey = presetOf(provider).client_authentication === "signed_secret";
  return {
    slug: provider.slug,
    preset: provider.preset,
    client_id: provider.client_id,
    email_trust: provider.email_trust,
    email_domains: provider.email_domains,
    allowed_tenants: provider.allowed_tenants,
    trust_amr: provider.trust_amr,
    keep_tokens: provider.keep_tokens,
    ...(owner != null && { owner }),
    ...(issuer !== null && { issuer }),
    ...(authorization_endpoint !== null &&
      token_endpoint !== null && {
        endpoints: {
          authorization: authorization_endpoint,
          token: token_endpoint,
          ...(userinfo_endpoint !== null && { userinfo: userinfo_endpoint }),
          ...(revocation_endpoint !== undefined && { revocation: revocation_endpoint }),
        },
      }),
    ...(secret !== undefined && (isKey ? { private_key: secret } : { client_secret: secret })),
    ...(scopes.length > 0 && { scopes }),
    ...(team_id !== undefined && { team_id }),
    ...(key_id !== undefined && { key_id }),
    ...(claim_names !== undefined && { claim_names }),
    ...(pkce !== undefined && { pkce }),
    ...(provider.attribute_claims !== null && { attribute_claims: provider.attribute_claims }),
  };
}
