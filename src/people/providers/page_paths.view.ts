interface Slugged {
  readonly slug: string;
}

export const leavePath = ({ slug }: Slugged): string => `/sign-in/${slug}`;

/**
 * Returns the path of the page on which the user continues with the provider account that is pending in this
 * browser.
 */
export const continuePath = (provider: Slugged): string => `${leavePath(provider)}/continue`;
