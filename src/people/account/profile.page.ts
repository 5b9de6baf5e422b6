import { avatar } from "../../web/html/avatar.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { textField } from "../../web/html/text_field.ts";
import { moment } from "../../web/moment.ts";
import type { AccountWords } from "../../web/words/en/account.ts";
import { type AccountDone, type AccountLocale, accountFrame } from "../core/pages/account_frame.view.ts";
import { type AttributeField, attributeFacts, attributeFields } from "./attributes.view.ts";

export type ProfileError = "name" | "attributes" | keyof AccountWords["profile"]["errors"];

export type ProfilePage = AccountLocale & {
  user: {
    name: string;
    email: string;
    avatar_url: string | null;
    is_platform_admin: boolean;
    created_at: Date;
    last_login_at: Date | null;
  };
  typed: { name: string; avatar_url: string; email: string };
  longest_name: number;
  email_is_theirs: boolean;
  email_href?: string | undefined;
  pending_email?: string | undefined;
  data_href?: string | undefined;
  deletion_href?: string | undefined;
  has_password: boolean;
  csrf_token: string;
  etag: string;
  errors: readonly ProfileError[];
  attributes: readonly AttributeField[];
  changed_meanwhile?: boolean | undefined;
  done?: AccountDone | undefined;
  /** Set if pages do not show pictures from this host. */
  hidden_picture_host?: string | undefined;
};

export function profilePage(page: ProfilePage): Html {
  const {
    user,
    typed,
    longest_name,
    email_is_theirs,
    email_href,
    pending_email,
    data_href,
    deletion_href,
    has_password,
    csrf_token,
    etag,
    errors,
    attributes,
    changed_meanwhile,
    hidden_picture_host,
    ...frame
  } = page;
  const { language } = frame;
  const words = frame.words.account.profile;
  const { email: own, data, deletion } = frame.words.ownAccount;
  const [first] = errors;
  const error = (...kinds: Exclude<ProfileError, "attributes">[]) => {
    const kind = kinds.find((each) => errors.includes(each));
    const said = kind === "name" ? frame.words.frame.nameError(longest_name) : kind && words.errors[kind];
    return { error: said, autofocus: kind !== undefined && kind === first };
  };
  return accountFrame({
    ...frame,
    here: "profile",
    lead: words.lead,
    body: html`<section class="card">
<div class="person">${avatar({ name: user.name, logo_url: user.avatar_url, kind: "user" })}<div><h2><bdi>${user.name}</bdi></h2>
<p class="quiet"><bdi>${user.email}</bdi></p></div></div>
${user.is_platform_admin && html`<p><span class="badge">${words.platformAdmin}</span></p>`}
<dl class="facts">
<div><dt>${words.email}</dt><dd><bdi>${user.email}</bdi>${!email_is_theirs && !email_href && html`<br><span class="quiet">${words.emailFixed}</span>`}${pending_email !== undefined && html`<br><span class="quiet">${own.waits(html`<bdi>${pending_email}</bdi>`)}</span>`}${email_href && html`<br><a href="${email_href}">${own.change}</a>`}</dd></div>
<div><dt>${words.made}</dt><dd>${moment(user.created_at, "day", language)}</dd></div>
<div><dt>${words.lastSignIn}</dt><dd>${user.last_login_at ? moment(user.last_login_at, "minute", language) : words.never}</dd></div>
${attributeFacts(attributes, words.attributes)}</dl>
</section>
<section class="card">
<h2>${words.edit}</h2>
${changed_meanwhile && notice("caution", html`<p>${words.changedMeanwhile}</p>`)}${errors.includes("attributes") && notice("failure", html`<p>${words.attributes.errors.too_many_bytes}</p>`)}
<form method="post" action="/account">
${hiddenFields({ csrf_token, etag })}
${textField({ name: "name", label: words.name, type: "text", value: typed.name, autocomplete: "name", max_length: longest_name, required: true, ...error("name") })}
${textField({ name: "avatar_url", label: words.picture, type: "url", value: typed.avatar_url, autocomplete: "photo", help: hidden_picture_host === undefined ? words.pictureHelp : `${words.pictureHidden(hidden_picture_host)} ${words.pictureHelp}`, max_length: 2048, ...error("avatar_url") })}
${email_is_theirs && textField({ name: "email", label: words.email, type: "email", value: typed.email, autocomplete: "username", help: words.emailHelp, max_length: 320, required: true, ...error("email", "email_taken") })}
${email_is_theirs && has_password && textField({ name: "current_password", label: frame.words.account.password.current, type: "password", autocomplete: "current-password", help: words.currentHelp, ...error("current_password") })}
${attributeFields(attributes, words.attributes)}
<div class="actions"><button class="button primary" type="submit">${words.save}</button></div>
</form>
</section>
${(data_href || deletion_href) && html`<section class="card actions">${data_href && html`<a class="button" href="${data_href}">${data.open}</a>`}${deletion_href && html`<a class="button" href="${deletion_href}">${deletion.open}</a>`}</section>`}`,
  });
}
