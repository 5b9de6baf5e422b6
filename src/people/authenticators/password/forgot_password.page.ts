import type { Brand } from "../../../web/html/brand.ts";
import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { safeHref } from "../../../web/html/safe_href.ts";
import { emailInput } from "../../../web/html/text_field.ts";
import { layout } from "../../../web/layout.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import { loginHref } from "../../core/pages/login_href.view.ts";

export type ForgotPasswordPage = PageLocale & {
  csrf_token: string;
  redirect: string;
  email?: string | undefined;
  /** No value reveals whether an account exists. */
  failure?: "email" | "out_of_date" | "throttled" | undefined;
  /** Seconds until the next attempt is allowed. */
  retry_after?: number | undefined;
  brand?: Brand | undefined;
};

export function forgotPasswordPage({
  csrf_token,
  redirect,
  email,
  failure,
  retry_after,
  brand,
  ...locale
}: ForgotPasswordPage): Html {
  const words = locale.words.password;
  const wrong = failure === "email";
  const refused =
    failure === "throttled" ? words.tooMany : failure === "out_of_date" ? words.outOfDate : undefined;
  return layout({
    ...locale,
    title: words.forgotTitle,
    brand,
    body: html`<section class="card">
<h1>${words.forgotTitle}</h1>
<p class="lead">${words.forgotLead}</p>
${
  refused !== undefined &&
  notice(
    failure === "throttled" ? "caution" : "failure",
    html`<p>${refused}${retry_after !== undefined && ` ${locale.words.login.againInMinutes(Math.ceil(retry_after / 60))}`}</p>`,
    { alert: true },
  )
}
<form method="post" action="/forgot-password">
${hiddenFields({ redirect, csrf_token })}
<div class="field">
<label for="email">${words.email}</label>
<input id="email" name="email" ${emailInput} value="${email}" autocomplete="username" required${wrong && html` aria-invalid="true" aria-describedby="email-error"`} autofocus>
${wrong && html`<p class="field-error" id="email-error">${words.emailError}</p>`}
</div>
<button class="button primary" type="submit">${words.sendLink}</button>
</form>
<p><a href="${safeHref(loginHref(redirect)) ?? "/login"}">${words.backToSignIn}</a></p>
</section>`,
  });
}

type ResetRequestedPage = PageLocale & {
  email: string;
  redirect: string;
  minutes: number;
  brand?: Brand | undefined;
};

/** Renders the same page for every email address, known or not (L-9). */
export function resetRequestedPage({ email, redirect, minutes, brand, ...locale }: ResetRequestedPage): Html {
  const words = locale.words.password;
  const again = `/forgot-password?redirect=${encodeURIComponent(redirect.toWellFormed())}`;
  return layout({
    ...locale,
    title: words.askedTitle,
    brand,
    body: html`<section class="card">
<h1>${words.askedTitle}</h1>
<p class="lead">${words.askedFor(html`<bdi class="name">${email}</bdi>`)}</p>
<p>${words.askedLead(minutes)}</p>
<p class="quiet">${words.askedHint}</p>
<p><a href="${safeHref(again) ?? "/forgot-password"}">${words.otherAddress}</a></p>
<p><a href="${safeHref(loginHref(redirect)) ?? "/login"}">${words.backToSignIn}</a></p>
</section>`,
  });
}

/** Renders the page shown if the server cannot send email. */
export function mailOffPage(locale: PageLocale): Html {
  const words = locale.words.password;
  return layout({
    ...locale,
    title: words.offTitle,
    body: html`<section class="card">
<h1>${words.offTitle}</h1>
<p class="lead">${words.offLead}</p>
<p><a href="/login">${words.backToSignIn}</a></p>
</section>`,
  });
}
