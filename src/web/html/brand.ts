/** A brand of an organization or of the server. */
export type Brand = {
  name: string;
  logo_url?: string | undefined;
  style_href?: string | undefined;
};
