import { hiddenFields } from "../hidden_fields.ts";
import { type Html, html } from "../html.ts";
import { layout } from "../layout.ts";
import { notice } from "../notice.ts";
import { plainMessage } from "../plain_message.ts";
import { textField } from "../text_field.ts";
import type { PageLocale } from "../words/page_locale.ts";

export type ResetPasswordPage = PageLocale & {
  /** The one-time token of the link. */
  token: string;
  csrf_token: string;
  /** The e-mail of the account, under which password managers keep the new password. */
  email: string;
  failure?: "too_short" | "too_long" | "too_common" | "differs" | "out_of_date" | undefined;
};

/** Asks for a new password, twice. Opening it uses nothing up: scanners of mail open links too. */
export function resetPasswordPage({ token, csrf_token, email, failure, ...reader }: ResetPasswordPage): Html {
  const words = reader.words.password;
  const faults = {
    too_short: words.tooShort,
    too_long: words.tooLong,
    too_common: words.tooCommon,
    differs: words.differs,
  };
  const fault = failure === undefined || failure === "out_of_date" ? undefined : faults[failure];
  const asked = { type: "password", autocomplete: "new-password", required: true } as const;
  return layout({
    ...reader,
    title: words.resetTitle,
    body: html`<section class="card">
<h1>${words.resetTitle}</h1>
<p class="lead">${words.resetLead}</p>
${failure === "out_of_date" && notice("failure", html`<p>${words.outOfDate}</p>`)}
<form method="post" action="/reset-password">
${hiddenFields({ token, csrf_token })}
<div class="field">
<label for="email">${words.email}</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="username" readonly>
</div>
${textField({
  ...asked,
  name: "password",
  label: words.newPassword,
  help: words.passwordHint,
  fault: failure === "differs" ? undefined : fault,
  autofocus: failure !== "differs",
})}
${textField({
  ...asked,
  name: "password_again",
  label: words.newPasswordAgain,
  fault: failure === "differs" ? fault : undefined,
  autofocus: failure === "differs",
})}
<button class="button primary" type="submit">${words.setPassword}</button>
</form>
</section>`,
  });
}

/** Says that a link does not work, and where to get another. */
export function deadResetLinkPage(reader: PageLocale): Html {
  const { deadTitle, deadLead, askAgain } = reader.words.password;
  const link = { href: "/forgot-password", label: askAgain } as const;
  return plainMessage(reader, { title: deadTitle, lead: deadLead, link });
}

/** Says that the password is set; it signs no one in. */
export function resetDonePage(reader: PageLocale): Html {
  const { doneTitle, doneLead, signIn } = reader.words.password;
  return plainMessage(reader, { title: doneTitle, lead: doneLead, link: { href: "/login", label: signIn } });
}
