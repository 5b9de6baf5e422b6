import type { AllowedGrant } from "../../records/names.ts";
import type { Authorization } from "../authorization.ts";
import type { AuthenticatedClient } from "../client_authentication.ts";
import type { Params } from "../params.ts";
import type { AuthorizationServer, Requester } from "../server.ts";

/** What a client redeems at the token endpoint. A grant is a plain object in the list of `all_grants.ts`. */
export interface Grant {
  /** The name on the wire (RFC 6749 4). */
  readonly grant_type: string;
  /** The word of an app's `allowed_grants` that permits it (spec 2.6). */
  readonly allowed_as: AllowedGrant;
  /** The authorization that the parameters stand for; throws an `OAuthError` when they stand for none. */
  redeem(
    params: Params,
    client: AuthenticatedClient,
    server: AuthorizationServer,
    requester: Requester,
  ): Promise<Authorization>;
}
