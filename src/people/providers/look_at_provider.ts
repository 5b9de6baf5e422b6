/** The findings of `postern doctor` and the console when they check a provider (EP-20). */
import type { Sealer } from "../../crypto/sealing.ts";
import { providerFinding } from "../../errors/provider_findings.ts";
import { checkProvider, type ProviderFinding } from "../../providers/check_provider.ts";
import type { UpstreamClient } from "../../providers/upstream_client.ts";
import { callbackOf } from "../../records/names/provider_paths.ts";
import type { Provider } from "../core/proofs/provider_account.ts";
import { providerSettings } from "./provider_settings.ts";

/** Returns the findings; never throws. Pass a client without cached metadata, so that they are current. */
export async function lookAtProvider(
  provider: Provider,
  {
    issuer,
    sealer,
    client,
    sends_mail,
  }: {
    readonly issuer: string;
    readonly sealer: Sealer;
    readonly client: UpstreamClient;
    readonly sends_mail: boolean;
  },
): Promise<readonly ProviderFinding[]> {
  const redirect_uri = callbackOf(issuer, provider);
  try {
    const findings = await checkProvider(providerSettings(provider, sealer), redirect_uri, client);
    const { sign_up, email_trust } = provider;
    const isClosed = !sends_mail && sign_up !== "never" && email_trust === "never";
    return isClosed
      ? [...findings, { check: "new_users", ok: false, found: providerFinding("code_without_mail") }]
      : findings;
  } catch (error) {
    if (!(error instanceof Error && error.name === "SealError")) throw error;
    return [
      { check: "redirect_uri", ok: true, found: providerFinding("address", { address: redirect_uri }) },
      { check: "settings", ok: false, found: providerFinding("secret_not_opened") },
    ];
  }
}
