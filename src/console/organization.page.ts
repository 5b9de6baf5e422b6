import { hiddenFields } from "../web/html/hidden_fields.ts";
import { type Html, html } from "../web/html/html.ts";
import { type ConsoleLocale, consoleFrame } from "./frame/console_frame.view.ts";
import {
  type OrganizationSwitch,
  organizationButtons,
  organizationPath,
} from "./frame/organization_switch.view.ts";

type OrganizationPage = ConsoleLocale & {
  found: OrganizationSwitch;
  query: string;
  back: string;
};

/** Renders the page on which the viewer chooses the organization to work in. */
export function organizationPage({ found, query, back, ...page }: OrganizationPage): Html {
  const { words } = page;
  const { organization: said, search, noResults } = words.console;
  return consoleFrame({
    ...page,
    here: "organization",
    title: said.choose,
    lead: said.lead,
    body: html`<form class="filters" role="search" method="get" action="${organizationPath}">${hiddenFields({ return_to: back })}
<div class="field"><label for="q">${said.find}</label><input id="q" type="search" name="q" value="${query}"></div>
<div class="actions"><button class="button" type="submit">${search}</button></div></form>
<section class="card organizations" aria-label="${said.choose}">${organizationButtons(found, back, words.console)}
${query !== "" && found.choices.length === 0 && html`<p class="quiet">${noResults}</p>`}${found.has_more && html`<p class="quiet">${said.narrow}</p>`}</section>`,
  });
}
