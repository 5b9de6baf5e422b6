import { type Html, html } from "../../web/html/html.ts";
import { mark } from "../../web/layout.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "./console_frame.view.ts";

export function missingPage(page: ConsoleLocale): Html {
  const { title, message, hint } = page.words.error.kinds.missing;
  const { viewer, words } = page;
  const apps = viewer.resourceTypes.has("apps");
  return consoleFrame({
    ...page,
    here: "search",
    title,
    body: html`<div class="empty">${mark}<h2>${message}</h2><p class="lead">${hint}</p><div class="actions"><a class="button" href="/console">${words.console.dashboard}</a>${apps && html`<a class="button" href="${resourceTypeHref("apps")}">${words.resourceTypes.apps.many}</a>`}</div></div>`,
  });
}
