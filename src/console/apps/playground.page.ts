import { type Exchange, exchangeList } from "../../web/exchange.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { durationText } from "../../web/measure.ts";
import type { FlowWords } from "../../web/words/en/flow.ts";
import type { PlaygroundWords } from "../../web/words/en/playground.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "../frame/console_frame.view.ts";
import { type AppHead, appTabBar, appTitle } from "./app_tabs.view.ts";

export type PlaygroundPage = ConsoleLocale & {
  app: AppHead;
  csrf_token: string;
  unable: readonly (keyof PlaygroundWords["unable"])[];
  /** A redirect URI that an earlier version of this server added to the app for the playground. */
  kept_address?: string | undefined;
  sign_in?: { scopes: readonly ScopeChoice[] } | undefined;
  machine?: { scopes: readonly ScopeChoice[] } | undefined;
  makes_secret: boolean;
  wrong_scopes?: boolean | undefined;
  steps: readonly Exchange[];
  actions: readonly PlaygroundAction[];
  seconds: number;
  running: boolean;
  done?: keyof PlaygroundWords["done"] | undefined;
};

export type ScopeChoice = { name: string; chosen: boolean };
export type PlaygroundAction = Exclude<keyof FlowWords["actions"], "token">;

/**
 * Renders the playground of an app: a page on which the console runs a flow and shows every request and
 * response.
 */
export function playgroundPage({ app, csrf_token, done, ...playground }: PlaygroundPage): Html {
  const { unable, kept_address, sign_in, machine, steps, running, ...rest } = playground;
  const { actions, makes_secret, wrong_scopes, seconds, ...page } = rest;
  const { playground: words, flow, frame } = page.words;
  const record = `${resourceTypeHref("apps")}/${app.id}`;
  const form = (path: string, body: Html, attributes?: Html) =>
    html`<form method="post" action="${record}/try/${path}"${attributes}>${hiddenFields({ csrf_token })}${body}</form>`;
  const button = (label: string, style = "button") =>
    html`<div class="actions"><button class="${style}" type="submit">${label}</button></div>`;
  const lasting = durationText(seconds, page.language);
  const ready = unable.length === 0;
  const begins = [
    sign_in &&
      form(
        "start",
        html`${scopeChoices(sign_in.scopes, words, wrong_scopes)}${button(steps.length > 0 ? words.again : words.signIn, "button primary")}`,
      ),
    machine &&
      form(
        "machine",
        html`${scopeChoices(machine.scopes, words, wrong_scopes)}${button(words.machine, "button primary")}`,
      ),
  ].filter((each) => each !== undefined);
  return consoleFrame({
    ...page,
    ...appTitle(app, page.words, "try"),
    lead: words.lead,
    done: done && words.done[done],
    body: html`${appTabBar(app, page.words, "try")}
${!ready && notice("caution", html`<ul>${unable.map((reason) => html`<li>${words.unable[reason]}</li>`)}</ul>`)}
${steps.length > 0 && html`<section aria-label="${flow.stepsLabel}">${exchangeList(steps, flow)}</section>`}
${
  running &&
  html`<section class="card"><h2>${flow.next}</h2><div class="actions">${actions.map((action, index) => form(action, button(flow.actions[action], index === 0 ? "button primary" : "button")))}${form("end", button(words.end))}</div><p class="quiet">${words.endMeaning(lasting)}</p></section>`
}
${
  ready &&
  begins.length > 0 &&
  html`<section class="card"><h2>${words.begin}</h2>${makes_secret && html`<p class="quiet">${words.secretMeaning(lasting)}</p>`}${sign_in && html`<p class="quiet">${words.consentMeaning(html`<a href="/account">${frame.account}</a>`)}</p>`}${begins}</section>`
}
${
  kept_address !== undefined &&
  html`<section class="card"><p>${words.callback.present}</p><p><code>${kept_address}</code></p><p class="quiet">${words.callback.removeMeaning}</p>${form("remove-address", button(words.callback.remove))}</section>`
}`,
  });
}

function scopeChoices(
  scopes: readonly ScopeChoice[],
  words: PlaygroundWords,
  wrong: boolean | undefined,
): Html {
  return html`<fieldset><legend>${words.scopes}</legend>${scopes.map(
    ({ name, chosen }) =>
      html`<label class="check"><input type="checkbox" name="scope" value="${name}"${chosen && html` checked`}><span><code>${name}</code></span></label>`,
  )}${wrong && html`<p class="field-error" role="alert">${words.wrongScopes}</p>`}</fieldset>`;
}
