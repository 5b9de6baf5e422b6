/** The server's own brand. Without it, the pages show Postern's wordmark. */
export type Brand = {
  name: string;
  logo_url?: string | undefined;
  /** The style sheet with its colors, linked after our own. */
  style_href?: string | undefined;
};
