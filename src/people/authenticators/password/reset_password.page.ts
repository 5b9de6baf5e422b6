import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { emailInput, textField } from "../../../web/html/text_field.ts";
import { layout } from "../../../web/layout.ts";
import { plainMessage } from "../../../web/plain_message.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";

export type ResetPasswordPage = PageLocale & {
  token: string;
  csrf_token: string;
  email: string;
  shortest_password: number;
  failure?: "too_short" | "too_long" | "too_common" | "differs" | "out_of_date" | undefined;
};

/** Renders the form for a new password. */
export function resetPasswordPage(page: ResetPasswordPage): Html {
  const { token, csrf_token, email, shortest_password, failure, ...locale } = page;
  const words = locale.words.password;
  const errors = {
    too_short: words.tooShort,
    too_long: words.tooLong,
    too_common: words.tooCommon,
    differs: words.differs,
  };
  const error = failure === undefined || failure === "out_of_date" ? undefined : errors[failure];
  const requested = { type: "password", autocomplete: "new-password", required: true } as const;
  return layout({
    ...locale,
    title: words.resetTitle,
    body: html`<section class="card">
<h1>${words.resetTitle}</h1>
<p class="lead">${words.resetLead}</p>
${failure === "out_of_date" && notice("failure", html`<p>${words.outOfDate}</p>`)}
<form method="post" action="/reset-password">
${hiddenFields({ token, csrf_token })}
<div class="field">
<label for="email">${words.email}</label>
<input id="email" name="email" ${emailInput} value="${email}" autocomplete="username" readonly>
</div>
${textField({
  ...requested,
  name: "password",
  label: words.newPassword,
  help: words.passwordHint(shortest_password),
  error: failure === "differs" ? undefined : error,
  autofocus: failure !== "differs",
})}
${textField({
  ...requested,
  name: "password_again",
  label: words.newPasswordAgain,
  error: failure === "differs" ? error : undefined,
  autofocus: failure === "differs",
})}
<button class="button primary" type="submit">${words.setPassword}</button>
</form>
</section>`,
  });
}

export function deadResetLinkPage(locale: PageLocale): Html {
  const { deadTitle, deadLead, askAgain } = locale.words.password;
  const link = { href: "/forgot-password", label: askAgain } as const;
  return plainMessage(locale, { title: deadTitle, lead: deadLead, link });
}

/** Renders the confirmation that the password is set. */
export function resetDonePage(locale: PageLocale): Html {
  const { doneTitle, doneLead, signIn } = locale.words.password;
  return plainMessage(locale, { title: doneTitle, lead: doneLead, link: { href: "/login", label: signIn } });
}
