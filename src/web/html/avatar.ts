import { once } from "../../lazily.ts";
import { type Html, html } from "./html.ts";

/**
 * Returns the URL if it is an https, data or local URL. The content security policy blocks pictures at all
 * other URLs.
 */
function shownLogo(logo_url: string | null | undefined): string | undefined {
  return logo_url && /^(https:\/\/|data:image\/|\/(?![/\\]))/i.test(logo_url) ? logo_url : undefined;
}

const graphemes = once(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

function initial(name: string): string {
  const [first] = graphemes().segment(name.trim());
  return first?.segment.toLocaleUpperCase("en") ?? "?";
}

/** Renders a small picture of an app or a user. Screen readers skip it, so show the name next to it. */
export function avatar({
  name,
  logo_url,
  kind,
}: {
  name: string;
  logo_url?: string | null | undefined;
  kind: "client" | "user";
}): Html {
  const logo = shownLogo(logo_url);
  return html`<span class="portrait portrait-${kind}" aria-hidden="true">${
    logo ? html`<img src="${logo}" alt="" referrerpolicy="no-referrer">` : initial(name)
  }</span>`;
}
