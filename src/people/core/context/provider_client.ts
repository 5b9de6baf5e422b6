import type { UpstreamLogout } from "../../../providers/logout_token.ts";
import type { RevocableTokens } from "../../../providers/stored_tokens.ts";
import type { ExpectedAnswer, UpstreamAnswer, UpstreamRequest } from "../../../providers/upstream.ts";
import type { UpstreamIdentity } from "../../../providers/upstream_identity.ts";
import type { Provider } from "../../../records/definition/definition.ts";

export interface ProviderClient {
  /** Returns the URL that the browser is redirected to. Throws `UpstreamError`. */
  begin(provider: Provider, request: UpstreamRequest): Promise<string>;
  /** Throws `UpstreamError`, of kind `cancelled` if the user canceled. */
  finish(provider: Provider, answer: UpstreamAnswer, expected: ExpectedAnswer): Promise<UpstreamIdentity>;
  /** Returns the provider sessions that a logout token ends. Throws `UpstreamError`. */
  readLogout(provider: Provider, token: string): Promise<UpstreamLogout>;
  revoke(provider: Provider, tokens: RevocableTokens): Promise<boolean>;
}
