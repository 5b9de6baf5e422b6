import { securityPage } from "../../src/people/account/security.page.ts";
import {
  removePasskeyPage,
  renamePasskeyPage,
} from "../../src/people/authenticators/passkeys/change_passkey.page.ts";
import { newPasskeyPage } from "../../src/people/authenticators/passkeys/new_passkey.page.ts";
import { passkeyCard } from "../../src/people/authenticators/passkeys/passkey.card.ts";
import { passkeyFactor, passkeySignal } from "../../src/people/authenticators/passkeys/passkey_form.view.ts";
import { passkeyOfferPage } from "../../src/people/authenticators/passkeys/passkey_offer.page.ts";
import { passkeyUpgradePage } from "../../src/people/authenticators/passkeys/passkey_upgrade.page.ts";
import { loginPage } from "../../src/people/entry/login.page.ts";
import { type Html, html } from "../../src/web/html/html.ts";
import { layout } from "../../src/web/layout.ts";
import type { PageLocale } from "../../src/web/words/page_locale.ts";

/** Returns every page that requests or shows passkeys; see `everyPage`. */
export function passkeyPages(text: string, locale: PageLocale): Record<string, Html> {
  const options = { challenge: text };
  const question = { options, action: "/sign-in/passkey", fields: { csrf_token: text } };
  const requested = { ...question, ceremony: "get", renew_href: "/login" } as const;
  const made = { ...question, ceremony: "create", renew_href: "/account/security" } as const;
  const login = { ...locale, redirect: text, csrf_token: text };
  const page = { ...locale, administers: true, person: { name: text, email: text } };
  const listed = { id: text, name: text, added_at: new Date(0), used_at: new Date(0) };
  const card = { ...locale, csrf_token: text, can_add: true, is_only_method: false };
  const about = { rpId: text, userId: text };
  const young_for = 86_400_000;
  const longest_name = 64;
  const one = { ...page, id: text, name: text, csrf_token: text };
  return {
    loginPasskey: loginPage({ ...login, passkey: { form: requested } }),
    loginPasskeyLast: loginPage({ ...login, passkey: { form: requested }, last_method: { kind: "passkey" } }),
    loginPasskeyRefused: loginPage({
      ...login,
      passkey: { form: requested, signal: { unknown: { rpId: text, credentialId: text } } },
      passkey_failure: "unknown",
    }),
    passkeys: securityPage({
      ...page,
      signals: [
        passkeySignal({
          accepted: { ...about, allAcceptedCredentialIds: [text] },
          user: { ...about, name: text, displayName: text },
        }),
      ],
      cards: [
        passkeyCard({
          ...card,
          passkeys: [
            { ...listed, synced: true, signs_in: true },
            { ...listed, synced: false, signs_in: true, used_at: null },
            { ...listed, synced: false, signs_in: false },
          ],
          is_only_method: true,
        }),
      ],
    }),
    passkeysNone: securityPage({ ...page, cards: [passkeyCard({ ...card, passkeys: [] })] }),
    newPasskey: newPasskeyPage({ ...page, kind: "passkey", longest_name, form: made }),
    newPasskeyUnnamed: newPasskeyPage({
      ...page,
      kind: "passkey",
      longest_name,
      form: made,
      name: "",
      failure: "name",
    }),
    newSecurityKey: newPasskeyPage({
      ...page,
      kind: "security_key",
      longest_name,
      form: made,
      failure: "expired",
    }),
    renamePasskey: renamePasskeyPage({ ...one, longest_name }),
    renamePasskeyWrong: renamePasskeyPage({ ...one, longest_name, wrong: true }),
    removePasskey: removePasskeyPage({ ...one, young_for }),
    removePasskeyRefused: removePasskeyPage({ ...one, young_for, refused: "too_young" }),
    removePasskeyLast: removePasskeyPage({ ...one, young_for, refused: "last_way" }),
    passkeysUpgrades: securityPage({
      ...page,
      cards: [passkeyCard({ ...card, passkeys: [], upgrades: { agreed: false, action: "/account" } })],
    }),
    passkeyUpgrade: passkeyUpgradePage({ ...locale, form: made, continue_href: "/account" }),
    passkeyOffer: passkeyOfferPage({
      ...locale,
      form: made,
      csrf_token: text,
      redirect: text,
      later_action: "/sign-in/passkey-offer",
    }),
    passkeyAsFactor: layout({
      ...locale,
      title: text,
      body: html`<h1>${text}</h1><form method="post" action="/login">${passkeyFactor({ options, name: "sudo_passkey", failure: "refused" }, locale)}</form>`,
    }),
  };
}
