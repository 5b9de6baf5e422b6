/** The server's own brand; without it the pages carry Postern's wordmark. */
export type Brand = {
  name: string;
  logo_url?: string | undefined;
  /** The style sheet of its colors, linked after our own. */
  style_href?: string | undefined;
};
