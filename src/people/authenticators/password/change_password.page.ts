import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { safeHref } from "../../../web/html/safe_href.ts";
import { textField } from "../../../web/html/text_field.ts";
import { type AccountDone, type AccountLocale, accountFrame } from "../../core/pages/account_frame.view.ts";

export type ChangePasswordError =
  | "missing"
  | "wrong"
  | "conflict"
  | "throttled"
  | "too_short"
  | "too_long"
  | "too_common"
  | "differs";

export interface ForeignPassword {
  readonly weakness: "common" | "cut_short";
  readonly redirect: string;
}

type ChangePasswordPage = AccountLocale & {
  foreign?: ForeignPassword | undefined;
  csrf_token: string;
  email: string;
  shortest_password: number;
  /** The account has no password yet (SS-13). */
  first?: boolean | undefined;
  can_reset: boolean;
  error?: ChangePasswordError | undefined;
  /** Seconds until the next attempt is allowed. */
  retry_after?: number | undefined;
  done?: AccountDone | undefined;
};

/** Renders the form that changes the password, or sets the first one. */
export function changePasswordPage(page: ChangePasswordPage): Html {
  const { csrf_token, email, shortest_password, first = false, can_reset, foreign, ...rest } = page;
  const { error, retry_after, ...frame } = rest;
  const { account, login, password } = frame.words;
  const words = account.password;
  const current =
    error === "missing" || error === "wrong" || error === "conflict" ? words.errors[error] : undefined;
  const weaknesses = {
    too_short: password.tooShort,
    too_long: password.tooLong,
    too_common: password.tooCommon,
  };
  const next =
    error === "too_short" || error === "too_long" || error === "too_common" ? weaknesses[error] : undefined;
  const again = error === "differs" ? password.differs : undefined;
  return accountFrame({
    ...frame,
    here: "password",
    lead: first ? words.noneLead : words.lead,
    body: html`<section class="card">
${first && html`<h2>${words.none}</h2>`}
${foreign && notice("caution", html`<p>${words.weak[foreign.weakness]}</p>`)}
${
  error === "throttled" &&
  notice(
    "failure",
    html`<p>${words.errors.throttled}${retry_after !== undefined && ` ${login.againInMinutes(Math.ceil(retry_after / 60))}`}</p>`,
  )
}
<form method="post" action="/account/password">
${hiddenFields({ csrf_token, ...foreign })}
<input type="text" name="username" value="${email}" autocomplete="username" readonly hidden>
${!first && textField({ name: "current_password", label: words.current, type: "password", autocomplete: "current-password", required: true, error: current, autofocus: current !== undefined })}
${textField({ name: "password", label: words.next, type: "password", autocomplete: "new-password", required: true, help: password.passwordHint(shortest_password), error: next, autofocus: next !== undefined })}
${textField({ name: "password_again", label: words.again, type: "password", autocomplete: "new-password", required: true, error: again, autofocus: again !== undefined })}
<div class="actions"><button class="button primary" type="submit">${first ? password.setPassword : words.submit}</button></div>
</form>
${foreign && html`<p><a href="${safeHref(foreign.redirect) ?? "/"}">${words.weak.later}</a></p>`}
${can_reset && !first && html`<p class="quiet">${words.forgotten}</p>`}
</section>`,
  });
}
