/** The storage interfaces for the layers above; `store.ts` implements all of them. */

import type { consentRules } from "./clients/consents.ts";
import type { openClientRules } from "./clients/open_clients.ts";
import type { passedOverScopeRules } from "./clients/passed_over_scopes.ts";
import type { pushedRequestRules } from "./clients/pushed_requests.ts";
import type { refusalRules } from "./clients/refusals.ts";
import type { resourceReads } from "./clients/resources.ts";
import type { cachedReads } from "./database/cached_reads.ts";
import type { Database } from "./database/database.ts";
import type { Driver } from "./database/driver.ts";
import type { ephemeraRules } from "./database/ephemera.ts";
import type { ownershipRules } from "./database/ownership.ts";
import type { impactRules } from "./listing/impact.ts";
import type { namedRules } from "./listing/named.ts";
import type { roleHolderRules } from "./listing/role_holders.ts";
import type { migrationStatus } from "./migrations.ts";
import type { auditOutboxRules } from "./operation/audit_outbox.ts";
import type { deliveryRules } from "./operation/deliveries.ts";
import type { eventLog } from "./operation/event_log.ts";
import type { feedRules } from "./operation/feed.ts";
import type { heldDeliveryRules } from "./operation/held_deliveries.ts";
import type { keyRules } from "./operation/key_rows.ts";
import type { manifestRows } from "./operation/manifest_rows.ts";
import type { outboxRules } from "./operation/outbox.ts";
import type { sealedValueRules } from "./operation/sealed_values.ts";
import type { statisticRules } from "./operation/statistics.ts";
import type { webhookRules } from "./operation/webhooks.ts";
import type { attributeRules } from "./people/attributes.ts";
import type { emailKeyRules } from "./people/email_keys.ts";
import type { endedLinkRules } from "./people/ended_links.ts";
import type { enrolledRules } from "./people/enrolled_methods.ts";
import type { foreignPasswordRules } from "./people/foreign_passwords.ts";
import type { forgottenPeopleRules } from "./people/forgotten_people.ts";
import type { givenRoleRules } from "./people/given_roles.ts";
import type { importedPeopleRules } from "./people/imported_people.ts";
import type { lastUsed } from "./people/last_used.ts";
import type { memberRules } from "./people/members.ts";
import type { openedSessionRules } from "./people/opened_sessions.ts";
import type { passkeyHostRules } from "./people/passkey_hosts.ts";
import type { providedAttributeRules } from "./people/provided_attributes.ts";
import type { providerReads } from "./people/providers.ts";
import type { sessionPolicyRules } from "./people/session_policies.ts";
import type { takenIdRules } from "./people/taken_ids.ts";
import type { unlinkedRules } from "./people/unlinked_accounts.ts";
import type { upstreamRevocationRules } from "./people/upstream_revocations.ts";
import type { reportReads } from "./reports.ts";
import type { sweepRules } from "./sweep/sweep.ts";
import type { tableFigureRules } from "./sweep/table_figures.ts";
import type { assertionRules } from "./tokens/assertions.ts";
import type { endedGrantRules } from "./tokens/ended_grants.ts";
import type { endedTokenRules } from "./tokens/ended_tokens.ts";
import type { familyRules } from "./tokens/families.ts";
import type { grantRules } from "./tokens/grants.ts";
import type { revocationRules } from "./tokens/revocations.ts";

type RulesOf<Make extends (...input: never[]) => object> = ReturnType<Make>;

export interface Rows
  extends Pick<
    Database,
    "find" | "list" | "listColumns" | "count" | "insert" | "update" | "remove" | "transaction" | "onChange"
  > {
  /** Returns a UUIDv7 with this time (RFC 9562, section 5.7). */
  newId(at: Date): string;
}

/** Most reads are cached. */
export type Clients = RulesOf<typeof cachedReads> &
  RulesOf<typeof memberRules> &
  RulesOf<typeof givenRoleRules> &
  RulesOf<typeof attributeRules> &
  RulesOf<typeof resourceReads> &
  RulesOf<typeof openClientRules>;

export type Codes = RulesOf<typeof ephemeraRules> &
  RulesOf<typeof pushedRequestRules> &
  RulesOf<typeof passedOverScopeRules>;

export type Tokens = RulesOf<typeof familyRules> &
  RulesOf<typeof grantRules> &
  RulesOf<typeof assertionRules> &
  RulesOf<typeof endedTokenRules> &
  RulesOf<typeof endedGrantRules>;

export type Sessions = RulesOf<typeof revocationRules> &
  RulesOf<typeof openedSessionRules> &
  RulesOf<typeof sessionPolicyRules> &
  RulesOf<typeof enrolledRules> &
  RulesOf<typeof foreignPasswordRules>;

export type Consents = RulesOf<typeof consentRules>;

export type Providers = RulesOf<typeof providerReads> &
  RulesOf<typeof endedLinkRules> &
  RulesOf<typeof unlinkedRules> &
  RulesOf<typeof upstreamRevocationRules> &
  RulesOf<typeof providedAttributeRules>;

export type Keys = RulesOf<typeof keyRules> & RulesOf<typeof sealedValueRules>;

export type Outbox = RulesOf<typeof outboxRules>;

export type Deliveries = RulesOf<typeof deliveryRules> &
  RulesOf<typeof heldDeliveryRules> &
  RulesOf<typeof feedRules> &
  RulesOf<typeof webhookRules>;

export type Audit = RulesOf<typeof eventLog> &
  RulesOf<typeof auditOutboxRules> &
  RulesOf<typeof forgottenPeopleRules> &
  RulesOf<typeof refusalRules> &
  RulesOf<typeof statisticRules> &
  RulesOf<typeof lastUsed> & {
    flush(): Promise<void>;
  };

export type Reports = RulesOf<typeof reportReads> &
  RulesOf<typeof namedRules> &
  RulesOf<typeof impactRules> &
  RulesOf<typeof roleHolderRules> &
  RulesOf<typeof manifestRows> &
  RulesOf<typeof importedPeopleRules> &
  RulesOf<typeof takenIdRules> &
  RulesOf<typeof ownershipRules> &
  RulesOf<typeof emailKeyRules> &
  RulesOf<typeof passkeyHostRules>;

export type Housekeeping = RulesOf<typeof sweepRules> &
  RulesOf<typeof tableFigureRules> &
  Pick<Driver, "connections" | "logSize" | "proveWritable"> & {
    readonly dialect: Driver["dialect"]["name"];
    ping(): Promise<void>;
    size(): Promise<number>;
    migrationStatus(): ReturnType<typeof migrationStatus>;
  };

/**
 * `isCurrent` returns whether cached records are valid. `expectJob` announces a transaction, so that several
 * share a commit.
 */
export type Commits = Pick<Driver, "isCurrent" | "expectJob">;

export type { Transaction } from "./database/database.ts";
