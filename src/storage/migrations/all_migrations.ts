/** Every migration, in the order in which they run. To add one, add a file here and a line to this list. */
import type { TableName } from "../../records/definition/definition.ts";
import type { Kind } from "../../records/definition/field.ts";
import type { Dialect } from "../database/dialect.ts";
import type { Connection } from "../database/driver.ts";
import { records } from "./0001_records.ts";
import { roomForUpdates } from "./0002_room_for_updates.ts";
import { management, searchedTables } from "./0003_management.ts";
import { statisticsAndRefusals } from "./0004_statistics_and_refusals.ts";
import { invitations } from "./0005_invitations.ts";
import { givenByAdministrators } from "./0006_given_by_administrators.ts";
import { fillScopeOwners, scopeOwners } from "./0007_scope_owners.ts";
import { emailKeysStay, foldEmailKeys } from "./0008_email_keys.ts";
import { expiringTokens } from "./0009_expiring_tokens.ts";
import { signingAlgorithmOfKeys } from "./0010_signing_algorithms.ts";
import { carryMembersOver, membersOfApps } from "./0011_members_of_apps.ts";
import { clientAssertionAudience } from "./0012_client_assertion_audience.ts";
import { requiredPushes } from "./0013_required_pushes.ts";
import { boundTokens } from "./0014_bound_tokens.ts";
import { boundRefreshTokens } from "./0015_bound_refresh_tokens.ts";
import { provenanceOfApps } from "./0016_provenance_of_apps.ts";
import { carryResourcesOver, resourceRecords } from "./0017_resources.ts";
import { localhostAnyPort } from "./0018_localhost_any_port.ts";
import { registrationsOfClients } from "./0019_registrations_of_clients.ts";
import { profilesOfApps } from "./0020_profiles_of_apps.ts";
import { clientDocuments } from "./0021_client_documents.ts";
import { consentsByResource } from "./0022_consents_by_resource.ts";
import { waysIn } from "./0023_ways_in.ts";
import { mailedInvitations } from "./0027_mailed_invitations.ts";
import { providersOfLinks } from "./0029_providers_of_links.ts";
import { lostFactors } from "./0031_lost_factors.ts";
import { recoveries } from "./0033_recoveries.ts";
import { languagesOfUsers } from "./0035_languages_of_users.ts";
import { waitingWork } from "./0036_waiting_work.ts";
import { listOrders } from "./0037_list_orders.ts";
import { lostPasskeys } from "./0040_lost_passkeys.ts";
import { ownApps } from "./0041_own_apps.ts";
import { endedFamilies } from "./0042_ended_families.ts";
import { endedTokens } from "./0044_ended_tokens.ts";
import { endedGrants } from "./0045_ended_grants.ts";
import { foreignPasswords } from "./0046_foreign_passwords.ts";
import { deliveries } from "./0050_deliveries.ts";
import { claimSurfaces, organizationContext, signInAudiences } from "./0051_organization_context.ts";
import { sessionLimits } from "./0053_session_limits.ts";
import { requiredPkce } from "./0054_required_pkce.ts";
import { roleRecords } from "./0057_roles.ts";
import { attributes } from "./0058_attributes.ts";
import { events } from "./0059_events.ts";
import { webhookEndpoints } from "./0060_webhook_endpoints.ts";
import { upstreamSessions } from "./0061_upstream_sessions.ts";
import { signalStreams } from "./0062_signal_streams.ts";
import { searchedAttributes } from "./0063_searched_attributes.ts";
import { providedAttributes } from "./0064_provided_attributes.ts";
import { rememberedSessions } from "./0065_remembered_sessions.ts";
import { imports } from "./0066_imports.ts";
import { signInClaims } from "./0067_sign_in_claims.ts";
import { webhookRecords } from "./0069_webhook_records.ts";
import { invitedRoles } from "./0070_invited_roles.ts";
import { endedSessions } from "./0071_ended_sessions.ts";
import { searchedValues, searchedValueTables } from "./0072_searched_values.ts";
import { providerAddresses } from "./0073_provider_addresses.ts";
import { fillWords } from "./fill_words.ts";

export interface Migration {
  readonly version: number;
  readonly name: string;
  /** The effect of the migration in one sentence, for planning an upgrade. */
  readonly does: string;
  /**
   * Returns the statements for a database of this kind with these column types. Each ends with a semicolon
   * at the end of a line.
   */
  readonly sql: (columnType: Readonly<Record<Kind, string>>, database: Dialect["name"]) => string;
  /** Makes the changes to existing rows that SQL cannot express. Called after the statements. */
  readonly fill?: (connection: Connection, dialect: Dialect) => Promise<void>;
  /** The tables whose rows `fill` reads or writes completely. */
  readonly fills?: readonly TableName[];
}

export const migrations: readonly Migration[] = [
  { version: 1, name: "records", does: "Makes the tables of the specification's records", sql: records },
  {
    version: 2,
    name: "room_for_updates",
    does: "Leaves room in token rows, so a refresh does not write to an index",
    sql: roomForUpdates,
  },
  {
    version: 3,
    name: "management",
    does: "Adds what management needs: search words of records, indexes of lists",
    sql: management,
    fill: (connection, dialect) => fillWords(connection, dialect, searchedTables),
    fills: searchedTables,
  },
  {
    version: 4,
    name: "statistics_and_refusals",
    does: "Adds the counts of the dashboard and what refusals tell",
    sql: statisticsAndRefusals,
  },
  { version: 5, name: "invitations", does: "Adds invitations", sql: invitations },
  {
    version: 6,
    name: "given_by_administrators",
    does: "Notes what platform administrators vouched for or switched off",
    sql: givenByAdministrators,
  },
  {
    version: 7,
    name: "scope_owners",
    does: "Notes for which owner the scopes of API keys count",
    sql: scopeOwners,
    fill: fillScopeOwners,
    fills: ["api_keys"],
  },
  {
    version: 8,
    name: "email_keys",
    does: "Folds email addresses of every script for comparison",
    sql: emailKeysStay,
    fill: foldEmailKeys,
    fills: ["users", "service_accounts", "invitations"],
  },
  { version: 9, name: "expiring_tokens", does: "Finds expired tokens by an index", sql: expiringTokens },
  {
    version: 10,
    name: "signing_algorithms",
    does: "Gives signing keys an algorithm",
    sql: signingAlgorithmOfKeys,
  },
  {
    version: 11,
    name: "members_of_apps",
    does: "Moves what apps said in metadata into members of their own",
    sql: membersOfApps,
    fill: carryMembersOver,
    fills: ["oauth_apps"],
  },
  {
    version: 12,
    name: "client_assertion_audience",
    does: "Lets an app name the token endpoint in its assertions",
    sql: clientAssertionAudience,
  },
  {
    version: 13,
    name: "required_pushes",
    does: "Lets an app be answered by pushed requests alone",
    sql: requiredPushes,
  },
  {
    version: 14,
    name: "bound_tokens",
    does: "Binds access tokens to keys of clients (DPoP)",
    sql: boundTokens,
  },
  {
    version: 15,
    name: "bound_refresh_tokens",
    does: "Binds refresh tokens to keys of clients (DPoP)",
    sql: boundRefreshTokens,
  },
  { version: 16, name: "provenance_of_apps", does: "Notes where an app comes from", sql: provenanceOfApps },
  {
    version: 17,
    name: "resources",
    does: "Makes records of the APIs that apps named in metadata",
    sql: resourceRecords,
    fill: carryResourcesOver,
    fills: ["oauth_apps"],
  },
  {
    version: 18,
    name: "localhost_any_port",
    does: "Notes which apps return to any port of localhost",
    sql: localhostAnyPort,
  },
  {
    version: 19,
    name: "registrations_of_clients",
    does: "Adds registrations of clients",
    sql: registrationsOfClients,
  },
  { version: 20, name: "profiles_of_apps", does: "Holds apps to a profile", sql: profilesOfApps },
  { version: 21, name: "client_documents", does: "Keeps documents of clients", sql: clientDocuments },
  {
    version: 22,
    name: "consents_by_resource",
    does: "Counts a consent for the APIs that it named",
    sql: consentsByResource,
  },
  {
    version: 23,
    name: "ways_in",
    does: "Adds passkeys, authenticator apps, recovery codes, devices and providers",
    sql: waysIn,
  },
  {
    version: 27,
    name: "mailed_invitations",
    does: "Notes which invitations went by mail",
    sql: mailedInvitations,
  },
  {
    version: 29,
    name: "providers_of_links",
    does: "Says for which provider a linked account was made",
    sql: providersOfLinks,
  },
  {
    version: 31,
    name: "lost_factors",
    does: "Notes whose second factors an administrator took",
    sql: lostFactors,
  },
  { version: 33, name: "recoveries", does: "Adds recoveries of lost second factors", sql: recoveries },
  {
    version: 35,
    name: "languages_of_users",
    does: "Notes in which language a user last signed in",
    sql: languagesOfUsers,
  },
  {
    version: 36,
    name: "waiting_work",
    does: "Finds what waits to be sent or revoked by an index",
    sql: waitingWork,
  },
  {
    version: 37,
    name: "list_orders",
    does: "Adds an index for each order of a list, and parts of words",
    sql: listOrders,
  },
  {
    version: 40,
    name: "lost_passkeys",
    does: "Lets a recovery be of lost passkeys alone",
    sql: lostPasskeys,
  },
  {
    version: 41,
    name: "own_apps",
    does: "Adds an index of apps that are a person's own, and finer statistics of words",
    sql: (_, database) => ownApps(database),
  },
  {
    version: 42,
    name: "ended_families",
    does: "Finds tokens with a refresh half, and families, that have ended by an index",
    sql: endedFamilies,
  },
  {
    version: 43,
    name: "email_domains",
    does: "Compares domains of email addresses in letters",
    sql: emailKeysStay,
    fill: foldEmailKeys,
    fills: ["users", "service_accounts", "invitations"],
  },
  {
    version: 44,
    name: "ended_tokens",
    does: "Finds the tokens of an ended user in order, and endings that wait by an index",
    sql: (_, database) => endedTokens(database),
  },
  {
    version: 45,
    name: "ended_grants",
    does: "Says of a user what they ended, and finds the tokens of a session in order",
    sql: endedGrants,
  },
  {
    version: 46,
    name: "foreign_passwords",
    does: "Adds password hashes and names of people that other programs had",
    sql: foreignPasswords,
  },
  {
    version: 50,
    name: "deliveries",
    does: "Adds notices to applications, and which apps a session met",
    sql: deliveries,
  },
  {
    version: 51,
    name: "organization_context",
    does: "Says for which organization codes and tokens are, and which apps have them so",
    sql: organizationContext,
  },
  {
    version: 53,
    name: "session_limits",
    does: "Lets sessions have their own limits, and apps hear when a session ends",
    sql: sessionLimits,
  },
  {
    version: 54,
    name: "required_pkce",
    does: "Lets apps require PKCE",
    sql: requiredPkce,
  },
  {
    version: 55,
    name: "claim_surfaces",
    does: "Lets apps and APIs say where claims of a membership are emitted",
    sql: claimSurfaces,
  },
  {
    version: 56,
    name: "sign_in_audiences",
    does: "Lets apps be for members of organizations alone",
    sql: signInAudiences,
  },
  {
    version: 57,
    name: "roles",
    does: "Adds roles of organizations and of APIs, and groups of members",
    sql: roleRecords,
  },
  {
    version: 58,
    name: "attributes",
    does: "Adds attributes of users, memberships, organizations and apps, and their definitions",
    sql: attributes,
  },
  {
    version: 59,
    name: "events",
    does: "Keeps the events that consumers are told, in one order",
    sql: events,
  },
  {
    version: 60,
    name: "webhook_endpoints",
    does: "Adds addresses that receive events",
    sql: webhookEndpoints,
  },
  {
    version: 61,
    name: "upstream_sessions",
    does: "Lets sign-out notices of providers find sessions",
    sql: upstreamSessions,
  },
  {
    version: 62,
    name: "signal_streams",
    does: "Adds streams of shared signals",
    sql: signalStreams,
  },
  {
    version: 63,
    name: "searched_attributes",
    does: "Lets lists of users be filtered by attributes",
    sql: searchedAttributes,
    fill: (connection, dialect) => fillWords(connection, dialect, ["users"], ["attributes"]),
    fills: ["users"],
  },
  {
    version: 64,
    name: "provided_attributes",
    does: "Lets providers write attributes of their users",
    sql: providedAttributes,
  },
  {
    version: 65,
    name: "remembered_sessions",
    does: "Says which sessions outlive their browser window",
    sql: rememberedSessions,
  },
  {
    version: 66,
    name: "imports",
    does: "Notes what imports brought, and the records that they made",
    sql: imports,
  },
  {
    version: 67,
    name: "sign_in_claims",
    does: "Lets APIs request claims on the sign-in",
    sql: signInClaims,
  },
  {
    version: 69,
    name: "webhook_records",
    does: "Lets webhooks contain the record of their event",
    sql: webhookRecords,
  },
  {
    version: 70,
    name: "invited_roles",
    does: "Lets invitations offer further roles",
    sql: invitedRoles,
  },
  {
    version: 71,
    name: "ended_sessions",
    does: "Finds the event of a session's end by its session",
    sql: endedSessions,
  },
  {
    version: 72,
    name: "searched_values",
    does: "Lets lists of memberships, organizations and apps be filtered by attributes",
    sql: searchedValues,
    fill: (connection, dialect) => fillWords(connection, dialect, searchedValueTables, ["attributes"]),
    fills: searchedValueTables,
  },
  {
    version: 73,
    name: "provider_addresses",
    does: "Lets platform administrators permit private addresses of organizations' providers",
    sql: providerAddresses,
  },
];
