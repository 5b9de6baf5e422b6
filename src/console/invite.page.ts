import { invitedRoleName } from "../people/core/pages/invited_roles.view.ts";
import { hiddenFields } from "../web/html/hidden_fields.ts";
import { type Html, html } from "../web/html/html.ts";
import { notice } from "../web/html/notice.ts";
import { textField } from "../web/html/text_field.ts";
import { moment } from "../web/moment.ts";
import type { InvitationWords } from "../web/words/en/invitation.ts";
import type { InviteWords } from "../web/words/en/invite.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "./frame/console_frame.view.ts";

type InvitedRole = keyof InvitationWords["roles"];

export type InvitePage = ConsoleLocale & {
  organization: { id: string; name: string };
  csrf_token: string;
  days: number;
  roles: readonly InvitedRole[];
  further: readonly { id: string; called: string; list: string }[];
  chosen?: readonly string[] | undefined;
  email?: string | undefined;
  role?: InvitedRole | undefined;
  error?: keyof InviteWords["errors"] | undefined;
  made?: { email: string; link: string | undefined } | undefined;
  withdrawn?: boolean | undefined;
  open: readonly {
    id: string;
    email: string;
    role: string;
    further_roles: readonly string[];
    inviter_name?: string | undefined;
    expires_at: Date;
  }[];
};

const faultyField: { readonly [F in keyof InviteWords["errors"]]?: "email" | "role" } = {
  email: "email",
  member: "email",
  invited_above: "email",
  look_alike: "email",
  role: "role",
  role_above: "role",
};

export function invitePage(page: InvitePage): Html {
  const { organization, csrf_token, days, roles, made, withdrawn, open, error, ...locale } = page;
  const words = locale.words.invite;
  const href = `/console/organizations/${organization.id}`;
  return consoleFrame({
    ...locale,
    title: words.title,
    here: "organizations",
    crumbs: [
      { href: resourceTypeHref("organizations"), label: locale.words.resourceTypes.organizations.many },
      { href, label: organization.name },
      { label: words.title },
    ],
    lead: words.lead(days),
    done: withdrawn ? words.withdrawn : undefined,
    body: html`${made && madeCard(made, words)}
${error !== undefined && faultyField[error] === undefined && notice("failure", html`<p>${words.errors[error]}</p>`)}
<section class="card">
<form method="post" action="${href}/invite">
${hiddenFields({ csrf_token })}
${textField({
  name: "email",
  label: words.email,
  type: "email",
  autocomplete: "off",
  value: page.email ?? "",
  help: words.emailHelp,
  error: error !== undefined && faultyField[error] === "email" ? words.errors[error] : undefined,
  required: true,
  autofocus: error !== undefined && faultyField[error] === "email",
})}
${roleChoice(page)}
${furtherChoice(page)}
<div class="actions"><button class="button primary" type="submit">${words.submit}</button></div>
</form>
</section>
${openTable(page)}`,
  });
}

function madeCard({ email, link }: NonNullable<InvitePage["made"]>, words: InviteWords): Html {
  const handOver =
    link !== undefined &&
    html`<div class="notice notice-caution">${words.shownOnce}</div>
<div class="secret"><code>${link}</code></div>
`;
  return html`<section class="card">
<h2>${words.made(html`<bdi>${email}</bdi>`)}</h2>
<p>${link === undefined ? words.mailed : words.notMailed}</p>
${handOver}</section>`;
}

function roleChoice({ roles, role, error, words }: InvitePage): Html {
  const say = words.invite;
  const roleWords = words.invitation.roles;
  const message = error !== undefined && faultyField[error] === "role" ? say.errors[error] : undefined;
  const chosen = role ?? roles.at(-1);
  return html`<fieldset${message !== undefined && html` aria-describedby="role-error"`}>
<legend>${say.role}</legend>
${roles.map(
  (each) =>
    html`<label class="check"><input type="radio" name="role" value="${each}"${each === chosen && html` checked`}${message !== undefined && html` aria-invalid="true"`} required><span>${roleWords[each].name} <span class="help">${roleWords[each].help}</span></span></label>`,
)}
${message !== undefined && html`<p class="field-error" id="role-error">${message}</p>`}
</fieldset>`;
}

function furtherChoice({ further, chosen = [], words }: InvitePage): Html | false {
  if (further.length === 0) return false;
  return html`<fieldset>
<legend>${words.fields.label.role_ids}</legend>
${further.map(
  ({ id, called, list }) =>
    html`<label class="check"><input type="checkbox" name="${list}/${id}" value="1"${chosen.includes(id) && html` checked`}><span><bdi>${called}</bdi></span></label>`,
)}
</fieldset>`;
}

function openTable({ organization, open, csrf_token, words, language }: InvitePage): Html {
  const say = words.invite;
  if (open.length === 0) return html`<p class="quiet">${say.none}</p>`;
  const heading = (label: string) => html`<th role="columnheader" scope="col">${label}</th>`;
  return html`<table class="table" role="table">
<caption>${say.open}</caption>
<thead role="rowgroup"><tr role="row">${heading(say.email)}${heading(say.role)}${heading(say.by)}${heading(say.until)}${heading(say.action)}</tr></thead>
<tbody role="rowgroup">${open.map(
    ({ id, email, role, further_roles, inviter_name, expires_at }) =>
      html`<tr role="row"><th role="rowheader" scope="row"><bdi>${email}</bdi></th>
<td role="cell" data-label="${say.role}"><span>${[invitedRoleName(role, words.invitation), ...further_roles].map((name) => html`<span class="badge"><bdi>${name}</bdi></span> `)}</span></td>
<td role="cell" data-label="${say.by}"><bdi>${inviter_name}</bdi></td>
<td role="cell" data-label="${say.until}"><span>${moment(expires_at, "minute", language)}</span></td>
<td role="cell" data-label="${say.action}"><form method="post" action="/console/organizations/${organization.id}/invite/withdraw">${hiddenFields({ csrf_token, invitation: id })}<button class="button small" type="submit" aria-label="${say.withdrawOf(email)}">${say.withdraw}</button></form></td></tr>`,
  )}</tbody>
</table>`;
}
