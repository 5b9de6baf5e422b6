import type { ResourceType } from "../../records/definition/permissions.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { fieldLabel } from "../fields/field_label.view.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";

export type MadePage = ConsoleLocale & {
  resourceType: ResourceType;
  name: string;
  /** The record's own page. */
  href: string;
  /** The secret that is shown now and never again: `name` is a member of the resource's output. */
  once: readonly { name: string; value: string }[];
};

/** A secret or key that was just made, shown this once. */
export function madePage({ resourceType, name, href, once, ...locale }: MadePage): Html {
  const { words } = locale;
  const { one, many } = words.resourceTypes[resourceType];
  const said = words.records.made;
  const own = safeHref(href) ?? resourceTypeHref(resourceType);
  const title = said.title(one);
  return consoleFrame({
    ...locale,
    here: resourceType,
    title,
    crumbs: [
      { label: many, href: resourceTypeHref(resourceType) },
      { label: name, href: own },
      { label: title },
    ],
    body: html`<section class="card">
${notice("caution", said.caution)}
${once.map(
  (each) =>
    html`<h2>${fieldLabel(each.name, words)}</h2>
<div class="secret"><code>${each.value}</code></div>`,
)}
<div class="actions"><a class="button primary" href="${own}">${said.goOn(name)}</a></div>
</section>`,
  });
}
