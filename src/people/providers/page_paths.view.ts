interface Slugged {
  readonly slug: string;
}

/** Where the button of a provider posts to. */
export const leavePath = ({ slug }: Slugged): string => `/sign-in/${slug}`;

/** The page that continues with an account waiting in this browser. */
export const continuePath = (provider: Slugged): string => `${leavePath(provider)}/continue`;
