/** The findings of a provider check (EP-20): codes and their parameters. */
import { type Codes, type GivenParams, type MessageOf, plain } from "./messages.ts";

export const providerFindingCodes = {
  address: { address: "text" },

  lacks: { members: "texts" },
  ...plain("proves_itself", "secret_not_opened"),

  published_by: { address: "text" },
  stated_for: { address: "text" },
  algorithms_not_accepted: { published: "texts", accepted: "texts" },
  public_keys: { count: "number" },
  ...plain("s256_sent", "s256_sent_and_taken", "s256_not_taken", "no_time"),
  clocks_differ: { seconds: "number", most: "number" },

  no_nonce: { provider: "text" },
  pkce_refused: { provider: "text" },
  ...plain("pkce_switched_off", "code_without_mail"),

  // Errors of requests to the provider (`providers/upstream_error.ts`).
  ...plain("timeout", "unreachable", "tls", "address_refused", "busy", "too_large", "encoded", "redirect"),
  ...plain("status", "not_json", "metadata_issuer", "metadata_member", "keys", "not_configured"),
  other_fault: { field: "text" },

  private_address: { host: "text" },
} as const satisfies Codes;

export type ProviderFindingCodes = typeof providerFindingCodes;
export type ProviderFindingCode = keyof ProviderFindingCodes;

export type ProviderFindingMessage = MessageOf<ProviderFindingCodes>;

export function providerFinding<Code extends ProviderFindingCode>(
  code: Code,
  ...[params]: GivenParams<ProviderFindingCodes, Code>
): ProviderFindingMessage {
  return { code, params: params ?? {} } as ProviderFindingMessage;
}

/**
 * Returns the finding with the code `kind`, or `other_fault` if no finding without parameters has this code.
 */
export function findingOfError(kind: string, field: string): ProviderFindingMessage {
  const codes: Readonly<Record<string, object>> = providerFindingCodes;
  const known = Object.hasOwn(codes, kind) && Object.keys(codes[kind] ?? {}).length === 0;
  return known
    ? ({ code: kind, params: {} } as ProviderFindingMessage)
    : providerFinding("other_fault", { field });
}
