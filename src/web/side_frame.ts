import { type Html, html, type Printable } from "./html/html.ts";
import { safeHref } from "./html/safe_href.ts";
import { layout } from "./layout.ts";
import { personMenu, type SignedInPerson } from "./person_menu.ts";
import type { PageLocale } from "./words/page_locale.ts";

export type SideLink = { href: string; label: string; current?: boolean | undefined; mark?: string };
export type SideSection = { label: string; links: readonly SideLink[] };

type SideFrame = PageLocale & {
  title: string;
  nav_label: string;
  sections: readonly SideSection[];
  side_end?: Html | undefined;
  marks?: string | undefined;
  faces: readonly SideLink[];
  person: SignedInPerson;
  place?: Html | undefined;
  search?: Html | undefined;
  crumbs?: readonly { label: string; href?: string | undefined }[] | undefined;
  actions?: Printable;
  width?: "wide" | "full";
  lead?: Printable;
  done?: string | undefined;
  body: Html;
};

/** Renders a page with side navigation, which is folded on narrow screens. */
export function sideFrame(frame: SideFrame): Html {
  const { title, nav_label, sections, side_end, marks, faces, crumbs, actions, lead, done, body, ...locale } =
    frame;
  const link = ({ href, label, current }: SideLink) =>
    html`<li><a href="${href}"${current && html` aria-current="page"`}>${label}</a></li>`;
  const { person, place, search } = frame;
  const words = locale.words.frame;
  return layout({
    ...locale,
    title,
    width: frame.width ?? "wide",
    has_own_main: true,
    nav: html`${place}${faces.length > 0 && html`<nav class="site-nav" aria-label="${words.faces}"><ul>${faces.map(link)}</ul></nav>`}${search}${personMenu(person, locale)}`,
    body: html`<div class="sided">
<nav class="side" aria-label="${nav_label}"><details><summary>${words.menu}</summary>
${sections.map(({ label, links }) => html`<h2>${label}</h2><ul>${links.map(link)}</ul>`)}${side_end}</details></nav>
<div id="main" tabindex="-1" class="workspace${marks !== undefined && ` ${marks}`}">
${
  crumbs &&
  html`<nav aria-label="${words.crumbs}"><ol class="crumbs">${crumbs.map(({ label, href }) => html`<li>${href === undefined ? html`<span aria-current="page">${label}</span>` : html`<a href="${href}">${label}</a>`}</li>`)}</ol></nav>`
}
<div class="page-head"><div><h1>${title}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>${actions && html`<div class="actions">${actions}</div>`}</div>
${done !== undefined && html`<div class="notice notice-success" role="status">${done}</div>`}
${body}
</div>
</div>`,
  });
}

/** Renders links as a row of tabs, with `label` as its accessible name. */
export function tabBar(label: string, links: readonly SideLink[]): Html {
  const link = (tab: SideLink) =>
    html`<li><a href="${safeHref(tab.href) ?? "/"}"${tab.current && html` aria-current="page"`}>${tab.label}${tab.mark !== undefined && html` <span class="badge badge-caution">${tab.mark}</span>`}</a></li>`;
  return html`<nav class="tabs" aria-label="${label}"><ul>${links.map(link)}</ul></nav>`;
}
