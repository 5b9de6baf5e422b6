import { type Html, html } from "../../web/html/html.ts";
import { cautions } from "../../web/html/notice.ts";
import { moment } from "../../web/moment.ts";
import type { SignInMethodsWords } from "../../web/words/en/sign_in_methods.ts";
import type { ManagementLocale } from "../../web/words/page_locale.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";

type ListedFactor = {
  id: string;
  name: string;
  kind: "synced" | "device" | "security_key" | "app";
  /** Only for passkeys: the host name, and the model of the authenticator if known. */
  rp_id?: string | undefined;
  aaguid?: string | null | undefined;
  added_at: Date;
  used_at: Date | null;
};

export type SignInMethodsCard = {
  user_id: string;
  password: boolean;
  /** Whether the password is an imported hash, which the first sign-in with it replaces (MG-4). */
  is_imported: boolean;
  linked_accounts: number;
  recovery_codes: number;
  /** The highest authentication level that the user can reach; undefined without a sign-in method. */
  level: "password" | "federated" | "mfa" | "phr" | undefined;
  factors: readonly ListedFactor[];
  /**
   * A pending recovery. At `due_at`, lost passkeys are removed, or the user can begin to set up new second
   * factors.
   */
  recovery: { lost: "second_factors" | "passkeys"; due_at: Date; expires_at: Date } | undefined;
  /** Whether the viewer may remove a factor. The last second factor can be removed only by a reset. */
  may_remove: boolean;
};

/** Authenticators that do not reveal their model report only zeros. */
const isModel = (aaguid: string | null | undefined): boolean => aaguid != null && !/^[0-]*$/.test(aaguid);

/** Renders a user's sign-in methods. */
export function signInMethodsCard(card: SignInMethodsCard, { words, language }: ManagementLocale): Html {
  const { user_id, factors, recovery, may_remove } = card;
  const say = words.signInMethods;
  const kindOf = {
    synced: words.passkeys.card.synced,
    device: words.passkeys.card.deviceOnly,
    security_key: words.passkeys.card.securityKey,
    app: say.app,
  } as const;
  const facts = [
    [say.level, card.level === undefined ? say.noWayIn : say.levels[card.level]],
    [say.password, card.is_imported ? say.isImported : card.password ? say.isSet : say.notSet],
    [say.linked, card.linked_accounts],
    [say.recoveryCodes, card.recovery_codes === 0 ? say.noCodes : card.recovery_codes],
  ] as const;
  const row = ({ id, name, kind, rp_id, aaguid, added_at, used_at }: ListedFactor) =>
    html`<tr role="row"><th role="rowheader" scope="row"><bdi>${name}</bdi> <span class="badge">${kindOf[kind]}</span></th><td role="cell" data-label="${say.madeFor}">${rp_id === undefined ? "–" : html`<code>${rp_id}</code>`}${isModel(aaguid) && html`<br><span class="quiet">${say.model} <code>${aaguid}</code></span>`}</td><td role="cell" data-label="${say.added}">${moment(added_at, "minute", language)}</td><td role="cell" data-label="${say.lastUsed}">${used_at ? moment(used_at, "minute", language) : say.never}</td>${may_remove && html`<td role="cell"><div class="actions"><a class="button small" href="${resourceTypeHref("users")}/${user_id}/factors/${id}/remove" aria-label="${say.removeOf(name)}">${say.remove}</a></div></td>`}</tr>`;
  const head = (text: string) => html`<th role="columnheader" scope="col">${text}</th>`;
  return html`<section class="card" aria-labelledby="sign-in-methods"><h2 id="sign-in-methods">${say.title}</h2>
${recovery && cautions([recoveryText(recovery, say, language)])}
<dl class="facts spelled">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
${
  factors.length === 0
    ? html`<p class="quiet">${say.none}</p>`
    : html`<table class="table" role="table">
<caption class="unseen">${say.factors}</caption>
<thead role="rowgroup"><tr role="row">${[say.name, say.madeFor, say.added, say.lastUsed].map(head)}${may_remove && head(say.action)}</tr></thead>
<tbody role="rowgroup">${factors.map(row)}</tbody>
</table>`
}</section>`;
}

function recoveryText(
  { lost, due_at, expires_at }: NonNullable<SignInMethodsCard["recovery"]>,
  say: SignInMethodsWords,
  language: ManagementLocale["language"],
): Html {
  const due = moment(due_at, "minute", language);
  return lost === "passkeys" ? say.removal(due) : say.recovery(due, moment(expires_at, "minute", language));
}
