/** The protocol with external providers, as sign-in uses it; a test puts a script in its place. */
import type { UpstreamLogout } from "../../../providers/logout_token.ts";
import type { RevocableTokens } from "../../../providers/stored_tokens.ts";
import type { ExpectedAnswer, UpstreamAnswer, UpstreamRequest } from "../../../providers/upstream.ts";
import type { UpstreamIdentity } from "../../../providers/upstream_identity.ts";
import type { Provider } from "../../../records/definition/definition.ts";

export interface ProviderClient {
  /** The address to which the browser goes. Throws `UpstreamError`. */
  begin(provider: Provider, request: UpstreamRequest): Promise<string>;
  /** The user who returned. Throws `UpstreamError`, of kind `cancelled` if the person turned back. */
  finish(provider: Provider, answer: UpstreamAnswer, expected: ExpectedAnswer): Promise<UpstreamIdentity>;
  /** The sessions there that a logout token says ended. Throws `UpstreamError`. */
  readLogout(provider: Provider, token: string): Promise<UpstreamLogout>;
  /** Ends tokens there; false if the provider offers no way to. Throws `UpstreamError`. */
  revoke(provider: Provider, tokens: RevocableTokens): Promise<boolean>;
}
