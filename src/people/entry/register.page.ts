/** The registration pages (docs/decisions/registration-and-invitations.md). */
import type { Brand } from "../../web/html/brand.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { textField } from "../../web/html/text_field.ts";
import { layout } from "../../web/layout.ts";
import { plainMessage } from "../../web/plain_message.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import type { PasskeyQuestion } from "../authenticators/passkeys/passkey_form.view.ts";
import { loginHref } from "../core/pages/login_href.view.ts";
import { type NewAccountError, newAccountFields } from "./new_account_fields.view.ts";

export type RegisterPage = PageLocale & {
  csrf_token: string;
  redirect: string;
  email?: string | undefined;
  only?: "invited" | readonly string[] | undefined;
  /** No value reveals whether an account exists. */
  failure?: "email" | "out_of_date" | "throttled" | undefined;
  /** Seconds until the next attempt is allowed. */
  retry_after?: number | undefined;
  brand?: Brand | undefined;
};

/** Renders the form that asks only for an email address (SS-2). */
export function registerPage(page: RegisterPage): Html {
  const { csrf_token, redirect, email, only, failure, retry_after, brand, ...locale } = page;
  const { signUp: words, password, login } = locale.words;
  const refused =
    failure === "throttled" ? password.tooMany : failure === "out_of_date" ? password.outOfDate : undefined;
  return layout({
    ...locale,
    title: words.title,
    brand,
    body: html`<section class="card">
<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${only !== undefined && html`<p>${only === "invited" ? words.invited : words.domains(only.join(", "))}</p>`}
${
  refused !== undefined &&
  notice(
    failure === "throttled" ? "caution" : "failure",
    html`<p>${refused}${retry_after !== undefined && ` ${login.againInMinutes(Math.ceil(retry_after / 60))}`}</p>`,
    { alert: true },
  )
}
<form method="post" action="/register">
${hiddenFields({ redirect, csrf_token })}
${textField({
  name: "email",
  label: password.email,
  type: "email",
  autocomplete: "username",
  value: email ?? "",
  error: failure === "email" ? password.emailError : undefined,
  required: true,
  autofocus: true,
})}
<button class="button primary" type="submit">${words.submit}</button>
</form>
<p><a href="${safeHref(loginHref(redirect)) ?? "/login"}">${password.backToSignIn}</a></p>
</section>`,
  });
}

export type RegistrationRequestedPage = PageLocale & {
  csrf_token: string;
  redirect: string;
  email?: string | undefined;
  minutes: number;
  failure?: "wrong" | "ended" | "out_of_date" | undefined;
  brand?: Brand | undefined;
};

/** Renders the same page for every email address, known or not (SS-3). */
export function registrationRequestedPage(page: RegistrationRequestedPage): Html {
  const { csrf_token, redirect, email, minutes, failure, brand, ...locale } = page;
  const { signUp: words, password } = locale.words;
  const again = `/register?redirect=${encodeURIComponent(redirect.toWellFormed())}`;
  const message =
    failure === "ended" ? words.endedCode : failure === "out_of_date" ? password.outOfDate : undefined;
  return layout({
    ...locale,
    title: words.askedTitle,
    brand,
    body: html`<section class="card">
<h1>${words.askedTitle}</h1>
${email !== undefined && html`<p class="lead">${password.askedFor(html`<bdi class="name">${email}</bdi>`)}</p>`}
<p${email === undefined && html` class="lead"`}>${words.askedLead(minutes)}</p>
${message && notice("failure", html`<p>${message}</p>`, { alert: true })}
<form method="post" action="/register/code">
${hiddenFields({ redirect, csrf_token, ...(email !== undefined && { email }) })}
<div class="field">
<label for="code">${words.code}</label>
<input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required${failure === "wrong" && html` aria-invalid="true" aria-describedby="code-error"`} autofocus>
${failure === "wrong" && html`<p class="field-error" id="code-error">${words.wrongCode}</p>`}
</div>
<button class="button primary" type="submit">${words.useCode}</button>
</form>
<p class="quiet">${words.askedHint}</p>
<p><a href="${safeHref(again) ?? "/register"}">${words.askAgain}</a></p>
</section>`,
  });
}

export type FinishRegistrationPage = PageLocale & {
  token: string;
  csrf_token: string;
  email: string;
  name?: string | undefined;
  errors: readonly NewAccountError[];
  longest_name: number;
  shortest_password: number;
  passkey?: PasskeyQuestion | undefined;
  signs_out: boolean;
  out_of_date?: boolean | undefined;
  brand?: Brand | undefined;
};

/** Renders the form for a name, and a password or a passkey. */
export function finishRegistrationPage(page: FinishRegistrationPage): Html {
  const { token, csrf_token, email, name, errors, longest_name, shortest_password, passkey, ...message } =
    page;
  const { signs_out, out_of_date, brand, ...locale } = message;
  const { signUp: words, invitation, password } = locale.words;
  return layout({
    ...locale,
    title: words.finishTitle,
    brand,
    body: html`<section class="card">
<h1>${words.finishTitle}</h1>
<p class="lead">${words.finishLead}${signs_out && ` ${invitation.signsOut}`}</p>
${out_of_date && notice("failure", html`<p>${password.outOfDate}</p>`)}
<form method="post" action="/register/finish">
${hiddenFields({ token, csrf_token })}
${newAccountFields({ email, name, errors, longest_name, shortest_password, passkey, submit: words.make, words: locale.words })}
</form>
</section>`,
  });
}

/** Renders the page for a link that does not work. */
export function deadRegistrationPage(locale: PageLocale): Html {
  const { deadTitle, deadLead, askAgain } = locale.words.signUp;
  return plainMessage(locale, {
    title: deadTitle,
    lead: deadLead,
    link: { href: "/register", label: askAgain },
  });
}

/** Renders the page for a registration whose email address now has an account. */
export function accountExistsPage(locale: PageLocale): Html {
  const { existsTitle, existsLead } = locale.words.signUp;
  const link = { href: "/login", label: locale.words.password.signIn } as const;
  return plainMessage(locale, { title: existsTitle, lead: existsLead, link });
}

/** Renders the confirmation for a browser that did not start the registration (SS-4). */
export function registeredPage(locale: PageLocale): Html {
  const { readyTitle, readyLead, toAccount } = locale.words.signUp;
  const link = { href: "/account", label: toAccount } as const;
  return plainMessage(locale, { title: readyTitle, lead: readyLead, link });
}
