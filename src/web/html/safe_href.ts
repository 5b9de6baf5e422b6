/**
 * The address as a link may carry it, or undefined where following it could run something or leave by
 * surprise.
 *
 * Allowed: a path on this origin, http, https, and private-use schemes, which hold a dot (RFC 8252 7.1).
 * Browsers drop tabs and newlines and read `\` as `/`, so anything but plain visible ASCII is refused before
 * looking further.
 */
export function safeHref(address: string | undefined): string | undefined {
  if (address === undefined || /[^!-[\]-~]/.test(address)) return undefined;
  if (/^\/(?!\/)/.test(address)) return address;
  if (!URL.canParse(address)) return undefined;
  const scheme = new URL(address).protocol;
  return scheme === "https:" || scheme === "http:" || scheme.includes(".") ? address : undefined;
}
