// biome-ignore-all lint: generated from /api/openapi.json by npm run client; not to be edited.
export interface paths {
  "/api/v1/me": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getMe"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/server": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getServer"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/statistics": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getStatistics"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/organizations/{id}/statistics": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getStatisticsOfOrganization"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/organizations/{id}/invitations": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listInvitations"];
    put?: never;
    post: operations["createInvitation"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/organizations/{id}/invitations/{invitation_id}/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["revokeInvitation"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/organizations/{id}/invitations/{invitation_id}/send-again": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["sendInvitationAgain"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/send-password-reset": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["sendPasswordReset"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/export-data": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["exportDataOfUser"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/apply": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["apply"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/export": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["export"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/organizations": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listOrganizations"];
    put?: never;
    post: operations["createOrganization"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/organizations/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getOrganization"];
    put?: never;
    post?: never;
    delete: operations["deleteOrganization"];
    options?: never;
    head?: never;
    patch: operations["updateOrganization"];
    trace?: never;
  };
  "/api/v1/organizations/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfOrganization"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/organizations/by-slug/{slug}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getOrganizationBySlug"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/organizations/{id}/members": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listMembersOfOrganization"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/organizations/{id}/providers": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listProvidersOfOrganization"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/organizations/{id}/api-keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listApiKeysOfOrganization"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/organizations/{id}/apps": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listAppsOfOrganization"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/organizations/{id}/resources": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listResourcesOfOrganization"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/organizations/{id}/service-accounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listServiceAccountsOfOrganization"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/organizations": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeOrganizationsInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listUsers"];
    put?: never;
    post: operations["createUser"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getUser"];
    put?: never;
    post?: never;
    delete: operations["deleteUser"];
    options?: never;
    head?: never;
    patch: operations["updateUser"];
    trace?: never;
  };
  "/api/v1/users/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfUser"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/sign-in-methods": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getSignInMethods"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/reset-factors": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["resetFactorsOfUser"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/remove-factor": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["removeFactorOfUser"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/sign-out": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["signOutUser"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/revoke-everything": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["revokeEverythingOfUser"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/by-email/{email}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getUserByEmail"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/memberships": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listMembershipsOfUser"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/linked-accounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listLinkedAccountsOfUser"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/api-keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listApiKeysOfUser"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/apps": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listAppsOfUser"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listTokensOfUser"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/auth-codes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listAuthCodesOfUser"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listSessionsOfUser"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/service-accounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listServiceAccountsOfUser"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/users/{id}/consents": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listConsentsOfUser"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/users": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeUsersInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/memberships": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listMemberships"];
    put?: never;
    post: operations["createMembership"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/memberships/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getMembership"];
    put?: never;
    post?: never;
    delete: operations["deleteMembership"];
    options?: never;
    head?: never;
    patch: operations["updateMembership"];
    trace?: never;
  };
  "/api/v1/memberships/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfMembership"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/memberships": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeMembershipsInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/providers": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listProviders"];
    put?: never;
    post: operations["createProvider"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/providers/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getProvider"];
    put?: never;
    post?: never;
    delete: operations["deleteProvider"];
    options?: never;
    head?: never;
    patch: operations["updateProvider"];
    trace?: never;
  };
  "/api/v1/providers/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfProvider"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/providers/by-slug/{slug}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getProviderBySlug"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/providers": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeProvidersInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/linked-accounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listLinkedAccounts"];
    put?: never;
    post: operations["createLinkedAccount"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/linked-accounts/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getLinkedAccount"];
    put?: never;
    post?: never;
    delete: operations["deleteLinkedAccount"];
    options?: never;
    head?: never;
    patch: operations["updateLinkedAccount"];
    trace?: never;
  };
  "/api/v1/linked-accounts/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfLinkedAccount"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/linked-accounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeLinkedAccountsInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/api-keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listApiKeys"];
    put?: never;
    post: operations["createApiKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/api-keys/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getApiKey"];
    put?: never;
    post?: never;
    delete: operations["deleteApiKey"];
    options?: never;
    head?: never;
    patch: operations["updateApiKey"];
    trace?: never;
  };
  "/api/v1/api-keys/{id}/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["revokeApiKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/api-keys/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfApiKey"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/api-keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeApiKeysInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/apps": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listApps"];
    put?: never;
    post: operations["createApp"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/apps/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getApp"];
    put?: never;
    post?: never;
    delete: operations["deleteApp"];
    options?: never;
    head?: never;
    patch: operations["updateApp"];
    trace?: never;
  };
  "/api/v1/apps/{id}/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["revokeApp"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/apps/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfApp"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/apps/{id}/register": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["registerApp"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/apps/by-client-id/{client_id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getAppByClientId"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/apps/{id}/secrets": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listSecretsOfApp"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/apps/{id}/tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listTokensOfApp"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/apps/{id}/auth-codes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listAuthCodesOfApp"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/apps/{id}/consents": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listConsentsOfApp"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/apps/{id}/refusals": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listRefusalsOfApp"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/apps": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeAppsInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/app-secrets": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listAppSecrets"];
    put?: never;
    post: operations["createAppSecret"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/app-secrets/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getAppSecret"];
    put?: never;
    post?: never;
    delete: operations["deleteAppSecret"];
    options?: never;
    head?: never;
    patch: operations["updateAppSecret"];
    trace?: never;
  };
  "/api/v1/app-secrets/{id}/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["revokeAppSecret"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/app-secrets/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfAppSecret"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/app-secrets": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeAppSecretsInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listTokens"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/tokens/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getToken"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/tokens/{id}/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["revokeToken"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/tokens/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfToken"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeTokensInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/auth-codes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listAuthCodes"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/auth-codes/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getAuthCode"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/auth-codes/{id}/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["revokeAuthCode"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/auth-codes/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfAuthCode"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/auth-codes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeAuthCodesInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listSessions"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/sessions/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getSession"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/sessions/{id}/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["revokeSession"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/sessions/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfSession"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeSessionsInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/resources": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listResources"];
    put?: never;
    post: operations["createResource"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/resources/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getResource"];
    put?: never;
    post?: never;
    delete: operations["deleteResource"];
    options?: never;
    head?: never;
    patch: operations["updateResource"];
    trace?: never;
  };
  "/api/v1/resources/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfResource"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/resources/by-identifier/{identifier}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getResourceByIdentifier"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/resources": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeResourcesInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/service-accounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listServiceAccounts"];
    put?: never;
    post: operations["createServiceAccount"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/service-accounts/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getServiceAccount"];
    put?: never;
    post?: never;
    delete: operations["deleteServiceAccount"];
    options?: never;
    head?: never;
    patch: operations["updateServiceAccount"];
    trace?: never;
  };
  "/api/v1/service-accounts/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfServiceAccount"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/service-accounts/by-email/{email}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getServiceAccountByEmail"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/service-accounts/{id}/tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listTokensOfServiceAccount"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/service-accounts/{id}/key-pairs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listKeyPairsOfServiceAccount"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/service-accounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeServiceAccountsInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/key-pairs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listKeyPairs"];
    put?: never;
    post: operations["createKeyPair"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/key-pairs/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getKeyPair"];
    put?: never;
    post?: never;
    delete: operations["deleteKeyPair"];
    options?: never;
    head?: never;
    patch: operations["updateKeyPair"];
    trace?: never;
  };
  "/api/v1/key-pairs/{id}/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["revokeKeyPair"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/key-pairs/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfKeyPair"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/key-pairs": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeKeyPairsInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/consents": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listConsents"];
    put?: never;
    post: operations["createConsent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/consents/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getConsent"];
    put?: never;
    post?: never;
    delete: operations["deleteConsent"];
    options?: never;
    head?: never;
    patch: operations["updateConsent"];
    trace?: never;
  };
  "/api/v1/consents/{id}/revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["revokeConsent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/consents/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfConsent"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/consents": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeConsentsInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/signing-keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listSigningKeys"];
    put?: never;
    post: operations["createSigningKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/signing-keys/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getSigningKey"];
    put?: never;
    post?: never;
    delete: operations["deleteSigningKey"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/signing-keys/{id}/impact": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getImpactOfSigningKey"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/bulk/signing-keys": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["changeSigningKeysInBulk"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/audit-events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listAuditEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/audit-events/export": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["exportAuditEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/audit-events/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getAuditEvent"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/refusals": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listRefusals"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/refusals/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["getRefusal"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/v1/introspect": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations["introspect"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Problem: {
      /** Format: uri-reference */
      type: string;
      title: string;
      status: number;
      detail: string;
      /** @enum {string} */
      code:
        | "invalid_json"
        | "invalid_request"
        | "unauthorized"
        | "insufficient_user_authentication"
        | "forbidden"
        | "not_found"
        | "method_not_allowed"
        | "conflict"
        | "invalid_manifest"
        | "last_owner"
        | "last_administrator"
        | "mail_off"
        | "successor_required"
        | "links_exist"
        | "revoked"
        | "idempotency_in_progress"
        | "stale"
        | "too_large"
        | "address_too_long"
        | "unsupported_media_type"
        | "invalid_record"
        | "too_many_secrets"
        | "invalid_filter"
        | "invalid_page"
        | "idempotency_mismatch"
        | "throttled"
        | "quota_exceeded"
        | "server_error"
        | "unavailable"
        | "temporarily_unavailable";
      request_id: string;
      errors?: {
        /** Format: json-pointer */
        path: string;
        message: string;
        /** @enum {string} */
        code:
          | "required"
          | "required_text"
          | "not_null"
          | "empty"
          | "taken"
          | "repeated"
          | "server_set"
          | "unknown_field"
          | "not_taken"
          | "not_string"
          | "not_text"
          | "not_integer"
          | "not_boolean"
          | "not_time"
          | "not_uuid"
          | "not_list"
          | "not_list_of_strings"
          | "not_list_of_objects"
          | "not_object"
          | "not_signature"
          | "unstorable"
          | "invisible_characters"
          | "not_one_of"
          | "too_short"
          | "too_long"
          | "too_many_bytes"
          | "too_small"
          | "too_large"
          | "out_of_range"
          | "out_of_page_range"
          | "too_many_to_sort"
          | "search_too_wide"
          | "more_than_quota"
          | "too_deep"
          | "list_too_long"
          | "list_out_of_range"
          | "not_email"
          | "not_mail_domain"
          | "not_slug"
          | "not_domain"
          | "not_client_id"
          | "reserved_client_id"
          | "client_id_like_id"
          | "client_id_is_address"
          | "not_http_url"
          | "not_scope"
          | "not_response_type"
          | "not_resource"
          | "not_list_of_resources"
          | "not_colour"
          | "unknown_brand_member"
          | "no_language"
          | "not_language_tag"
          | "not_picture"
          | "not_visible_text"
          | "not_description"
          | "not_description_or_object"
          | "not_printable_ascii"
          | "wildcard"
          | "fragment"
          | "backslash"
          | "not_absolute_uri"
          | "no_host"
          | "user_information"
          | "not_https"
          | "not_web_uri"
          | "no_private_scheme"
          | "not_https_url"
          | "issuer_with_query"
          | "not_loopback"
          | "foreign_scheme"
          | "response_parameter"
          | "password_too_common"
          | "not_password"
          | "current_password_missing"
          | "current_password_needless"
          | "password_is_hash"
          | "secret_is_hash"
          | "current_password_wrong"
          | "public_app"
          | "secret_of_public_app"
          | "method_of_confidential_app"
          | "method_of_public_app"
          | "password_too_short"
          | "password_too_long"
          | "same_secret"
          | "private_key"
          | "not_pem"
          | "not_jwk"
          | "not_public_jwk"
          | "unsupported_key"
          | "unusual_exponent"
          | "key_id_repeated"
          | "id_of_other_key_pair"
          | "not_key_set"
          | "key_id_missing"
          | "key_id_of_earlier_key"
          | "unsupported_client_key"
          | "keys_missing"
          | "no_key_of_algorithms"
          | "too_many_keys"
          | "no_signing_key"
          | "key_too_short"
          | "key_too_long"
          | "not_type_of_key"
          | "not_algorithm_of_key"
          | "algorithm_of_other_type"
          | "reserved_slug"
          | "retired_slug"
          | "not_p256_private_key"
          | "slug_without_provider"
          | "retired_provider"
          | "not_provider_of_slug"
          | "needed_by_preset"
          | "not_of_preset"
          | "slug_of_preset"
          | "fixed_while_linked"
          | "still_linked"
          | "public_by_profile"
          | "redirect_insecure"
          | "not_switched_on"
          | "immutable"
          | "fixed"
          | "fixed_for_key"
          | "fixed_for_membership"
          | "fixed_for_secret"
          | "not_for_open_client"
          | "not_by_document"
          | "fixed_for_linked_account"
          | "fixed_for_link_in_file"
          | "key_revoked"
          | "key_pair_revoked"
          | "app_revoked"
          | "not_factor_of_user"
          | "second_owner"
          | "no_owner"
          | "no_user_of_email"
          | "belongs_to_user"
          | "not_in_consent"
          | "not_organization_member"
          | "already_member"
          | "not_yet_member"
          | "switched_off"
          | "scope_not_allowed"
          | "scope_of_server"
          | "scope_not_of_api"
          | "reserved_identifier"
          | "excluded_by"
          | "not_json"
          | "no_record"
          | "no_record_of_name"
          | "no_record_but"
          | "several_of_name"
          | "platform_only"
          | "platform_chooses"
          | "platform_adds_by_id"
          | "full_credential_only"
          | "own_full_credential_only"
          | "others_full_credential_only"
          | "administrator_full_credential_only"
          | "beyond_credential"
          | "not_you"
          | "self_switched_off"
          | "platform_switched_off"
          | "email_locked"
          | "name_of_switched_off"
          | "not_manager_of_both"
          | "role_above"
          | "role_above_or_beyond"
          | "permission_not_held"
          | "scope_of_no_app"
          | "scope_reserved"
          | "scope_beyond_owner"
          | "scope_beyond_you"
          | "scope_without_owner"
          | "scope_defined_elsewhere"
          | "identifier_beyond_organization"
          | "app_of_other_organization"
          | "resource_not_yours"
          | "resources_beyond_organization"
          | "vouched_for"
          | "vouched_for_secrets"
          | "no_permission_there"
          | "role_beyond"
          | "json_name_repeated"
          | "json_name_reserved"
          | "json_number_inexact"
          | "unknown_parameter"
          | "no_pages"
          | "unknown_filter"
          | "now_empty"
          | "now"
          | "unresolved_aliases"
          | "not_sections"
          | "last_administrator"
          | "not_manifest"
          | "unknown_section"
          | "given_by_name"
          | "not_name_of_record"
          | "no_record_called"
          | "ambiguous"
          | "same_record"
          | "last_owner"
          | "still_owns"
          | "still_has"
          | "resource_of_other_app";
        params: {
          [key: string]: string | number | string[];
        };
      }[];
    };
    Caller: {
      actor: {
        /** @enum {unknown} */
        kind: "user" | "organization" | "service_account" | "client";
        /** Format: uuid */
        id: string;
        name: string;
      };
      scopes: string[] | null;
      is_platform_admin: boolean;
      permissions: (
        | "users:read"
        | "users:write"
        | "organizations:read"
        | "organizations:write"
        | "memberships:read"
        | "memberships:write"
        | "providers:read"
        | "providers:write"
        | "linked_accounts:read"
        | "linked_accounts:write"
        | "api_keys:read"
        | "api_keys:write"
        | "apps:read"
        | "apps:write"
        | "app_secrets:read"
        | "app_secrets:write"
        | "tokens:read"
        | "tokens:write"
        | "auth_codes:read"
        | "auth_codes:write"
        | "consents:read"
        | "consents:write"
        | "sessions:read"
        | "sessions:write"
        | "resources:read"
        | "resources:write"
        | "service_accounts:read"
        | "service_accounts:write"
        | "key_pairs:read"
        | "key_pairs:write"
        | "signing_keys:read"
        | "signing_keys:write"
        | "audit_events:read"
        | "audit_events:write"
        | "refusals:read"
        | "refusals:write"
      )[];
      organizations: {
        /** Format: uuid */
        id: string;
        slug: string;
        name: string;
        role: string;
        permissions: (
          | "users:read"
          | "users:write"
          | "organizations:read"
          | "organizations:write"
          | "memberships:read"
          | "memberships:write"
          | "providers:read"
          | "providers:write"
          | "linked_accounts:read"
          | "linked_accounts:write"
          | "api_keys:read"
          | "api_keys:write"
          | "apps:read"
          | "apps:write"
          | "app_secrets:read"
          | "app_secrets:write"
          | "tokens:read"
          | "tokens:write"
          | "auth_codes:read"
          | "auth_codes:write"
          | "consents:read"
          | "consents:write"
          | "sessions:read"
          | "sessions:write"
          | "resources:read"
          | "resources:write"
          | "service_accounts:read"
          | "service_accounts:write"
          | "key_pairs:read"
          | "key_pairs:write"
          | "signing_keys:read"
          | "signing_keys:write"
          | "audit_events:read"
          | "audit_events:write"
          | "refusals:read"
          | "refusals:write"
        )[];
      }[];
    };
    SignInMethods: {
      /** Format: uuid */
      user_id: string;
      password: boolean;
      passkeys: {
        /**
         * Format: uuid
         * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
         */
        id: string;
        /** @example Ada */
        name: string;
        /** @example text */
        rp_id: string;
        /** @example null */
        aaguid: string | null;
        /** @example false */
        backup_eligible: boolean;
        /** @example false */
        backed_up: boolean;
        /** @example false */
        uv_initialized: boolean;
        /** @example false */
        signs_in: boolean;
        /**
         * Format: date-time
         * @example null
         */
        last_used_at: string | null;
        /**
         * Format: date-time
         * @example 2026-11-20T12:00:00.000Z
         */
        created_at: string;
      }[];
      authenticator_apps: {
        /**
         * Format: uuid
         * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
         */
        id: string;
        /** @example Ada */
        name: string;
        /**
         * Format: date-time
         * @example null
         */
        last_used_at: string | null;
        /**
         * Format: date-time
         * @example 2026-11-20T12:00:00.000Z
         */
        created_at: string;
      }[];
      recovery_codes: number;
      linked_accounts: {
        /**
         * Format: uuid
         * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
         */
        id: string;
        /** @example github */
        provider: string;
        /**
         * Format: date-time
         * @example 2026-11-20T12:00:00.000Z
         */
        created_at: string;
        /** @example ada@example.com */
        email: string | null;
        /**
         * Format: uuid
         * @example null
         */
        provider_id: string | null;
        /**
         * Format: date-time
         * @example null
         */
        last_used_at: string | null;
      }[];
      recovery: {
        /** @enum {string} */
        lost: "second_factors" | "passkeys";
        /** Format: date-time */
        started_at: string;
        /** Format: date-time */
        due_at: string;
        /** Format: date-time */
        expires_at: string;
      } | null;
      /** @enum {string|null} */
      highest_acr:
        | "urn:postern:acr:password"
        | "urn:postern:acr:federated"
        | "urn:postern:acr:mfa"
        | "phr"
        | null;
    };
    Impact: {
      tokens?: number;
      people?: number;
      sessions?: number;
      consents?: number;
      secrets?: number;
      apps?: number;
      service_accounts?: number;
      key_pairs?: number;
      api_keys?: number;
      members?: number;
      linked_accounts?: number;
      passkeys?: number;
      authenticator_apps?: number;
      recovery_codes?: number;
      apis?: number;
      providers?: number;
      invitations?: number;
    };
    Organization: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id: string;
      /** @example Acme */
      name: string;
      /** @example acme */
      slug: string;
      /** @example https://acme.example/logo.png */
      logo_url: string | null;
      /**
       * @example {
       *       "brand": {
       *         "name": "Acme",
       *         "accent": "#0e6655"
       *       }
       *     }
       */
      settings: {
        [key: string]: unknown;
      } | null;
      /**
       * @example pro
       * @enum {string}
       */
      plan: "free" | "starter" | "pro" | "enterprise";
      /** @example true */
      active: boolean;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly updated_at: string;
    };
    NewOrganization: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id?: string;
      /** @example Acme */
      name: string;
      /** @example acme */
      slug: string;
      /** @example https://acme.example/logo.png */
      logo_url?: string | null;
      /**
       * @example {
       *       "brand": {
       *         "name": "Acme",
       *         "accent": "#0e6655"
       *       }
       *     }
       */
      settings?: {
        [key: string]: unknown;
      } | null;
      /**
       * @example pro
       * @enum {string}
       */
      plan?: "free" | "starter" | "pro" | "enterprise";
      /** @example true */
      active?: boolean;
    };
    OrganizationChange: {
      /** @example Acme */
      name?: string;
      /** @example acme */
      slug?: string;
      /** @example https://acme.example/logo.png */
      logo_url?: string | null;
      /**
       * @example {
       *       "brand": {
       *         "name": "Acme",
       *         "accent": "#0e6655"
       *       }
       *     }
       */
      settings?: {
        [key: string]: unknown;
      } | null;
      /**
       * @example pro
       * @enum {string}
       */
      plan?: "free" | "starter" | "pro" | "enterprise";
      /** @example true */
      active?: boolean;
    };
    User: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id: string;
      /**
       * Format: idn-email
       * @example ada@example.com
       */
      email: string;
      /** @example Ada */
      name: string;
      /** @example https://pictures.example/ada.png */
      avatar_url: string | null;
      /** @example false */
      is_platform_admin?: boolean;
      /** @example true */
      active: boolean;
      /**
       * Format: date-time
       * @example null
       */
      readonly last_login_at?: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly updated_at: string;
      /**
       * Format: date-time
       * @example null
       */
      readonly email_verified_at: string | null;
    };
    NewUser: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id?: string;
      /**
       * Format: idn-email
       * @example ada@example.com
       */
      email: string;
      /** @example Ada */
      name: string;
      /** @example https://pictures.example/ada.png */
      avatar_url?: string | null;
      /** @example false */
      is_platform_admin?: boolean;
      /** @example true */
      active?: boolean;
      /** @example correct horse battery staple */
      password?:
        | string
        | {
            argon2id: string;
          };
    };
    UserChange: {
      /**
       * Format: idn-email
       * @example ada@example.com
       */
      email?: string;
      /** @example Ada */
      name?: string;
      /** @example https://pictures.example/ada.png */
      avatar_url?: string | null;
      /** @example false */
      is_platform_admin?: boolean;
      /** @example true */
      active?: boolean;
      /** @example correct horse battery staple */
      password?:
        | string
        | {
            argon2id: string;
          };
      current_password?: string;
    };
    Membership: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      user_id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      organization_id: string;
      /** @example developer */
      role: ("owner" | "admin" | "developer" | "member") | string;
      /**
       * @example [
       *       "audit_events:read"
       *     ]
       */
      permissions:
        | (
            | (
                | "users:read"
                | "users:write"
                | "organizations:read"
                | "organizations:write"
                | "memberships:read"
                | "memberships:write"
                | "providers:read"
                | "providers:write"
                | "linked_accounts:read"
                | "linked_accounts:write"
                | "api_keys:read"
                | "api_keys:write"
                | "apps:read"
                | "apps:write"
                | "app_secrets:read"
                | "app_secrets:write"
                | "tokens:read"
                | "tokens:write"
                | "auth_codes:read"
                | "auth_codes:write"
                | "consents:read"
                | "consents:write"
                | "sessions:read"
                | "sessions:write"
                | "resources:read"
                | "resources:write"
                | "service_accounts:read"
                | "service_accounts:write"
                | "key_pairs:read"
                | "key_pairs:write"
                | "signing_keys:read"
                | "signing_keys:write"
                | "audit_events:read"
                | "audit_events:write"
                | "refusals:read"
                | "refusals:write"
              )
            | string
          )[]
        | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly updated_at: string;
      readonly included?: {
        user?: components["schemas"]["User"] | null;
        organization?: components["schemas"]["Organization"] | null;
      };
    };
    NewMembership: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id?: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      user_id?: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      organization_id: string;
      /** @example developer */
      role: ("owner" | "admin" | "developer" | "member") | string;
      /**
       * @example [
       *       "audit_events:read"
       *     ]
       */
      permissions?:
        | (
            | (
                | "users:read"
                | "users:write"
                | "organizations:read"
                | "organizations:write"
                | "memberships:read"
                | "memberships:write"
                | "providers:read"
                | "providers:write"
                | "linked_accounts:read"
                | "linked_accounts:write"
                | "api_keys:read"
                | "api_keys:write"
                | "apps:read"
                | "apps:write"
                | "app_secrets:read"
                | "app_secrets:write"
                | "tokens:read"
                | "tokens:write"
                | "auth_codes:read"
                | "auth_codes:write"
                | "consents:read"
                | "consents:write"
                | "sessions:read"
                | "sessions:write"
                | "resources:read"
                | "resources:write"
                | "service_accounts:read"
                | "service_accounts:write"
                | "key_pairs:read"
                | "key_pairs:write"
                | "signing_keys:read"
                | "signing_keys:write"
                | "audit_events:read"
                | "audit_events:write"
                | "refusals:read"
                | "refusals:write"
              )
            | string
          )[]
        | null;
      /**
       * Format: idn-email
       * @example ada@example.com
       */
      email?: string;
    };
    Invitation: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly organization_id: string;
      /** @example ada@example.com */
      readonly email: string;
      /** @example developer */
      readonly role: ("owner" | "admin" | "developer" | "member") | string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly invited_by: string;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly expires_at: string;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
    };
    MembershipChange: {
      /** @example developer */
      role?: ("owner" | "admin" | "developer" | "member") | string;
      /**
       * @example [
       *       "audit_events:read"
       *     ]
       */
      permissions?:
        | (
            | (
                | "users:read"
                | "users:write"
                | "organizations:read"
                | "organizations:write"
                | "memberships:read"
                | "memberships:write"
                | "providers:read"
                | "providers:write"
                | "linked_accounts:read"
                | "linked_accounts:write"
                | "api_keys:read"
                | "api_keys:write"
                | "apps:read"
                | "apps:write"
                | "app_secrets:read"
                | "app_secrets:write"
                | "tokens:read"
                | "tokens:write"
                | "auth_codes:read"
                | "auth_codes:write"
                | "consents:read"
                | "consents:write"
                | "sessions:read"
                | "sessions:write"
                | "resources:read"
                | "resources:write"
                | "service_accounts:read"
                | "service_accounts:write"
                | "key_pairs:read"
                | "key_pairs:write"
                | "signing_keys:read"
                | "signing_keys:write"
                | "audit_events:read"
                | "audit_events:write"
                | "refusals:read"
                | "refusals:write"
              )
            | string
          )[]
        | null;
    };
    Provider: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id: string;
      /** @example google */
      slug: string;
      /** @example Google */
      label: string;
      /**
       * @example google
       * @enum {string}
       */
      preset:
        | "google"
        | "microsoft"
        | "apple"
        | "github"
        | "gitlab"
        | "discord"
        | "facebook"
        | "linkedin"
        | "slack"
        | "oidc"
        | "oauth2";
      /**
       * Format: uuid
       * @example null
       */
      organization_id: string | null;
      /** @example https://accounts.google.com */
      issuer: string | null;
      /** @example null */
      authorization_endpoint: string | null;
      /** @example null */
      token_endpoint: string | null;
      /** @example null */
      userinfo_endpoint: string | null;
      /** @example web-app */
      client_id: string;
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      scopes: string[];
      /** @example {} */
      settings: {
        [key: string]: unknown;
      };
      /**
       * @example never
       * @enum {string}
       */
      email_trust: "never" | "claim" | "domains";
      /** @example [] */
      email_domains: string[];
      /**
       * @example never
       * @enum {string}
       */
      sign_up: "never" | "invited" | "domains" | "anyone";
      /**
       * @example ask
       * @enum {string}
       */
      link: "ask" | "automatic";
      /** @example [] */
      allowed_tenants: string[];
      /** @example false */
      keep_tokens: boolean;
      /** @example false */
      trust_amr: boolean;
      /** @example true */
      active: boolean;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly updated_at: string;
      readonly included?: {
        organization?: components["schemas"]["Organization"] | null;
      };
    };
    NewProvider: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id?: string;
      /** @example google */
      slug: string;
      /** @example Google */
      label?: string;
      /**
       * @example google
       * @enum {string}
       */
      preset:
        | "google"
        | "microsoft"
        | "apple"
        | "github"
        | "gitlab"
        | "discord"
        | "facebook"
        | "linkedin"
        | "slack"
        | "oidc"
        | "oauth2";
      /**
       * Format: uuid
       * @example null
       */
      organization_id?: string | null;
      /** @example https://accounts.google.com */
      issuer?: string | null;
      /** @example null */
      authorization_endpoint?: string | null;
      /** @example null */
      token_endpoint?: string | null;
      /** @example null */
      userinfo_endpoint?: string | null;
      /** @example web-app */
      client_id: string;
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      scopes?: string[];
      /** @example {} */
      settings?: {
        [key: string]: unknown;
      };
      /**
       * @example never
       * @enum {string}
       */
      email_trust?: "never" | "claim" | "domains";
      /** @example [] */
      email_domains?: string[];
      /**
       * @example never
       * @enum {string}
       */
      sign_up?: "never" | "invited" | "domains" | "anyone";
      /**
       * @example ask
       * @enum {string}
       */
      link?: "ask" | "automatic";
      /** @example [] */
      allowed_tenants?: string[];
      /** @example false */
      keep_tokens?: boolean;
      /** @example false */
      trust_amr?: boolean;
      /** @example true */
      active?: boolean;
      client_secret?: string;
    };
    ProviderChange: {
      /** @example google */
      slug?: string;
      /** @example Google */
      label?: string;
      /**
       * @example google
       * @enum {string}
       */
      preset?:
        | "google"
        | "microsoft"
        | "apple"
        | "github"
        | "gitlab"
        | "discord"
        | "facebook"
        | "linkedin"
        | "slack"
        | "oidc"
        | "oauth2";
      /**
       * Format: uuid
       * @example null
       */
      organization_id?: string | null;
      /** @example https://accounts.google.com */
      issuer?: string | null;
      /** @example null */
      authorization_endpoint?: string | null;
      /** @example null */
      token_endpoint?: string | null;
      /** @example null */
      userinfo_endpoint?: string | null;
      /** @example web-app */
      client_id?: string;
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      scopes?: string[];
      /** @example {} */
      settings?: {
        [key: string]: unknown;
      };
      /**
       * @example never
       * @enum {string}
       */
      email_trust?: "never" | "claim" | "domains";
      /** @example [] */
      email_domains?: string[];
      /**
       * @example never
       * @enum {string}
       */
      sign_up?: "never" | "invited" | "domains" | "anyone";
      /**
       * @example ask
       * @enum {string}
       */
      link?: "ask" | "automatic";
      /** @example [] */
      allowed_tenants?: string[];
      /** @example false */
      keep_tokens?: boolean;
      /** @example false */
      trust_amr?: boolean;
      /** @example true */
      active?: boolean;
      client_secret?: string | null;
    };
    LinkedAccount: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      user_id: string;
      /** @example github */
      provider: string;
      /** @example 583231 */
      provider_user_id: string;
      /**
       * Format: date-time
       * @example null
       */
      expires_at: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly updated_at: string;
      /** @example ada@example.com */
      readonly email: string | null;
      /**
       * Format: uuid
       * @example null
       */
      provider_id: string | null;
      /**
       * Format: date-time
       * @example null
       */
      readonly last_used_at: string | null;
      readonly included?: {
        user?: components["schemas"]["User"] | null;
      };
    };
    NewLinkedAccount: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id?: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      user_id?: string;
      /** @example github */
      provider: string;
      /** @example 583231 */
      provider_user_id: string;
      /**
       * Format: date-time
       * @example null
       */
      expires_at?: string | null;
      /**
       * Format: uuid
       * @example null
       */
      provider_id?: string | null;
      /** @example gho_16C7e42F292c6912E7710c838347Ae178B4a */
      access_token: string;
      refresh_token?: string | null;
    };
    LinkedAccountChange: {
      /**
       * Format: date-time
       * @example null
       */
      expires_at?: string | null;
      /** @example gho_16C7e42F292c6912E7710c838347Ae178B4a */
      access_token?: string;
      refresh_token?: string | null;
    };
    ApiKey: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id: string;
      /** @example Deployment */
      name: string;
      /** @example pak_AZqfbnwA */
      readonly key_prefix: string;
      /**
       * Format: uuid
       * @example null
       */
      user_id: string | null;
      /**
       * Format: uuid
       * @example null
       */
      organization_id: string | null;
      /**
       * @example [
       *       "postern:users:read"
       *     ]
       */
      scopes: string[];
      /**
       * Format: date-time
       * @example null
       */
      expires_at: string | null;
      /**
       * Format: date-time
       * @example null
       */
      readonly last_used_at: string | null;
      /** @example false */
      revoked: boolean;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      readonly included?: {
        user?: components["schemas"]["User"] | null;
        organization?: components["schemas"]["Organization"] | null;
      };
    };
    NewApiKey: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id?: string;
      /** @example Deployment */
      name: string;
      /**
       * Format: uuid
       * @example null
       */
      user_id?: string | null;
      /**
       * Format: uuid
       * @example null
       */
      organization_id?: string | null;
      /**
       * @example [
       *       "postern:users:read"
       *     ]
       */
      scopes?: string[];
      /**
       * Format: date-time
       * @example null
       */
      expires_at?: string | null;
      /** @example false */
      revoked?: boolean;
    };
    CreatedApiKey: components["schemas"]["ApiKey"] & {
      key?: string;
    };
    ApiKeyChange: {
      /** @example Deployment */
      name?: string;
      /**
       * @example [
       *       "postern:users:read"
       *     ]
       */
      scopes?: string[];
      /**
       * Format: date-time
       * @example null
       */
      expires_at?: string | null;
      /** @example false */
      revoked?: boolean;
    };
    App: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id: string;
      /** @example web-app */
      client_id: string;
      /** @example Shop */
      name: string;
      /** @example Where customers buy */
      description: string | null;
      /** @example https://shop.example/logo.png */
      logo_url: string | null;
      /**
       * @example web
       * @enum {string}
       */
      app_type: "web" | "spa" | "native" | "service" | "machine";
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      owner_id: string;
      /**
       * Format: uuid
       * @example null
       */
      organization_id: string | null;
      /**
       * @example [
       *       "https://shop.example/callback"
       *     ]
       */
      redirect_uris: string[];
      /**
       * @example [
       *       "openid",
       *       "profile",
       *       "orders:read"
       *     ]
       */
      allowed_scopes: string[];
      /**
       * @example [
       *       "auth_code",
       *       "refresh"
       *     ]
       */
      allowed_grants: ("auth_code" | "refresh" | "client_credentials" | "jwt_bearer")[];
      /**
       * @example [
       *       "code"
       *     ]
       */
      allowed_response_types: "code"[];
      /** @example 900 */
      access_token_ttl: number;
      /** @example 604800 */
      refresh_token_ttl: number;
      /** @example true */
      refresh_token_rotation: boolean;
      /** @example false */
      first_party: boolean;
      /** @example false */
      public: boolean;
      /** @example true */
      active: boolean;
      /**
       * Format: date-time
       * @example null
       */
      revoked_at: string | null;
      /**
       * @example {
       *       "refresh_reuse_window": 10
       *     }
       */
      metadata: {
        [key: string]: unknown;
      } | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly updated_at: string;
      /**
       * @example [
       *       "https://shop.example/"
       *     ]
       */
      post_logout_redirect_uris: string[];
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      default_scopes: string[] | null;
      /**
       * @example client_secret_basic
       * @enum {string|null}
       */
      token_endpoint_auth_method:
        | "client_secret_basic"
        | "client_secret_post"
        | "none"
        | "private_key_jwt"
        | null;
      /** @example null */
      jwks?:
        | ({
            /**
             * @example [
             *       {
             *         "kid": "2026-11",
             *         "use": "sig",
             *         "kty": "EC",
             *         "crv": "P-256",
             *         "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
             *         "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
             *       }
             *     ]
             */
            keys: {
              [key: string]: unknown;
            }[];
          } & {
            [key: string]: unknown;
          })
        | null;
      /** @example null */
      jwks_uri: string | null;
      /**
       * @example null
       * @enum {string|null}
       */
      id_token_signed_response_alg: "RS256" | "PS256" | "ES256" | "EdDSA" | null;
      /** @example true */
      claims_in_id_token: boolean;
      /**
       * @example issuer
       * @enum {string}
       */
      client_assertion_audience: "issuer" | "issuer_or_token_endpoint";
      /** @example false */
      require_pushed_authorization_requests: boolean;
      /** @example [] */
      resources: string[];
      /** @example false */
      dpop_bound_access_tokens: boolean;
      /** @example false */
      dpop_bound_refresh_tokens: boolean;
      /** @example false */
      localhost_any_port: boolean;
      /**
       * @example registered
       * @enum {string}
       */
      readonly provenance: "registered" | "metadata_document" | "dynamic_registration";
      /** @example null */
      readonly registration: {
        [key: string]: unknown;
      } | null;
      /**
       * Format: date-time
       * @example null
       */
      readonly last_used_at: string | null;
      /** @example null */
      readonly client_ip: string | null;
      /**
       * @example null
       * @enum {string|null}
       */
      profile: "fapi2" | "oauth21" | null;
      /**
       * @example null
       * @enum {string|null}
       */
      token_endpoint_auth_signing_alg:
        | "RS256"
        | "RS384"
        | "RS512"
        | "PS256"
        | "PS384"
        | "PS512"
        | "ES256"
        | "ES384"
        | "ES512"
        | "EdDSA"
        | "Ed25519"
        | null;
      /**
       * @example null
       * @enum {string|null}
       */
      require_acr:
        | "urn:postern:acr:password"
        | "urn:postern:acr:federated"
        | "urn:postern:acr:mfa"
        | "phr"
        | null;
      readonly included?: {
        owner?: components["schemas"]["User"] | null;
        organization?: components["schemas"]["Organization"] | null;
      };
    };
    NewApp: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id?: string;
      /** @example web-app */
      client_id?: string;
      /** @example Shop */
      name: string;
      /** @example Where customers buy */
      description?: string | null;
      /** @example https://shop.example/logo.png */
      logo_url?: string | null;
      /**
       * @example web
       * @enum {string}
       */
      app_type?: "web" | "spa" | "native" | "service" | "machine";
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      owner_id?: string;
      /**
       * Format: uuid
       * @example null
       */
      organization_id?: string | null;
      /**
       * @example [
       *       "https://shop.example/callback"
       *     ]
       */
      redirect_uris?: string[];
      /**
       * @example [
       *       "openid",
       *       "profile",
       *       "orders:read"
       *     ]
       */
      allowed_scopes?: string[];
      /**
       * @example [
       *       "auth_code",
       *       "refresh"
       *     ]
       */
      allowed_grants?: (
        | "auth_code"
        | "refresh"
        | "client_credentials"
        | "jwt_bearer"
        | "authorization_code"
        | "refresh_token"
        | "urn:ietf:params:oauth:grant-type:jwt-bearer"
      )[];
      /**
       * @example [
       *       "code"
       *     ]
       */
      allowed_response_types?: "code"[];
      /** @example 900 */
      access_token_ttl?: number;
      /** @example 604800 */
      refresh_token_ttl?: number;
      /** @example true */
      refresh_token_rotation?: boolean;
      /** @example false */
      first_party?: boolean;
      /** @example false */
      public?: boolean;
      /** @example true */
      active?: boolean;
      /**
       * Format: date-time
       * @example null
       */
      revoked_at?: string | null;
      /**
       * @example {
       *       "refresh_reuse_window": 10
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      } | null;
      /**
       * @example [
       *       "https://shop.example/"
       *     ]
       */
      post_logout_redirect_uris?: string[];
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      default_scopes?: string[] | null;
      /**
       * @example client_secret_basic
       * @enum {string|null}
       */
      token_endpoint_auth_method?:
        | "client_secret_basic"
        | "client_secret_post"
        | "none"
        | "private_key_jwt"
        | null;
      /** @example null */
      jwks?:
        | ({
            /**
             * @example [
             *       {
             *         "kid": "2026-11",
             *         "use": "sig",
             *         "kty": "EC",
             *         "crv": "P-256",
             *         "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
             *         "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
             *       }
             *     ]
             */
            keys: {
              [key: string]: unknown;
            }[];
          } & {
            [key: string]: unknown;
          })
        | null;
      /** @example null */
      jwks_uri?: string | null;
      /**
       * @example null
       * @enum {string|null}
       */
      id_token_signed_response_alg?: "RS256" | "PS256" | "ES256" | "EdDSA" | null;
      /** @example true */
      claims_in_id_token?: boolean;
      /**
       * @example issuer
       * @enum {string}
       */
      client_assertion_audience?: "issuer" | "issuer_or_token_endpoint";
      /** @example false */
      require_pushed_authorization_requests?: boolean;
      /** @example [] */
      resources?: string[];
      /** @example false */
      dpop_bound_access_tokens?: boolean;
      /** @example false */
      dpop_bound_refresh_tokens?: boolean;
      /** @example false */
      localhost_any_port?: boolean;
      /**
       * @example null
       * @enum {string|null}
       */
      profile?: "fapi2" | "oauth21" | null;
      /**
       * @example null
       * @enum {string|null}
       */
      token_endpoint_auth_signing_alg?:
        | "RS256"
        | "RS384"
        | "RS512"
        | "PS256"
        | "PS384"
        | "PS512"
        | "ES256"
        | "ES384"
        | "ES512"
        | "EdDSA"
        | "Ed25519"
        | null;
      /**
       * @example null
       * @enum {string|null}
       */
      require_acr?:
        | "urn:postern:acr:password"
        | "urn:postern:acr:federated"
        | "urn:postern:acr:mfa"
        | "phr"
        | null;
      /**
       * @example website
       * @enum {string}
       */
      kind?: "website" | "browser" | "native" | "command_line" | "api" | "machine";
      secrets?: (
        | string
        | {
            value: string;
            /**
             * Format: date-time
             * @example null
             */
            expires_at?: string | null;
            /** @example false */
            revoked?: boolean;
          }
      )[];
    };
    CreatedApp: components["schemas"]["App"] & {
      secret?: string;
    };
    AppChange: {
      /** @example Shop */
      name?: string;
      /** @example Where customers buy */
      description?: string | null;
      /** @example https://shop.example/logo.png */
      logo_url?: string | null;
      /**
       * @example web
       * @enum {string}
       */
      app_type?: "web" | "spa" | "native" | "service" | "machine";
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      owner_id?: string;
      /**
       * Format: uuid
       * @example null
       */
      organization_id?: string | null;
      /**
       * @example [
       *       "https://shop.example/callback"
       *     ]
       */
      redirect_uris?: string[];
      /**
       * @example [
       *       "openid",
       *       "profile",
       *       "orders:read"
       *     ]
       */
      allowed_scopes?: string[];
      /**
       * @example [
       *       "auth_code",
       *       "refresh"
       *     ]
       */
      allowed_grants?: (
        | "auth_code"
        | "refresh"
        | "client_credentials"
        | "jwt_bearer"
        | "authorization_code"
        | "refresh_token"
        | "urn:ietf:params:oauth:grant-type:jwt-bearer"
      )[];
      /**
       * @example [
       *       "code"
       *     ]
       */
      allowed_response_types?: "code"[];
      /** @example 900 */
      access_token_ttl?: number;
      /** @example 604800 */
      refresh_token_ttl?: number;
      /** @example true */
      refresh_token_rotation?: boolean;
      /** @example false */
      first_party?: boolean;
      /** @example false */
      public?: boolean;
      /** @example true */
      active?: boolean;
      /**
       * Format: date-time
       * @example null
       */
      revoked_at?: string | null;
      /**
       * @example {
       *       "refresh_reuse_window": 10
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      } | null;
      /**
       * @example [
       *       "https://shop.example/"
       *     ]
       */
      post_logout_redirect_uris?: string[];
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      default_scopes?: string[] | null;
      /**
       * @example client_secret_basic
       * @enum {string|null}
       */
      token_endpoint_auth_method?:
        | "client_secret_basic"
        | "client_secret_post"
        | "none"
        | "private_key_jwt"
        | null;
      /** @example null */
      jwks?:
        | ({
            /**
             * @example [
             *       {
             *         "kid": "2026-11",
             *         "use": "sig",
             *         "kty": "EC",
             *         "crv": "P-256",
             *         "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
             *         "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
             *       }
             *     ]
             */
            keys: {
              [key: string]: unknown;
            }[];
          } & {
            [key: string]: unknown;
          })
        | null;
      /** @example null */
      jwks_uri?: string | null;
      /**
       * @example null
       * @enum {string|null}
       */
      id_token_signed_response_alg?: "RS256" | "PS256" | "ES256" | "EdDSA" | null;
      /** @example true */
      claims_in_id_token?: boolean;
      /**
       * @example issuer
       * @enum {string}
       */
      client_assertion_audience?: "issuer" | "issuer_or_token_endpoint";
      /** @example false */
      require_pushed_authorization_requests?: boolean;
      /** @example [] */
      resources?: string[];
      /** @example false */
      dpop_bound_access_tokens?: boolean;
      /** @example false */
      dpop_bound_refresh_tokens?: boolean;
      /** @example false */
      localhost_any_port?: boolean;
      /**
       * @example null
       * @enum {string|null}
       */
      profile?: "fapi2" | "oauth21" | null;
      /**
       * @example null
       * @enum {string|null}
       */
      token_endpoint_auth_signing_alg?:
        | "RS256"
        | "RS384"
        | "RS512"
        | "PS256"
        | "PS384"
        | "PS512"
        | "ES256"
        | "ES384"
        | "ES512"
        | "EdDSA"
        | "Ed25519"
        | null;
      /**
       * @example null
       * @enum {string|null}
       */
      require_acr?:
        | "urn:postern:acr:password"
        | "urn:postern:acr:federated"
        | "urn:postern:acr:mfa"
        | "phr"
        | null;
    };
    AppSecret: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      app_id: string;
      /** @example pcs_AZqfbnwA */
      readonly secret_prefix: string;
      /**
       * Format: date-time
       * @example null
       */
      expires_at: string | null;
      /**
       * Format: date-time
       * @example null
       */
      readonly last_used_at: string | null;
      /** @example false */
      readonly revoked: boolean;
      /**
       * Format: date-time
       * @example null
       */
      readonly revoked_at: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      readonly included?: {
        app?: components["schemas"]["App"] | null;
      };
    };
    NewAppSecret: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      app_id: string;
      /**
       * Format: date-time
       * @example null
       */
      expires_at?: string | null;
      value?: string;
      /** @example 900 */
      expire_others_in?: number;
    };
    CreatedAppSecret: components["schemas"]["AppSecret"] & {
      secret?: string;
    };
    AppSecretChange: {
      /**
       * Format: date-time
       * @example null
       */
      expires_at?: string | null;
    };
    Token: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly app_id: string;
      /**
       * Format: uuid
       * @example null
       */
      readonly user_id: string | null;
      /**
       * Format: uuid
       * @example null
       */
      readonly service_account_id: string | null;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly family_id: string;
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      readonly scopes: string[];
      /**
       * @example [
       *       "https://api.example"
       *     ]
       */
      readonly audience: string[];
      /** @example null */
      readonly session_id: string | null;
      /** @example null */
      readonly request_data?: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly access_expires_at: string;
      /**
       * Format: date-time
       * @example null
       */
      readonly refresh_expires_at: string | null;
      /** @example false */
      readonly revoked: boolean;
      /**
       * Format: date-time
       * @example null
       */
      readonly revoked_at: string | null;
      /** @example null */
      readonly revoked_reason: string | null;
      /** @example null */
      readonly client_ip: string | null;
      /** @example null */
      readonly user_agent: string | null;
      /**
       * Format: date-time
       * @example null
       */
      readonly last_used_at: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      readonly included?: {
        app?: components["schemas"]["App"] | null;
        user?: components["schemas"]["User"] | null;
        service_account?: components["schemas"]["ServiceAccount"] | null;
      };
    };
    AuthCode: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly app_id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly user_id: string;
      /** @example null */
      readonly code_challenge: string | null;
      /** @example S256 */
      readonly code_challenge_method: string | null;
      /** @example text */
      readonly redirect_uri: string;
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      readonly scopes: string[];
      /** @example null */
      readonly state?: string | null;
      /** @example null */
      readonly nonce: string | null;
      /** @example null */
      readonly request_data?: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly expires_at: string;
      /** @example false */
      readonly used: boolean;
      /**
       * Format: date-time
       * @example null
       */
      readonly used_at: string | null;
      /** @example null */
      readonly client_ip: string | null;
      /** @example null */
      readonly user_agent: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      readonly included?: {
        app?: components["schemas"]["App"] | null;
        user?: components["schemas"]["User"] | null;
      };
    };
    Session: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly user_id: string;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly authenticated_at: string;
      /** @example urn:postern:acr:password */
      readonly acr: string;
      /** @example null */
      readonly methods:
        | {
            [key: string]: unknown;
          }[]
        | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly last_seen_at: string;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly expires_at: string;
      /**
       * Format: date-time
       * @example null
       */
      readonly ended_at: string | null;
      /** @example null */
      readonly client_ip: string | null;
      /** @example null */
      readonly user_agent: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      readonly included?: {
        user?: components["schemas"]["User"] | null;
      };
    };
    Resource: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id: string;
      /** @example https://orders.example */
      identifier: string;
      /** @example Orders API */
      name: string;
      /** @example Orders of the shop */
      description: string | null;
      /**
       * Format: uuid
       * @example null
       */
      organization_id: string | null;
      /**
       * @example {
       *       "orders:read": "See your orders"
       *     }
       */
      scopes: {
        [key: string]: unknown;
      };
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      default_scopes: string[];
      /**
       * @example registered
       * @enum {string}
       */
      who_may_ask: "listed" | "registered" | "any";
      /** @example [] */
      app_ids: string[];
      /**
       * @example null
       * @enum {string|null}
       */
      access_token_signing_alg: "RS256" | "PS256" | "ES256" | "EdDSA" | null;
      /** @example false */
      dpop_bound_access_tokens_required: boolean;
      /** @example false */
      trailing_slash_alias: boolean;
      /** @example true */
      active: boolean;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly updated_at: string;
      readonly included?: {
        organization?: components["schemas"]["Organization"] | null;
      };
    };
    NewResource: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id?: string;
      /** @example https://orders.example */
      identifier: string;
      /** @example Orders API */
      name: string;
      /** @example Orders of the shop */
      description?: string | null;
      /**
       * Format: uuid
       * @example null
       */
      organization_id?: string | null;
      /**
       * @example {
       *       "orders:read": "See your orders"
       *     }
       */
      scopes?: {
        [key: string]: unknown;
      };
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      default_scopes?: string[];
      /**
       * @example registered
       * @enum {string}
       */
      who_may_ask?: "listed" | "registered" | "any";
      /** @example [] */
      app_ids?: string[];
      /**
       * @example null
       * @enum {string|null}
       */
      access_token_signing_alg?: "RS256" | "PS256" | "ES256" | "EdDSA" | null;
      /** @example false */
      dpop_bound_access_tokens_required?: boolean;
      /** @example false */
      trailing_slash_alias?: boolean;
      /** @example true */
      active?: boolean;
    };
    ResourceChange: {
      /** @example Orders API */
      name?: string;
      /** @example Orders of the shop */
      description?: string | null;
      /**
       * Format: uuid
       * @example null
       */
      organization_id?: string | null;
      /**
       * @example {
       *       "orders:read": "See your orders"
       *     }
       */
      scopes?: {
        [key: string]: unknown;
      };
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      default_scopes?: string[];
      /**
       * @example registered
       * @enum {string}
       */
      who_may_ask?: "listed" | "registered" | "any";
      /** @example [] */
      app_ids?: string[];
      /**
       * @example null
       * @enum {string|null}
       */
      access_token_signing_alg?: "RS256" | "PS256" | "ES256" | "EdDSA" | null;
      /** @example false */
      dpop_bound_access_tokens_required?: boolean;
      /** @example false */
      trailing_slash_alias?: boolean;
      /** @example true */
      active?: boolean;
    };
    ServiceAccount: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id: string;
      /** @example Nightly export */
      name: string;
      /** @example null */
      description: string | null;
      /**
       * Format: idn-email
       * @example export@acme.example
       */
      email: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      organization_id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      created_by: string;
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      allowed_scopes: string[];
      /** @example true */
      active: boolean;
      /**
       * Format: date-time
       * @example null
       */
      readonly last_used_at: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly updated_at: string;
      readonly included?: {
        organization?: components["schemas"]["Organization"] | null;
        created_by?: components["schemas"]["User"] | null;
      };
    };
    NewServiceAccount: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id?: string;
      /** @example Nightly export */
      name: string;
      /** @example null */
      description?: string | null;
      /**
       * Format: idn-email
       * @example export@acme.example
       */
      email: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      organization_id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      created_by?: string;
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      allowed_scopes?: string[];
      /** @example true */
      active?: boolean;
    };
    ServiceAccountChange: {
      /** @example Nightly export */
      name?: string;
      /** @example null */
      description?: string | null;
      /**
       * Format: idn-email
       * @example export@acme.example
       */
      email?: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      organization_id?: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      created_by?: string;
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      allowed_scopes?: string[];
      /** @example true */
      active?: boolean;
    };
    KeyPair: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      service_account_id: string;
      /** @example 2026-11 */
      key_id: string;
      /**
       * @example rsa
       * @enum {string}
       */
      key_type: "rsa" | "ec";
      /**
       * @example RS256
       * @enum {string}
       */
      algorithm: "RS256" | "RS384" | "RS512" | "ES256" | "ES384" | "ES512";
      /**
       * @example -----BEGIN PUBLIC KEY-----
       *     MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A…
       *     -----END PUBLIC KEY-----
       */
      public_key_pem: string;
      /**
       * Format: date-time
       * @example null
       */
      expires_at: string | null;
      /** @example true */
      active: boolean;
      /**
       * Format: date-time
       * @example null
       */
      readonly last_used_at: string | null;
      /** @example false */
      revoked: boolean;
      /**
       * Format: date-time
       * @example null
       */
      revoked_at: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      readonly included?: {
        service_account?: components["schemas"]["ServiceAccount"] | null;
      };
    };
    NewKeyPair: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id?: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      service_account_id: string;
      /** @example 2026-11 */
      key_id?: string;
      /**
       * @example rsa
       * @enum {string}
       */
      key_type?: "rsa" | "ec";
      /**
       * @example RS256
       * @enum {string}
       */
      algorithm?: "RS256" | "RS384" | "RS512" | "ES256" | "ES384" | "ES512";
      /**
       * @example -----BEGIN PUBLIC KEY-----
       *     MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A…
       *     -----END PUBLIC KEY-----
       */
      public_key_pem?: string;
      /**
       * Format: date-time
       * @example null
       */
      expires_at?: string | null;
      /** @example true */
      active?: boolean;
      /** @example false */
      revoked?: boolean;
      /**
       * Format: date-time
       * @example null
       */
      revoked_at?: string | null;
      /**
       * @example {
       *       "kty": "EC",
       *       "crv": "P-256",
       *       "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
       *       "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
       *     }
       */
      jwk?: {
        /**
         * @example RSA
         * @enum {string}
         */
        kty: "RSA" | "EC";
      } & {
        [key: string]: unknown;
      };
    };
    CreatedKeyPair: components["schemas"]["KeyPair"] & {
      private_key_pem?: string;
    };
    KeyPairChange: {
      /** @example 2026-11 */
      key_id?: string;
      /**
       * @example rsa
       * @enum {string}
       */
      key_type?: "rsa" | "ec";
      /**
       * @example RS256
       * @enum {string}
       */
      algorithm?: "RS256" | "RS384" | "RS512" | "ES256" | "ES384" | "ES512";
      /**
       * @example -----BEGIN PUBLIC KEY-----
       *     MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A…
       *     -----END PUBLIC KEY-----
       */
      public_key_pem?: string;
      /**
       * Format: date-time
       * @example null
       */
      expires_at?: string | null;
      /** @example true */
      active?: boolean;
      /** @example false */
      revoked?: boolean;
      /**
       * Format: date-time
       * @example null
       */
      revoked_at?: string | null;
      /**
       * @example {
       *       "kty": "EC",
       *       "crv": "P-256",
       *       "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
       *       "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
       *     }
       */
      jwk?: {
        /**
         * @example RSA
         * @enum {string}
         */
        kty: "RSA" | "EC";
      } & {
        [key: string]: unknown;
      };
    };
    Consent: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      user_id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      app_id: string;
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      scopes: string[];
      /** @example true */
      readonly granted: boolean;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly granted_at: string;
      /**
       * Format: date-time
       * @example null
       */
      readonly last_used_at: string | null;
      /** @example false */
      readonly revoked: boolean;
      /**
       * Format: date-time
       * @example null
       */
      readonly revoked_at: string | null;
      /** @example null */
      readonly revoked_reason: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly updated_at: string;
      readonly included?: {
        user?: components["schemas"]["User"] | null;
        app?: components["schemas"]["App"] | null;
      };
    };
    NewConsent: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      id?: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      user_id: string;
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      app_id: string;
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      scopes?: string[];
    };
    ConsentChange: {
      /**
       * @example [
       *       "orders:read"
       *     ]
       */
      scopes?: string[];
    };
    SigningKey: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly id: string;
      /** @example NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs */
      readonly kid: string;
      /**
       * @example {
       *       "kty": "RSA",
       *       "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiA…",
       *       "e": "AQAB"
       *     }
       */
      readonly public_jwk: {
        [key: string]: unknown;
      };
      /**
       * @example RS256
       * @enum {string}
       */
      algorithm: "RS256" | "PS256" | "ES256" | "EdDSA";
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly activates_at: string;
      /**
       * Format: date-time
       * @example null
       */
      readonly retires_at: string | null;
      /**
       * Format: date-time
       * @example null
       */
      readonly expires_at: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
    };
    NewSigningKey: {
      /**
       * @example RS256
       * @enum {string}
       */
      algorithm?: "RS256" | "PS256" | "ES256" | "EdDSA";
      /** @example 600 */
      activates_in?: number;
    };
    AuditEvent: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly id: string;
      /** @example app.created */
      readonly type:
        | (
            | "api.created"
            | "api.deleted"
            | "api.revoked"
            | "api.updated"
            | "api_key.created"
            | "api_key.deleted"
            | "api_key.revoked"
            | "api_key.updated"
            | "app.access_ended"
            | "app.created"
            | "app.deleted"
            | "app.registered"
            | "app.revoked"
            | "app.updated"
            | "app_secret.created"
            | "app_secret.deleted"
            | "app_secret.revoked"
            | "app_secret.updated"
            | "audit_event.created"
            | "audit_event.deleted"
            | "audit_event.revoked"
            | "audit_event.updated"
            | "authenticator_app.created"
            | "authenticator_app.deleted"
            | "authenticator_app.updated"
            | "authorization_code.created"
            | "authorization_code.deleted"
            | "authorization_code.revoked"
            | "authorization_code.updated"
            | "built_in_app_made"
            | "client_authentication"
            | "client_document_changed"
            | "client_document_gone"
            | "client_document_stored"
            | "client_registered"
            | "code_replay"
            | "consent"
            | "consent.created"
            | "consent.deleted"
            | "consent.revoked"
            | "consent.updated"
            | "device.created"
            | "device.deleted"
            | "introspection"
            | "invitation.accepted"
            | "invitation.created"
            | "invitation.withdrawn"
            | "key_pair.created"
            | "key_pair.deleted"
            | "key_pair.revoked"
            | "key_pair.updated"
            | "linked_account.created"
            | "linked_account.deleted"
            | "linked_account.revoked"
            | "linked_account.tokens_revoked"
            | "linked_account.updated"
            | "membership.created"
            | "membership.deleted"
            | "membership.revoked"
            | "membership.updated"
            | "open_clients_swept"
            | "organization.created"
            | "organization.deleted"
            | "organization.revoked"
            | "organization.updated"
            | "passkey.created"
            | "passkey.deleted"
            | "passkey.refused"
            | "passkey.updated"
            | "password_reset"
            | "password_reset_request"
            | "provider.created"
            | "provider.deleted"
            | "provider.revoked"
            | "provider.updated"
            | "records_exported"
            | "recovery.created"
            | "recovery.deleted"
            | "recovery.finished"
            | "recovery_code.used"
            | "recovery_codes.created"
            | "refresh_replay"
            | "refusal.created"
            | "refusal.deleted"
            | "refusal.revoked"
            | "refusal.updated"
            | "registration_request"
            | "revocation_failed"
            | "service_account.created"
            | "service_account.deleted"
            | "service_account.revoked"
            | "service_account.updated"
            | "service_account_authentication"
            | "session.created"
            | "session.deleted"
            | "session.revoked"
            | "session.updated"
            | "sign_in"
            | "sign_out"
            | "signing_key.created"
            | "signing_key.deleted"
            | "signing_key.revoked"
            | "signing_key.updated"
            | "step_up"
            | "token.created"
            | "token.deleted"
            | "token.revoked"
            | "token.updated"
            | "token_issued"
            | "token_revoked"
            | "user.access_revoked"
            | "user.created"
            | "user.data_exported"
            | "user.deleted"
            | "user.deletion_asked"
            | "user.deletion_undone"
            | "user.factor_removed"
            | "user.factors_reset"
            | "user.revoked"
            | "user.updated"
          )
        | string;
      /**
       * @example success
       * @enum {string}
       */
      readonly outcome: "success" | "failure";
      /**
       * @example user
       * @enum {string}
       */
      readonly actor_kind: "user" | "client" | "service_account" | "api_key" | "system" | "anonymous";
      /** @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a */
      readonly actor_id: string | null;
      /**
       * Format: uuid
       * @example null
       */
      readonly organization_id: string | null;
      /** @example oauth_apps */
      readonly target_table:
        | (
            | "users"
            | "organizations"
            | "memberships"
            | "providers"
            | "oauth_accounts"
            | "api_keys"
            | "oauth_apps"
            | "oauth_app_secrets"
            | "oauth_tokens"
            | "oauth_auth_codes"
            | "oauth_consents"
            | "sessions"
            | "resources"
            | "service_accounts"
            | "service_account_key_pairs"
            | "signing_keys"
            | "audit_events"
            | "refusals"
          )
        | string
        | null;
      /** @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a */
      readonly target_id: string | null;
      /** @example null */
      readonly client_ip: string | null;
      /** @example null */
      readonly user_agent: string | null;
      /** @example null */
      readonly request_id: string | null;
      /**
       * @example {
       *       "after": {
       *         "name": "Orders"
       *       }
       *     }
       */
      readonly details: {
        [key: string]: unknown;
      } | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
    };
    Refusal: {
      /**
       * Format: uuid
       * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
       */
      readonly id: string;
      /** @example 7K3M9Q2RTX */
      readonly short_id: string;
      /** @example /oauth/authorize */
      readonly endpoint: string;
      /** @example invalid_request */
      readonly error: string;
      /** @example the redirect_uri is not registered for this client */
      readonly description: string;
      /**
       * Format: uuid
       * @example null
       */
      readonly app_id: string | null;
      /**
       * Format: uuid
       * @example null
       */
      readonly user_id: string | null;
      /**
       * @example [
       *       {
       *         "name": "redirect_uri",
       *         "received": "https://app.example/callback/",
       *         "expected": [
       *           "https://app.example/callback"
       *         ],
       *         "kind": "redirect_uri"
       *       }
       *     ]
       */
      readonly evidence: {
        [key: string]: unknown;
      }[];
      /** @example null */
      readonly request_id: string | null;
      /** @example null */
      readonly client_ip: string | null;
      /** @example null */
      readonly user_agent: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-20T12:00:00.000Z
       */
      readonly expires_at: string;
      readonly included?: {
        app?: components["schemas"]["App"] | null;
        user?: components["schemas"]["User"] | null;
      };
    };
  };
  responses: {
    Refusal400: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Refusal401: {
      headers: {
        "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Refusal403: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Refusal404: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Refusal409: {
      headers: {
        "Retry-After": components["headers"]["RetryAfter"];
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Refusal422: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Refusal412: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Refusal413: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Refusal414: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Refusal415: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Refusal429: {
      headers: {
        "Retry-After": components["headers"]["RetryAfter"];
        RateLimit: components["headers"]["RateLimit"];
        "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Refusal500: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
    Refusal503: {
      headers: {
        "Retry-After": components["headers"]["RetryAfter"];
        [name: string]: unknown;
      };
      content: {
        "application/problem+json": components["schemas"]["Problem"];
      };
    };
  };
  parameters: {
    Id: string;
    Limit: number;
    Cursor: string;
    Order: "asc" | "desc";
    Total: boolean;
    IfMatch: string;
    IfNoneMatch: string;
    IdempotencyKey: string;
  };
  requestBodies: never;
  headers: {
    ETag: string;
    Location: string;
    IdempotencyReplayed: string;
    RetryAfter: number;
    RateLimit: string;
    RateLimitPolicy: string;
    WwwAuthenticate: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getMe: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "actor": {
           *         "kind": "user",
           *         "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *         "name": "Ada"
           *       },
           *       "scopes": null,
           *       "is_platform_admin": false,
           *       "permissions": [
           *         "users:read",
           *         "users:write"
           *       ],
           *       "organizations": []
           *     }
           */
          "application/json": components["schemas"]["Caller"];
        };
      };
      401: components["responses"]["Refusal401"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getServer: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "issuer": "https://id.example",
           *       "version": "0.3.0",
           *       "brand": {
           *         "name": "Acme",
           *         "logo_url": null,
           *         "accent": "#0e6655"
           *       },
           *       "sends_mail": true,
           *       "settings": {
           *         "sign_up": "closed"
           *       }
           *     }
           */
          "application/json": {
            issuer: string;
            version: string;
            brand: {
              name: string | null;
              logo_url: string | null;
              accent: string | null;
            };
            sends_mail: boolean;
            settings: {
              authorization_code_ttl?: unknown;
              refresh_reuse_window?: unknown;
              open_reuse_window?: unknown;
              localhost_any_port?: unknown;
              refresh_family_max_age?: unknown;
              extra_grants?: unknown;
              extra_client_auth?: unknown;
              extra_features?: unknown;
              extra_sign_in?: unknown;
              sign_up?: unknown;
              self_service?: unknown;
              api_step_up_age?: unknown;
              api_rate_limit?: unknown;
              api_origins?: unknown;
              profiles?: unknown;
              registration?: unknown;
              require_pushed_requests?: unknown;
              dpop_nonce?: unknown;
            };
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getStatistics: {
    parameters: {
      query?: {
        period?: "day" | "week" | "month";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "period": "day",
           *       "organization_id": null,
           *       "moments": [
           *         "2026-11-20T12:00:00.000Z"
           *       ],
           *       "counts": {
           *         "tokens_code": [
           *           12
           *         ]
           *       },
           *       "last_24_hours": {
           *         "tokens": {
           *           "count": 12,
           *           "before": 10,
           *           "change": null
           *         }
           *       },
           *       "apps": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "name": "Shop",
           *           "client_id": "web-app",
           *           "tokens": 12
           *         }
           *       ]
           *     }
           */
          "application/json": {
            /** @enum {string} */
            period: "day" | "week" | "month";
            /** Format: uuid */
            organization_id: string | null;
            moments: string[];
            counts: {
              tokens_code?: number[];
              tokens_refresh?: number[];
              tokens_machine?: number[];
              sign_ins?: number[];
              sign_in_failures?: number[];
              refusals?: number[];
              introspections?: number[];
              swept?: number[];
            };
            last_24_hours: {
              tokens: {
                count: number;
                before: number;
                change: number | null;
              };
              refusals?: {
                count: number;
                before: number;
                change: number | null;
              };
              sign_ins?: {
                count: number;
                before: number;
                change: number | null;
              };
              sign_in_failures?: {
                count: number;
                before: number;
                change: number | null;
              };
            };
            apps: {
              /** Format: uuid */
              id: string;
              name: string;
              client_id: string;
              tokens?: number;
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getStatisticsOfOrganization: {
    parameters: {
      query?: {
        period?: "day" | "week" | "month";
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "period": "day",
           *       "organization_id": null,
           *       "moments": [
           *         "2026-11-20T12:00:00.000Z"
           *       ],
           *       "counts": {
           *         "tokens_code": [
           *           12
           *         ]
           *       },
           *       "last_24_hours": {
           *         "tokens": {
           *           "count": 12,
           *           "before": 10,
           *           "change": null
           *         }
           *       },
           *       "apps": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "name": "Shop",
           *           "client_id": "web-app",
           *           "tokens": 12
           *         }
           *       ]
           *     }
           */
          "application/json": {
            /** @enum {string} */
            period: "day" | "week" | "month";
            /** Format: uuid */
            organization_id: string | null;
            moments: string[];
            counts: {
              tokens_code?: number[];
              tokens_refresh?: number[];
              tokens_machine?: number[];
              sign_ins?: number[];
              sign_in_failures?: number[];
              refusals?: number[];
              introspections?: number[];
              swept?: number[];
            };
            last_24_hours: {
              tokens: {
                count: number;
                before: number;
                change: number | null;
              };
              refusals?: {
                count: number;
                before: number;
                change: number | null;
              };
              sign_ins?: {
                count: number;
                before: number;
                change: number | null;
              };
              sign_in_failures?: {
                count: number;
                before: number;
                change: number | null;
              };
            };
            apps: {
              /** Format: uuid */
              id: string;
              name: string;
              client_id: string;
              tokens?: number;
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listInvitations: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "email": "ada@example.com",
           *           "role": "developer",
           *           "invited_by": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "expires_at": "2026-11-20T12:00:00.000Z",
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Invitation"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  createInvitation: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "grace@example.com",
         *       "role": "developer"
         *     }
         */
        "application/json": {
          /** Format: idn-email */
          email: string;
          /** @enum {string} */
          role: "owner" | "admin" | "developer" | "member";
        };
      };
    };
    responses: {
      201: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "email": "ada@example.com",
           *       "role": "developer",
           *       "invited_by": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "expires_at": "2026-11-20T12:00:00.000Z",
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Invitation"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  revokeInvitation: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
        invitation_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  sendInvitationAgain: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
        invitation_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "email": "ada@example.com",
           *       "role": "developer",
           *       "invited_by": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "expires_at": "2026-11-20T12:00:00.000Z",
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Invitation"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  sendPasswordReset: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "expires_in": 1800
           *     }
           */
          "application/json": {
            /** Format: uuid */
            user_id: string;
            expires_in: number;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  exportDataOfUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "version": 1,
           *       "exported_at": "2026-11-20T12:00:00.000Z",
           *       "records": {
           *         "users": []
           *       }
           *     }
           */
          "application/json": {
            version: number;
            /** Format: date-time */
            exported_at: string;
            records: Record<string, never>;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  apply: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "manifest": {
         *         "organizations": [
         *           {
         *             "slug": "acme",
         *             "name": "Acme"
         *           }
         *         ]
         *       },
         *       "dry_run": true
         *     }
         */
        "application/json": {
          manifest: {
            organizations?: Record<string, never>[];
            users?: Record<string, never>[];
            memberships?: Record<string, never>[];
            providers?: Record<string, never>[];
            linked_accounts?: Record<string, never>[];
            api_keys?: Record<string, never>[];
            apps?: Record<string, never>[];
            resources?: Record<string, never>[];
            service_accounts?: Record<string, never>[];
            consents?: Record<string, never>[];
          };
          dry_run?: boolean;
          prune?: boolean;
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "created": [
           *         "organization acme"
           *       ],
           *       "updated": [],
           *       "unchanged": [],
           *       "secrets": {}
           *     }
           */
          "application/json": {
            created: string[];
            updated: string[];
            unchanged: string[];
            removed?: string[];
            differences?: {
              /** @enum {string} */
              change: "create" | "update" | "remove";
              record: string;
              fields: Record<string, never>;
              hidden: string[];
            }[];
            secrets: {
              [key: string]: string;
            };
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  export: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "organizations": [
           *         {
           *           "slug": "acme",
           *           "name": "Acme"
           *         }
           *       ]
           *     }
           */
          "application/json": {
            organizations?: Record<string, never>[];
            users?: Record<string, never>[];
            memberships?: Record<string, never>[];
            providers?: Record<string, never>[];
            linked_accounts?: Record<string, never>[];
            api_keys?: Record<string, never>[];
            apps?: Record<string, never>[];
            resources?: Record<string, never>[];
            service_accounts?: Record<string, never>[];
            consents?: Record<string, never>[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listOrganizations: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "name" | "slug";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        slug?: string;
        plan?: "free" | "starter" | "pro" | "enterprise";
        active?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "name": "Acme",
           *           "slug": "acme",
           *           "logo_url": "https://acme.example/logo.png",
           *           "settings": {
           *             "brand": {
           *               "name": "Acme",
           *               "accent": "#0e6655"
           *             }
           *           },
           *           "plan": "pro",
           *           "active": true,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Organization"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  createOrganization: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Acme",
         *       "slug": "acme"
         *     }
         */
        "application/json": components["schemas"]["NewOrganization"];
      };
    };
    responses: {
      201: {
        headers: {
          ETag: components["headers"]["ETag"];
          Location: components["headers"]["Location"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "name": "Acme",
           *       "slug": "acme",
           *       "logo_url": "https://acme.example/logo.png",
           *       "settings": {
           *         "brand": {
           *           "name": "Acme",
           *           "accent": "#0e6655"
           *         }
           *       },
           *       "plan": "pro",
           *       "active": true,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Organization"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getOrganization: {
    parameters: {
      query?: never;
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "name": "Acme",
           *       "slug": "acme",
           *       "logo_url": "https://acme.example/logo.png",
           *       "settings": {
           *         "brand": {
           *           "name": "Acme",
           *           "accent": "#0e6655"
           *         }
           *       },
           *       "plan": "pro",
           *       "active": true,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Organization"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  deleteOrganization: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  updateOrganization: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Acme"
         *     }
         */
        "application/merge-patch+json": components["schemas"]["OrganizationChange"];
        /**
         * @example {
         *       "name": "Acme"
         *     }
         */
        "application/json": components["schemas"]["OrganizationChange"];
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "name": "Acme",
           *       "slug": "acme",
           *       "logo_url": "https://acme.example/logo.png",
           *       "settings": {
           *         "brand": {
           *           "name": "Acme",
           *           "accent": "#0e6655"
           *         }
           *       },
           *       "plan": "pro",
           *       "active": true,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Organization"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfOrganization: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getOrganizationBySlug: {
    parameters: {
      query?: never;
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        slug: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "name": "Acme",
           *       "slug": "acme",
           *       "logo_url": "https://acme.example/logo.png",
           *       "settings": {
           *         "brand": {
           *           "name": "Acme",
           *           "accent": "#0e6655"
           *         }
           *       },
           *       "plan": "pro",
           *       "active": true,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Organization"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listMembersOfOrganization: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "role";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        user_id?: string;
        role?: ("owner" | "admin" | "developer" | "member") | string;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "role": "developer",
           *           "permissions": [
           *             "audit_events:read"
           *           ],
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Membership"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listProvidersOfOrganization: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "label" | "slug";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        slug?: string;
        preset?:
          | "google"
          | "microsoft"
          | "apple"
          | "github"
          | "gitlab"
          | "discord"
          | "facebook"
          | "linkedin"
          | "slack"
          | "oidc"
          | "oauth2";
        active?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "slug": "google",
           *           "label": "Google",
           *           "preset": "google",
           *           "organization_id": null,
           *           "issuer": "https://accounts.google.com",
           *           "authorization_endpoint": null,
           *           "token_endpoint": null,
           *           "userinfo_endpoint": null,
           *           "client_id": "web-app",
           *           "scopes": [
           *             "orders:read"
           *           ],
           *           "settings": {},
           *           "email_trust": "never",
           *           "email_domains": [],
           *           "sign_up": "never",
           *           "link": "ask",
           *           "allowed_tenants": [],
           *           "keep_tokens": false,
           *           "trust_amr": false,
           *           "active": true,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Provider"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listApiKeysOfOrganization: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "name" | "last_used_at" | "expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        user_id?: string;
        revoked?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "name": "Deployment",
           *           "key_prefix": "pak_AZqfbnwA",
           *           "user_id": null,
           *           "organization_id": null,
           *           "scopes": [
           *             "postern:users:read"
           *           ],
           *           "expires_at": null,
           *           "last_used_at": null,
           *           "revoked": false,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["ApiKey"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listAppsOfOrganization: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "name" | "client_id";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        client_id?: string;
        owner_id?: string;
        app_type?: "web" | "spa" | "native" | "service" | "machine";
        active?: boolean;
        public?: boolean;
        first_party?: boolean;
        provenance?: "registered" | "metadata_document" | "dynamic_registration";
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "client_id": "web-app",
           *           "name": "Shop",
           *           "logo_url": "https://shop.example/logo.png",
           *           "app_type": "web",
           *           "owner_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "organization_id": null,
           *           "redirect_uris": [
           *             "https://shop.example/callback"
           *           ],
           *           "allowed_scopes": [
           *             "openid",
           *             "profile",
           *             "orders:read"
           *           ],
           *           "allowed_grants": [
           *             "auth_code",
           *             "refresh"
           *           ],
           *           "allowed_response_types": [
           *             "code"
           *           ],
           *           "access_token_ttl": 900,
           *           "refresh_token_ttl": 604800,
           *           "refresh_token_rotation": true,
           *           "first_party": false,
           *           "public": false,
           *           "active": true,
           *           "revoked_at": null,
           *           "metadata": {
           *             "refresh_reuse_window": 10
           *           },
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z",
           *           "post_logout_redirect_uris": [
           *             "https://shop.example/"
           *           ],
           *           "default_scopes": [
           *             "orders:read"
           *           ],
           *           "token_endpoint_auth_method": "client_secret_basic",
           *           "jwks_uri": null,
           *           "id_token_signed_response_alg": null,
           *           "claims_in_id_token": true,
           *           "client_assertion_audience": "issuer",
           *           "require_pushed_authorization_requests": false,
           *           "resources": [],
           *           "dpop_bound_access_tokens": false,
           *           "dpop_bound_refresh_tokens": false,
           *           "localhost_any_port": false,
           *           "provenance": "registered",
           *           "registration": null,
           *           "last_used_at": null,
           *           "client_ip": null,
           *           "profile": null,
           *           "token_endpoint_auth_signing_alg": null,
           *           "require_acr": null
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["App"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listResourcesOfOrganization: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "name" | "identifier";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        identifier?: string;
        who_may_ask?: "listed" | "registered" | "any";
        active?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "identifier": "https://orders.example",
           *           "name": "Orders API",
           *           "organization_id": null,
           *           "scopes": {
           *             "orders:read": "See your orders"
           *           },
           *           "default_scopes": [
           *             "orders:read"
           *           ],
           *           "who_may_ask": "registered",
           *           "app_ids": [],
           *           "access_token_signing_alg": null,
           *           "dpop_bound_access_tokens_required": false,
           *           "trailing_slash_alias": false,
           *           "active": true,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Resource"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listServiceAccountsOfOrganization: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "name" | "email" | "last_used_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        email?: string;
        created_by?: string;
        active?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "name": "Nightly export",
           *           "description": null,
           *           "email": "export@acme.example",
           *           "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "created_by": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "allowed_scopes": [
           *             "orders:read"
           *           ],
           *           "active": true,
           *           "last_used_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["ServiceAccount"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeOrganizationsInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "create",
         *           "data": {
         *             "name": "Acme",
         *             "slug": "acme"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: (
            | {
                /** @enum {string} */
                op: "create";
                data: components["schemas"]["NewOrganization"];
              }
            | {
                /** @enum {string} */
                op: "update";
                /** Format: uuid */
                id: string;
                data: components["schemas"]["OrganizationChange"];
                if_match?: string;
              }
            | {
                /** @enum {string} */
                op: "delete";
                /** Format: uuid */
                id: string;
                if_match?: string;
                data?: Record<string, never>;
              }
          )[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 201
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["Organization"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listUsers: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "name" | "email" | "last_login_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        email?: string;
        active?: boolean;
        is_platform_admin?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "email": "ada@example.com",
           *           "name": "Ada",
           *           "avatar_url": "https://pictures.example/ada.png",
           *           "is_platform_admin": false,
           *           "active": true,
           *           "last_login_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z",
           *           "email_verified_at": null
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["User"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  createUser: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "ada@example.com",
         *       "name": "Ada"
         *     }
         */
        "application/json": components["schemas"]["NewUser"];
      };
    };
    responses: {
      201: {
        headers: {
          ETag: components["headers"]["ETag"];
          Location: components["headers"]["Location"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "email": "ada@example.com",
           *       "name": "Ada",
           *       "avatar_url": "https://pictures.example/ada.png",
           *       "is_platform_admin": false,
           *       "active": true,
           *       "last_login_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "email_verified_at": null
           *     }
           */
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getUser: {
    parameters: {
      query?: never;
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "email": "ada@example.com",
           *       "name": "Ada",
           *       "avatar_url": "https://pictures.example/ada.png",
           *       "is_platform_admin": false,
           *       "active": true,
           *       "last_login_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "email_verified_at": null
           *     }
           */
          "application/json": components["schemas"]["User"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  deleteUser: {
    parameters: {
      query?: {
        successor?: string;
      };
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  updateUser: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "ada@example.com"
         *     }
         */
        "application/merge-patch+json": components["schemas"]["UserChange"];
        /**
         * @example {
         *       "email": "ada@example.com"
         *     }
         */
        "application/json": components["schemas"]["UserChange"];
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "email": "ada@example.com",
           *       "name": "Ada",
           *       "avatar_url": "https://pictures.example/ada.png",
           *       "is_platform_admin": false,
           *       "active": true,
           *       "last_login_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "email_verified_at": null
           *     }
           */
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getSignInMethods: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "password": true,
           *       "passkeys": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "name": "Ada",
           *           "rp_id": "text",
           *           "aaguid": null,
           *           "backup_eligible": false,
           *           "backed_up": false,
           *           "uv_initialized": false,
           *           "signs_in": false,
           *           "last_used_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "authenticator_apps": [],
           *       "recovery_codes": 8,
           *       "linked_accounts": [],
           *       "recovery": null,
           *       "highest_acr": "phr"
           *     }
           */
          "application/json": components["schemas"]["SignInMethods"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  resetFactorsOfUser: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "text"
         *     }
         */
        "application/json": {
          /** @example text */
          reason: string;
        };
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "email": "ada@example.com",
           *       "name": "Ada",
           *       "avatar_url": "https://pictures.example/ada.png",
           *       "is_platform_admin": false,
           *       "active": true,
           *       "last_login_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "email_verified_at": null
           *     }
           */
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  removeFactorOfUser: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "factor_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
         *       "reason": "text"
         *     }
         */
        "application/json": {
          /**
           * Format: uuid
           * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
           */
          factor_id: string;
          /** @example text */
          reason: string;
        };
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "email": "ada@example.com",
           *       "name": "Ada",
           *       "avatar_url": "https://pictures.example/ada.png",
           *       "is_platform_admin": false,
           *       "active": true,
           *       "last_login_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "email_verified_at": null
           *     }
           */
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  signOutUser: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /** @example {} */
        "application/json": Record<string, never>;
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "email": "ada@example.com",
           *       "name": "Ada",
           *       "avatar_url": "https://pictures.example/ada.png",
           *       "is_platform_admin": false,
           *       "active": true,
           *       "last_login_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "email_verified_at": null
           *     }
           */
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  revokeEverythingOfUser: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /** @example {} */
        "application/json": Record<string, never>;
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "email": "ada@example.com",
           *       "name": "Ada",
           *       "avatar_url": "https://pictures.example/ada.png",
           *       "is_platform_admin": false,
           *       "active": true,
           *       "last_login_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "email_verified_at": null
           *     }
           */
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getUserByEmail: {
    parameters: {
      query?: never;
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        email: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "email": "ada@example.com",
           *       "name": "Ada",
           *       "avatar_url": "https://pictures.example/ada.png",
           *       "is_platform_admin": false,
           *       "active": true,
           *       "last_login_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "email_verified_at": null
           *     }
           */
          "application/json": components["schemas"]["User"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listMembershipsOfUser: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "role";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        organization_id?: string;
        role?: ("owner" | "admin" | "developer" | "member") | string;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "role": "developer",
           *           "permissions": [
           *             "audit_events:read"
           *           ],
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Membership"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listLinkedAccountsOfUser: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "provider";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        provider?: string;
        provider_id?: string;
        provider_user_id?: string;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "provider": "github",
           *           "provider_user_id": "583231",
           *           "expires_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z",
           *           "email": "ada@example.com",
           *           "provider_id": null,
           *           "last_used_at": null
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["LinkedAccount"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listApiKeysOfUser: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "name" | "last_used_at" | "expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        organization_id?: string;
        revoked?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "name": "Deployment",
           *           "key_prefix": "pak_AZqfbnwA",
           *           "user_id": null,
           *           "organization_id": null,
           *           "scopes": [
           *             "postern:users:read"
           *           ],
           *           "expires_at": null,
           *           "last_used_at": null,
           *           "revoked": false,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["ApiKey"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listAppsOfUser: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "name" | "client_id";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        client_id?: string;
        organization_id?: string;
        app_type?: "web" | "spa" | "native" | "service" | "machine";
        active?: boolean;
        public?: boolean;
        first_party?: boolean;
        provenance?: "registered" | "metadata_document" | "dynamic_registration";
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "client_id": "web-app",
           *           "name": "Shop",
           *           "logo_url": "https://shop.example/logo.png",
           *           "app_type": "web",
           *           "owner_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "organization_id": null,
           *           "redirect_uris": [
           *             "https://shop.example/callback"
           *           ],
           *           "allowed_scopes": [
           *             "openid",
           *             "profile",
           *             "orders:read"
           *           ],
           *           "allowed_grants": [
           *             "auth_code",
           *             "refresh"
           *           ],
           *           "allowed_response_types": [
           *             "code"
           *           ],
           *           "access_token_ttl": 900,
           *           "refresh_token_ttl": 604800,
           *           "refresh_token_rotation": true,
           *           "first_party": false,
           *           "public": false,
           *           "active": true,
           *           "revoked_at": null,
           *           "metadata": {
           *             "refresh_reuse_window": 10
           *           },
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z",
           *           "post_logout_redirect_uris": [
           *             "https://shop.example/"
           *           ],
           *           "default_scopes": [
           *             "orders:read"
           *           ],
           *           "token_endpoint_auth_method": "client_secret_basic",
           *           "jwks_uri": null,
           *           "id_token_signed_response_alg": null,
           *           "claims_in_id_token": true,
           *           "client_assertion_audience": "issuer",
           *           "require_pushed_authorization_requests": false,
           *           "resources": [],
           *           "dpop_bound_access_tokens": false,
           *           "dpop_bound_refresh_tokens": false,
           *           "localhost_any_port": false,
           *           "provenance": "registered",
           *           "registration": null,
           *           "last_used_at": null,
           *           "client_ip": null,
           *           "profile": null,
           *           "token_endpoint_auth_signing_alg": null,
           *           "require_acr": null
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["App"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listTokensOfUser: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "last_used_at" | "access_expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        app_id?: string;
        service_account_id?: string;
        family_id?: string;
        session_id?: string;
        revoked?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": null,
           *           "service_account_id": null,
           *           "family_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "scopes": [
           *             "orders:read"
           *           ],
           *           "audience": [
           *             "https://api.example"
           *           ],
           *           "session_id": null,
           *           "access_expires_at": "2026-11-20T12:00:00.000Z",
           *           "refresh_expires_at": null,
           *           "revoked": false,
           *           "revoked_at": null,
           *           "revoked_reason": null,
           *           "client_ip": null,
           *           "user_agent": null,
           *           "last_used_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Token"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listAuthCodesOfUser: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        app_id?: string;
        used?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "code_challenge": null,
           *           "code_challenge_method": "S256",
           *           "redirect_uri": "text",
           *           "scopes": [
           *             "orders:read"
           *           ],
           *           "nonce": null,
           *           "expires_at": "2026-11-20T12:00:00.000Z",
           *           "used": false,
           *           "used_at": null,
           *           "client_ip": null,
           *           "user_agent": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["AuthCode"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listSessionsOfUser: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "last_seen_at" | "expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "authenticated_at": "2026-11-20T12:00:00.000Z",
           *           "acr": "urn:postern:acr:password",
           *           "methods": null,
           *           "last_seen_at": "2026-11-20T12:00:00.000Z",
           *           "expires_at": "2026-11-20T12:00:00.000Z",
           *           "ended_at": null,
           *           "client_ip": null,
           *           "user_agent": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Session"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listServiceAccountsOfUser: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "name" | "email" | "last_used_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        email?: string;
        organization_id?: string;
        active?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "name": "Nightly export",
           *           "description": null,
           *           "email": "export@acme.example",
           *           "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "created_by": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "allowed_scopes": [
           *             "orders:read"
           *           ],
           *           "active": true,
           *           "last_used_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["ServiceAccount"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listConsentsOfUser: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "granted_at" | "last_used_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        app_id?: string;
        granted?: boolean;
        revoked?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "scopes": [
           *             "orders:read"
           *           ],
           *           "granted": true,
           *           "granted_at": "2026-11-20T12:00:00.000Z",
           *           "last_used_at": null,
           *           "revoked": false,
           *           "revoked_at": null,
           *           "revoked_reason": null,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Consent"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeUsersInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "create",
         *           "data": {
         *             "email": "ada@example.com",
         *             "name": "Ada"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: (
            | {
                /** @enum {string} */
                op: "create";
                data: components["schemas"]["NewUser"];
              }
            | {
                /** @enum {string} */
                op: "update";
                /** Format: uuid */
                id: string;
                data: components["schemas"]["UserChange"];
                if_match?: string;
              }
            | {
                /** @enum {string} */
                op: "delete";
                /** Format: uuid */
                id: string;
                if_match?: string;
                data?: Record<string, never>;
              }
          )[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 201
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["User"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listMemberships: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "role";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        user_id?: string;
        organization_id?: string;
        role?: ("owner" | "admin" | "developer" | "member") | string;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "role": "developer",
           *           "permissions": [
           *             "audit_events:read"
           *           ],
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Membership"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  createMembership: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
         *       "role": "developer"
         *     }
         */
        "application/json": components["schemas"]["NewMembership"];
      };
    };
    responses: {
      201: {
        headers: {
          ETag: components["headers"]["ETag"];
          Location: components["headers"]["Location"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "role": "developer",
           *       "permissions": [
           *         "audit_events:read"
           *       ],
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Membership"];
        };
      };
      202: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "email": "ada@example.com",
           *       "role": "developer",
           *       "invited_by": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "expires_at": "2026-11-20T12:00:00.000Z",
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Invitation"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getMembership: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "role": "developer",
           *       "permissions": [
           *         "audit_events:read"
           *       ],
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Membership"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  deleteMembership: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  updateMembership: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "role": "developer"
         *     }
         */
        "application/merge-patch+json": components["schemas"]["MembershipChange"];
        /**
         * @example {
         *       "role": "developer"
         *     }
         */
        "application/json": components["schemas"]["MembershipChange"];
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "role": "developer",
           *       "permissions": [
           *         "audit_events:read"
           *       ],
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Membership"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfMembership: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeMembershipsInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "create",
         *           "data": {
         *             "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
         *             "role": "developer"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: (
            | {
                /** @enum {string} */
                op: "create";
                data: components["schemas"]["NewMembership"];
              }
            | {
                /** @enum {string} */
                op: "update";
                /** Format: uuid */
                id: string;
                data: components["schemas"]["MembershipChange"];
                if_match?: string;
              }
            | {
                /** @enum {string} */
                op: "delete";
                /** Format: uuid */
                id: string;
                if_match?: string;
                data?: Record<string, never>;
              }
          )[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 201
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["Membership"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listProviders: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "label" | "slug";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        slug?: string;
        preset?:
          | "google"
          | "microsoft"
          | "apple"
          | "github"
          | "gitlab"
          | "discord"
          | "facebook"
          | "linkedin"
          | "slack"
          | "oidc"
          | "oauth2";
        organization_id?: string;
        active?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "slug": "google",
           *           "label": "Google",
           *           "preset": "google",
           *           "organization_id": null,
           *           "issuer": "https://accounts.google.com",
           *           "authorization_endpoint": null,
           *           "token_endpoint": null,
           *           "userinfo_endpoint": null,
           *           "client_id": "web-app",
           *           "scopes": [
           *             "orders:read"
           *           ],
           *           "settings": {},
           *           "email_trust": "never",
           *           "email_domains": [],
           *           "sign_up": "never",
           *           "link": "ask",
           *           "allowed_tenants": [],
           *           "keep_tokens": false,
           *           "trust_amr": false,
           *           "active": true,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Provider"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  createProvider: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "slug": "google",
         *       "preset": "google",
         *       "client_id": "web-app"
         *     }
         */
        "application/json": components["schemas"]["NewProvider"];
      };
    };
    responses: {
      201: {
        headers: {
          ETag: components["headers"]["ETag"];
          Location: components["headers"]["Location"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "slug": "google",
           *       "label": "Google",
           *       "preset": "google",
           *       "organization_id": null,
           *       "issuer": "https://accounts.google.com",
           *       "authorization_endpoint": null,
           *       "token_endpoint": null,
           *       "userinfo_endpoint": null,
           *       "client_id": "web-app",
           *       "scopes": [
           *         "orders:read"
           *       ],
           *       "settings": {},
           *       "email_trust": "never",
           *       "email_domains": [],
           *       "sign_up": "never",
           *       "link": "ask",
           *       "allowed_tenants": [],
           *       "keep_tokens": false,
           *       "trust_amr": false,
           *       "active": true,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Provider"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getProvider: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "slug": "google",
           *       "label": "Google",
           *       "preset": "google",
           *       "organization_id": null,
           *       "issuer": "https://accounts.google.com",
           *       "authorization_endpoint": null,
           *       "token_endpoint": null,
           *       "userinfo_endpoint": null,
           *       "client_id": "web-app",
           *       "scopes": [
           *         "orders:read"
           *       ],
           *       "settings": {},
           *       "email_trust": "never",
           *       "email_domains": [],
           *       "sign_up": "never",
           *       "link": "ask",
           *       "allowed_tenants": [],
           *       "keep_tokens": false,
           *       "trust_amr": false,
           *       "active": true,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Provider"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  deleteProvider: {
    parameters: {
      query?: {
        links?: "delete";
      };
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  updateProvider: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "slug": "google"
         *     }
         */
        "application/merge-patch+json": components["schemas"]["ProviderChange"];
        /**
         * @example {
         *       "slug": "google"
         *     }
         */
        "application/json": components["schemas"]["ProviderChange"];
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "slug": "google",
           *       "label": "Google",
           *       "preset": "google",
           *       "organization_id": null,
           *       "issuer": "https://accounts.google.com",
           *       "authorization_endpoint": null,
           *       "token_endpoint": null,
           *       "userinfo_endpoint": null,
           *       "client_id": "web-app",
           *       "scopes": [
           *         "orders:read"
           *       ],
           *       "settings": {},
           *       "email_trust": "never",
           *       "email_domains": [],
           *       "sign_up": "never",
           *       "link": "ask",
           *       "allowed_tenants": [],
           *       "keep_tokens": false,
           *       "trust_amr": false,
           *       "active": true,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Provider"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfProvider: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getProviderBySlug: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        slug: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "slug": "google",
           *       "label": "Google",
           *       "preset": "google",
           *       "organization_id": null,
           *       "issuer": "https://accounts.google.com",
           *       "authorization_endpoint": null,
           *       "token_endpoint": null,
           *       "userinfo_endpoint": null,
           *       "client_id": "web-app",
           *       "scopes": [
           *         "orders:read"
           *       ],
           *       "settings": {},
           *       "email_trust": "never",
           *       "email_domains": [],
           *       "sign_up": "never",
           *       "link": "ask",
           *       "allowed_tenants": [],
           *       "keep_tokens": false,
           *       "trust_amr": false,
           *       "active": true,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Provider"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeProvidersInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "create",
         *           "data": {
         *             "slug": "google",
         *             "preset": "google",
         *             "client_id": "web-app"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: (
            | {
                /** @enum {string} */
                op: "create";
                data: components["schemas"]["NewProvider"];
              }
            | {
                /** @enum {string} */
                op: "update";
                /** Format: uuid */
                id: string;
                data: components["schemas"]["ProviderChange"];
                if_match?: string;
              }
            | {
                /** @enum {string} */
                op: "delete";
                /** Format: uuid */
                id: string;
                if_match?: string;
                data?: Record<string, never>;
              }
          )[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 201
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["Provider"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listLinkedAccounts: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "provider";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        user_id?: string;
        provider?: string;
        provider_id?: string;
        provider_user_id?: string;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "provider": "github",
           *           "provider_user_id": "583231",
           *           "expires_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z",
           *           "email": "ada@example.com",
           *           "provider_id": null,
           *           "last_used_at": null
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["LinkedAccount"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  createLinkedAccount: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "provider": "github",
         *       "provider_user_id": "583231",
         *       "access_token": "gho_16C7e42F292c6912E7710c838347Ae178B4a"
         *     }
         */
        "application/json": components["schemas"]["NewLinkedAccount"];
      };
    };
    responses: {
      201: {
        headers: {
          ETag: components["headers"]["ETag"];
          Location: components["headers"]["Location"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "provider": "github",
           *       "provider_user_id": "583231",
           *       "expires_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "email": "ada@example.com",
           *       "provider_id": null,
           *       "last_used_at": null
           *     }
           */
          "application/json": components["schemas"]["LinkedAccount"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getLinkedAccount: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "provider": "github",
           *       "provider_user_id": "583231",
           *       "expires_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "email": "ada@example.com",
           *       "provider_id": null,
           *       "last_used_at": null
           *     }
           */
          "application/json": components["schemas"]["LinkedAccount"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  deleteLinkedAccount: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  updateLinkedAccount: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "expires_at": null
         *     }
         */
        "application/merge-patch+json": components["schemas"]["LinkedAccountChange"];
        /**
         * @example {
         *       "expires_at": null
         *     }
         */
        "application/json": components["schemas"]["LinkedAccountChange"];
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "provider": "github",
           *       "provider_user_id": "583231",
           *       "expires_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "email": "ada@example.com",
           *       "provider_id": null,
           *       "last_used_at": null
           *     }
           */
          "application/json": components["schemas"]["LinkedAccount"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfLinkedAccount: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeLinkedAccountsInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "create",
         *           "data": {
         *             "provider": "github",
         *             "provider_user_id": "583231",
         *             "access_token": "gho_16C7e42F292c6912E7710c838347Ae178B4a"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: (
            | {
                /** @enum {string} */
                op: "create";
                data: components["schemas"]["NewLinkedAccount"];
              }
            | {
                /** @enum {string} */
                op: "update";
                /** Format: uuid */
                id: string;
                data: components["schemas"]["LinkedAccountChange"];
                if_match?: string;
              }
            | {
                /** @enum {string} */
                op: "delete";
                /** Format: uuid */
                id: string;
                if_match?: string;
                data?: Record<string, never>;
              }
          )[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 201
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["LinkedAccount"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listApiKeys: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "name" | "last_used_at" | "expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        user_id?: string;
        organization_id?: string;
        revoked?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "name": "Deployment",
           *           "key_prefix": "pak_AZqfbnwA",
           *           "user_id": null,
           *           "organization_id": null,
           *           "scopes": [
           *             "postern:users:read"
           *           ],
           *           "expires_at": null,
           *           "last_used_at": null,
           *           "revoked": false,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["ApiKey"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  createApiKey: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Deployment"
         *     }
         */
        "application/json": components["schemas"]["NewApiKey"];
      };
    };
    responses: {
      201: {
        headers: {
          ETag: components["headers"]["ETag"];
          Location: components["headers"]["Location"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "name": "Deployment",
           *       "key_prefix": "pak_AZqfbnwA",
           *       "user_id": null,
           *       "organization_id": null,
           *       "scopes": [
           *         "postern:users:read"
           *       ],
           *       "expires_at": null,
           *       "last_used_at": null,
           *       "revoked": false,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["CreatedApiKey"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getApiKey: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "name": "Deployment",
           *       "key_prefix": "pak_AZqfbnwA",
           *       "user_id": null,
           *       "organization_id": null,
           *       "scopes": [
           *         "postern:users:read"
           *       ],
           *       "expires_at": null,
           *       "last_used_at": null,
           *       "revoked": false,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["ApiKey"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  deleteApiKey: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  updateApiKey: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Deployment"
         *     }
         */
        "application/merge-patch+json": components["schemas"]["ApiKeyChange"];
        /**
         * @example {
         *       "name": "Deployment"
         *     }
         */
        "application/json": components["schemas"]["ApiKeyChange"];
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "name": "Deployment",
           *       "key_prefix": "pak_AZqfbnwA",
           *       "user_id": null,
           *       "organization_id": null,
           *       "scopes": [
           *         "postern:users:read"
           *       ],
           *       "expires_at": null,
           *       "last_used_at": null,
           *       "revoked": false,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["ApiKey"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  revokeApiKey: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "name": "Deployment",
           *       "key_prefix": "pak_AZqfbnwA",
           *       "user_id": null,
           *       "organization_id": null,
           *       "scopes": [
           *         "postern:users:read"
           *       ],
           *       "expires_at": null,
           *       "last_used_at": null,
           *       "revoked": false,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["ApiKey"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeApiKeysInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "create",
         *           "data": {
         *             "name": "Deployment"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: (
            | {
                /** @enum {string} */
                op: "create";
                data: components["schemas"]["NewApiKey"];
              }
            | {
                /** @enum {string} */
                op: "update";
                /** Format: uuid */
                id: string;
                data: components["schemas"]["ApiKeyChange"];
                if_match?: string;
              }
            | {
                /** @enum {string} */
                op: "delete";
                /** Format: uuid */
                id: string;
                if_match?: string;
                data?: Record<string, never>;
              }
            | {
                /** @enum {string} */
                op: "revoke";
                /** Format: uuid */
                id: string;
                if_match?: string;
              }
          )[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 201
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["CreatedApiKey"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listApps: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "name" | "client_id";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        client_id?: string;
        owner_id?: string;
        organization_id?: string;
        app_type?: "web" | "spa" | "native" | "service" | "machine";
        active?: boolean;
        public?: boolean;
        first_party?: boolean;
        provenance?: "registered" | "metadata_document" | "dynamic_registration";
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "client_id": "web-app",
           *           "name": "Shop",
           *           "logo_url": "https://shop.example/logo.png",
           *           "app_type": "web",
           *           "owner_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "organization_id": null,
           *           "redirect_uris": [
           *             "https://shop.example/callback"
           *           ],
           *           "allowed_scopes": [
           *             "openid",
           *             "profile",
           *             "orders:read"
           *           ],
           *           "allowed_grants": [
           *             "auth_code",
           *             "refresh"
           *           ],
           *           "allowed_response_types": [
           *             "code"
           *           ],
           *           "access_token_ttl": 900,
           *           "refresh_token_ttl": 604800,
           *           "refresh_token_rotation": true,
           *           "first_party": false,
           *           "public": false,
           *           "active": true,
           *           "revoked_at": null,
           *           "metadata": {
           *             "refresh_reuse_window": 10
           *           },
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z",
           *           "post_logout_redirect_uris": [
           *             "https://shop.example/"
           *           ],
           *           "default_scopes": [
           *             "orders:read"
           *           ],
           *           "token_endpoint_auth_method": "client_secret_basic",
           *           "jwks_uri": null,
           *           "id_token_signed_response_alg": null,
           *           "claims_in_id_token": true,
           *           "client_assertion_audience": "issuer",
           *           "require_pushed_authorization_requests": false,
           *           "resources": [],
           *           "dpop_bound_access_tokens": false,
           *           "dpop_bound_refresh_tokens": false,
           *           "localhost_any_port": false,
           *           "provenance": "registered",
           *           "registration": null,
           *           "last_used_at": null,
           *           "client_ip": null,
           *           "profile": null,
           *           "token_endpoint_auth_signing_alg": null,
           *           "require_acr": null
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["App"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  createApp: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Shop"
         *     }
         */
        "application/json": components["schemas"]["NewApp"];
      };
    };
    responses: {
      201: {
        headers: {
          ETag: components["headers"]["ETag"];
          Location: components["headers"]["Location"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "client_id": "web-app",
           *       "name": "Shop",
           *       "logo_url": "https://shop.example/logo.png",
           *       "app_type": "web",
           *       "owner_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "organization_id": null,
           *       "redirect_uris": [
           *         "https://shop.example/callback"
           *       ],
           *       "allowed_scopes": [
           *         "openid",
           *         "profile",
           *         "orders:read"
           *       ],
           *       "allowed_grants": [
           *         "auth_code",
           *         "refresh"
           *       ],
           *       "allowed_response_types": [
           *         "code"
           *       ],
           *       "access_token_ttl": 900,
           *       "refresh_token_ttl": 604800,
           *       "refresh_token_rotation": true,
           *       "first_party": false,
           *       "public": false,
           *       "active": true,
           *       "revoked_at": null,
           *       "metadata": {
           *         "refresh_reuse_window": 10
           *       },
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "post_logout_redirect_uris": [
           *         "https://shop.example/"
           *       ],
           *       "default_scopes": [
           *         "orders:read"
           *       ],
           *       "token_endpoint_auth_method": "client_secret_basic",
           *       "jwks": null,
           *       "jwks_uri": null,
           *       "id_token_signed_response_alg": null,
           *       "claims_in_id_token": true,
           *       "client_assertion_audience": "issuer",
           *       "require_pushed_authorization_requests": false,
           *       "resources": [],
           *       "dpop_bound_access_tokens": false,
           *       "dpop_bound_refresh_tokens": false,
           *       "localhost_any_port": false,
           *       "provenance": "registered",
           *       "registration": null,
           *       "last_used_at": null,
           *       "client_ip": null,
           *       "profile": null,
           *       "token_endpoint_auth_signing_alg": null,
           *       "require_acr": null
           *     }
           */
          "application/json": components["schemas"]["CreatedApp"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getApp: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "client_id": "web-app",
           *       "name": "Shop",
           *       "logo_url": "https://shop.example/logo.png",
           *       "app_type": "web",
           *       "owner_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "organization_id": null,
           *       "redirect_uris": [
           *         "https://shop.example/callback"
           *       ],
           *       "allowed_scopes": [
           *         "openid",
           *         "profile",
           *         "orders:read"
           *       ],
           *       "allowed_grants": [
           *         "auth_code",
           *         "refresh"
           *       ],
           *       "allowed_response_types": [
           *         "code"
           *       ],
           *       "access_token_ttl": 900,
           *       "refresh_token_ttl": 604800,
           *       "refresh_token_rotation": true,
           *       "first_party": false,
           *       "public": false,
           *       "active": true,
           *       "revoked_at": null,
           *       "metadata": {
           *         "refresh_reuse_window": 10
           *       },
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "post_logout_redirect_uris": [
           *         "https://shop.example/"
           *       ],
           *       "default_scopes": [
           *         "orders:read"
           *       ],
           *       "token_endpoint_auth_method": "client_secret_basic",
           *       "jwks": null,
           *       "jwks_uri": null,
           *       "id_token_signed_response_alg": null,
           *       "claims_in_id_token": true,
           *       "client_assertion_audience": "issuer",
           *       "require_pushed_authorization_requests": false,
           *       "resources": [],
           *       "dpop_bound_access_tokens": false,
           *       "dpop_bound_refresh_tokens": false,
           *       "localhost_any_port": false,
           *       "provenance": "registered",
           *       "registration": null,
           *       "last_used_at": null,
           *       "client_ip": null,
           *       "profile": null,
           *       "token_endpoint_auth_signing_alg": null,
           *       "require_acr": null
           *     }
           */
          "application/json": components["schemas"]["App"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  deleteApp: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  updateApp: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Shop"
         *     }
         */
        "application/merge-patch+json": components["schemas"]["AppChange"];
        /**
         * @example {
         *       "name": "Shop"
         *     }
         */
        "application/json": components["schemas"]["AppChange"];
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "client_id": "web-app",
           *       "name": "Shop",
           *       "logo_url": "https://shop.example/logo.png",
           *       "app_type": "web",
           *       "owner_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "organization_id": null,
           *       "redirect_uris": [
           *         "https://shop.example/callback"
           *       ],
           *       "allowed_scopes": [
           *         "openid",
           *         "profile",
           *         "orders:read"
           *       ],
           *       "allowed_grants": [
           *         "auth_code",
           *         "refresh"
           *       ],
           *       "allowed_response_types": [
           *         "code"
           *       ],
           *       "access_token_ttl": 900,
           *       "refresh_token_ttl": 604800,
           *       "refresh_token_rotation": true,
           *       "first_party": false,
           *       "public": false,
           *       "active": true,
           *       "revoked_at": null,
           *       "metadata": {
           *         "refresh_reuse_window": 10
           *       },
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "post_logout_redirect_uris": [
           *         "https://shop.example/"
           *       ],
           *       "default_scopes": [
           *         "orders:read"
           *       ],
           *       "token_endpoint_auth_method": "client_secret_basic",
           *       "jwks": null,
           *       "jwks_uri": null,
           *       "id_token_signed_response_alg": null,
           *       "claims_in_id_token": true,
           *       "client_assertion_audience": "issuer",
           *       "require_pushed_authorization_requests": false,
           *       "resources": [],
           *       "dpop_bound_access_tokens": false,
           *       "dpop_bound_refresh_tokens": false,
           *       "localhost_any_port": false,
           *       "provenance": "registered",
           *       "registration": null,
           *       "last_used_at": null,
           *       "client_ip": null,
           *       "profile": null,
           *       "token_endpoint_auth_signing_alg": null,
           *       "require_acr": null
           *     }
           */
          "application/json": components["schemas"]["App"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  revokeApp: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "client_id": "web-app",
           *       "name": "Shop",
           *       "logo_url": "https://shop.example/logo.png",
           *       "app_type": "web",
           *       "owner_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "organization_id": null,
           *       "redirect_uris": [
           *         "https://shop.example/callback"
           *       ],
           *       "allowed_scopes": [
           *         "openid",
           *         "profile",
           *         "orders:read"
           *       ],
           *       "allowed_grants": [
           *         "auth_code",
           *         "refresh"
           *       ],
           *       "allowed_response_types": [
           *         "code"
           *       ],
           *       "access_token_ttl": 900,
           *       "refresh_token_ttl": 604800,
           *       "refresh_token_rotation": true,
           *       "first_party": false,
           *       "public": false,
           *       "active": true,
           *       "revoked_at": null,
           *       "metadata": {
           *         "refresh_reuse_window": 10
           *       },
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "post_logout_redirect_uris": [
           *         "https://shop.example/"
           *       ],
           *       "default_scopes": [
           *         "orders:read"
           *       ],
           *       "token_endpoint_auth_method": "client_secret_basic",
           *       "jwks": null,
           *       "jwks_uri": null,
           *       "id_token_signed_response_alg": null,
           *       "claims_in_id_token": true,
           *       "client_assertion_audience": "issuer",
           *       "require_pushed_authorization_requests": false,
           *       "resources": [],
           *       "dpop_bound_access_tokens": false,
           *       "dpop_bound_refresh_tokens": false,
           *       "localhost_any_port": false,
           *       "provenance": "registered",
           *       "registration": null,
           *       "last_used_at": null,
           *       "client_ip": null,
           *       "profile": null,
           *       "token_endpoint_auth_signing_alg": null,
           *       "require_acr": null
           *     }
           */
          "application/json": components["schemas"]["App"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfApp: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  registerApp: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Ada"
         *     }
         */
        "application/json": {
          /** @example Ada */
          name: string;
          /**
           * Format: uuid
           * @example 019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a
           */
          owner_id?: string;
        };
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "client_id": "web-app",
           *       "name": "Shop",
           *       "logo_url": "https://shop.example/logo.png",
           *       "app_type": "web",
           *       "owner_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "organization_id": null,
           *       "redirect_uris": [
           *         "https://shop.example/callback"
           *       ],
           *       "allowed_scopes": [
           *         "openid",
           *         "profile",
           *         "orders:read"
           *       ],
           *       "allowed_grants": [
           *         "auth_code",
           *         "refresh"
           *       ],
           *       "allowed_response_types": [
           *         "code"
           *       ],
           *       "access_token_ttl": 900,
           *       "refresh_token_ttl": 604800,
           *       "refresh_token_rotation": true,
           *       "first_party": false,
           *       "public": false,
           *       "active": true,
           *       "revoked_at": null,
           *       "metadata": {
           *         "refresh_reuse_window": 10
           *       },
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "post_logout_redirect_uris": [
           *         "https://shop.example/"
           *       ],
           *       "default_scopes": [
           *         "orders:read"
           *       ],
           *       "token_endpoint_auth_method": "client_secret_basic",
           *       "jwks": null,
           *       "jwks_uri": null,
           *       "id_token_signed_response_alg": null,
           *       "claims_in_id_token": true,
           *       "client_assertion_audience": "issuer",
           *       "require_pushed_authorization_requests": false,
           *       "resources": [],
           *       "dpop_bound_access_tokens": false,
           *       "dpop_bound_refresh_tokens": false,
           *       "localhost_any_port": false,
           *       "provenance": "registered",
           *       "registration": null,
           *       "last_used_at": null,
           *       "client_ip": null,
           *       "profile": null,
           *       "token_endpoint_auth_signing_alg": null,
           *       "require_acr": null
           *     }
           */
          "application/json": components["schemas"]["App"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getAppByClientId: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        client_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "client_id": "web-app",
           *       "name": "Shop",
           *       "logo_url": "https://shop.example/logo.png",
           *       "app_type": "web",
           *       "owner_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "organization_id": null,
           *       "redirect_uris": [
           *         "https://shop.example/callback"
           *       ],
           *       "allowed_scopes": [
           *         "openid",
           *         "profile",
           *         "orders:read"
           *       ],
           *       "allowed_grants": [
           *         "auth_code",
           *         "refresh"
           *       ],
           *       "allowed_response_types": [
           *         "code"
           *       ],
           *       "access_token_ttl": 900,
           *       "refresh_token_ttl": 604800,
           *       "refresh_token_rotation": true,
           *       "first_party": false,
           *       "public": false,
           *       "active": true,
           *       "revoked_at": null,
           *       "metadata": {
           *         "refresh_reuse_window": 10
           *       },
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z",
           *       "post_logout_redirect_uris": [
           *         "https://shop.example/"
           *       ],
           *       "default_scopes": [
           *         "orders:read"
           *       ],
           *       "token_endpoint_auth_method": "client_secret_basic",
           *       "jwks": null,
           *       "jwks_uri": null,
           *       "id_token_signed_response_alg": null,
           *       "claims_in_id_token": true,
           *       "client_assertion_audience": "issuer",
           *       "require_pushed_authorization_requests": false,
           *       "resources": [],
           *       "dpop_bound_access_tokens": false,
           *       "dpop_bound_refresh_tokens": false,
           *       "localhost_any_port": false,
           *       "provenance": "registered",
           *       "registration": null,
           *       "last_used_at": null,
           *       "client_ip": null,
           *       "profile": null,
           *       "token_endpoint_auth_signing_alg": null,
           *       "require_acr": null
           *     }
           */
          "application/json": components["schemas"]["App"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listSecretsOfApp: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "last_used_at" | "expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        revoked?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "secret_prefix": "pcs_AZqfbnwA",
           *           "expires_at": null,
           *           "last_used_at": null,
           *           "revoked": false,
           *           "revoked_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["AppSecret"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listTokensOfApp: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "last_used_at" | "access_expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        user_id?: string;
        service_account_id?: string;
        family_id?: string;
        session_id?: string;
        revoked?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": null,
           *           "service_account_id": null,
           *           "family_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "scopes": [
           *             "orders:read"
           *           ],
           *           "audience": [
           *             "https://api.example"
           *           ],
           *           "session_id": null,
           *           "access_expires_at": "2026-11-20T12:00:00.000Z",
           *           "refresh_expires_at": null,
           *           "revoked": false,
           *           "revoked_at": null,
           *           "revoked_reason": null,
           *           "client_ip": null,
           *           "user_agent": null,
           *           "last_used_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Token"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listAuthCodesOfApp: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        user_id?: string;
        used?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "code_challenge": null,
           *           "code_challenge_method": "S256",
           *           "redirect_uri": "text",
           *           "scopes": [
           *             "orders:read"
           *           ],
           *           "nonce": null,
           *           "expires_at": "2026-11-20T12:00:00.000Z",
           *           "used": false,
           *           "used_at": null,
           *           "client_ip": null,
           *           "user_agent": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["AuthCode"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listConsentsOfApp: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "granted_at" | "last_used_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        user_id?: string;
        granted?: boolean;
        revoked?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "scopes": [
           *             "orders:read"
           *           ],
           *           "granted": true,
           *           "granted_at": "2026-11-20T12:00:00.000Z",
           *           "last_used_at": null,
           *           "revoked": false,
           *           "revoked_at": null,
           *           "revoked_reason": null,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Consent"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listRefusalsOfApp: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        short_id?: string;
        error?: string;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "short_id": "7K3M9Q2RTX",
           *           "endpoint": "/oauth/authorize",
           *           "error": "invalid_request",
           *           "app_id": null,
           *           "user_id": null,
           *           "evidence": [
           *             {
           *               "name": "redirect_uri",
           *               "received": "https://app.example/callback/",
           *               "expected": [
           *                 "https://app.example/callback"
           *               ],
           *               "kind": "redirect_uri"
           *             }
           *           ],
           *           "request_id": null,
           *           "client_ip": null,
           *           "user_agent": null,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "expires_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Refusal"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeAppsInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "create",
         *           "data": {
         *             "name": "Shop"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: (
            | {
                /** @enum {string} */
                op: "create";
                data: components["schemas"]["NewApp"];
              }
            | {
                /** @enum {string} */
                op: "update";
                /** Format: uuid */
                id: string;
                data: components["schemas"]["AppChange"];
                if_match?: string;
              }
            | {
                /** @enum {string} */
                op: "delete";
                /** Format: uuid */
                id: string;
                if_match?: string;
                data?: Record<string, never>;
              }
            | {
                /** @enum {string} */
                op: "revoke";
                /** Format: uuid */
                id: string;
                if_match?: string;
              }
          )[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 201
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["CreatedApp"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listAppSecrets: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "last_used_at" | "expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        app_id?: string;
        revoked?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "secret_prefix": "pcs_AZqfbnwA",
           *           "expires_at": null,
           *           "last_used_at": null,
           *           "revoked": false,
           *           "revoked_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["AppSecret"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  createAppSecret: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a"
         *     }
         */
        "application/json": components["schemas"]["NewAppSecret"];
      };
    };
    responses: {
      201: {
        headers: {
          ETag: components["headers"]["ETag"];
          Location: components["headers"]["Location"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "secret_prefix": "pcs_AZqfbnwA",
           *       "expires_at": null,
           *       "last_used_at": null,
           *       "revoked": false,
           *       "revoked_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["CreatedAppSecret"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getAppSecret: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "secret_prefix": "pcs_AZqfbnwA",
           *       "expires_at": null,
           *       "last_used_at": null,
           *       "revoked": false,
           *       "revoked_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["AppSecret"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  deleteAppSecret: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  updateAppSecret: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "expires_at": null
         *     }
         */
        "application/merge-patch+json": components["schemas"]["AppSecretChange"];
        /**
         * @example {
         *       "expires_at": null
         *     }
         */
        "application/json": components["schemas"]["AppSecretChange"];
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "secret_prefix": "pcs_AZqfbnwA",
           *       "expires_at": null,
           *       "last_used_at": null,
           *       "revoked": false,
           *       "revoked_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["AppSecret"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  revokeAppSecret: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "secret_prefix": "pcs_AZqfbnwA",
           *       "expires_at": null,
           *       "last_used_at": null,
           *       "revoked": false,
           *       "revoked_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["AppSecret"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfAppSecret: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeAppSecretsInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "create",
         *           "data": {
         *             "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: (
            | {
                /** @enum {string} */
                op: "create";
                data: components["schemas"]["NewAppSecret"];
              }
            | {
                /** @enum {string} */
                op: "update";
                /** Format: uuid */
                id: string;
                data: components["schemas"]["AppSecretChange"];
                if_match?: string;
              }
            | {
                /** @enum {string} */
                op: "delete";
                /** Format: uuid */
                id: string;
                if_match?: string;
                data?: Record<string, never>;
              }
            | {
                /** @enum {string} */
                op: "revoke";
                /** Format: uuid */
                id: string;
                if_match?: string;
              }
          )[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 201
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["CreatedAppSecret"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listTokens: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "last_used_at" | "access_expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        app_id?: string;
        user_id?: string;
        service_account_id?: string;
        family_id?: string;
        session_id?: string;
        revoked?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": null,
           *           "service_account_id": null,
           *           "family_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "scopes": [
           *             "orders:read"
           *           ],
           *           "audience": [
           *             "https://api.example"
           *           ],
           *           "session_id": null,
           *           "access_expires_at": "2026-11-20T12:00:00.000Z",
           *           "refresh_expires_at": null,
           *           "revoked": false,
           *           "revoked_at": null,
           *           "revoked_reason": null,
           *           "client_ip": null,
           *           "user_agent": null,
           *           "last_used_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Token"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getToken: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": null,
           *       "service_account_id": null,
           *       "family_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "scopes": [
           *         "orders:read"
           *       ],
           *       "audience": [
           *         "https://api.example"
           *       ],
           *       "session_id": null,
           *       "request_data": null,
           *       "access_expires_at": "2026-11-20T12:00:00.000Z",
           *       "refresh_expires_at": null,
           *       "revoked": false,
           *       "revoked_at": null,
           *       "revoked_reason": null,
           *       "client_ip": null,
           *       "user_agent": null,
           *       "last_used_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Token"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  revokeToken: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": null,
           *       "service_account_id": null,
           *       "family_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "scopes": [
           *         "orders:read"
           *       ],
           *       "audience": [
           *         "https://api.example"
           *       ],
           *       "session_id": null,
           *       "request_data": null,
           *       "access_expires_at": "2026-11-20T12:00:00.000Z",
           *       "refresh_expires_at": null,
           *       "revoked": false,
           *       "revoked_at": null,
           *       "revoked_reason": null,
           *       "client_ip": null,
           *       "user_agent": null,
           *       "last_used_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Token"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeTokensInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "revoke",
         *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a"
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: {
            /** @enum {string} */
            op: "revoke";
            /** Format: uuid */
            id: string;
            if_match?: string;
          }[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 200
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["Token"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listAuthCodes: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        app_id?: string;
        user_id?: string;
        used?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "code_challenge": null,
           *           "code_challenge_method": "S256",
           *           "redirect_uri": "text",
           *           "scopes": [
           *             "orders:read"
           *           ],
           *           "nonce": null,
           *           "expires_at": "2026-11-20T12:00:00.000Z",
           *           "used": false,
           *           "used_at": null,
           *           "client_ip": null,
           *           "user_agent": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["AuthCode"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getAuthCode: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "code_challenge": null,
           *       "code_challenge_method": "S256",
           *       "redirect_uri": "text",
           *       "scopes": [
           *         "orders:read"
           *       ],
           *       "state": null,
           *       "nonce": null,
           *       "request_data": null,
           *       "expires_at": "2026-11-20T12:00:00.000Z",
           *       "used": false,
           *       "used_at": null,
           *       "client_ip": null,
           *       "user_agent": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["AuthCode"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  revokeAuthCode: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "code_challenge": null,
           *       "code_challenge_method": "S256",
           *       "redirect_uri": "text",
           *       "scopes": [
           *         "orders:read"
           *       ],
           *       "state": null,
           *       "nonce": null,
           *       "request_data": null,
           *       "expires_at": "2026-11-20T12:00:00.000Z",
           *       "used": false,
           *       "used_at": null,
           *       "client_ip": null,
           *       "user_agent": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["AuthCode"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfAuthCode: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeAuthCodesInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "revoke",
         *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a"
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: {
            /** @enum {string} */
            op: "revoke";
            /** Format: uuid */
            id: string;
            if_match?: string;
          }[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 200
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["AuthCode"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listSessions: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "last_seen_at" | "expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        user_id?: string;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "authenticated_at": "2026-11-20T12:00:00.000Z",
           *           "acr": "urn:postern:acr:password",
           *           "methods": null,
           *           "last_seen_at": "2026-11-20T12:00:00.000Z",
           *           "expires_at": "2026-11-20T12:00:00.000Z",
           *           "ended_at": null,
           *           "client_ip": null,
           *           "user_agent": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Session"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getSession: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "authenticated_at": "2026-11-20T12:00:00.000Z",
           *       "acr": "urn:postern:acr:password",
           *       "methods": null,
           *       "last_seen_at": "2026-11-20T12:00:00.000Z",
           *       "expires_at": "2026-11-20T12:00:00.000Z",
           *       "ended_at": null,
           *       "client_ip": null,
           *       "user_agent": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Session"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  revokeSession: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "authenticated_at": "2026-11-20T12:00:00.000Z",
           *       "acr": "urn:postern:acr:password",
           *       "methods": null,
           *       "last_seen_at": "2026-11-20T12:00:00.000Z",
           *       "expires_at": "2026-11-20T12:00:00.000Z",
           *       "ended_at": null,
           *       "client_ip": null,
           *       "user_agent": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Session"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeSessionsInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "revoke",
         *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a"
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: {
            /** @enum {string} */
            op: "revoke";
            /** Format: uuid */
            id: string;
            if_match?: string;
          }[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 200
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["Session"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listResources: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "name" | "identifier";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        identifier?: string;
        organization_id?: string;
        who_may_ask?: "listed" | "registered" | "any";
        active?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "identifier": "https://orders.example",
           *           "name": "Orders API",
           *           "organization_id": null,
           *           "scopes": {
           *             "orders:read": "See your orders"
           *           },
           *           "default_scopes": [
           *             "orders:read"
           *           ],
           *           "who_may_ask": "registered",
           *           "app_ids": [],
           *           "access_token_signing_alg": null,
           *           "dpop_bound_access_tokens_required": false,
           *           "trailing_slash_alias": false,
           *           "active": true,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Resource"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  createResource: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "identifier": "https://orders.example",
         *       "name": "Orders API"
         *     }
         */
        "application/json": components["schemas"]["NewResource"];
      };
    };
    responses: {
      201: {
        headers: {
          ETag: components["headers"]["ETag"];
          Location: components["headers"]["Location"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "identifier": "https://orders.example",
           *       "name": "Orders API",
           *       "organization_id": null,
           *       "scopes": {
           *         "orders:read": "See your orders"
           *       },
           *       "default_scopes": [
           *         "orders:read"
           *       ],
           *       "who_may_ask": "registered",
           *       "app_ids": [],
           *       "access_token_signing_alg": null,
           *       "dpop_bound_access_tokens_required": false,
           *       "trailing_slash_alias": false,
           *       "active": true,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Resource"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getResource: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "identifier": "https://orders.example",
           *       "name": "Orders API",
           *       "organization_id": null,
           *       "scopes": {
           *         "orders:read": "See your orders"
           *       },
           *       "default_scopes": [
           *         "orders:read"
           *       ],
           *       "who_may_ask": "registered",
           *       "app_ids": [],
           *       "access_token_signing_alg": null,
           *       "dpop_bound_access_tokens_required": false,
           *       "trailing_slash_alias": false,
           *       "active": true,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Resource"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  deleteResource: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  updateResource: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Orders API"
         *     }
         */
        "application/merge-patch+json": components["schemas"]["ResourceChange"];
        /**
         * @example {
         *       "name": "Orders API"
         *     }
         */
        "application/json": components["schemas"]["ResourceChange"];
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "identifier": "https://orders.example",
           *       "name": "Orders API",
           *       "organization_id": null,
           *       "scopes": {
           *         "orders:read": "See your orders"
           *       },
           *       "default_scopes": [
           *         "orders:read"
           *       ],
           *       "who_may_ask": "registered",
           *       "app_ids": [],
           *       "access_token_signing_alg": null,
           *       "dpop_bound_access_tokens_required": false,
           *       "trailing_slash_alias": false,
           *       "active": true,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Resource"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfResource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getResourceByIdentifier: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        identifier: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "identifier": "https://orders.example",
           *       "name": "Orders API",
           *       "organization_id": null,
           *       "scopes": {
           *         "orders:read": "See your orders"
           *       },
           *       "default_scopes": [
           *         "orders:read"
           *       ],
           *       "who_may_ask": "registered",
           *       "app_ids": [],
           *       "access_token_signing_alg": null,
           *       "dpop_bound_access_tokens_required": false,
           *       "trailing_slash_alias": false,
           *       "active": true,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Resource"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeResourcesInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "create",
         *           "data": {
         *             "identifier": "https://orders.example",
         *             "name": "Orders API"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: (
            | {
                /** @enum {string} */
                op: "create";
                data: components["schemas"]["NewResource"];
              }
            | {
                /** @enum {string} */
                op: "update";
                /** Format: uuid */
                id: string;
                data: components["schemas"]["ResourceChange"];
                if_match?: string;
              }
            | {
                /** @enum {string} */
                op: "delete";
                /** Format: uuid */
                id: string;
                if_match?: string;
                data?: Record<string, never>;
              }
          )[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 201
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["Resource"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listServiceAccounts: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "name" | "email" | "last_used_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        email?: string;
        organization_id?: string;
        created_by?: string;
        active?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "name": "Nightly export",
           *           "description": null,
           *           "email": "export@acme.example",
           *           "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "created_by": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "allowed_scopes": [
           *             "orders:read"
           *           ],
           *           "active": true,
           *           "last_used_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["ServiceAccount"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  createServiceAccount: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Nightly export",
         *       "email": "export@acme.example",
         *       "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a"
         *     }
         */
        "application/json": components["schemas"]["NewServiceAccount"];
      };
    };
    responses: {
      201: {
        headers: {
          ETag: components["headers"]["ETag"];
          Location: components["headers"]["Location"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "name": "Nightly export",
           *       "description": null,
           *       "email": "export@acme.example",
           *       "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "created_by": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "allowed_scopes": [
           *         "orders:read"
           *       ],
           *       "active": true,
           *       "last_used_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["ServiceAccount"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getServiceAccount: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "name": "Nightly export",
           *       "description": null,
           *       "email": "export@acme.example",
           *       "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "created_by": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "allowed_scopes": [
           *         "orders:read"
           *       ],
           *       "active": true,
           *       "last_used_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["ServiceAccount"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  deleteServiceAccount: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  updateServiceAccount: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Nightly export"
         *     }
         */
        "application/merge-patch+json": components["schemas"]["ServiceAccountChange"];
        /**
         * @example {
         *       "name": "Nightly export"
         *     }
         */
        "application/json": components["schemas"]["ServiceAccountChange"];
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "name": "Nightly export",
           *       "description": null,
           *       "email": "export@acme.example",
           *       "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "created_by": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "allowed_scopes": [
           *         "orders:read"
           *       ],
           *       "active": true,
           *       "last_used_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["ServiceAccount"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfServiceAccount: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getServiceAccountByEmail: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        email: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "name": "Nightly export",
           *       "description": null,
           *       "email": "export@acme.example",
           *       "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "created_by": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "allowed_scopes": [
           *         "orders:read"
           *       ],
           *       "active": true,
           *       "last_used_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["ServiceAccount"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listTokensOfServiceAccount: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "last_used_at" | "access_expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        app_id?: string;
        user_id?: string;
        family_id?: string;
        session_id?: string;
        revoked?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": null,
           *           "service_account_id": null,
           *           "family_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "scopes": [
           *             "orders:read"
           *           ],
           *           "audience": [
           *             "https://api.example"
           *           ],
           *           "session_id": null,
           *           "access_expires_at": "2026-11-20T12:00:00.000Z",
           *           "refresh_expires_at": null,
           *           "revoked": false,
           *           "revoked_at": null,
           *           "revoked_reason": null,
           *           "client_ip": null,
           *           "user_agent": null,
           *           "last_used_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Token"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listKeyPairsOfServiceAccount: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "key_id" | "last_used_at" | "expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        key_id?: string;
        algorithm?: "RS256" | "RS384" | "RS512" | "ES256" | "ES384" | "ES512";
        active?: boolean;
        revoked?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "service_account_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "key_id": "2026-11",
           *           "key_type": "rsa",
           *           "algorithm": "RS256",
           *           "public_key_pem": "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A…\n-----END PUBLIC KEY-----\n",
           *           "expires_at": null,
           *           "active": true,
           *           "last_used_at": null,
           *           "revoked": false,
           *           "revoked_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["KeyPair"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeServiceAccountsInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "create",
         *           "data": {
         *             "name": "Nightly export",
         *             "email": "export@acme.example",
         *             "organization_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: (
            | {
                /** @enum {string} */
                op: "create";
                data: components["schemas"]["NewServiceAccount"];
              }
            | {
                /** @enum {string} */
                op: "update";
                /** Format: uuid */
                id: string;
                data: components["schemas"]["ServiceAccountChange"];
                if_match?: string;
              }
            | {
                /** @enum {string} */
                op: "delete";
                /** Format: uuid */
                id: string;
                if_match?: string;
                data?: Record<string, never>;
              }
          )[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 201
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["ServiceAccount"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listKeyPairs: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "key_id" | "last_used_at" | "expires_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        service_account_id?: string;
        key_id?: string;
        algorithm?: "RS256" | "RS384" | "RS512" | "ES256" | "ES384" | "ES512";
        active?: boolean;
        revoked?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "service_account_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "key_id": "2026-11",
           *           "key_type": "rsa",
           *           "algorithm": "RS256",
           *           "public_key_pem": "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A…\n-----END PUBLIC KEY-----\n",
           *           "expires_at": null,
           *           "active": true,
           *           "last_used_at": null,
           *           "revoked": false,
           *           "revoked_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["KeyPair"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  createKeyPair: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "service_account_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a"
         *     }
         */
        "application/json": components["schemas"]["NewKeyPair"];
      };
    };
    responses: {
      201: {
        headers: {
          ETag: components["headers"]["ETag"];
          Location: components["headers"]["Location"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "service_account_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "key_id": "2026-11",
           *       "key_type": "rsa",
           *       "algorithm": "RS256",
           *       "public_key_pem": "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A…\n-----END PUBLIC KEY-----\n",
           *       "expires_at": null,
           *       "active": true,
           *       "last_used_at": null,
           *       "revoked": false,
           *       "revoked_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["CreatedKeyPair"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getKeyPair: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "service_account_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "key_id": "2026-11",
           *       "key_type": "rsa",
           *       "algorithm": "RS256",
           *       "public_key_pem": "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A…\n-----END PUBLIC KEY-----\n",
           *       "expires_at": null,
           *       "active": true,
           *       "last_used_at": null,
           *       "revoked": false,
           *       "revoked_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["KeyPair"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  deleteKeyPair: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  updateKeyPair: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "key_id": "2026-11"
         *     }
         */
        "application/merge-patch+json": components["schemas"]["KeyPairChange"];
        /**
         * @example {
         *       "key_id": "2026-11"
         *     }
         */
        "application/json": components["schemas"]["KeyPairChange"];
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "service_account_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "key_id": "2026-11",
           *       "key_type": "rsa",
           *       "algorithm": "RS256",
           *       "public_key_pem": "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A…\n-----END PUBLIC KEY-----\n",
           *       "expires_at": null,
           *       "active": true,
           *       "last_used_at": null,
           *       "revoked": false,
           *       "revoked_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["KeyPair"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  revokeKeyPair: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "service_account_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "key_id": "2026-11",
           *       "key_type": "rsa",
           *       "algorithm": "RS256",
           *       "public_key_pem": "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A…\n-----END PUBLIC KEY-----\n",
           *       "expires_at": null,
           *       "active": true,
           *       "last_used_at": null,
           *       "revoked": false,
           *       "revoked_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["KeyPair"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfKeyPair: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeKeyPairsInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "create",
         *           "data": {
         *             "service_account_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: (
            | {
                /** @enum {string} */
                op: "create";
                data: components["schemas"]["NewKeyPair"];
              }
            | {
                /** @enum {string} */
                op: "update";
                /** Format: uuid */
                id: string;
                data: components["schemas"]["KeyPairChange"];
                if_match?: string;
              }
            | {
                /** @enum {string} */
                op: "delete";
                /** Format: uuid */
                id: string;
                if_match?: string;
                data?: Record<string, never>;
              }
            | {
                /** @enum {string} */
                op: "revoke";
                /** Format: uuid */
                id: string;
                if_match?: string;
              }
          )[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 201
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["CreatedKeyPair"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listConsents: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "granted_at" | "last_used_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        user_id?: string;
        app_id?: string;
        granted?: boolean;
        revoked?: boolean;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "scopes": [
           *             "orders:read"
           *           ],
           *           "granted": true,
           *           "granted_at": "2026-11-20T12:00:00.000Z",
           *           "last_used_at": null,
           *           "revoked": false,
           *           "revoked_at": null,
           *           "revoked_reason": null,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "updated_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Consent"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  createConsent: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
         *       "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a"
         *     }
         */
        "application/json": components["schemas"]["NewConsent"];
      };
    };
    responses: {
      201: {
        headers: {
          ETag: components["headers"]["ETag"];
          Location: components["headers"]["Location"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "scopes": [
           *         "orders:read"
           *       ],
           *       "granted": true,
           *       "granted_at": "2026-11-20T12:00:00.000Z",
           *       "last_used_at": null,
           *       "revoked": false,
           *       "revoked_at": null,
           *       "revoked_reason": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Consent"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getConsent: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "scopes": [
           *         "orders:read"
           *       ],
           *       "granted": true,
           *       "granted_at": "2026-11-20T12:00:00.000Z",
           *       "last_used_at": null,
           *       "revoked": false,
           *       "revoked_at": null,
           *       "revoked_reason": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Consent"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  deleteConsent: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  updateConsent: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "scopes": [
         *         "orders:read"
         *       ]
         *     }
         */
        "application/merge-patch+json": components["schemas"]["ConsentChange"];
        /**
         * @example {
         *       "scopes": [
         *         "orders:read"
         *       ]
         *     }
         */
        "application/json": components["schemas"]["ConsentChange"];
      };
    };
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "scopes": [
           *         "orders:read"
           *       ],
           *       "granted": true,
           *       "granted_at": "2026-11-20T12:00:00.000Z",
           *       "last_used_at": null,
           *       "revoked": false,
           *       "revoked_at": null,
           *       "revoked_reason": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Consent"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  revokeConsent: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "scopes": [
           *         "orders:read"
           *       ],
           *       "granted": true,
           *       "granted_at": "2026-11-20T12:00:00.000Z",
           *       "last_used_at": null,
           *       "revoked": false,
           *       "revoked_at": null,
           *       "revoked_reason": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "updated_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Consent"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      413: components["responses"]["Refusal413"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfConsent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeConsentsInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "create",
         *           "data": {
         *             "user_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
         *             "app_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a"
         *           }
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: (
            | {
                /** @enum {string} */
                op: "create";
                data: components["schemas"]["NewConsent"];
              }
            | {
                /** @enum {string} */
                op: "update";
                /** Format: uuid */
                id: string;
                data: components["schemas"]["ConsentChange"];
                if_match?: string;
              }
            | {
                /** @enum {string} */
                op: "delete";
                /** Format: uuid */
                id: string;
                if_match?: string;
                data?: Record<string, never>;
              }
            | {
                /** @enum {string} */
                op: "revoke";
                /** Format: uuid */
                id: string;
                if_match?: string;
              }
          )[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 201
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["Consent"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listSigningKeys: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at" | "activates_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        kid?: string;
        q?: string;
        created_from?: string;
        created_before?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "kid": "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
           *           "public_jwk": {
           *             "kty": "RSA",
           *             "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiA…",
           *             "e": "AQAB"
           *           },
           *           "algorithm": "RS256",
           *           "activates_at": "2026-11-20T12:00:00.000Z",
           *           "retires_at": null,
           *           "expires_at": null,
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["SigningKey"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  createSigningKey: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "algorithm": "RS256",
         *       "activates_in": 600
         *     }
         */
        "application/json": components["schemas"]["NewSigningKey"];
      };
    };
    responses: {
      201: {
        headers: {
          ETag: components["headers"]["ETag"];
          Location: components["headers"]["Location"];
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "kid": "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
           *       "public_jwk": {
           *         "kty": "RSA",
           *         "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiA…",
           *         "e": "AQAB"
           *       },
           *       "algorithm": "RS256",
           *       "activates_at": "2026-11-20T12:00:00.000Z",
           *       "retires_at": null,
           *       "expires_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["SigningKey"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getSigningKey: {
    parameters: {
      query?: never;
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "kid": "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
           *       "public_jwk": {
           *         "kty": "RSA",
           *         "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiA…",
           *         "e": "AQAB"
           *       },
           *       "algorithm": "RS256",
           *       "activates_at": "2026-11-20T12:00:00.000Z",
           *       "retires_at": null,
           *       "expires_at": null,
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["SigningKey"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  deleteSigningKey: {
    parameters: {
      query?: never;
      header?: {
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      409: components["responses"]["Refusal409"];
      412: components["responses"]["Refusal412"];
      414: components["responses"]["Refusal414"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getImpactOfSigningKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tokens": 12,
           *       "people": 3
           *     }
           */
          "application/json": components["schemas"]["Impact"];
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  changeSigningKeysInBulk: {
    parameters: {
      query?: never;
      header?: {
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "operations": [
         *         {
         *           "op": "create",
         *           "data": {
         *             "algorithm": "RS256",
         *             "activates_in": 600
         *           }
         *         }
         *       ]
         *     }
         */
        "application/json": {
          operations: (
            | {
                /** @enum {string} */
                op: "create";
                data: components["schemas"]["NewSigningKey"];
              }
            | {
                /** @enum {string} */
                op: "delete";
                /** Format: uuid */
                id: string;
                if_match?: string;
                data?: Record<string, never>;
              }
          )[];
        };
      };
    };
    responses: {
      200: {
        headers: {
          "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "status": 201
           *         }
           *       ]
           *     }
           */
          "application/json": {
            results: {
              status: number;
              etag?: string;
              data?: components["schemas"]["SigningKey"];
              error?: components["schemas"]["Problem"];
            }[];
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      409: components["responses"]["Refusal409"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listAuditEvents: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        type?:
          | (
              | "api.created"
              | "api.deleted"
              | "api.revoked"
              | "api.updated"
              | "api_key.created"
              | "api_key.deleted"
              | "api_key.revoked"
              | "api_key.updated"
              | "app.access_ended"
              | "app.created"
              | "app.deleted"
              | "app.registered"
              | "app.revoked"
              | "app.updated"
              | "app_secret.created"
              | "app_secret.deleted"
              | "app_secret.revoked"
              | "app_secret.updated"
              | "audit_event.created"
              | "audit_event.deleted"
              | "audit_event.revoked"
              | "audit_event.updated"
              | "authenticator_app.created"
              | "authenticator_app.deleted"
              | "authenticator_app.updated"
              | "authorization_code.created"
              | "authorization_code.deleted"
              | "authorization_code.revoked"
              | "authorization_code.updated"
              | "built_in_app_made"
              | "client_authentication"
              | "client_document_changed"
              | "client_document_gone"
              | "client_document_stored"
              | "client_registered"
              | "code_replay"
              | "consent"
              | "consent.created"
              | "consent.deleted"
              | "consent.revoked"
              | "consent.updated"
              | "device.created"
              | "device.deleted"
              | "introspection"
              | "invitation.accepted"
              | "invitation.created"
              | "invitation.withdrawn"
              | "key_pair.created"
              | "key_pair.deleted"
              | "key_pair.revoked"
              | "key_pair.updated"
              | "linked_account.created"
              | "linked_account.deleted"
              | "linked_account.revoked"
              | "linked_account.tokens_revoked"
              | "linked_account.updated"
              | "membership.created"
              | "membership.deleted"
              | "membership.revoked"
              | "membership.updated"
              | "open_clients_swept"
              | "organization.created"
              | "organization.deleted"
              | "organization.revoked"
              | "organization.updated"
              | "passkey.created"
              | "passkey.deleted"
              | "passkey.refused"
              | "passkey.updated"
              | "password_reset"
              | "password_reset_request"
              | "provider.created"
              | "provider.deleted"
              | "provider.revoked"
              | "provider.updated"
              | "records_exported"
              | "recovery.created"
              | "recovery.deleted"
              | "recovery.finished"
              | "recovery_code.used"
              | "recovery_codes.created"
              | "refresh_replay"
              | "refusal.created"
              | "refusal.deleted"
              | "refusal.revoked"
              | "refusal.updated"
              | "registration_request"
              | "revocation_failed"
              | "service_account.created"
              | "service_account.deleted"
              | "service_account.revoked"
              | "service_account.updated"
              | "service_account_authentication"
              | "session.created"
              | "session.deleted"
              | "session.revoked"
              | "session.updated"
              | "sign_in"
              | "sign_out"
              | "signing_key.created"
              | "signing_key.deleted"
              | "signing_key.revoked"
              | "signing_key.updated"
              | "step_up"
              | "token.created"
              | "token.deleted"
              | "token.revoked"
              | "token.updated"
              | "token_issued"
              | "token_revoked"
              | "user.access_revoked"
              | "user.created"
              | "user.data_exported"
              | "user.deleted"
              | "user.deletion_asked"
              | "user.deletion_undone"
              | "user.factor_removed"
              | "user.factors_reset"
              | "user.revoked"
              | "user.updated"
            )
          | string;
        outcome?: "success" | "failure";
        actor_kind?: "user" | "client" | "service_account" | "api_key" | "system" | "anonymous";
        actor_id?: string;
        target_table?:
          | (
              | "users"
              | "organizations"
              | "memberships"
              | "providers"
              | "oauth_accounts"
              | "api_keys"
              | "oauth_apps"
              | "oauth_app_secrets"
              | "oauth_tokens"
              | "oauth_auth_codes"
              | "oauth_consents"
              | "sessions"
              | "resources"
              | "service_accounts"
              | "service_account_key_pairs"
              | "signing_keys"
              | "audit_events"
              | "refusals"
            )
          | string;
        target_id?: string;
        organization_id?: string;
        request_id?: string;
        group?: "changes";
        q?: string;
        created_from?: string;
        created_before?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "type": "app.created",
           *           "outcome": "success",
           *           "actor_kind": "user",
           *           "actor_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "organization_id": null,
           *           "target_table": "oauth_apps",
           *           "target_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "client_ip": null,
           *           "user_agent": null,
           *           "request_id": null,
           *           "details": {
           *             "after": {
           *               "name": "Orders"
           *             }
           *           },
           *           "created_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["AuditEvent"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  exportAuditEvents: {
    parameters: {
      query?: {
        type?:
          | (
              | "api.created"
              | "api.deleted"
              | "api.revoked"
              | "api.updated"
              | "api_key.created"
              | "api_key.deleted"
              | "api_key.revoked"
              | "api_key.updated"
              | "app.access_ended"
              | "app.created"
              | "app.deleted"
              | "app.registered"
              | "app.revoked"
              | "app.updated"
              | "app_secret.created"
              | "app_secret.deleted"
              | "app_secret.revoked"
              | "app_secret.updated"
              | "audit_event.created"
              | "audit_event.deleted"
              | "audit_event.revoked"
              | "audit_event.updated"
              | "authenticator_app.created"
              | "authenticator_app.deleted"
              | "authenticator_app.updated"
              | "authorization_code.created"
              | "authorization_code.deleted"
              | "authorization_code.revoked"
              | "authorization_code.updated"
              | "built_in_app_made"
              | "client_authentication"
              | "client_document_changed"
              | "client_document_gone"
              | "client_document_stored"
              | "client_registered"
              | "code_replay"
              | "consent"
              | "consent.created"
              | "consent.deleted"
              | "consent.revoked"
              | "consent.updated"
              | "device.created"
              | "device.deleted"
              | "introspection"
              | "invitation.accepted"
              | "invitation.created"
              | "invitation.withdrawn"
              | "key_pair.created"
              | "key_pair.deleted"
              | "key_pair.revoked"
              | "key_pair.updated"
              | "linked_account.created"
              | "linked_account.deleted"
              | "linked_account.revoked"
              | "linked_account.tokens_revoked"
              | "linked_account.updated"
              | "membership.created"
              | "membership.deleted"
              | "membership.revoked"
              | "membership.updated"
              | "open_clients_swept"
              | "organization.created"
              | "organization.deleted"
              | "organization.revoked"
              | "organization.updated"
              | "passkey.created"
              | "passkey.deleted"
              | "passkey.refused"
              | "passkey.updated"
              | "password_reset"
              | "password_reset_request"
              | "provider.created"
              | "provider.deleted"
              | "provider.revoked"
              | "provider.updated"
              | "records_exported"
              | "recovery.created"
              | "recovery.deleted"
              | "recovery.finished"
              | "recovery_code.used"
              | "recovery_codes.created"
              | "refresh_replay"
              | "refusal.created"
              | "refusal.deleted"
              | "refusal.revoked"
              | "refusal.updated"
              | "registration_request"
              | "revocation_failed"
              | "service_account.created"
              | "service_account.deleted"
              | "service_account.revoked"
              | "service_account.updated"
              | "service_account_authentication"
              | "session.created"
              | "session.deleted"
              | "session.revoked"
              | "session.updated"
              | "sign_in"
              | "sign_out"
              | "signing_key.created"
              | "signing_key.deleted"
              | "signing_key.revoked"
              | "signing_key.updated"
              | "step_up"
              | "token.created"
              | "token.deleted"
              | "token.revoked"
              | "token.updated"
              | "token_issued"
              | "token_revoked"
              | "user.access_revoked"
              | "user.created"
              | "user.data_exported"
              | "user.deleted"
              | "user.deletion_asked"
              | "user.deletion_undone"
              | "user.factor_removed"
              | "user.factors_reset"
              | "user.revoked"
              | "user.updated"
            )
          | string;
        outcome?: "success" | "failure";
        actor_kind?: "user" | "client" | "service_account" | "api_key" | "system" | "anonymous";
        actor_id?: string;
        target_table?:
          | (
              | "users"
              | "organizations"
              | "memberships"
              | "providers"
              | "oauth_accounts"
              | "api_keys"
              | "oauth_apps"
              | "oauth_app_secrets"
              | "oauth_tokens"
              | "oauth_auth_codes"
              | "oauth_consents"
              | "sessions"
              | "resources"
              | "service_accounts"
              | "service_account_key_pairs"
              | "signing_keys"
              | "audit_events"
              | "refusals"
            )
          | string;
        target_id?: string;
        organization_id?: string;
        request_id?: string;
        group?: "changes";
        q?: string;
        created_from?: string;
        created_before?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/x-ndjson": string;
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getAuditEvent: {
    parameters: {
      query?: never;
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "type": "app.created",
           *       "outcome": "success",
           *       "actor_kind": "user",
           *       "actor_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "organization_id": null,
           *       "target_table": "oauth_apps",
           *       "target_id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "client_ip": null,
           *       "user_agent": null,
           *       "request_id": null,
           *       "details": {
           *         "after": {
           *           "name": "Orders"
           *         }
           *       },
           *       "created_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["AuditEvent"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  listRefusals: {
    parameters: {
      query?: {
        limit?: components["parameters"]["Limit"];
        cursor?: components["parameters"]["Cursor"];
        sort?: "created_at";
        order?: components["parameters"]["Order"];
        total?: components["parameters"]["Total"];
        short_id?: string;
        app_id?: string;
        error?: string;
        q?: string;
        created_from?: string;
        created_before?: string;
        include?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *           "short_id": "7K3M9Q2RTX",
           *           "endpoint": "/oauth/authorize",
           *           "error": "invalid_request",
           *           "app_id": null,
           *           "user_id": null,
           *           "evidence": [
           *             {
           *               "name": "redirect_uri",
           *               "received": "https://app.example/callback/",
           *               "expected": [
           *                 "https://app.example/callback"
           *               ],
           *               "kind": "redirect_uri"
           *             }
           *           ],
           *           "request_id": null,
           *           "client_ip": null,
           *           "user_agent": null,
           *           "created_at": "2026-11-20T12:00:00.000Z",
           *           "expires_at": "2026-11-20T12:00:00.000Z"
           *         }
           *       ],
           *       "next_cursor": null,
           *       "previous_cursor": null
           *     }
           */
          "application/json": {
            data: components["schemas"]["Refusal"][];
            next_cursor: string | null;
            previous_cursor: string | null;
            total?: number;
            total_is_more?: boolean;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  getRefusal: {
    parameters: {
      query?: {
        include?: string;
      };
      header?: {
        "If-None-Match"?: components["parameters"]["IfNoneMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
           *       "short_id": "7K3M9Q2RTX",
           *       "endpoint": "/oauth/authorize",
           *       "error": "invalid_request",
           *       "app_id": null,
           *       "user_id": null,
           *       "evidence": [
           *         {
           *           "name": "redirect_uri",
           *           "received": "https://app.example/callback/",
           *           "expected": [
           *             "https://app.example/callback"
           *           ],
           *           "kind": "redirect_uri"
           *         }
           *       ],
           *       "request_id": null,
           *       "client_ip": null,
           *       "user_agent": null,
           *       "created_at": "2026-11-20T12:00:00.000Z",
           *       "expires_at": "2026-11-20T12:00:00.000Z"
           *     }
           */
          "application/json": components["schemas"]["Refusal"];
        };
      };
      304: {
        headers: {
          ETag: components["headers"]["ETag"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      404: components["responses"]["Refusal404"];
      414: components["responses"]["Refusal414"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
  introspect: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "token": "eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl"
         *     }
         */
        "application/json": {
          token: string;
        };
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "active": false,
           *       "reason": "it was revoked (logout)",
           *       "token_type": "Bearer",
           *       "scope": "openid",
           *       "client_id": "web-app"
           *     }
           */
          "application/json": {
            active: boolean;
            reason?: string;
            /** @enum {string} */
            token_type?: "Bearer" | "refresh_token" | "api_key";
            scope?: string;
            client_id?: string;
            username?: string;
            exp?: number;
            iat?: number;
            sub?: string;
            aud?: string[];
            jti?: string;
            family_id?: string;
          };
        };
      };
      400: components["responses"]["Refusal400"];
      401: components["responses"]["Refusal401"];
      403: components["responses"]["Refusal403"];
      413: components["responses"]["Refusal413"];
      415: components["responses"]["Refusal415"];
      422: components["responses"]["Refusal422"];
      429: components["responses"]["Refusal429"];
      500: components["responses"]["Refusal500"];
      503: components["responses"]["Refusal503"];
    };
  };
}
