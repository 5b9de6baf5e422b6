/**
 * Paths to which a provider redirects users or sends logout tokens; for `anyProvider`, the patterns of the
 * routes.
 */
interface Slugged {
  readonly slug: string;
}

export const anyProvider: Slugged = { slug: ":slug" };

export const callbackPath = ({ slug }: Slugged): string => `/sign-in/${slug}/callback`;

/**
 * Returns the path to which a provider sends its logout tokens (OpenID Connect Back-Channel Logout 1.0).
 */
export const backchannelLogoutPath = ({ slug }: Slugged): string => `/sign-in/${slug}/backchannel-logout`;

/**
 * Returns the redirect URI for a provider (EP-4), which must be registered at the provider in exactly this
 * form.
 */
export const callbackOf = (issuer: string, provider: Slugged): string => `${issuer}${callbackPath(provider)}`;
