/**
 * Returns the URL if it is safe in a link; undefined if following it could run code or unexpectedly leave the
 * site. Private-use schemes contain a dot (RFC 8252, section 7.1). Browsers read `\` as `/`, and drop tabs
 * and newlines, so these are rejected.
 */
export function safeHref(address: string | undefined): string | undefined {
  if (address === undefined || /[^!-[\]-~]/.test(address)) return undefined;
  if (/^\/(?!\/)/.test(address)) return address;
  if (!URL.canParse(address)) return undefined;
  const scheme = new URL(address).protocol;
  return scheme === "https:" || scheme === "http:" || scheme.includes(".") ? address : undefined;
}
