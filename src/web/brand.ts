/** Whose server this is; without it the pages carry Postern's own wordmark. */
export type Brand = {
  name: string;
  logo_url?: string | undefined;
  /** The style sheet of its colours, linked after our own. */
  style_href?: string | undefined;
};
