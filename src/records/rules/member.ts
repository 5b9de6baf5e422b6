import type { Membership, Organization } from "../definition/definition.ts";

/** A membership with what it is in: all that a token for an organization says of its user there. */
export interface Member {
  readonly membership: Membership;
  readonly organization: Organization;
}
