/** The sign-in page, with the address on this server at which the person goes on afterwards. */
export function loginHref(redirect: string): string {
  return `/login?redirect=${encodeURIComponent(redirect.toWellFormed())}`;
}
