import { avatar } from "../../web/html/avatar.ts";
import type { Brand } from "../../web/html/brand.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import { layout } from "../../web/layout.ts";
import { plainMessage } from "../../web/plain_message.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import type { PasskeyQuestion } from "../authenticators/passkeys/passkey_form.view.ts";
import { invitedRoleNames } from "../core/pages/invited_roles.view.ts";
import { loginHref } from "../core/pages/login_href.view.ts";
import { type NewAccountError, newAccountFields } from "./new_account_fields.view.ts";

export type InvitationPage = PageLocale & {
  organization: { name: string; logo_url?: string | null | undefined };
  role: string;
  further_roles: readonly string[];
  inviter: { name: string; email: string };
  email: string;
  token: string;
  csrf_token: string;
  /** `taken` means that an account with an equivalent spelling of the email address prevents a new one. */
  way: "join" | "sign_in" | "make_account" | "taken";
  someone_else?: { name: string; email: string } | undefined;
  href: string;
  name?: string | undefined;
  errors: readonly NewAccountError[];
  longest_name: number;
  shortest_password: number;
  passkey?: PasskeyQuestion | undefined;
  out_of_date?: boolean | undefined;
  brand?: Brand | undefined;
};

/** Renders the page on which a user accepts an invitation. */
export function invitationPage(page: InvitationPage): Html {
  const {
    organization,
    role,
    further_roles,
    inviter,
    email,
    way,
    someone_else,
    out_of_date,
    brand,
    ...locale
  } = page;
  const words = locale.words.invitation;
  return layout({
    ...locale,
    title: words.joinTitle(organization.name),
    brand,
    body: html`<section class="card">
<div class="parties">${avatar({ ...organization, kind: "client" })}</div>
<h1 class="centred">${words.joinHeading(html`<bdi class="name">${organization.name}</bdi>`)}</h1>
${
  out_of_date
    ? notice("failure", html`<p>${locale.words.login.failures.out_of_date}</p>`)
    : someone_else &&
      notice("caution", html`<p>${words.someoneElse(html`<bdi>${someone_else.email}</bdi>`)}</p>`)
}
<dl class="facts">
<div><dt>${words.invited}</dt><dd><bdi>${email}</bdi></dd></div>
<div><dt>${words.joinAs}</dt><dd>${invitedRoleNames(role, further_roles, words)}</dd></div>
<div><dt>${words.inviter}</dt><dd><bdi>${inviter.name}</bdi><br><bdi class="quiet">${inviter.email}</bdi></dd></div>
</dl>
${waysOn[way](page)}
</section>`,
  });
}

const waysOn: Readonly<Record<InvitationPage["way"], (page: InvitationPage) => Html>> = {
  join: ({ token, csrf_token, words }) => html`<form method="post" action="/invitation">
${hiddenFields({ token, csrf_token })}
<button class="button primary" type="submit">${words.invitation.join}</button>
</form>`,

  sign_in: ({ href, csrf_token, someone_else, words }) => html`<p>${words.invitation.signInLead}</p>
${
  someone_else === undefined
    ? html`<a class="button primary" href="${safeHref(loginHref(href)) ?? "/login"}">${words.invitation.signIn}</a>`
    : html`<form method="post" action="/login">
${hiddenFields({ redirect: href, csrf_token })}
<button class="button primary" type="submit" name="account" value="another">${words.invitation.another}</button>
</form>`
}`,

  taken: ({ words }) => html`<p>${words.invitation.takenLead}</p>`,

  make_account: (page) => {
    const {
      token,
      csrf_token,
      email,
      name,
      errors,
      longest_name,
      shortest_password,
      passkey,
      someone_else,
      words,
    } = page;
    const say = words.invitation;
    return html`<p>${say.makeLead}${someone_else && ` ${say.signsOut}`}</p>
<form method="post" action="/invitation">
${hiddenFields({ token, csrf_token })}
${newAccountFields({ email, name, errors, longest_name, shortest_password, passkey, submit: say.make, words })}
</form>`;
  },
};

/** Renders the page for a link that does not work, without the reason, because the visitor is unknown. */
export function deadInvitationPage(locale: PageLocale): Html {
  const { deadTitle, deadLead, home } = locale.words.invitation;
  return plainMessage(locale, { title: deadTitle, lead: deadLead, link: { href: "/account", label: home } });
}

type JoinedPage = PageLocale & {
  organization: { name: string };
  role: string;
  further_roles: readonly string[];
  was_member: boolean;
  brand?: Brand | undefined;
};

export function joinedPage(page: JoinedPage): Html {
  const { organization, role, further_roles, was_member, brand, ...locale } = page;
  const words = locale.words.invitation;
  return layout({
    ...locale,
    title: words.joinedTitle,
    brand,
    body: html`<section class="card">
<h1>${words.joinedHeading(html`<bdi class="name">${organization.name}</bdi>`)}</h1>
<p class="lead">${was_member ? words.wasMember : words.joinedLead(invitedRoleNames(role, further_roles, words))}</p>
<div class="stack">
<a class="button primary" href="/console">${words.toConsole}</a>
<a class="button" href="/account">${words.home}</a>
</div>
</section>`,
  });
}
