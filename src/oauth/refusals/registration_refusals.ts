import { registrationScope } from "../../records/definition/permissions.ts";
import { evidence, fact } from "../../records/names/evidence.ts";
import { refusalsOf, type Texts } from "./catalogued.ts";

const invalidMetadata = refusalsOf("invalid_client_metadata");
const invalidRedirectUri = refusalsOf("invalid_redirect_uri");

/** Refusals of dynamic client registrations (RFC 7591 3.2.2). */
export const registrationRefusals = {
  /** The response is the same as if the endpoint did not exist. */
  registration_closed: refusalsOf("invalid_request", 404)("no endpoint exists at this URL"),
  registration_not_json: invalidMetadata("the body must be a JSON object in UTF-8", () =>
    fact("malformed", "body", "unreadable"),
  ),
  registration_member_repeated: invalidMetadata(
    "the JSON object contains a duplicate field",
    ({ name }: Texts<"name">) => evidence("repeated", name.slice(0, 40), "2", "1"),
  ),
  registration_member: invalidMetadata(
    ({ member, why }: Texts<"member" | "why">) => `${member} ${why}`,
    ({ member }) => fact("malformed", member, "unreadable"),
  ),
  registration_unsupported: invalidMetadata(
    ({ member, supported }: Unsupported) =>
      `${member} contains no supported value; this server supports ${supported.join(", ")}`,
    ({ member, received, supported }) => evidence("one_of", member, received.slice(0, 10), supported),
  ),
  registration_redirect_uris: invalidRedirectUri(
    "redirect_uris must contain a URI that this server can redirect to: https, http on loopback, or a private-use scheme",
    ({ received }: { received: readonly string[] }) =>
      evidence("redirect_uri", "redirect_uris", received.slice(0, 5)),
  ),
  registration_redirect_uris_too_many: invalidRedirectUri(
    ({ most }: { most: number }) => `redirect_uris contains more than ${most} URIs`,
    ({ most }) => fact("malformed", "redirect_uris", "too_many", String(most)),
  ),
  registration_scope_lacking: refusalsOf("insufficient_scope")(
    `registration requires a credential with the scope ${registrationScope}`,
    ({ granted_scopes }: { granted_scopes: readonly string[] }) =>
      evidence("scope_lacking", "scope", granted_scopes, [registrationScope]),
  ),
  registration_throttled: refusalsOf("temporarily_unavailable", 429)(
    "too many client registrations; try again later",
    ({ retry_after }: { retry_after: number }) => evidence("throttled", "Retry-After", String(retry_after)),
    { retry_after: ({ retry_after }) => retry_after },
  ),
};

export interface Unsupported {
  readonly member: string;
  readonly received: readonly string[];
  readonly supported: readonly string[];
}
