interface Slugged {
  readonly slug: string;
}

export const leavePath = ({ slug }: Slugged): string => `/sign-in/${slug}`;

/** Returns the page that continues with the account waiting in this browser. */
export const continuePath = (provider: Slugged): string => `${leavePath(provider)}/continue`;
