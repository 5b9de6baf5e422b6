import type { FactorKind } from "../../records/definition/factor_kinds.ts";
import type { Brand } from "../../web/html/brand.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { cautions, notice } from "../../web/html/notice.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { layout } from "../../web/layout.ts";
import { moment } from "../../web/moment.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import type { RecoveryShown } from "../authenticators/recovery/recovery.page.ts";
import type { FactorError } from "../core/factor_proof.ts";

type SecondFactorPage = PageLocale & {
  user: { email: string };
  kind: FactorKind;
  part: Html | undefined;
  others: readonly { kind: FactorKind; href: string }[];
  lost_href?: string | undefined;
  /** A pending recovery, which the user may have started in another browser (MF-10). */
  recovery?: RecoveryShown | undefined;
  remember?: { days: number; chosen: boolean } | undefined;
  csrf_token: string;
  /** Undefined during a sign-in, whose stored state contains the page to continue on. */
  redirect?: string | undefined;
  error?: FactorError | undefined;
  /** Seconds until the next attempt is allowed. */
  retry_after?: number | undefined;
  brand?: Brand | undefined;
};

/** Renders the form for a second factor. */
export function secondFactorPage(page: SecondFactorPage): Html {
  const {
    user,
    kind,
    part,
    others,
    lost_href,
    recovery,
    remember,
    csrf_token,
    redirect,
    error,
    retry_after,
    brand,
    ...locale
  } = page;
  const { secondFactor: words, login } = locale.words;
  const sent = { csrf_token, method: kind, ...(redirect !== undefined && { redirect }) };
  const remembering = remember && part && rememberField(remember, locale);
  const again =
    retry_after !== undefined &&
    (retry_after <= 90
      ? login.againInSeconds(retry_after)
      : login.againInMinutes(Math.ceil(retry_after / 60)));
  return layout({
    ...locale,
    title: words.title,
    brand,
    body: html`<section class="card">
<h1>${words.title}</h1>
<p class="lead">${words.lead(html`<bdi class="name">${user.email}</bdi>`)}</p>
${error === "throttled" && notice("caution", html`<p>${login.failures.throttled}${again && ` ${again}`}</p>`, { alert: true })}
${error === "out_of_date" && notice("failure", html`<p>${login.failures.out_of_date}</p>`)}
${recovery && lost_href !== undefined && recoveryNotice(recovery, lost_href, locale)}
<form method="post" action="/sign-in/second-factor">
${hiddenFields(sent)}
${kind === "passkey" && remembering}
${part ?? html`<p>${words.passkey.none}</p>`}
${kind !== "passkey" && remembering}
<div class="decisions">
<button class="button" type="submit" form="cancel">${words.cancel}</button>
${kind !== "passkey" && html`<button class="button primary" type="submit">${words.submit}</button>`}
</div>
</form>
<form method="post" action="/sign-in/second-factor" id="cancel">${hiddenFields({ ...sent, cancel: "yes" })}</form>
${
  others.length > 0 &&
  html`<nav aria-label="${words.others}"><h2>${words.others}</h2><ul>${others.map((other) => html`<li><a href="${safeHref(other.href) ?? ""}">${words.ways[other.kind]}</a></li>`)}</ul></nav>`
}
${lost_href !== undefined && recovery === undefined && html`<p><a href="${safeHref(lost_href) ?? ""}">${words.lost}</a></p>`}
</section>`,
  });
}

function recoveryNotice(
  { state, due_at }: RecoveryShown,
  href: string,
  { words, language }: PageLocale,
): Html | false {
  const say = words.recovery.atSignIn;
  const sentence = state === "ready" ? say.ready : say[state](moment(due_at, "minute", language));
  const label = state === "ready" ? say.open : say.look;
  return cautions([html`${sentence} <a href="${safeHref(href) ?? ""}">${label}</a>`]);
}

function rememberField({ days, chosen }: { days: number; chosen: boolean }, { words }: PageLocale): Html {
  const { label, help } = words.secondFactor.remember;
  return html`<div class="field"><label class="check"><input type="checkbox" name="remember" value="yes" aria-describedby="remember-help"${chosen && html` checked`}><span>${label(days)}</span></label><p class="help" id="remember-help">${help}</p></div>`;
}

type SecondFactorEndedPage = PageLocale & {
  login_href: string;
  brand?: Brand | undefined;
};

/** Renders the page after too many wrong codes. */
export function secondFactorEndedPage({ login_href, brand, ...locale }: SecondFactorEndedPage): Html {
  const words = locale.words.secondFactor.ended;
  return layout({
    ...locale,
    title: words.title,
    brand,
    body: html`<section class="card"><h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<a class="button primary" href="${safeHref(login_href) ?? "/login"}">${words.again}</a></section>`,
  });
}

type RecoveryCodeUsedPage = PageLocale & {
  codes_left: number;
  continue_href: string;
};

/** Renders the page after a sign-in with a recovery code (MF-6). */
export function recoveryCodeUsedPage({ codes_left, continue_href, ...locale }: RecoveryCodeUsedPage): Html {
  const words = locale.words.secondFactor.used;
  return layout({
    ...locale,
    title: words.title,
    body: html`<section class="card"><h1>${words.title}</h1>
<p class="lead">${locale.words.notices.codesLeft(codes_left)}</p>
<p>${words.advice}</p>
<div class="decisions"><a class="button" href="/account/security">${words.security}</a><a class="button primary" href="${safeHref(continue_href) ?? "/"}">${words.goOn}</a></div></section>`,
  });
}
