import { type Html, html } from "./html.ts";
import { safeHref } from "./safe_href.ts";
import type { SideLink } from "./side_frame.ts";

/** The parts of one page as a row of links; `label` names the row. */
export function tabBar(label: string, links: readonly SideLink[]): Html {
  const link = (tab: SideLink) =>
    html`<li><a href="${safeHref(tab.href) ?? "/"}"${tab.current && html` aria-current="page"`}>${tab.label}${tab.mark !== undefined && html` <span class="badge badge-caution">${tab.mark}</span>`}</a></li>`;
  return html`<nav class="tabs" aria-label="${label}"><ul>${links.map(link)}</ul></nav>`;
}
