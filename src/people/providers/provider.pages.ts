import type { Brand } from "../../web/html/brand.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html, type Printable } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { shortIdText } from "../../web/html/short_id.ts";
import { textField } from "../../web/html/text_field.ts";
import { layout } from "../../web/layout.ts";
import { durationText } from "../../web/measure.ts";
import type { ProviderWords } from "../../web/words/en/providers.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import { invitedRoleNames } from "../core/pages/invited_roles.view.ts";
import { continuePath } from "./page_paths.view.ts";
import { type OfferedProvider, providerButtons } from "./provider_buttons.view.ts";

export type ProviderPage = PageLocale & {
  provider: OfferedProvider;
  csrf_token: string;
  account_mark?: string | undefined;
  brand?: Brand | undefined;
};

const fieldsOf = ({ csrf_token, account_mark }: ProviderPage, answer: string): Html =>
  hiddenFields({
    csrf_token,
    ...(account_mark !== undefined && { account: account_mark }),
    answer,
  });

const own = (text: string): Html => html`<bdi class="name">${text}</bdi>`;

function card(page: ProviderPage, title: Printable, lead: Printable, body: Html): Html {
  return layout({
    ...page,
    title,
    body: html`<section class="card">
<h1>${title}</h1>
<p class="lead">${lead}</p>
${body}
</section>`,
  });
}

const signInHref = (provider: OfferedProvider) =>
  `/login?account=another&redirect=${encodeURIComponent(continuePath(provider))}`;

function link(href: string, text: Printable, className = ""): Html {
  return html`<a${className && html` class="${className}"`} href="${safeHref(href) ?? "/login"}">${text}</a>`;
}

/** How the user joins the provider's organization (`Joining`), with what the page shows of it. */
export type PageJoining =
  | { readonly type: "member" | "by_link"; readonly organization: string }
  | {
      readonly type: "as_invited";
      readonly organization: string;
      readonly role: string;
      readonly further_roles: readonly string[];
    };

/** Renders the page that describes the account before it is created (EP-10). */
export function newAccountPage({
  email,
  account,
  name,
  error,
  joining,
  ...page
}: ProviderPage & {
  email: string;
  account: string;
  name: string | undefined;
  error?: "name" | "email" | undefined;
  joining?: PageJoining | undefined;
}): Html {
  const { provider } = page;
  const words = page.words.providers.newAccount;
  return card(
    page,
    words.title,
    words.lead(own(provider.label)),
    html`${error === "email" && notice("failure", html`<p>${words.emailError}</p>`)}
<dl class="facts"><div><dt>${words.email}</dt><dd><bdi>${email}</bdi></dd></div><div><dt>${words.provider}</dt><dd><bdi>${provider.label}</bdi></dd></div><div><dt>${words.account}</dt><dd><bdi>${account}</bdi></dd></div>${joiningFacts(joining, page)}</dl>
${joining?.type === "by_link" && notice("caution", html`<p>${words.byLink(own(joining.organization))}</p>`)}
<form method="post" action="${continuePath(provider)}">
${fieldsOf(page, "create")}
${textField({ name: "name", label: words.name, type: "text", autocomplete: "name", value: name, max_length: 255, required: true, error: error === "name" ? words.nameError : undefined })}
<div class="decisions"><button class="button" type="submit" form="cancel">${words.cancel}</button><button class="button primary" type="submit">${words.submit}</button></div>
</form>
<form method="post" action="${continuePath(provider)}" id="cancel">${fieldsOf(page, "cancel")}</form>
<p>${link(signInHref(provider), words.existing)}</p>`,
  );
}

function joiningFacts(joining: PageJoining | undefined, { words }: PageLocale): Html | false {
  if (joining === undefined || joining.type === "by_link") return false;
  const { memberOf } = words.providers.newAccount;
  const { joinAs } = words.invitation;
  return html`<div><dt>${memberOf}</dt><dd><bdi>${joining.organization}</bdi></dd></div>${
    joining.type === "as_invited" &&
    html`<div><dt>${joinAs}</dt><dd>${invitedRoleNames(joining.role, joining.further_roles, words.invitation)}</dd></div>`
  }`;
}

export type ProveFailure = keyof ProviderWords["failures"];

/**
 * Renders every method to prove an account or the email address. The page is the same whether or not an
 * account exists (EP-11).
 */
export function provePage({
  email,
  code_sent_to,
  minutes,
  failure,
  mails,
  back_href,
  ...page
}: ProviderPage & {
  email: string | undefined;
  code_sent_to?: string | undefined;
  minutes: number;
  failure?: ProveFailure | undefined;
  mails: boolean;
  back_href: string;
}): Html {
  const { provider, csrf_token } = page;
  const words = page.words.providers;
  const say = words.prove;
  // A code is bound to one provider account, so this form needs no `account_mark` (EP-11).
  const fields = (answer: string, more = {}) => hiddenFields({ csrf_token, answer, ...more });
  return card(
    page,
    say.title,
    say.lead(own(provider.label)),
    html`${failure && notice(failure === "throttled" ? "caution" : "failure", html`<p>${words.failures[failure]}</p>`, { alert: true })}
${
  code_sent_to !== undefined &&
  html`<form method="post" action="${continuePath(provider)}">
${fields("code", { email: code_sent_to })}
<p>${say.codeLead(html`<bdi>${code_sent_to}</bdi>`, durationText(minutes * 60, page.language))}</p>
<div class="field">
<label for="code">${say.code}</label>
<input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required autofocus>
</div>
<button class="button primary" type="submit">${say.useCode}</button>
</form>`
}
<p>${link(signInHref(provider), say.signIn, code_sent_to === undefined ? "button primary" : "button")}</p>
<p class="quiet">${say.signInLead}</p>
${!mails && html`<p>${say.noMail}</p>`}${
  mails &&
  html`<form method="post" action="${continuePath(provider)}">
${fields("mail")}
<p>${say.mailLead}</p>
${textField({ name: "email", label: say.email, type: "email", autocomplete: "email", value: code_sent_to ?? email, max_length: 320, required: true })}
<button class="button" type="submit">${code_sent_to === undefined ? say.send : say.sendAgain}</button>
</form>`
}
<p>${link(back_href, words.otherWays)}</p>`,
  );
}

/**
 * Renders the page that asks whether to link the provider account to the account that the user has just
 * proved (EP-11).
 */
export function offerLinkPage({
  account,
  email,
  skip_href,
  organization,
  ...page
}: ProviderPage & {
  account: string;
  email: string;
  skip_href: string;
  organization?: string | undefined;
}): Html {
  const { provider } = page;
  const words = page.words.providers.offerLink;
  return card(
    page,
    words.title,
    words.lead(own(provider.label), own(email)),
    html`<dl class="facts"><div><dt>${words.account}</dt><dd><bdi>${account}</bdi></dd></div></dl>
${organization !== undefined && notice("caution", html`<p>${words.organization(own(provider.label), own(organization))}</p>`)}
<form method="post" action="${continuePath(provider)}">
${fieldsOf(page, "link")}
<button class="button primary" type="submit">${words.submit}</button>
</form>
<p>${link(skip_href, words.skip)}</p>`,
  );
}

/** Renders the page that asks a signed-in user whether to continue as another user (EP-18). */
export function switchPage({
  present,
  other,
  stay_href,
  ...page
}: ProviderPage & { present: string; other: string; stay_href: string }): Html {
  const { provider } = page;
  const words = page.words.providers.ask_to_switch;
  return card(
    page,
    words.title,
    words.lead(own(present), own(other)),
    html`<form method="post" action="${continuePath(provider)}">
${fieldsOf(page, "switch")}
<button class="button primary" type="submit">${words.submit(html`<bdi>${other}</bdi>`)}</button>
</form>
<p>${link(stay_href, words.stay(html`<bdi>${present}</bdi>`))}</p>`,
  );
}

export function goOnPage(page: ProviderPage): Html {
  const { provider } = page;
  const words = page.words.providers.goOn;
  return card(
    page,
    words.title,
    words.lead(own(provider.label)),
    html`<form method="post" action="${continuePath(provider)}">
${fieldsOf(page, "go_on")}
<button class="button primary" type="submit">${words.submit}</button>
</form>`,
  );
}

export type ProviderRefusal = keyof ProviderWords["refusals"];

/**
 * Renders why a sign-in, link or proof at the provider failed, always with a way to continue (EP-16, EP-18).
 */
export function providerRefusalPage({
  refusal,
  again,
  other_href,
  short_id,
  ...page
}: ProviderPage & {
  refusal: ProviderRefusal;
  again?: Readonly<Record<string, string>> | undefined;
  other_href: string;
  short_id?: string | undefined;
}): Html {
  const { provider, csrf_token } = page;
  const words = page.words.providers;
  const { title, message, hint } = words.refusals[refusal];
  const label = refusal === "unsolicited" ? words.begin : () => words.tryAgain;
  const isLogin = other_href.startsWith("/login");
  return card(
    page,
    title,
    message(provider.label),
    html`<p class="quiet">${hint}</p>
${again && providerButtons([provider], { fields: { ...again, csrf_token }, label })}
<p>${link(other_href, isLogin ? words.otherWays : words.back, again ? "" : "button primary")}</p>
${short_id && html`<p class="quiet">${words.reference}: <code>${shortIdText(short_id)}</code></p>`}`,
  );
}
