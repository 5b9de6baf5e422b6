/** The server's own brand. Without it, the pages show Postern's wordmark. */
export type Brand = {
  name: string;
  logo_url?: string | undefined;
  /** The style sheet with its colors, linked after the server's. */
  style_href?: string | undefined;
};
