/** The lists of the specification, and what settings switch on beyond them (design 6.14). */
import { extraGrants, type Feature } from "../records/names/names.ts";
import { demandsOnAll, isFeatureOn, isMethodOn } from "../records/names/profiles.ts";
import type { AuthorizationServer, ClientAuthenticationMethod, Grant } from "./server.ts";

export function offeredGrants({ grants, settings }: AuthorizationServer): readonly Grant[] {
  return grants.filter(({ grant_type }) => isOffered(grant_type, extraGrants, settings.extra_grants));
}

/** The methods that a request may use; which of them an app may, its rules say. */
export function offeredMethods(server: AuthorizationServer): readonly ClientAuthenticationMethod[] {
  return server.clientAuthenticationMethods.filter(({ name }) => isMethodOn(name, server.settings));
}

/** Those that any client may use: profiles of the server leave less than it can read. */
export function usableMethods(server: AuthorizationServer): readonly ClientAuthenticationMethod[] {
  const { authentication_methods } = demandsOnAll(server.settings);
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
  return isFeatureOn(feature, server.settings);
}

function isOffered(name: string, extra: readonly string[], switched_on: readonly string[] = []): boolean {
  return !extra.includes(name) || switched_on.includes(name);
}

/** Whether a profile lets clients come along that nobody registered, once an API is open to them. */
export function mayBeOpen({ settings }: Pick<AuthorizationServer, "settings">): boolean {
  return demandsOnAll(settings).open_clients;
}

/** Whether clients that nobody registered may come along: a profile says so, and an API is open (PR-2). */
export async function allowsOpenClients(
  server: Pick<AuthorizationServer, "settings" | "store">,
): Promise<boolean> {
  return mayBeOpen(server) && (await server.store.findOpenResource()) !== undefined;
}

/** Whether every app has to push its authorization requests (RFC 9126 5). */
export function requiresPushes(server: Pick<AuthorizationServer, "settings">): boolean {
  return (server.settings.require_pushed_requests ?? false) || demandsOnAll(server.settings).pushed_requests;
}

/** Whether the server describes itself as a resource, and lets in what clients send that read it. */
export function describesItself(server: Pick<AuthorizationServer, "settings">): boolean {
  return demandsOnAll(server.settings).resource_metadata;
}

/**
 * Whether access tokens tell their resource servers how the user signed in (RFC 9470 6): there is more to
 * tell than a password.
 */
export function tellsResources({ settings }: AuthorizationServer): boolean {
  return settings.extra_sign_in !== undefined && settings.extra_sign_in.length > 0;
}
