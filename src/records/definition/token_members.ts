/** The fields of a token and of an authorization code beyond spec 2.8 and 2.9. */
import { object, optional, string, time, uuid } from "./field.ts";

/**
 * No foreign key: its index would cost 50 bytes per token. When a membership ends, its tokens are revoked
 * nevertheless (OC-4).
 */
const membership_id = optional(
  uuid("the membership in the organization that the token is for; null if it is for no organization", {
    internal: true,
  }),
);

export const tokenMembers = {
  rotated_at: optional(time("when the refresh token was used", { internal: true })),
  cnf: optional(object("the keys that the token is bound to (RFC 7800, section 3.1)", { internal: true })),
  membership_id,
} as const;

export const codeMembers = {
  dpop_jkt: optional(
    string("thumbprint of the key that the code is bound to (RFC 9449, section 10)", { internal: true }),
  ),
  membership_id,
} as const;
