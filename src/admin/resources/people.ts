import { omissible, optional, string, text } from "../../records/definition/field.ts";
import { isImpersonal } from "../../records/names/names.ts";
import { readyMade } from "../changes/ready_made.ts";
import { deleteRecord } from "../changes/removal.ts";
import { deleteMembership, removeMembership } from "../invitations/end_membership.ts";
import { createMembership, membership } from "../invitations/memberships.ts";
import { resource } from "../manage/resource.ts";
import { attributeFilter } from "../manage/searched_attributes.ts";
import { passwordMember } from "../manifest/members/password.ts";
import {
  refusingMemberships,
  refusingOrganizations,
  refusingUsers,
} from "../manifest/members/refused_people.ts";
import { refusingLinks } from "../manifest/members/refused_providers.ts";
import { tokensMember } from "../manifest/members/tokens.ts";
import { reasonInput } from "../records/given_reason.ts";
import {
  createLinkedAccount,
  linkedAccountFixed,
  removeLink,
  removeLinkedAccount,
  updateLinkedAccount,
} from "../records/linked_accounts.ts";
import { linksOfProvidersOf, removeOrganization, removeUser } from "../records/removals.ts";
import { removeFactor, removeFactorInput } from "../records/remove_factor.ts";
import { resetFactors } from "../records/reset_factors.ts";
import { readSignInMethods } from "../records/sign_in_methods.ts";
import { createUser, deleteUser, draftUser, draftUserChange, updateUser } from "../records/users.ts";
import { revokeEverything, signOutUser } from "./end_access.ts";
import { created, email, equal, search, searchAmong } from "./filters.ts";
import { memberValues } from "./member_values.ts";

const password = omissible(
  string("password as text, or as a hash", {
    format: "new_password",
    sensitive: true,
    min_length: 8,
    max_length: 1024,
    members: {
      argon2id: omissible(string("Argon2id hash in PHC format", { sensitive: true })),
      hash: omissible(
        string(
          "hash in a format of another system (docs/moving-in.md); only platform administrators may set it",
          {
            sensitive: true,
          },
        ),
      ),
    },
  }),
);

export const users = resource("users", {
  filters: [
    email,
    ...equal("users", "active", "is_platform_admin"),
    search("name or email address"),
    attributeFilter,
    ...created,
  ],
  columns: ["email", "name", "active", "is_platform_admin", "last_login_at", "id"],
  input: {
    create: { password },
    update: {
      password,
      current_password: omissible(
        string(
          "current password; required of users who have one and change their own password or email address",
          {
            format: "current_password",
            sensitive: true,
          },
        ),
      ),
    },
    remove: {
      successor: omissible(
        string(
          "user (ID or email address) who takes over the deleted user's apps and service accounts in organizations; required if there are any",
          { ids_of: "users" },
        ),
      ),
    },
    reset_factors: reasonInput,
    remove_factor: removeFactorInput,
  },
  server_set: ["last_login_at"],
  manifest: {
    members: [passwordMember],
    ...refusingUsers,
    remove: (tx, { id }, at, context) => removeUser(tx, context, id, at, undefined),
    draft: draftUser,
    change: (_, current, input) => draftUserChange(current, input),
    isExported: ({ email }) => !isImpersonal(email),
  },
  create: async (context, input) => ({ row: await createUser(context, input) }),
  update: updateUser,
  remove: (context, id, expected, { successor } = {}) =>
    deleteUser(context, id, typeof successor === "string" ? successor : undefined, expected),
  verbs: {
    reset_factors: resetFactors,
    remove_factor: removeFactor,
    sign_out: signOutUser,
    revoke_everything: revokeEverything,
  },
  reads: { sign_in_methods: readSignInMethods },
});

const organization = readyMade("organizations");

export const organizations = resource("organizations", {
  filters: [
    ...equal("organizations", "slug", "plan", "active"),
    search("name or slug"),
    attributeFilter,
    ...created,
  ],
  columns: ["slug", "name", "plan", "active", "id"],
  ...organization,
  manifest: {
    ...organization.manifest,
    ...refusingOrganizations,
    remove: (tx, { id }, at, context) => removeOrganization(tx, context, id, at),
  },
  remove: (context, id, expected) =>
    deleteRecord(context, "organizations", id, {
      expected,
      more: linksOfProvidersOf(context, id),
      remove: (tx) => removeOrganization(tx, context, id, context.now()),
    }),
});

export const memberships = resource("memberships", {
  filters: [
    ...equal("memberships", "user_id", "organization_id", "role"),
    searchAmong("memberships"),
    attributeFilter,
    ...created,
  ],
  columns: ["id", "user_id", "organization_id", "role", "permissions"],
  input: {
    create: {
      email: omissible(
        string(
          "the user's email address, in place of `user_id`; required unless the caller is a platform administrator",
          { format: "email", max_length: 320, names_of: "users" },
        ),
      ),
    },
  },
  fixed: ["user_id", "organization_id"],
  made_when_absent: { user_id: "the user with the address `email`" },
  includes: memberValues,
  asks: {
    when: "if the caller is not a platform administrator, the person is invited by email and becomes a member by accepting. The response does not show whether an account exists",
    noun: "invitation",
    table: "invitations",
  },
  ...membership,
  manifest: {
    ...membership.manifest,
    ...refusingMemberships,
    remove: (tx, row, at, context) => removeMembership(tx, context, row, at),
  },
  create: createMembership,
  remove: deleteMembership,
});

const providerToken = (meaning: string) => text(meaning, { sensitive: true, not_empty: true });

export const linkedAccounts = resource("linked_accounts", {
  filters: [
    ...equal("oauth_accounts", "user_id", "provider", "provider_id", "provider_user_id"),
    searchAmong("oauth_accounts"),
    ...created,
  ],
  columns: ["id", "user_id", "provider", "provider_user_id", "expires_at"],
  input: {
    create: {
      access_token: providerToken("the provider's access token; stored encrypted and never returned"),
      refresh_token: optional(
        providerToken("the provider's refresh token; stored encrypted and never returned"),
      ),
    },
    update: {
      access_token: providerToken("the provider's new access token"),
      refresh_token: optional(providerToken("the provider's new refresh token; null deletes the stored one")),
    },
  },
  fixed: linkedAccountFixed,
  made_when_absent: { user_id: "the calling user" },
  complete: ({ actor }, input) =>
    input.user_id === undefined && actor.kind === "user" ? { ...input, user_id: actor.user.id } : input,
  manifest: {
    members: [tokensMember],
    // An export contains no tokens, so a file may omit them. Placeholders replace them until `tokensMember`
    // encrypts the real ones.
    ...readyMade("oauth_accounts", {
      made: { access_token: "", refresh_token: null },
      settled: { columns: linkedAccountFixed, code: "fixed_for_link_in_file" },
    }).manifest,
    ...refusingLinks,
    remove: (tx, link, at, context) => removeLink(tx, context, link, at),
  },
  create: async (context, input) => ({ row: await createLinkedAccount(context, input) }),
  update: updateLinkedAccount,
  remove: removeLinkedAccount,
});
