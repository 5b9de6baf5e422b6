/** A brand of an organization or of the server. Without a brand, the pages show Postern's wordmark. */
export type Brand = {
  name: string;
  logo_url?: string | undefined;
  style_href?: string | undefined;
};
