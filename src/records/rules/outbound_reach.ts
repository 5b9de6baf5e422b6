/** What requests to the URLs in a record may reach (FO-4). */

/** `internal` also allows the private IP addresses in POSTERN_OUTBOUND_ALLOW. */
export type Reach = "public" | "internal";

/**
 * Returns the reach of requests for a record. An organization chooses its URLs itself, so they reach private
 * IP addresses only with the mark `internal`, which only a platform administrator sets.
 */
export function reachOf({
  organization_id,
  internal = false,
}: {
  readonly organization_id: string | null;
  readonly internal?: boolean;
}): Reach {
  return internal || organization_id === null ? "internal" : "public";
}

/**
 * The error that replaces `unresolved` and `internal_address`: the difference would reveal the names of an
 * internal network to an organization.
 */
export const noAllowedAddress = "no_allowed_address";

const hidden: ReadonlySet<string> = new Set(["unresolved", "internal_address"]);

/** Returns the name of a request's error as the record's owner may see it. */
export function faultShownTo<Kind extends string>(
  organization_id: string | null,
  kind: Kind,
): Kind | typeof noAllowedAddress {
  return organization_id !== null && hidden.has(kind) ? noAllowedAddress : kind;
}
