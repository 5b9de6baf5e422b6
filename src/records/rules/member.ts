import type { Membership, Organization } from "../definition/definition.ts";

/** A membership with its organization and role: everything that an organization's token says of its user. */
export interface Member {
  readonly membership: Membership;
  readonly organization: Organization;
}
