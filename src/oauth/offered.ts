/** The lists of the specification, and what settings switch on beyond them (design 6.14). */
import { extraClientAuthentication, extraGrants, type Feature } from "../records/names.ts";
import type { AuthorizationServer, ClientAuthenticationMethod, Grant, SenderConstraint } from "./server.ts";

export function offeredGrants({ grants, settings }: AuthorizationServer): readonly Grant[] {
  return grants.filter(({ grant_type }) => isOffered(grant_type, extraGrants, settings.extra_grants));
}

export function offeredMethods(server: AuthorizationServer): readonly ClientAuthenticationMethod[] {
  const { clientAuthenticationMethods, settings } = server;
  return clientAuthenticationMethods.filter(({ name }) =>
    isOffered(name, extraClientAuthentication, settings.extra_client_auth),
  );
}

/** The names of the methods by which a client proves itself. */
export function confidentialMethods(server: AuthorizationServer): readonly string[] {
  return offeredMethods(server).flatMap(({ client_type, name }) =>
    client_type === "confidential" ? [name] : [],
  );
}

/** Whether settings switch on this part of the protocol. */
export function offersFeature({ settings }: AuthorizationServer, feature: Feature): boolean {
  return settings.extra_features?.includes(feature) ?? false;
}

export function offeredConstraints(server: AuthorizationServer): readonly SenderConstraint[] {
  return server.senderConstraints.filter(({ name }) => offersFeature(server, name));
}

function isOffered(name: string, extra: readonly string[], switched_on: readonly string[] = []): boolean {
  return !extra.includes(name) || switched_on.includes(name);
}
