import {
  deadDisownLinkPage,
  disownedPage,
  disownPage,
} from "../../src/people/account/endings/disown.page.ts";
import { securityPage } from "../../src/people/account/security.page.ts";
import { mailboxPage, newDevicePage } from "../../src/people/authenticators/mail_code/mailbox.pages.ts";
import { recoveryCodesCard } from "../../src/people/authenticators/recovery_codes/recovery_codes.card.ts";
import { recoveryCodesPage } from "../../src/people/authenticators/recovery_codes/recovery_codes.page.ts";
import { waitingFactorCard } from "../../src/people/authenticators/recovery_codes/waiting_factor.card.ts";
import {
  newAppPage,
  removeAppPage,
  renameAppPage,
} from "../../src/people/authenticators/totp/authenticator_app.pages.ts";
import { authenticatorAppsCard } from "../../src/people/authenticators/totp/authenticator_apps.card.ts";
import { type Html, html } from "../../src/web/html/html.ts";
import type { PageLocale } from "../../src/web/words/page_locale.ts";

/** Returns every page on which users manage authenticator apps and recovery codes; see `everyPage`. */
export function ownFactorPages(text: string, locale: PageLocale): Record<string, Html> {
  const page = { ...locale, administers: false, person: { name: text, email: text }, csrf_token: text };
  const label = locale.words.ownFactors.enrol.qr;
  const qr = html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 8 8"><path d="M0 0h1v1h-1z"/></svg>`;
  const enrol = {
    ...page,
    qr,
    secret: text,
    uri: "otpauth://totp/a",
    name: text,
    longest_name: 64,
    minutes: 10,
  };
  const at = new Date(0);
  const apps = [
    { id: "1", name: text, added_at: at, used_at: at },
    { id: "2", name: text, added_at: at, used_at: null },
  ];
  const change = { ...page, id: "1", name: text };
  const fields = { csrf_token: text };
  const mailbox = {
    back_href: "/account/security",
    email: text,
    known_after: 86_400_000,
    action: "/account/passkeys/mailbox",
    fields,
  };
  return {
    ownFactors: securityPage({
      ...page,
      done: "app_added",
      cards: [
        authenticatorAppsCard({ ...page, apps, can_add: true }),
        waitingFactorCard({ ...page, name: text, until: at, csrf_token: "token" }),
        recoveryCodesCard({ ...page, left: 10, made_at: at, is_alone: false }),
      ],
    }),
    ownFactorsFew: securityPage({
      ...page,
      cards: [
        authenticatorAppsCard({
          ...page,
          apps: [],
          can_add: true,
          wait: { until: undefined, known_after: 86_400_000 },
        }),
        recoveryCodesCard({ ...page, left: 0, made_at: undefined, is_alone: true }),
      ],
    }),
    newApp: newAppPage(enrol),
    newAppWrong: newAppPage({ ...enrol, error: "late" }),
    newAppName: newAppPage({ ...enrol, error: "name" }),
    newAppTooMany: newAppPage({ ...enrol, error: "too_many" }),
    mailbox: mailboxPage({ ...page, ...mailbox }),
    mailboxWrong: mailboxPage({ ...page, ...mailbox, error: "wrong" }),
    mailboxEnded: mailboxPage({ ...page, ...mailbox, error: "ended" }),
    newDevice: newDevicePage({
      ...page,
      wait: { until: at, known_after: 86_400_000 },
      back_href: "/account/security",
    }),
    renameApp: renameAppPage({ ...change, longest_name: 64, wrong: true }),
    removeApp: removeAppPage({ ...change, last: false }),
    removeLastApp: removeAppPage({ ...change, last: true }),
    recoveryCodes: recoveryCodesPage({ ...page, fields, codes: [text, text], adds: text, has_set: false }),
    recoveryCodesShown: recoveryCodesPage({
      ...page,
      fields,
      codes: undefined,
      adds: undefined,
      has_set: true,
    }),
    disown: disownPage({ ...page, token: text, ended: [{ kind: "api_keys", count: 1, names: [text] }] }),
    disowned: disownedPage({
      ...locale,
      ended: [{ kind: "api_keys", count: 1, names: [text] }],
      next: "link",
    }),
    disownedMoved: disownedPage({ ...locale, ended: [], next: "moved" }),
    disownedPasswordless: disownedPage({ ...locale, ended: [], next: { passkey: true, providers: [] } }),
    deadDisownLink: deadDisownLinkPage({ ...locale, minutes: 4320 }),
  };
}
