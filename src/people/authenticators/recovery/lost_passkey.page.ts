import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { moment } from "../../../web/moment.ts";
import { type AccountLocale, accountFrame } from "../../core/pages/account_frame.view.ts";
import { type RecoveryError, recoveryCodeField, recoveryError } from "./recovery_form.view.ts";

type LostPasskeyPage = AccountLocale & {
  state: "administrator" | "too_little_left" | "possible" | "requested" | "waiting";
  email: string;
  names: readonly string[];
  due_at?: Date | undefined;
  hours: number;
  minutes: number;
  csrf_token: string;
  error?: RecoveryError | undefined;
};

const back_href = "/account/security";

export function lostPasskeyPage(page: LostPasskeyPage): Html {
  const { state, email, names, due_at, hours, minutes, csrf_token, error, ...frame } = page;
  const { lostPasskey: words, recovery, secondFactor } = frame.words;
  const back = html`<a class="button" href="${back_href}">${recovery.back}</a>`;
  const form = (step: string, label: string, field?: Html) =>
    html`<form method="post" action="/account/lost-passkey">${hiddenFields({ csrf_token, step })}${field}<div class="decisions">${back}<button class="button primary" type="submit">${label}</button></div></form>`;
  const when = due_at && moment(due_at, "minute", frame.language);
  const steps = Object.values(words.steps).map((step) => html`<li>${step}</li>`);
  const going = names.map((name) => html`<li><bdi>${name}</bdi></li>`);
  const parts: Readonly<Record<LostPasskeyPage["state"], () => Html>> = {
    administrator: () => html`<p>${words.administrator}</p>${back}`,
    too_little_left: () =>
      html`<p>${words.tooLittleLeft(secondFactor.lost)}</p><div class="decisions">${back}<a class="button" href="/logout">${frame.words.frame.signOut}</a></div>`,
    possible: () =>
      html`<p>${words.lead(hours)}</p><p>${words.going}</p><ul>${going}</ul><ul>${steps}</ul>${form("ask", recovery.ask)}`,
    requested: () =>
      html`<p>${recovery.asked(html`<bdi class="name">${email}</bdi>`)}</p>${form(
        "code",
        recovery.begin,
        recoveryCodeField({ minutes, error }, frame),
      )}`,
    waiting: () =>
      html`<p>${words.waiting(when ?? "")}</p><form method="post" action="/account/recovery/cancel">${hiddenFields({ csrf_token })}<div class="decisions">${back}<button class="button danger" type="submit">${recovery.banner.cancel}</button></div></form>`,
  };
  return accountFrame({
    ...frame,
    here: "security",
    title: words.title,
    body: html`<section class="card">
${recoveryError(error, frame)}
${parts[state]()}
</section>`,
  });
}
