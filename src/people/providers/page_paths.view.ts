interface Slugged {
  readonly slug: string;
}

export const leavePath = ({ slug }: Slugged): string => `/sign-in/${slug}`;

/** Returns the path of the page for the provider account that is pending in this browser. */
export const continuePath = (provider: Slugged): string => `${leavePath(provider)}/continue`;
