// biome-ignore-all lint: generated from /api/openapi.json by npm run client; not to be edited.
import type { Listing } from "../listing.ts";
import type { Answer, Body, Call, CallOptions, Options, Schemas } from "../operation_types.ts";

export interface Organizations {
  /** Read how much is going on in an organization */
  getStatistics(
    id: string,
    options?: Options<"getStatisticsOfOrganization">,
  ): Promise<Answer<"getStatisticsOfOrganization">>;
  /** List the open invitations of an organization */
  listInvitations(id: string, options?: Options<"listInvitations">): Listing<Answer<"listInvitations">>;
  /** Invite a person into an organization */
  createInvitation(
    id: string,
    body: Body<"createInvitation">,
    options?: Options<"createInvitation">,
  ): Promise<Answer<"createInvitation">>;
  /** Revoke an invitation */
  revokeInvitation(id: string, invitationId: string, options?: Options<"revokeInvitation">): Promise<void>;
  /** Send an invitation again */
  sendInvitationAgain(
    id: string,
    invitationId: string,
    options?: Options<"sendInvitationAgain">,
  ): Promise<Answer<"sendInvitationAgain">>;
  /** List organizations */
  list(options?: Options<"listOrganizations">): Listing<Answer<"listOrganizations">>;
  /** Create an organization */
  create(
    body: Body<"createOrganization">,
    options?: Options<"createOrganization">,
  ): Promise<Answer<"createOrganization">>;
  /** Read an organization */
  get(id: string, options?: Options<"getOrganization">): Promise<Answer<"getOrganization">>;
  /** Change an organization */
  update(
    id: string,
    body: Body<"updateOrganization">,
    options?: Options<"updateOrganization">,
  ): Promise<Answer<"updateOrganization">>;
  /** Delete an organization */
  delete(id: string, options?: Options<"deleteOrganization">): Promise<void>;
  /** Read what else ends with an organization */
  getImpact(
    id: string,
    options?: Options<"getImpactOfOrganization">,
  ): Promise<Answer<"getImpactOfOrganization">>;
  /** Read an organization by its slug */
  getBySlug(
    slug: string,
    options?: Options<"getOrganizationBySlug">,
  ): Promise<Answer<"getOrganizationBySlug">>;
  /** List the memberships of an organization */
  listMembers(
    id: string,
    options?: Options<"listMembersOfOrganization">,
  ): Listing<Answer<"listMembersOfOrganization">>;
  /** List the providers of an organization */
  listProviders(
    id: string,
    options?: Options<"listProvidersOfOrganization">,
  ): Listing<Answer<"listProvidersOfOrganization">>;
  /** List the API keys of an organization */
  listApiKeys(
    id: string,
    options?: Options<"listApiKeysOfOrganization">,
  ): Listing<Answer<"listApiKeysOfOrganization">>;
  /** List the apps of an organization */
  listApps(
    id: string,
    options?: Options<"listAppsOfOrganization">,
  ): Listing<Answer<"listAppsOfOrganization">>;
  /** List the resources of an organization */
  listResources(
    id: string,
    options?: Options<"listResourcesOfOrganization">,
  ): Listing<Answer<"listResourcesOfOrganization">>;
  /** List the service accounts of an organization */
  listServiceAccounts(
    id: string,
    options?: Options<"listServiceAccountsOfOrganization">,
  ): Listing<Answer<"listServiceAccountsOfOrganization">>;
  /** Create, change, delete many organizations */
  bulk(
    body: Body<"changeOrganizationsInBulk">,
    options?: Options<"changeOrganizationsInBulk">,
  ): Promise<Answer<"changeOrganizationsInBulk">>;
  /** Read, change and write where nobody wrote meanwhile; up to five times. Nothing is written for undefined. */
  edit(
    id: string,
    change: (record: Schemas["Organization"]) => Body<"updateOrganization"> | undefined,
    options?: CallOptions,
  ): Promise<Schemas["Organization"]>;
}

export interface Users {
  /** Send a user a link for a new password */
  sendPasswordReset(id: string, options?: Options<"sendPasswordReset">): Promise<Answer<"sendPasswordReset">>;
  /** Export what is kept of a user */
  exportData(id: string, options?: Options<"exportDataOfUser">): Promise<Answer<"exportDataOfUser">>;
  /** List users */
  list(options?: Options<"listUsers">): Listing<Answer<"listUsers">>;
  /** Create a user */
  create(body: Body<"createUser">, options?: Options<"createUser">): Promise<Answer<"createUser">>;
  /** Read a user */
  get(id: string, options?: Options<"getUser">): Promise<Answer<"getUser">>;
  /** Change a user */
  update(
    id: string,
    body: Body<"updateUser">,
    options?: Options<"updateUser">,
  ): Promise<Answer<"updateUser">>;
  /** Delete a user */
  delete(id: string, options?: Options<"deleteUser">): Promise<void>;
  /** Read what else ends with a user */
  getImpact(id: string, options?: Options<"getImpactOfUser">): Promise<Answer<"getImpactOfUser">>;
  /** Read what a user signs in with */
  getSignInMethods(id: string, options?: Options<"getSignInMethods">): Promise<Answer<"getSignInMethods">>;
  /** Remove all second factors and passkeys of a user */
  resetFactors(
    id: string,
    body: Body<"resetFactorsOfUser">,
    options?: Options<"resetFactorsOfUser">,
  ): Promise<Answer<"resetFactorsOfUser">>;
  /** Remove one passkey or authenticator app of a user */
  removeFactor(
    id: string,
    body: Body<"removeFactorOfUser">,
    options?: Options<"removeFactorOfUser">,
  ): Promise<Answer<"removeFactorOfUser">>;
  /** Sign a user out everywhere */
  signOut(
    id: string,
    body: Body<"signOutUser">,
    options?: Options<"signOutUser">,
  ): Promise<Answer<"signOutUser">>;
  /** Revoke all access of a user */
  revokeEverything(
    id: string,
    body: Body<"revokeEverythingOfUser">,
    options?: Options<"revokeEverythingOfUser">,
  ): Promise<Answer<"revokeEverythingOfUser">>;
  /** Read a user by its email */
  getByEmail(email: string, options?: Options<"getUserByEmail">): Promise<Answer<"getUserByEmail">>;
  /** List the memberships of a user */
  listMemberships(
    id: string,
    options?: Options<"listMembershipsOfUser">,
  ): Listing<Answer<"listMembershipsOfUser">>;
  /** List the linked accounts of a user */
  listLinkedAccounts(
    id: string,
    options?: Options<"listLinkedAccountsOfUser">,
  ): Listing<Answer<"listLinkedAccountsOfUser">>;
  /** List the API keys of a user */
  listApiKeys(id: string, options?: Options<"listApiKeysOfUser">): Listing<Answer<"listApiKeysOfUser">>;
  /** List the apps of a user */
  listApps(id: string, options?: Options<"listAppsOfUser">): Listing<Answer<"listAppsOfUser">>;
  /** List the tokens of a user */
  listTokens(id: string, options?: Options<"listTokensOfUser">): Listing<Answer<"listTokensOfUser">>;
  /** List the auth codes of a user */
  listAuthCodes(id: string, options?: Options<"listAuthCodesOfUser">): Listing<Answer<"listAuthCodesOfUser">>;
  /** List the sessions of a user */
  listSessions(id: string, options?: Options<"listSessionsOfUser">): Listing<Answer<"listSessionsOfUser">>;
  /** List the service accounts of a user */
  listServiceAccounts(
    id: string,
    options?: Options<"listServiceAccountsOfUser">,
  ): Listing<Answer<"listServiceAccountsOfUser">>;
  /** List the consents of a user */
  listConsents(id: string, options?: Options<"listConsentsOfUser">): Listing<Answer<"listConsentsOfUser">>;
  /** Create, change, delete many users */
  bulk(
    body: Body<"changeUsersInBulk">,
    options?: Options<"changeUsersInBulk">,
  ): Promise<Answer<"changeUsersInBulk">>;
  /** Read, change and write where nobody wrote meanwhile; up to five times. Nothing is written for undefined. */
  edit(
    id: string,
    change: (record: Schemas["User"]) => Body<"updateUser"> | undefined,
    options?: CallOptions,
  ): Promise<Schemas["User"]>;
}

export interface Memberships {
  /** List memberships */
  list(options?: Options<"listMemberships">): Listing<Answer<"listMemberships">>;
  /** Create a membership */
  create(
    body: Body<"createMembership">,
    options?: Options<"createMembership">,
  ): Promise<Answer<"createMembership">>;
  /** Read a membership */
  get(id: string, options?: Options<"getMembership">): Promise<Answer<"getMembership">>;
  /** Change a membership */
  update(
    id: string,
    body: Body<"updateMembership">,
    options?: Options<"updateMembership">,
  ): Promise<Answer<"updateMembership">>;
  /** Delete a membership */
  delete(id: string, options?: Options<"deleteMembership">): Promise<void>;
  /** Read what else ends with a membership */
  getImpact(id: string, options?: Options<"getImpactOfMembership">): Promise<Answer<"getImpactOfMembership">>;
  /** Create, change, delete many memberships */
  bulk(
    body: Body<"changeMembershipsInBulk">,
    options?: Options<"changeMembershipsInBulk">,
  ): Promise<Answer<"changeMembershipsInBulk">>;
  /** Read, change and write where nobody wrote meanwhile; up to five times. Nothing is written for undefined. */
  edit(
    id: string,
    change: (record: Schemas["Membership"]) => Body<"updateMembership"> | undefined,
    options?: CallOptions,
  ): Promise<Schemas["Membership"]>;
}

export interface Providers {
  /** List providers */
  list(options?: Options<"listProviders">): Listing<Answer<"listProviders">>;
  /** Create a provider */
  create(
    body: Body<"createProvider">,
    options?: Options<"createProvider">,
  ): Promise<Answer<"createProvider">>;
  /** Read a provider */
  get(id: string, options?: Options<"getProvider">): Promise<Answer<"getProvider">>;
  /** Change a provider */
  update(
    id: string,
    body: Body<"updateProvider">,
    options?: Options<"updateProvider">,
  ): Promise<Answer<"updateProvider">>;
  /** Delete a provider */
  delete(id: string, options?: Options<"deleteProvider">): Promise<void>;
  /** Read what else ends with a provider */
  getImpact(id: string, options?: Options<"getImpactOfProvider">): Promise<Answer<"getImpactOfProvider">>;
  /** Read a provider by its slug */
  getBySlug(slug: string, options?: Options<"getProviderBySlug">): Promise<Answer<"getProviderBySlug">>;
  /** Create, change, delete many providers */
  bulk(
    body: Body<"changeProvidersInBulk">,
    options?: Options<"changeProvidersInBulk">,
  ): Promise<Answer<"changeProvidersInBulk">>;
  /** Read, change and write where nobody wrote meanwhile; up to five times. Nothing is written for undefined. */
  edit(
    id: string,
    change: (record: Schemas["Provider"]) => Body<"updateProvider"> | undefined,
    options?: CallOptions,
  ): Promise<Schemas["Provider"]>;
}

export interface LinkedAccounts {
  /** List linked accounts */
  list(options?: Options<"listLinkedAccounts">): Listing<Answer<"listLinkedAccounts">>;
  /** Create a linked account */
  create(
    body: Body<"createLinkedAccount">,
    options?: Options<"createLinkedAccount">,
  ): Promise<Answer<"createLinkedAccount">>;
  /** Read a linked account */
  get(id: string, options?: Options<"getLinkedAccount">): Promise<Answer<"getLinkedAccount">>;
  /** Change a linked account */
  update(
    id: string,
    body: Body<"updateLinkedAccount">,
    options?: Options<"updateLinkedAccount">,
  ): Promise<Answer<"updateLinkedAccount">>;
  /** Delete a linked account */
  delete(id: string, options?: Options<"deleteLinkedAccount">): Promise<void>;
  /** Read what else ends with a linked account */
  getImpact(
    id: string,
    options?: Options<"getImpactOfLinkedAccount">,
  ): Promise<Answer<"getImpactOfLinkedAccount">>;
  /** Create, change, delete many linked accounts */
  bulk(
    body: Body<"changeLinkedAccountsInBulk">,
    options?: Options<"changeLinkedAccountsInBulk">,
  ): Promise<Answer<"changeLinkedAccountsInBulk">>;
  /** Read, change and write where nobody wrote meanwhile; up to five times. Nothing is written for undefined. */
  edit(
    id: string,
    change: (record: Schemas["LinkedAccount"]) => Body<"updateLinkedAccount"> | undefined,
    options?: CallOptions,
  ): Promise<Schemas["LinkedAccount"]>;
}

export interface ApiKeys {
  /** List API keys */
  list(options?: Options<"listApiKeys">): Listing<Answer<"listApiKeys">>;
  /** Create an API key */
  create(body: Body<"createApiKey">, options?: Options<"createApiKey">): Promise<Answer<"createApiKey">>;
  /** Read an API key */
  get(id: string, options?: Options<"getApiKey">): Promise<Answer<"getApiKey">>;
  /** Change an API key */
  update(
    id: string,
    body: Body<"updateApiKey">,
    options?: Options<"updateApiKey">,
  ): Promise<Answer<"updateApiKey">>;
  /** Delete an API key */
  delete(id: string, options?: Options<"deleteApiKey">): Promise<void>;
  /** Revoke an API key */
  revoke(id: string, options?: Options<"revokeApiKey">): Promise<Answer<"revokeApiKey">>;
  /** Read what else ends with an API key */
  getImpact(id: string, options?: Options<"getImpactOfApiKey">): Promise<Answer<"getImpactOfApiKey">>;
  /** Create, change, delete, revoke many API keys */
  bulk(
    body: Body<"changeApiKeysInBulk">,
    options?: Options<"changeApiKeysInBulk">,
  ): Promise<Answer<"changeApiKeysInBulk">>;
  /** Read, change and write where nobody wrote meanwhile; up to five times. Nothing is written for undefined. */
  edit(
    id: string,
    change: (record: Schemas["ApiKey"]) => Body<"updateApiKey"> | undefined,
    options?: CallOptions,
  ): Promise<Schemas["ApiKey"]>;
}

export interface Apps {
  /** List apps */
  list(options?: Options<"listApps">): Listing<Answer<"listApps">>;
  /** Create an app */
  create(body: Body<"createApp">, options?: Options<"createApp">): Promise<Answer<"createApp">>;
  /** Read an app */
  get(id: string, options?: Options<"getApp">): Promise<Answer<"getApp">>;
  /** Change an app */
  update(id: string, body: Body<"updateApp">, options?: Options<"updateApp">): Promise<Answer<"updateApp">>;
  /** Delete an app */
  delete(id: string, options?: Options<"deleteApp">): Promise<void>;
  /** Revoke an app */
  revoke(id: string, options?: Options<"revokeApp">): Promise<Answer<"revokeApp">>;
  /** Read what else ends with an app */
  getImpact(id: string, options?: Options<"getImpactOfApp">): Promise<Answer<"getImpactOfApp">>;
  /** Register an app that came by itself */
  register(
    id: string,
    body: Body<"registerApp">,
    options?: Options<"registerApp">,
  ): Promise<Answer<"registerApp">>;
  /** Read an app by its client_id */
  getByClientId(clientId: string, options?: Options<"getAppByClientId">): Promise<Answer<"getAppByClientId">>;
  /** List the app secrets of an app */
  listSecrets(id: string, options?: Options<"listSecretsOfApp">): Listing<Answer<"listSecretsOfApp">>;
  /** List the tokens of an app */
  listTokens(id: string, options?: Options<"listTokensOfApp">): Listing<Answer<"listTokensOfApp">>;
  /** List the auth codes of an app */
  listAuthCodes(id: string, options?: Options<"listAuthCodesOfApp">): Listing<Answer<"listAuthCodesOfApp">>;
  /** List the consents of an app */
  listConsents(id: string, options?: Options<"listConsentsOfApp">): Listing<Answer<"listConsentsOfApp">>;
  /** List the refusals of an app */
  listRefusals(id: string, options?: Options<"listRefusalsOfApp">): Listing<Answer<"listRefusalsOfApp">>;
  /** Create, change, delete, revoke many apps */
  bulk(
    body: Body<"changeAppsInBulk">,
    options?: Options<"changeAppsInBulk">,
  ): Promise<Answer<"changeAppsInBulk">>;
  /** Read, change and write where nobody wrote meanwhile; up to five times. Nothing is written for undefined. */
  edit(
    id: string,
    change: (record: Schemas["App"]) => Body<"updateApp"> | undefined,
    options?: CallOptions,
  ): Promise<Schemas["App"]>;
}

export interface AppSecrets {
  /** List app secrets */
  list(options?: Options<"listAppSecrets">): Listing<Answer<"listAppSecrets">>;
  /** Create an app secret */
  create(
    body: Body<"createAppSecret">,
    options?: Options<"createAppSecret">,
  ): Promise<Answer<"createAppSecret">>;
  /** Read an app secret */
  get(id: string, options?: Options<"getAppSecret">): Promise<Answer<"getAppSecret">>;
  /** Change an app secret */
  update(
    id: string,
    body: Body<"updateAppSecret">,
    options?: Options<"updateAppSecret">,
  ): Promise<Answer<"updateAppSecret">>;
  /** Delete an app secret */
  delete(id: string, options?: Options<"deleteAppSecret">): Promise<void>;
  /** Revoke an app secret */
  revoke(id: string, options?: Options<"revokeAppSecret">): Promise<Answer<"revokeAppSecret">>;
  /** Read what else ends with an app secret */
  getImpact(id: string, options?: Options<"getImpactOfAppSecret">): Promise<Answer<"getImpactOfAppSecret">>;
  /** Create, change, delete, revoke many app secrets */
  bulk(
    body: Body<"changeAppSecretsInBulk">,
    options?: Options<"changeAppSecretsInBulk">,
  ): Promise<Answer<"changeAppSecretsInBulk">>;
  /** Read, change and write where nobody wrote meanwhile; up to five times. Nothing is written for undefined. */
  edit(
    id: string,
    change: (record: Schemas["AppSecret"]) => Body<"updateAppSecret"> | undefined,
    options?: CallOptions,
  ): Promise<Schemas["AppSecret"]>;
}

export interface Tokens {
  /** List tokens */
  list(options?: Options<"listTokens">): Listing<Answer<"listTokens">>;
  /** Read a token */
  get(id: string, options?: Options<"getToken">): Promise<Answer<"getToken">>;
  /** Revoke a token */
  revoke(id: string, options?: Options<"revokeToken">): Promise<Answer<"revokeToken">>;
  /** Read what else ends with a token */
  getImpact(id: string, options?: Options<"getImpactOfToken">): Promise<Answer<"getImpactOfToken">>;
  /** Revoke many tokens */
  bulk(
    body: Body<"changeTokensInBulk">,
    options?: Options<"changeTokensInBulk">,
  ): Promise<Answer<"changeTokensInBulk">>;
}

export interface AuthCodes {
  /** List auth codes */
  list(options?: Options<"listAuthCodes">): Listing<Answer<"listAuthCodes">>;
  /** Read an authorization code */
  get(id: string, options?: Options<"getAuthCode">): Promise<Answer<"getAuthCode">>;
  /** Revoke an authorization code */
  revoke(id: string, options?: Options<"revokeAuthCode">): Promise<Answer<"revokeAuthCode">>;
  /** Read what else ends with an authorization code */
  getImpact(id: string, options?: Options<"getImpactOfAuthCode">): Promise<Answer<"getImpactOfAuthCode">>;
  /** Revoke many auth codes */
  bulk(
    body: Body<"changeAuthCodesInBulk">,
    options?: Options<"changeAuthCodesInBulk">,
  ): Promise<Answer<"changeAuthCodesInBulk">>;
}

export interface Sessions {
  /** List sessions */
  list(options?: Options<"listSessions">): Listing<Answer<"listSessions">>;
  /** Read a session */
  get(id: string, options?: Options<"getSession">): Promise<Answer<"getSession">>;
  /** Revoke a session */
  revoke(id: string, options?: Options<"revokeSession">): Promise<Answer<"revokeSession">>;
  /** Read what else ends with a session */
  getImpact(id: string, options?: Options<"getImpactOfSession">): Promise<Answer<"getImpactOfSession">>;
  /** Revoke many sessions */
  bulk(
    body: Body<"changeSessionsInBulk">,
    options?: Options<"changeSessionsInBulk">,
  ): Promise<Answer<"changeSessionsInBulk">>;
}

export interface Resources {
  /** List resources */
  list(options?: Options<"listResources">): Listing<Answer<"listResources">>;
  /** Create an API */
  create(
    body: Body<"createResource">,
    options?: Options<"createResource">,
  ): Promise<Answer<"createResource">>;
  /** Read an API */
  get(id: string, options?: Options<"getResource">): Promise<Answer<"getResource">>;
  /** Change an API */
  update(
    id: string,
    body: Body<"updateResource">,
    options?: Options<"updateResource">,
  ): Promise<Answer<"updateResource">>;
  /** Delete an API */
  delete(id: string, options?: Options<"deleteResource">): Promise<void>;
  /** Read what else ends with an API */
  getImpact(id: string, options?: Options<"getImpactOfResource">): Promise<Answer<"getImpactOfResource">>;
  /** Read an API by its identifier */
  getByIdentifier(
    identifier: string,
    options?: Options<"getResourceByIdentifier">,
  ): Promise<Answer<"getResourceByIdentifier">>;
  /** Create, change, delete many resources */
  bulk(
    body: Body<"changeResourcesInBulk">,
    options?: Options<"changeResourcesInBulk">,
  ): Promise<Answer<"changeResourcesInBulk">>;
  /** Read, change and write where nobody wrote meanwhile; up to five times. Nothing is written for undefined. */
  edit(
    id: string,
    change: (record: Schemas["Resource"]) => Body<"updateResource"> | undefined,
    options?: CallOptions,
  ): Promise<Schemas["Resource"]>;
}

export interface ServiceAccounts {
  /** List service accounts */
  list(options?: Options<"listServiceAccounts">): Listing<Answer<"listServiceAccounts">>;
  /** Create a service account */
  create(
    body: Body<"createServiceAccount">,
    options?: Options<"createServiceAccount">,
  ): Promise<Answer<"createServiceAccount">>;
  /** Read a service account */
  get(id: string, options?: Options<"getServiceAccount">): Promise<Answer<"getServiceAccount">>;
  /** Change a service account */
  update(
    id: string,
    body: Body<"updateServiceAccount">,
    options?: Options<"updateServiceAccount">,
  ): Promise<Answer<"updateServiceAccount">>;
  /** Delete a service account */
  delete(id: string, options?: Options<"deleteServiceAccount">): Promise<void>;
  /** Read what else ends with a service account */
  getImpact(
    id: string,
    options?: Options<"getImpactOfServiceAccount">,
  ): Promise<Answer<"getImpactOfServiceAccount">>;
  /** Read a service account by its email */
  getByEmail(
    email: string,
    options?: Options<"getServiceAccountByEmail">,
  ): Promise<Answer<"getServiceAccountByEmail">>;
  /** List the tokens of a service account */
  listTokens(
    id: string,
    options?: Options<"listTokensOfServiceAccount">,
  ): Listing<Answer<"listTokensOfServiceAccount">>;
  /** List the key pairs of a service account */
  listKeyPairs(
    id: string,
    options?: Options<"listKeyPairsOfServiceAccount">,
  ): Listing<Answer<"listKeyPairsOfServiceAccount">>;
  /** Create, change, delete many service accounts */
  bulk(
    body: Body<"changeServiceAccountsInBulk">,
    options?: Options<"changeServiceAccountsInBulk">,
  ): Promise<Answer<"changeServiceAccountsInBulk">>;
  /** Read, change and write where nobody wrote meanwhile; up to five times. Nothing is written for undefined. */
  edit(
    id: string,
    change: (record: Schemas["ServiceAccount"]) => Body<"updateServiceAccount"> | undefined,
    options?: CallOptions,
  ): Promise<Schemas["ServiceAccount"]>;
}

export interface KeyPairs {
  /** List key pairs */
  list(options?: Options<"listKeyPairs">): Listing<Answer<"listKeyPairs">>;
  /** Create a key pair */
  create(body: Body<"createKeyPair">, options?: Options<"createKeyPair">): Promise<Answer<"createKeyPair">>;
  /** Read a key pair */
  get(id: string, options?: Options<"getKeyPair">): Promise<Answer<"getKeyPair">>;
  /** Change a key pair */
  update(
    id: string,
    body: Body<"updateKeyPair">,
    options?: Options<"updateKeyPair">,
  ): Promise<Answer<"updateKeyPair">>;
  /** Delete a key pair */
  delete(id: string, options?: Options<"deleteKeyPair">): Promise<void>;
  /** Revoke a key pair */
  revoke(id: string, options?: Options<"revokeKeyPair">): Promise<Answer<"revokeKeyPair">>;
  /** Read what else ends with a key pair */
  getImpact(id: string, options?: Options<"getImpactOfKeyPair">): Promise<Answer<"getImpactOfKeyPair">>;
  /** Create, change, delete, revoke many key pairs */
  bulk(
    body: Body<"changeKeyPairsInBulk">,
    options?: Options<"changeKeyPairsInBulk">,
  ): Promise<Answer<"changeKeyPairsInBulk">>;
  /** Read, change and write where nobody wrote meanwhile; up to five times. Nothing is written for undefined. */
  edit(
    id: string,
    change: (record: Schemas["KeyPair"]) => Body<"updateKeyPair"> | undefined,
    options?: CallOptions,
  ): Promise<Schemas["KeyPair"]>;
}

export interface Consents {
  /** List consents */
  list(options?: Options<"listConsents">): Listing<Answer<"listConsents">>;
  /** Create a consent */
  create(body: Body<"createConsent">, options?: Options<"createConsent">): Promise<Answer<"createConsent">>;
  /** Read a consent */
  get(id: string, options?: Options<"getConsent">): Promise<Answer<"getConsent">>;
  /** Change a consent */
  update(
    id: string,
    body: Body<"updateConsent">,
    options?: Options<"updateConsent">,
  ): Promise<Answer<"updateConsent">>;
  /** Delete a consent */
  delete(id: string, options?: Options<"deleteConsent">): Promise<void>;
  /** Revoke a consent */
  revoke(id: string, options?: Options<"revokeConsent">): Promise<Answer<"revokeConsent">>;
  /** Read what else ends with a consent */
  getImpact(id: string, options?: Options<"getImpactOfConsent">): Promise<Answer<"getImpactOfConsent">>;
  /** Create, change, delete, revoke many consents */
  bulk(
    body: Body<"changeConsentsInBulk">,
    options?: Options<"changeConsentsInBulk">,
  ): Promise<Answer<"changeConsentsInBulk">>;
  /** Read, change and write where nobody wrote meanwhile; up to five times. Nothing is written for undefined. */
  edit(
    id: string,
    change: (record: Schemas["Consent"]) => Body<"updateConsent"> | undefined,
    options?: CallOptions,
  ): Promise<Schemas["Consent"]>;
}

export interface SigningKeys {
  /** List signing keys */
  list(options?: Options<"listSigningKeys">): Listing<Answer<"listSigningKeys">>;
  /** Create a signing key */
  create(
    body: Body<"createSigningKey">,
    options?: Options<"createSigningKey">,
  ): Promise<Answer<"createSigningKey">>;
  /** Read a signing key */
  get(id: string, options?: Options<"getSigningKey">): Promise<Answer<"getSigningKey">>;
  /** Delete a signing key */
  delete(id: string, options?: Options<"deleteSigningKey">): Promise<void>;
  /** Read what else ends with a signing key */
  getImpact(id: string, options?: Options<"getImpactOfSigningKey">): Promise<Answer<"getImpactOfSigningKey">>;
  /** Create, delete many signing keys */
  bulk(
    body: Body<"changeSigningKeysInBulk">,
    options?: Options<"changeSigningKeysInBulk">,
  ): Promise<Answer<"changeSigningKeysInBulk">>;
}

export interface AuditEvents {
  /** List audit events */
  list(options?: Options<"listAuditEvents">): Listing<Answer<"listAuditEvents">>;
  /** Export audit events as JSON lines */
  export(options?: Options<"exportAuditEvents">): AsyncIterable<Schemas["AuditEvent"]>;
  /** Read an audit event */
  get(id: string, options?: Options<"getAuditEvent">): Promise<Answer<"getAuditEvent">>;
}

export interface Refusals {
  /** List refusals */
  list(options?: Options<"listRefusals">): Listing<Answer<"listRefusals">>;
  /** Read a refusal */
  get(id: string, options?: Options<"getRefusal">): Promise<Answer<"getRefusal">>;
}

/** The management API, by resource type. */
export interface Postern {
  /** Read who the caller is and what it may do */
  me(options?: Options<"getMe">): Promise<Answer<"getMe">>;
  /** Read the settings of the server */
  server(options?: Options<"getServer">): Promise<Answer<"getServer">>;
  /** Read how much is going on */
  statistics(options?: Options<"getStatistics">): Promise<Answer<"getStatistics">>;
  /** Make the records match a manifest */
  apply(body: Body<"apply">, options?: Options<"apply">): Promise<Answer<"apply">>;
  /** Read the records as a manifest */
  export(options?: Options<"export">): Promise<Answer<"export">>;
  /** Say what a token is */
  introspect(body: Body<"introspect">, options?: Options<"introspect">): Promise<Answer<"introspect">>;
  readonly organizations: Organizations;
  readonly users: Users;
  readonly memberships: Memberships;
  readonly providers: Providers;
  readonly linkedAccounts: LinkedAccounts;
  readonly apiKeys: ApiKeys;
  readonly apps: Apps;
  readonly appSecrets: AppSecrets;
  readonly tokens: Tokens;
  readonly authCodes: AuthCodes;
  readonly sessions: Sessions;
  readonly resources: Resources;
  readonly serviceAccounts: ServiceAccounts;
  readonly keyPairs: KeyPairs;
  readonly consents: Consents;
  readonly signingKeys: SigningKeys;
  readonly auditEvents: AuditEvents;
  readonly refusals: Refusals;
}

export const callsOfClient: Readonly<Record<string, Call>> = {
  me: { method: "GET", path: "/api/v1/me", answer: "record" },
  server: { method: "GET", path: "/api/v1/server", answer: "record" },
  statistics: { method: "GET", path: "/api/v1/statistics", answer: "record" },
  apply: { method: "POST", path: "/api/v1/apply", answer: "record", body: true, keyed: true },
  export: { method: "GET", path: "/api/v1/export", answer: "record" },
  introspect: { method: "POST", path: "/api/v1/introspect", answer: "record", body: true },
};

export const callsOfGroups: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  organizations: {
    getStatistics: { method: "GET", path: "/api/v1/organizations/{id}/statistics", answer: "record" },
    listInvitations: { method: "GET", path: "/api/v1/organizations/{id}/invitations", answer: "page" },
    createInvitation: {
      method: "POST",
      path: "/api/v1/organizations/{id}/invitations",
      answer: "record",
      body: true,
      keyed: true,
    },
    revokeInvitation: {
      method: "POST",
      path: "/api/v1/organizations/{id}/invitations/{invitation_id}/revoke",
      answer: "nothing",
      keyed: true,
    },
    sendInvitationAgain: {
      method: "POST",
      path: "/api/v1/organizations/{id}/invitations/{invitation_id}/send-again",
      answer: "record",
      keyed: true,
    },
    list: { method: "GET", path: "/api/v1/organizations", answer: "page" },
    create: { method: "POST", path: "/api/v1/organizations", answer: "record", body: true, keyed: true },
    get: { method: "GET", path: "/api/v1/organizations/{id}", answer: "record" },
    update: { method: "PATCH", path: "/api/v1/organizations/{id}", answer: "record", body: true },
    delete: { method: "DELETE", path: "/api/v1/organizations/{id}", answer: "nothing" },
    getImpact: { method: "GET", path: "/api/v1/organizations/{id}/impact", answer: "record" },
    getBySlug: { method: "GET", path: "/api/v1/organizations/by-slug/{slug}", answer: "record" },
    listMembers: { method: "GET", path: "/api/v1/organizations/{id}/members", answer: "page" },
    listProviders: { method: "GET", path: "/api/v1/organizations/{id}/providers", answer: "page" },
    listApiKeys: { method: "GET", path: "/api/v1/organizations/{id}/api-keys", answer: "page" },
    listApps: { method: "GET", path: "/api/v1/organizations/{id}/apps", answer: "page" },
    listResources: { method: "GET", path: "/api/v1/organizations/{id}/resources", answer: "page" },
    listServiceAccounts: {
      method: "GET",
      path: "/api/v1/organizations/{id}/service-accounts",
      answer: "page",
    },
    bulk: { method: "POST", path: "/api/v1/bulk/organizations", answer: "record", body: true, keyed: true },
  },
  users: {
    sendPasswordReset: { method: "POST", path: "/api/v1/users/{id}/send-password-reset", answer: "record" },
    exportData: { method: "POST", path: "/api/v1/users/{id}/export-data", answer: "record" },
    list: { method: "GET", path: "/api/v1/users", answer: "page" },
    create: { method: "POST", path: "/api/v1/users", answer: "record", body: true, keyed: true },
    get: { method: "GET", path: "/api/v1/users/{id}", answer: "record" },
    update: { method: "PATCH", path: "/api/v1/users/{id}", answer: "record", body: true },
    delete: { method: "DELETE", path: "/api/v1/users/{id}", answer: "nothing" },
    getImpact: { method: "GET", path: "/api/v1/users/{id}/impact", answer: "record" },
    getSignInMethods: { method: "GET", path: "/api/v1/users/{id}/sign-in-methods", answer: "record" },
    resetFactors: {
      method: "POST",
      path: "/api/v1/users/{id}/reset-factors",
      answer: "record",
      body: true,
      keyed: true,
    },
    removeFactor: {
      method: "POST",
      path: "/api/v1/users/{id}/remove-factor",
      answer: "record",
      body: true,
      keyed: true,
    },
    signOut: {
      method: "POST",
      path: "/api/v1/users/{id}/sign-out",
      answer: "record",
      body: true,
      keyed: true,
    },
    revokeEverything: {
      method: "POST",
      path: "/api/v1/users/{id}/revoke-everything",
      answer: "record",
      body: true,
      keyed: true,
    },
    getByEmail: { method: "GET", path: "/api/v1/users/by-email/{email}", answer: "record" },
    listMemberships: { method: "GET", path: "/api/v1/users/{id}/memberships", answer: "page" },
    listLinkedAccounts: { method: "GET", path: "/api/v1/users/{id}/linked-accounts", answer: "page" },
    listApiKeys: { method: "GET", path: "/api/v1/users/{id}/api-keys", answer: "page" },
    listApps: { method: "GET", path: "/api/v1/users/{id}/apps", answer: "page" },
    listTokens: { method: "GET", path: "/api/v1/users/{id}/tokens", answer: "page" },
    listAuthCodes: { method: "GET", path: "/api/v1/users/{id}/auth-codes", answer: "page" },
    listSessions: { method: "GET", path: "/api/v1/users/{id}/sessions", answer: "page" },
    listServiceAccounts: { method: "GET", path: "/api/v1/users/{id}/service-accounts", answer: "page" },
    listConsents: { method: "GET", path: "/api/v1/users/{id}/consents", answer: "page" },
    bulk: { method: "POST", path: "/api/v1/bulk/users", answer: "record", body: true, keyed: true },
  },
  memberships: {
    list: { method: "GET", path: "/api/v1/memberships", answer: "page" },
    create: { method: "POST", path: "/api/v1/memberships", answer: "record", body: true, keyed: true },
    get: { method: "GET", path: "/api/v1/memberships/{id}", answer: "record" },
    update: { method: "PATCH", path: "/api/v1/memberships/{id}", answer: "record", body: true },
    delete: { method: "DELETE", path: "/api/v1/memberships/{id}", answer: "nothing" },
    getImpact: { method: "GET", path: "/api/v1/memberships/{id}/impact", answer: "record" },
    bulk: { method: "POST", path: "/api/v1/bulk/memberships", answer: "record", body: true, keyed: true },
  },
  providers: {
    list: { method: "GET", path: "/api/v1/providers", answer: "page" },
    create: { method: "POST", path: "/api/v1/providers", answer: "record", body: true, keyed: true },
    get: { method: "GET", path: "/api/v1/providers/{id}", answer: "record" },
    update: { method: "PATCH", path: "/api/v1/providers/{id}", answer: "record", body: true },
    delete: { method: "DELETE", path: "/api/v1/providers/{id}", answer: "nothing" },
    getImpact: { method: "GET", path: "/api/v1/providers/{id}/impact", answer: "record" },
    getBySlug: { method: "GET", path: "/api/v1/providers/by-slug/{slug}", answer: "record" },
    bulk: { method: "POST", path: "/api/v1/bulk/providers", answer: "record", body: true, keyed: true },
  },
  linkedAccounts: {
    list: { method: "GET", path: "/api/v1/linked-accounts", answer: "page" },
    create: { method: "POST", path: "/api/v1/linked-accounts", answer: "record", body: true, keyed: true },
    get: { method: "GET", path: "/api/v1/linked-accounts/{id}", answer: "record" },
    update: { method: "PATCH", path: "/api/v1/linked-accounts/{id}", answer: "record", body: true },
    delete: { method: "DELETE", path: "/api/v1/linked-accounts/{id}", answer: "nothing" },
    getImpact: { method: "GET", path: "/api/v1/linked-accounts/{id}/impact", answer: "record" },
    bulk: { method: "POST", path: "/api/v1/bulk/linked-accounts", answer: "record", body: true, keyed: true },
  },
  apiKeys: {
    list: { method: "GET", path: "/api/v1/api-keys", answer: "page" },
    create: { method: "POST", path: "/api/v1/api-keys", answer: "record", body: true, keyed: true },
    get: { method: "GET", path: "/api/v1/api-keys/{id}", answer: "record" },
    update: { method: "PATCH", path: "/api/v1/api-keys/{id}", answer: "record", body: true },
    delete: { method: "DELETE", path: "/api/v1/api-keys/{id}", answer: "nothing" },
    revoke: { method: "POST", path: "/api/v1/api-keys/{id}/revoke", answer: "record", keyed: true },
    getImpact: { method: "GET", path: "/api/v1/api-keys/{id}/impact", answer: "record" },
    bulk: { method: "POST", path: "/api/v1/bulk/api-keys", answer: "record", body: true, keyed: true },
  },
  apps: {
    list: { method: "GET", path: "/api/v1/apps", answer: "page" },
    create: { method: "POST", path: "/api/v1/apps", answer: "record", body: true, keyed: true },
    get: { method: "GET", path: "/api/v1/apps/{id}", answer: "record" },
    update: { method: "PATCH", path: "/api/v1/apps/{id}", answer: "record", body: true },
    delete: { method: "DELETE", path: "/api/v1/apps/{id}", answer: "nothing" },
    revoke: { method: "POST", path: "/api/v1/apps/{id}/revoke", answer: "record", keyed: true },
    getImpact: { method: "GET", path: "/api/v1/apps/{id}/impact", answer: "record" },
    register: {
      method: "POST",
      path: "/api/v1/apps/{id}/register",
      answer: "record",
      body: true,
      keyed: true,
    },
    getByClientId: { method: "GET", path: "/api/v1/apps/by-client-id/{client_id}", answer: "record" },
    listSecrets: { method: "GET", path: "/api/v1/apps/{id}/secrets", answer: "page" },
    listTokens: { method: "GET", path: "/api/v1/apps/{id}/tokens", answer: "page" },
    listAuthCodes: { method: "GET", path: "/api/v1/apps/{id}/auth-codes", answer: "page" },
    listConsents: { method: "GET", path: "/api/v1/apps/{id}/consents", answer: "page" },
    listRefusals: { method: "GET", path: "/api/v1/apps/{id}/refusals", answer: "page" },
    bulk: { method: "POST", path: "/api/v1/bulk/apps", answer: "record", body: true, keyed: true },
  },
  appSecrets: {
    list: { method: "GET", path: "/api/v1/app-secrets", answer: "page" },
    create: { method: "POST", path: "/api/v1/app-secrets", answer: "record", body: true, keyed: true },
    get: { method: "GET", path: "/api/v1/app-secrets/{id}", answer: "record" },
    update: { method: "PATCH", path: "/api/v1/app-secrets/{id}", answer: "record", body: true },
    delete: { method: "DELETE", path: "/api/v1/app-secrets/{id}", answer: "nothing" },
    revoke: { method: "POST", path: "/api/v1/app-secrets/{id}/revoke", answer: "record", keyed: true },
    getImpact: { method: "GET", path: "/api/v1/app-secrets/{id}/impact", answer: "record" },
    bulk: { method: "POST", path: "/api/v1/bulk/app-secrets", answer: "record", body: true, keyed: true },
  },
  tokens: {
    list: { method: "GET", path: "/api/v1/tokens", answer: "page" },
    get: { method: "GET", path: "/api/v1/tokens/{id}", answer: "record" },
    revoke: { method: "POST", path: "/api/v1/tokens/{id}/revoke", answer: "record", keyed: true },
    getImpact: { method: "GET", path: "/api/v1/tokens/{id}/impact", answer: "record" },
    bulk: { method: "POST", path: "/api/v1/bulk/tokens", answer: "record", body: true, keyed: true },
  },
  authCodes: {
    list: { method: "GET", path: "/api/v1/auth-codes", answer: "page" },
    get: { method: "GET", path: "/api/v1/auth-codes/{id}", answer: "record" },
    revoke: { method: "POST", path: "/api/v1/auth-codes/{id}/revoke", answer: "record", keyed: true },
    getImpact: { method: "GET", path: "/api/v1/auth-codes/{id}/impact", answer: "record" },
    bulk: { method: "POST", path: "/api/v1/bulk/auth-codes", answer: "record", body: true, keyed: true },
  },
  sessions: {
    list: { method: "GET", path: "/api/v1/sessions", answer: "page" },
    get: { method: "GET", path: "/api/v1/sessions/{id}", answer: "record" },
    revoke: { method: "POST", path: "/api/v1/sessions/{id}/revoke", answer: "record", keyed: true },
    getImpact: { method: "GET", path: "/api/v1/sessions/{id}/impact", answer: "record" },
    bulk: { method: "POST", path: "/api/v1/bulk/sessions", answer: "record", body: true, keyed: true },
  },
  resources: {
    list: { method: "GET", path: "/api/v1/resources", answer: "page" },
    create: { method: "POST", path: "/api/v1/resources", answer: "record", body: true, keyed: true },
    get: { method: "GET", path: "/api/v1/resources/{id}", answer: "record" },
    update: { method: "PATCH", path: "/api/v1/resources/{id}", answer: "record", body: true },
    delete: { method: "DELETE", path: "/api/v1/resources/{id}", answer: "nothing" },
    getImpact: { method: "GET", path: "/api/v1/resources/{id}/impact", answer: "record" },
    getByIdentifier: {
      method: "GET",
      path: "/api/v1/resources/by-identifier/{identifier}",
      answer: "record",
    },
    bulk: { method: "POST", path: "/api/v1/bulk/resources", answer: "record", body: true, keyed: true },
  },
  serviceAccounts: {
    list: { method: "GET", path: "/api/v1/service-accounts", answer: "page" },
    create: { method: "POST", path: "/api/v1/service-accounts", answer: "record", body: true, keyed: true },
    get: { method: "GET", path: "/api/v1/service-accounts/{id}", answer: "record" },
    update: { method: "PATCH", path: "/api/v1/service-accounts/{id}", answer: "record", body: true },
    delete: { method: "DELETE", path: "/api/v1/service-accounts/{id}", answer: "nothing" },
    getImpact: { method: "GET", path: "/api/v1/service-accounts/{id}/impact", answer: "record" },
    getByEmail: { method: "GET", path: "/api/v1/service-accounts/by-email/{email}", answer: "record" },
    listTokens: { method: "GET", path: "/api/v1/service-accounts/{id}/tokens", answer: "page" },
    listKeyPairs: { method: "GET", path: "/api/v1/service-accounts/{id}/key-pairs", answer: "page" },
    bulk: {
      method: "POST",
      path: "/api/v1/bulk/service-accounts",
      answer: "record",
      body: true,
      keyed: true,
    },
  },
  keyPairs: {
    list: { method: "GET", path: "/api/v1/key-pairs", answer: "page" },
    create: { method: "POST", path: "/api/v1/key-pairs", answer: "record", body: true, keyed: true },
    get: { method: "GET", path: "/api/v1/key-pairs/{id}", answer: "record" },
    update: { method: "PATCH", path: "/api/v1/key-pairs/{id}", answer: "record", body: true },
    delete: { method: "DELETE", path: "/api/v1/key-pairs/{id}", answer: "nothing" },
    revoke: { method: "POST", path: "/api/v1/key-pairs/{id}/revoke", answer: "record", keyed: true },
    getImpact: { method: "GET", path: "/api/v1/key-pairs/{id}/impact", answer: "record" },
    bulk: { method: "POST", path: "/api/v1/bulk/key-pairs", answer: "record", body: true, keyed: true },
  },
  consents: {
    list: { method: "GET", path: "/api/v1/consents", answer: "page" },
    create: { method: "POST", path: "/api/v1/consents", answer: "record", body: true, keyed: true },
    get: { method: "GET", path: "/api/v1/consents/{id}", answer: "record" },
    update: { method: "PATCH", path: "/api/v1/consents/{id}", answer: "record", body: true },
    delete: { method: "DELETE", path: "/api/v1/consents/{id}", answer: "nothing" },
    revoke: { method: "POST", path: "/api/v1/consents/{id}/revoke", answer: "record", keyed: true },
    getImpact: { method: "GET", path: "/api/v1/consents/{id}/impact", answer: "record" },
    bulk: { method: "POST", path: "/api/v1/bulk/consents", answer: "record", body: true, keyed: true },
  },
  signingKeys: {
    list: { method: "GET", path: "/api/v1/signing-keys", answer: "page" },
    create: { method: "POST", path: "/api/v1/signing-keys", answer: "record", body: true, keyed: true },
    get: { method: "GET", path: "/api/v1/signing-keys/{id}", answer: "record" },
    delete: { method: "DELETE", path: "/api/v1/signing-keys/{id}", answer: "nothing" },
    getImpact: { method: "GET", path: "/api/v1/signing-keys/{id}/impact", answer: "record" },
    bulk: { method: "POST", path: "/api/v1/bulk/signing-keys", answer: "record", body: true, keyed: true },
  },
  auditEvents: {
    list: { method: "GET", path: "/api/v1/audit-events", answer: "page" },
    export: { method: "GET", path: "/api/v1/audit-events/export", answer: "lines" },
    get: { method: "GET", path: "/api/v1/audit-events/{id}", answer: "record" },
  },
  refusals: {
    list: { method: "GET", path: "/api/v1/refusals", answer: "page" },
    get: { method: "GET", path: "/api/v1/refusals/{id}", answer: "record" },
  },
};
