/** Where a provider sends people back to; with `anyProvider` it is the pattern of the routes. */
interface Slugged {
  readonly slug: string;
}

export const anyProvider: Slugged = { slug: ":slug" };

export const callbackPath = ({ slug }: Slugged): string => `/sign-in/${slug}/callback`;

/** The one address to which the provider sends people back (EP-4): it is registered there as it stands. */
export const callbackOf = (issuer: string, provider: Slugged): string => `${issuer}${callbackPath(provider)}`;
