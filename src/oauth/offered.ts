/** The lists of the specification, and what settings switch on beyond them (design 6.14). */
import { extraClientAuthentication, extraGrants, type Feature, type Profile } from "../records/names.ts";
import { type Demands, demandsOf } from "../records/profiles.ts";
import type { AuthorizationServer, ClientAuthenticationMethod, Grant, SenderConstraint } from "./server.ts";

export function offeredGrants({ grants, settings }: AuthorizationServer): readonly Grant[] {
  return grants.filter(({ grant_type }) => isOffered(grant_type, extraGrants, settings.extra_grants));
}

const none: readonly Profile[] = [];

/** What the profiles of the server demand of every app. */
export function demandsOnAll({ settings }: Pick<AuthorizationServer, "settings">): Demands {
  return demandsOf(settings.profiles ?? none);
}

/** The methods that a request may use; which of them an app may, its rules say. */
export function offeredMethods(server: AuthorizationServer): readonly ClientAuthenticationMethod[] {
  const { clientAuthenticationMethods, settings } = server;
  const demanded = demandsOnAll(server).authentication_methods ?? [];
  const switched_on = [...(settings.extra_client_auth ?? []), ...demanded];
  return clientAuthenticationMethods.filter(({ name }) =>
    isOffered(name, extraClientAuthentication, switched_on),
  );
}

/** Those that any client may use: profiles of the server leave less than it can read. */
export function usableMethods(server: AuthorizationServer): readonly ClientAuthenticationMethod[] {
  const { authentication_methods } = demandsOnAll(server);
  return offeredMethods(server).filter(
    ({ name }) => authentication_methods?.some((each) => each === name) ?? true,
  );
}

/** The names of the methods by which a client proves itself. */
export function confidentialMethods(server: AuthorizationServer): readonly string[] {
  return usableMethods(server).flatMap(({ client_type, name }) =>
    client_type === "confidential" ? [name] : [],
  );
}

/** Whether settings switch on this part of the protocol. */
export function offersFeature(server: Pick<AuthorizationServer, "settings">, feature: Feature): boolean {
  const isOn = server.settings.extra_features?.includes(feature) ?? false;
  return isOn || demandsOnAll(server).features.includes(feature);
}

export function offeredConstraints(server: AuthorizationServer): readonly SenderConstraint[] {
  return server.senderConstraints.filter(({ name }) => offersFeature(server, name));
}

function isOffered(name: string, extra: readonly string[], switched_on: readonly string[] = []): boolean {
  return !extra.includes(name) || switched_on.includes(name);
}

/** Whether every app has to push its authorization requests (RFC 9126 5). */
export function requiresPushes(server: Pick<AuthorizationServer, "settings">): boolean {
  return (server.settings.require_pushed_requests ?? false) || demandsOnAll(server).pushed_requests;
}

/** Whether the server describes itself as a resource, and lets in what clients send that read it. */
export function describesItself(server: Pick<AuthorizationServer, "settings">): boolean {
  return demandsOnAll(server).resource_metadata;
}
