interface Slugged {
  readonly slug: string;
}

/** The target of a provider's button. */
export const leavePath = ({ slug }: Slugged): string => `/sign-in/${slug}`;

/** The page that continues with an account waiting in this browser. */
export const continuePath = (provider: Slugged): string => `${leavePath(provider)}/continue`;
