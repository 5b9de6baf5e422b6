/** All migrations in the order in which they run. */
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
import { appliedNames } from "./0074_applied_names.ts";
import { manifestNames } from "./0075_manifest_names.ts";
import { namesByEntry } from "./0076_names_by_entry.ts";
import { appRoleNames, fillAppRoleNames } from "./0077_app_role_names.ts";
import { fillWords } from "./fill_words.ts";
import type { Migration } from "./migration.ts";

export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: "records",
    does: "Creates the tables of users, organizations, apps, tokens and keys",
    sql: records,
  },
  {
    version: 2,
    name: "room_for_updates",
    does: "Leaves free space in the pages of tokens, so a refresh does not write to the indexes",
    sql: roomForUpdates,
  },
  {
    version: 3,
    name: "management",
    does: "Adds search words of records and indexes of lists, for the management API",
    sql: management,
    fill: (connection, dialect) => fillWords(connection, dialect, searchedTables),
    fills: searchedTables,
  },
  {
    version: 4,
    name: "statistics_and_refusals",
    does: "Adds the counts of the dashboard, and refusals with received and expected values",
    sql: statisticsAndRefusals,
  },
  { version: 5, name: "invitations", does: "Adds invitations", sql: invitations },
  {
    version: 6,
    name: "given_by_administrators",
    does: "Records which apps and service accounts a platform administrator deactivated, and from when reset links are valid",
    sql: givenByAdministrators,
  },
  {
    version: 7,
    name: "scope_owners",
    does: "Records the owners for whose APIs the scopes of API keys are valid",
    sql: scopeOwners,
    fill: fillScopeOwners,
    fills: ["api_keys"],
  },
  {
    version: 8,
    name: "email_keys",
    does: "Normalizes email addresses of every script for comparison",
    sql: emailKeysStay,
    fill: foldEmailKeys,
    fills: ["users", "service_accounts", "invitations"],
  },
  {
    version: 9,
    name: "expiring_tokens",
    does: "Adds an index that finds expired tokens",
    sql: expiringTokens,
  },
  {
    version: 10,
    name: "signing_algorithms",
    does: "Adds the algorithm of each signing key",
    sql: signingAlgorithmOfKeys,
  },
  {
    version: 11,
    name: "members_of_apps",
    does: "Copies fields of the metadata of apps into columns",
    sql: membersOfApps,
    fill: carryMembersOver,
    fills: ["oauth_apps"],
  },
  {
    version: 12,
    name: "client_assertion_audience",
    does: "Adds the accepted audiences of an app's client assertions",
    sql: clientAssertionAudience,
  },
  {
    version: 13,
    name: "required_pushes",
    does: "Lets an app require pushed authorization requests",
    sql: requiredPushes,
  },
  {
    version: 14,
    name: "bound_tokens",
    does: "Lets access tokens be bound to keys of clients (DPoP)",
    sql: boundTokens,
  },
  {
    version: 15,
    name: "bound_refresh_tokens",
    does: "Lets refresh tokens be bound to keys of clients (DPoP)",
    sql: boundRefreshTokens,
  },
  { version: 16, name: "provenance_of_apps", does: "Adds the origin of each app", sql: provenanceOfApps },
  {
    version: 17,
    name: "resources",
    does: "Creates records of the APIs that apps named in metadata",
    sql: resourceRecords,
    fill: carryResourcesOver,
    fills: ["oauth_apps"],
  },
  {
    version: 18,
    name: "localhost_any_port",
    does: "Lets apps redirect to any port of localhost",
    sql: localhostAnyPort,
  },
  {
    version: 19,
    name: "registrations_of_clients",
    does: "Adds dynamic client registration",
    sql: registrationsOfClients,
  },
  { version: 20, name: "profiles_of_apps", does: "Adds the security profile of an app", sql: profilesOfApps },
  {
    version: 21,
    name: "client_documents",
    does: "Adds clients with metadata documents",
    sql: clientDocuments,
  },
  {
    version: 22,
    name: "consents_by_resource",
    does: "Records the APIs that a consent covers",
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
    does: "Records which invitations were sent by email",
    sql: mailedInvitations,
  },
  {
    version: 29,
    name: "providers_of_links",
    does: "Records the provider through which an account was linked",
    sql: providersOfLinks,
  },
  {
    version: 31,
    name: "lost_factors",
    does: "Records the users whose second factors an administrator reset",
    sql: lostFactors,
  },
  { version: 33, name: "recoveries", does: "Adds recoveries of lost second factors", sql: recoveries },
  {
    version: 35,
    name: "languages_of_users",
    does: "Records the language of a user's last sign-in",
    sql: languagesOfUsers,
  },
  {
    version: 36,
    name: "waiting_work",
    does: "Adds an index that finds emails to send and tokens to revoke",
    sql: waitingWork,
  },
  {
    version: 37,
    name: "list_orders",
    does: "Adds an index for each sort order of a list, and indexes of word parts for searches",
    sql: listOrders,
  },
  {
    version: 40,
    name: "lost_passkeys",
    does: "Lets a recovery be for lost passkeys only",
    sql: lostPasskeys,
  },
  {
    version: 41,
    name: "own_apps",
    does: "Adds an index of the apps that belong to a user, and finer statistics of search words",
    sql: (_, database) => ownApps(database),
  },
  {
    version: 42,
    name: "ended_families",
    does: "Adds indexes that find ended token families, and ended tokens with a refresh half",
    sql: endedFamilies,
  },
  {
    version: 43,
    name: "email_domains",
    does: "Compares internationalized email domains in their decoded form",
    sql: emailKeysStay,
    fill: foldEmailKeys,
    fills: ["users", "service_accounts", "invitations"],
  },
  {
    version: 44,
    name: "ended_tokens",
    does: "Adds indexes that find the tokens of an ended user, and ended records whose tokens are still to be revoked",
    sql: (_, database) => endedTokens(database),
  },
  {
    version: 45,
    name: "ended_grants",
    does: "Records the grants that a user ended, and indexes the tokens of a session in order",
    sql: endedGrants,
  },
  {
    version: 46,
    name: "foreign_passwords",
    does: "Adds imported password hashes, and the external IDs of imported users",
    sql: foreignPasswords,
  },
  {
    version: 50,
    name: "deliveries",
    does: "Adds deliveries to applications, and the apps used in each session",
    sql: deliveries,
  },
  {
    version: 51,
    name: "organization_context",
    does: "Adds the organization of codes and tokens, and how an app selects it",
    sql: organizationContext,
  },
  {
    version: 53,
    name: "session_limits",
    does: "Adds idle limits of sessions, and the end of the session in ID tokens",
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
    does: "Lets apps and APIs configure where membership claims appear",
    sql: claimSurfaces,
  },
  {
    version: 56,
    name: "sign_in_audiences",
    does: "Lets apps admit only members of organizations",
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
    does: "Adds the feed of events for consumers",
    sql: events,
  },
  {
    version: 60,
    name: "webhook_endpoints",
    does: "Adds webhook endpoints",
    sql: webhookEndpoints,
  },
  {
    version: 61,
    name: "upstream_sessions",
    does: "Adds an index that finds the sessions named by a provider's sign-out notice",
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
    does: "Records which sessions continue after the browser closes",
    sql: rememberedSessions,
  },
  {
    version: 66,
    name: "imports",
    does: "Records the values that imports wrote, and the records that they created",
    sql: imports,
  },
  {
    version: 67,
    name: "sign_in_claims",
    does: "Lets APIs request claims about the sign-in",
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
    does: "Lets invitations offer additional roles",
    sql: invitedRoles,
  },
  {
    version: 71,
    name: "ended_sessions",
    does: "Adds an index that finds the event of a session's end by its session",
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
    does: "Lets platform administrators allow private addresses for organizations' providers",
    sql: providerAddresses,
  },
  {
    version: 74,
    name: "applied_names",
    does: "Stores the names under which manifests created organizations, service accounts and providers",
    sql: appliedNames,
  },
  {
    version: 75,
    name: "manifest_names",
    does: "Stores which record each name in a manifest means",
    sql: manifestNames,
  },
  {
    version: 76,
    name: "names_by_entry",
    does: "Tells names that entries of manifests gave to records from names in references",
    sql: namesByEntry,
  },
  {
    version: 77,
    name: "app_role_names",
    does: "Adds an index of the names of app roles, without case and Unicode form",
    sql: appRoleNames,
    fill: fillAppRoleNames,
    fills: ["app_roles"],
  },
];
