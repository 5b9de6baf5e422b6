/** The path to which a provider redirects users; with `anyProvider`, the pattern of the routes. */
interface Slugged {
  readonly slug: string;
}

export const anyProvider: Slugged = { slug: ":slug" };

export const callbackPath = ({ slug }: Slugged): string => `/sign-in/${slug}/callback`;

/**
 * Returns the path to which a provider sends its logout tokens (OpenID Connect Back-Channel Logout 1.0).
 */
export const backchannelLogoutPath = ({ slug }: Slugged): string => `/sign-in/${slug}/backchannel-logout`;

/** Returns the one redirect URI for providers (EP-4), to be registered there exactly like this. */
export const callbackOf = (issuer: string, provider: Slugged): string => `${issuer}${callbackPath(provider)}`;
