interface Slugged {
  readonly slug: string;
}

/** Where the button of a provider posts to. */
export const leavePath = ({ slug }: Slugged): string => `/sign-in/${slug}`;

/** The page that goes on with an account that waits in this browser. */
export const continuePath = (provider: Slugged): string => `${leavePath(provider)}/continue`;
