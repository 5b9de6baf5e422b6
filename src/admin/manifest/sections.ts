/** The sections of a manifest: what a member of each is called there, and which column it stands for. */

import { apiKeyText } from "../../crypto/api_keys.ts";
import type { Checked } from "../../records/check.ts";
import { fieldsOf, type TableName } from "../../records/definition.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Input } from "../faults.ts";
import { draftApiKey, draftApiKeyChange } from "../records/api_keys.ts";
import { draftApp, draftAppChange } from "../records/apps.ts";
import { draftConsent, draftConsentChange } from "../records/consents.ts";
import { draftMembership, draftMembershipChange } from "../records/memberships.ts";
import { draftOrganization, draftOrganizationChange } from "../records/organizations.ts";
import { draftServiceAccount, draftServiceAccountChange } from "../records/service_accounts.ts";
import { draftUser, draftUserChange } from "../records/users.ts";
import { draftLinkedAccount, draftLinkedAccountChange } from "./linked_accounts.ts";

/** A row whose table is not known to the compiler. */
export type Values = Readonly<Record<string, unknown>>;

export interface Section {
  readonly name: string;
  /** What one record is called in the result of applying. */
  readonly kind: string;
  readonly table: TableName;
  /** Members that name another record, by its slug, e-mail or client_id. */
  readonly references: Readonly<Record<string, Reference>>;
  /** Members that are no column of the record. */
  readonly nested: readonly string[];
  /**
   * Columns that only the server sets, beside `created_at` and those that are internal, sensitive or kept up
   * to date.
   */
  readonly server_set: readonly string[];
  /** A new record, checked. */
  readonly draft: (context: AdminContext, input: Input) => Checked<Values>;
  /** A change of a record, checked; `current` is a row of `table`. */
  readonly change: (context: AdminContext, current: never, input: Input) => Checked<Values>;
}

export interface Reference {
  readonly column: string;
  readonly to: "users" | "organizations" | "oauth_apps";
}

const toUser = (column: string): Reference => ({ column, to: "users" });
const toOrganization: Reference = { column: "organization_id", to: "organizations" };

/** In the order in which they are written: a section refers only to those before it. */
export const sections: readonly Section[] = [
  {
    name: "organizations",
    kind: "organization",
    table: "organizations",
    references: {},
    nested: [],
    server_set: [],
    draft: draftOrganization,
    change: (_, current, input) => draftOrganizationChange(current, input),
  },
  {
    name: "users",
    kind: "user",
    table: "users",
    references: {},
    nested: ["password"],
    server_set: ["last_login_at"],
    draft: draftUser,
    change: (_, current, input) => draftUserChange(current, input),
  },
  {
    name: "memberships",
    kind: "membership",
    table: "memberships",
    references: { user: toUser("user_id"), organization: toOrganization },
    nested: [],
    server_set: [],
    draft: draftMembership,
    change: (_, current, input) => draftMembershipChange(current, input),
  },
  {
    name: "linked_accounts",
    kind: "linked_account",
    table: "oauth_accounts",
    references: { user: toUser("user_id") },
    nested: ["access_token", "refresh_token"],
    server_set: [],
    draft: draftLinkedAccount,
    change: (_, current, input) => draftLinkedAccountChange(current, input),
  },
  {
    name: "api_keys",
    kind: "api_key",
    table: "api_keys",
    references: { user: toUser("user_id"), organization: toOrganization },
    nested: [],
    server_set: ["key_prefix", "last_used_at"],
    // The text that people get is made when the record is written.
    draft: (context, input) => draftApiKey(context, input, apiKeyText(context.now())),
    change: (_, current, input) => draftApiKeyChange(current, input),
  },
  {
    name: "apps",
    kind: "app",
    table: "oauth_apps",
    references: { owner: toUser("owner_id"), organization: toOrganization },
    nested: ["secrets"],
    server_set: [],
    draft: draftApp,
    change: draftAppChange,
  },
  {
    name: "service_accounts",
    kind: "service_account",
    table: "service_accounts",
    references: { organization: toOrganization, created_by: toUser("created_by") },
    nested: ["key_pairs"],
    server_set: ["last_used_at"],
    draft: draftServiceAccount,
    change: (_, current, input) => draftServiceAccountChange(current, input),
  },
  {
    name: "consents",
    kind: "consent",
    table: "oauth_consents",
    references: { user: toUser("user_id"), app: { column: "app_id", to: "oauth_apps" } },
    nested: [],
    // A consent of a manifest is one in force; to withdraw it is no matter of configuration.
    server_set: ["granted", "last_used_at", "revoked", "revoked_at", "revoked_reason"],
    draft: draftConsent,
    change: draftConsentChange,
  },
];

/** The columns that a manager may give under their own names. */
export function columnsOf({ table, references, server_set }: Section): string[] {
  const referring = Object.values(references).map(({ column }) => column);
  return Object.entries(fieldsOf(table)).flatMap(([name, field]) =>
    field.sensitive || field.internal || field.auto_update || name === "created_at"
      ? []
      : server_set.includes(name) || referring.includes(name)
        ? []
        : [name],
  );
}

/** The columns of a key pair that a manager may give. */
export const keyPairColumns: readonly string[] = Object.keys(fieldsOf("service_account_key_pairs")).filter(
  (name) => !["service_account_id", "last_used_at", "created_at"].includes(name),
);

/**
 * The path of a fault as a manifest shows it: `/redirect_uris/0` below `apps[2]` is
 * `apps[2].redirect_uris[0]`.
 */
export function pathBelow(parent: string, pointer: string, section?: Section): string {
  const renamed = Object.entries(section?.references ?? {}).map(
    ([name, { column }]) => [column, name] as const,
  );
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce((path, step, depth) => {
    const name = depth === 0 ? (renamed.find(([column]) => column === step)?.[1] ?? step) : step;
    return /^\d+$/.test(name) ? `${path}[${name}]` : `${path}.${name}`;
  }, parent);
}
