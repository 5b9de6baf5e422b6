import type { IdentityContext } from "../../core/context/context.ts";

export interface PasskeySite {
  readonly rp_id: string;
  readonly origin: string;
}

/**
 * Returns the relying party ID and origin of this server; undefined on an IP address, for which browsers
 * create no passkeys.
 */
export function passkeySite(issuer: string): PasskeySite | undefined {
  const { hostname, origin } = new URL(issuer);
  const is_address = /^[\d.]+$/.test(hostname) || hostname.startsWith("[");
  return is_address ? undefined : { rp_id: hostname, origin };
}

/** Returns the relying party of this server; undefined also if passkeys are turned off. */
export function offeredPasskeySite(
  issuer: string,
  { settings }: Pick<IdentityContext, "settings">,
): PasskeySite | undefined {
  return settings?.extra_sign_in?.includes("passkey") ? passkeySite(issuer) : undefined;
}
