import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { safeHref } from "../../../web/html/safe_href.ts";
import { layout } from "../../../web/layout.ts";
import { moment } from "../../../web/moment.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import { type RecoveryError, recoveryCodeField, recoveryError } from "./recovery_form.view.ts";

export type RecoveryShown = { state: "waiting" | "elsewhere" | "ready"; due_at: Date };

type RecoveryPage = PageLocale & {
  state: "administrator" | "none" | "requested" | "elsewhere" | "waiting" | "ready";
  due_at?: Date | undefined;
  email: string;
  hours: number;
  minutes: number;
  back_href: string;
  csrf_token: string;
  error?: RecoveryError | undefined;
};

export function recoveryPage({
  state,
  due_at,
  email,
  hours,
  minutes,
  back_href,
  csrf_token,
  error,
  ...locale
}: RecoveryPage): Html {
  const { recovery: words } = locale.words;
  const { mailbox, mails, factors, after } = words.steps;
  const when = due_at && moment(due_at, "minute", locale.language);
  const form = (step: string, label: string, field?: Html) =>
    html`<form method="post" action="/sign-in/lost-factors">${hiddenFields({ csrf_token, step })}${field}<div class="decisions"><a class="button" href="${safeHref(back_href) ?? ""}">${words.back}</a><button class="button primary" type="submit">${label}</button></div></form>`;
  const back = html`<a class="button" href="${safeHref(back_href) ?? ""}">${words.back}</a>`;
  const parts: Readonly<Record<RecoveryPage["state"], Html>> = {
    administrator: html`<p class="lead">${words.administrator}</p>${back}`,
    none: html`<p class="lead">${words.lead(hours)}</p><ul>${[mailbox, mails, factors, after].map((step) => html`<li>${step}</li>`)}</ul>${form("ask", words.ask)}`,
    requested: html`<p class="lead">${words.asked(html`<bdi class="name">${email}</bdi>`)}</p>${form(
      "code",
      words.begin,
      recoveryCodeField({ minutes, error }, locale),
    )}`,
    elsewhere: html`<p class="lead">${words.elsewhere(when ?? "")}</p>${back}`,
    waiting: html`<p class="lead">${words.waiting(when ?? "")}</p><p>${words.told}</p>${back}`,
    ready: html`<p class="lead">${words.ready}</p>${form("finish", words.finish)}`,
  };
  return layout({
    ...locale,
    title: words.title,
    body: html`<section class="card"><h1>${words.title}</h1>
${recoveryError(error, locale)}
${parts[state]}
</section>`,
  });
}
