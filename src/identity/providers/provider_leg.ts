/** The protocol with external providers, as sign-in uses it; a test puts a script in its place. */
import type { ExpectedAnswer, UpstreamAnswer, UpstreamRequest } from "../../providers/upstream.ts";
import type { UpstreamIdentity } from "../../providers/upstream_identity.ts";
import type { Provider } from "./provider_account.ts";

export interface ProviderLeg {
  /** The address to which the browser goes. Throws `UpstreamFault`. */
  begin(provider: Provider, request: UpstreamRequest): Promise<string>;
  /** Who came back. Throws `UpstreamFault`, of kind `cancelled` where the person turned back. */
  finish(provider: Provider, answer: UpstreamAnswer, expected: ExpectedAnswer): Promise<UpstreamIdentity>;
}
