/** Where a provider sends people back to; with `anyProvider` it is the pattern of the routes. */
interface Slugged {
  readonly slug: string;
}

export const anyProvider: Slugged = { slug: ":slug" };

export const callbackPath = ({ slug }: Slugged): string => `/sign-in/${slug}/callback`;

/** Where a provider sends its logout tokens (OpenID Connect Back-Channel Logout 1.0). */
export const backchannelLogoutPath = ({ slug }: Slugged): string => `/sign-in/${slug}/backchannel-logout`;

/** The one redirect URI for providers (EP-4): it is registered there exactly like this. */
export const callbackOf = (issuer: string, provider: Slugged): string => `${issuer}${callbackPath(provider)}`;
