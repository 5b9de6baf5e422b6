/** The sign-in page, with the address on this server to continue at. */
export function loginHref(redirect: string): string {
  return `/login?redirect=${encodeURIComponent(redirect.toWellFormed())}`;
}
