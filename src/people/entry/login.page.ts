import type { Brand } from "../../web/html/brand.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { shortIdText } from "../../web/html/short_id.ts";
import { emailInput } from "../../web/html/text_field.ts";
import { layout } from "../../web/layout.ts";
import type { LoginWords } from "../../web/words/en/login.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import type { PasskeyFailure } from "../authenticators/passkeys/passkey_form.view.ts";
import {
  type PasskeySignIn,
  signInWithPasskey,
} from "../authenticators/passkeys/sign_in_with_passkey.view.ts";
import { type KeepSignedIn, keepSignedInField } from "../core/pages/keep_signed_in.view.ts";
import { type OfferedProvider, providerButtons } from "../providers/provider_buttons.view.ts";

export type LoginPage = PageLocale & {
  redirect: string;
  csrf_token: string;
  email?: string | undefined;
  failure?: keyof LoginWords["failures"] | undefined;
  client_name?: string | undefined;
  again?: { name: string; why: "asked" | "tooOld" } | undefined;
  forgot_href?: string | undefined;
  register_href?: string | undefined;
  /** Seconds until the next attempt is allowed. */
  retry_after?: number | undefined;
  short_id?: string | undefined;
  brand?: Brand | undefined;
  passkey?: PasskeySignIn | undefined;
  passkey_failure?: PasskeyFailure | undefined;
  providers?: readonly OfferedProvider[] | undefined;
  keep_signed_in?: KeepSignedIn | undefined;
  /** The last sign-in method in this browser, which is listed first (SS-14). */
  last_method?: { kind: "password" | "passkey" } | { kind: "provider"; slug: string } | undefined;
};

function againIn(seconds: number, words: LoginWords): string {
  return seconds <= 90 ? words.againInSeconds(seconds) : words.againInMinutes(Math.ceil(seconds / 60));
}

/** Renders the sign-in form: a plain POST that needs no JavaScript (spec 4.1, L-1). */
export function loginPage({
  redirect,
  csrf_token,
  email,
  failure,
  client_name,
  again,
  forgot_href,
  register_href,
  retry_after,
  short_id,
  brand,
  passkey,
  passkey_failure,
  providers = [],
  keep_signed_in,
  last_method,
  ...locale
}: LoginPage): Html {
  const words = locale.words.login;
  const say = locale.words.providers;
  const buttons = (these: readonly OfferedProvider[]) =>
    providerButtons(these, { fields: { redirect, csrf_token }, label: say.continueWith });
  const last_provider = last_method?.kind === "provider" ? last_method.slug : undefined;
  const last = providers.filter(({ slug }) => slug === last_provider);
  const others = providers.filter(({ slug }) => slug !== last_provider);
  const first = last_method?.kind === "passkey";
  const byPasskey = passkey && signInWithPasskey(passkey, passkey_failure, locale, { first });
  // If other methods are offered, the text must not mention only the password.
  const byPasswordAlone = passkey === undefined && providers.length === 0;
  const client = client_name && html`<bdi class="name">${client_name}</bdi>`;
  const lead = again
    ? words.again[again.why](client || words.again.application)
    : client
      ? words.leadTo(client)
      : byPasswordAlone && words.lead;
  const title = again ? words.again.title : words.title;
  const failed = failure !== undefined || retry_after !== undefined;
  const described = failed && html` aria-describedby="notice"`;
  return layout({
    ...locale,
    title,
    brand,
    body: html`<section class="card">
<h1>${title}</h1>
${lead && html`<p class="lead">${lead}</p>`}
${again && html`<p>${words.again.signedInAs(html`<bdi class="name">${again.name}</bdi>`)}</p>`}
${
  failed &&
  notice(
    // Having to wait is not the user's mistake.
    failure === "throttled" ? "caution" : "failure",
    html`<p>${failure && words.failures[failure]}${retry_after !== undefined && ` ${againIn(retry_after, words)}`}</p>${failure === "throttled" && html`<p>${words.why}</p>`}`,
    { alert: true },
  )
}
${passkey_failure && notice("failure", html`<p>${locale.words.passkeys.failures[passkey_failure]}</p>`)}
${first && byPasskey}
${last.length > 0 && html`<div class="stack"><p class="quiet">${say.lastUsed}</p>${buttons(last)}</div><p class="divider">${say.or}</p>`}
<form method="post" action="/login">
${hiddenFields({ redirect, csrf_token })}
<div class="field">
<label for="email">${words.email}</label>
<input id="email" name="email" ${emailInput} value="${email}" autocomplete="username${passkey && " webauthn"}" required${described}${!email && html` autofocus`}>
</div>
<div class="field">
<label for="password">${words.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${described}${email && html` autofocus`}>
</div>
${keep_signed_in && keepSignedInField(keep_signed_in, locale)}<button class="button primary" type="submit">${words.submit}</button>
</form>
${forgot_href && html`<p><a href="${safeHref(forgot_href) ?? "/forgot-password"}">${locale.words.password.forgotLink}</a></p>`}
${!first && byPasskey}
${others.length > 0 && html`<p class="divider">${say.or}</p>${buttons(others)}`}
${short_id && html`<p class="quiet">${locale.words.error.reference}: <code>${shortIdText(short_id)}</code></p>`}
${register_href && html`<p><a href="${safeHref(register_href) ?? "/register"}">${locale.words.signUp.link}</a></p>`}
</section>`,
  });
}
