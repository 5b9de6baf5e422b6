/** Returns the path of the sign-in page, with the local path or URL at which to resume afterwards. */
export function loginHref(redirect: string): string {
  return `/login?redirect=${encodeURIComponent(redirect.toWellFormed())}`;
}
