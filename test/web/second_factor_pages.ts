import type { Html } from "../../src/web/html.ts";
import {
  cancelRecoveryPage,
  deadRecoveryLinkPage,
  recoveryCancelledPage,
} from "../../src/web/pages/cancel_recovery_page.ts";
import { factorsLostPage, mailCodeField } from "../../src/web/pages/lost_factors_page.ts";
import { recoveryPage } from "../../src/web/pages/recovery_page.ts";
import {
  recoveryCodeField,
  recoveryCodeUsedPage,
  secondFactorEndedPage,
  secondFactorPage,
  totpField,
} from "../../src/web/pages/second_factor_page.ts";
import { passkeyFactor } from "../../src/web/passkeys/passkey_factor.ts";
import type { PageLocale } from "../../src/web/words/page_locale.ts";

/** Every form of the page of the second factor; see `everyPage`. */
export function secondFactorPages(text: string, locale: PageLocale): Record<string, Html> {
  const href = "/sign-in/second-factor?method=totp";
  const page = { ...locale, user: { email: text }, csrf_token: text };
  const others = [
    { kind: "passkey", href },
    { kind: "recovery_code", href },
  ] as const;
  const asked = passkeyFactor({ options: { challenge: text }, name: "passkey" }, locale);
  const passkey = { ...page, kind: "passkey", others: [{ kind: "totp", href }] } as const;
  return {
    secondFactorMailCode: secondFactorPage({
      ...page,
      kind: "mail_code",
      part: mailCodeField(locale, { email: text, minutes: 10, fault: "wrong", throttled: true }),
      others: [],
      fault: "wrong",
    }),
    ...recoverySamples(text, locale),
    factorsLost: factorsLostPage({ ...locale, continue_href: "/account" }),
    secondFactorTotp: secondFactorPage({
      ...page,
      kind: "totp",
      part: totpField(locale, { name: "code", fault: undefined, required: true }),
      others,
      remember: { days: 30, chosen: false },
      lost_href: "/sign-in/lost-factors",
    }),
    secondFactorRecoveryWaits: secondFactorPage({
      ...page,
      kind: "totp",
      part: totpField(locale, { name: "code", fault: undefined, required: true }),
      others,
      lost_href: "/sign-in/lost-factors",
      recovery: { state: "elsewhere", due_at: new Date(0) },
    }),
    secondFactorRecoveryReady: secondFactorPage({
      ...page,
      kind: "totp",
      part: totpField(locale, { name: "code", fault: undefined, required: true }),
      others,
      lost_href: "/sign-in/lost-factors",
      recovery: { state: "ready", due_at: new Date(0) },
    }),
    secondFactorTotpLate: secondFactorPage({
      ...page,
      kind: "totp",
      part: totpField(locale, { name: "code", fault: "late", required: true }),
      others: [],
      redirect: text,
      fault: "late",
    }),
    secondFactorTotpThrottled: secondFactorPage({
      ...page,
      kind: "totp",
      part: totpField(locale, { name: "code", fault: "throttled", required: true }),
      others,
      fault: "throttled",
      retry_after: 120,
    }),
    secondFactorRecoveryCode: secondFactorPage({
      ...page,
      kind: "recovery_code",
      part: recoveryCodeField(locale, { name: "recovery_code", fault: "wrong", required: true }),
      others,
      fault: "wrong",
    }),
    secondFactorOutOfDate: secondFactorPage({
      ...page,
      kind: "recovery_code",
      part: recoveryCodeField(locale, { name: "recovery_code", fault: undefined, required: true }),
      others,
      fault: "out_of_date",
    }),
    secondFactorPasskey: secondFactorPage({
      ...passkey,
      part: asked,
      remember: { days: 30, chosen: true },
    }),
    secondFactorPasskeyExpired: secondFactorPage({ ...passkey, part: asked, fault: "expired" }),
    secondFactorPasskeyNone: secondFactorPage({ ...passkey, part: undefined, fault: "wrong" }),
    secondFactorEnded: secondFactorEndedPage({ ...locale, login_href: "/login" }),
    recoveryCodeUsed: recoveryCodeUsedPage({ ...locale, codes_left: 1, continue_href: "/account" }),
  };
}

/** The pages of a person who lost every second factor, and of the link in their mails. */
function recoverySamples(text: string, locale: PageLocale): Record<string, Html> {
  const asked = { email: text, hours: 72, minutes: 10, csrf_token: text };
  const page = { ...locale, ...asked, back_href: "/sign-in/second-factor" };
  const due_at = new Date(0);
  return {
    recoveryAdministrator: recoveryPage({ ...page, state: "administrator" }),
    recoveryNone: recoveryPage({ ...page, state: "none" }),
    recoveryExpired: recoveryPage({ ...page, state: "none", fault: "expired" }),
    recoveryThrottled: recoveryPage({ ...page, state: "none", fault: "throttled" }),
    recoveryOutOfDate: recoveryPage({ ...page, state: "none", fault: "out_of_date" }),
    recoveryAsked: recoveryPage({ ...page, state: "asked", fault: "wrong" }),
    recoveryElsewhere: recoveryPage({ ...page, state: "elsewhere", due_at }),
    recoveryWaiting: recoveryPage({ ...page, state: "waiting", due_at }),
    recoveryReady: recoveryPage({ ...page, state: "ready", due_at }),
    cancelRecovery: cancelRecoveryPage({ ...locale, lost: "factors", token: text, csrf_token: text }),
    recoveryCancelled: recoveryCancelledPage({ ...locale, lost: "factors" }),
    cancelRemoval: cancelRecoveryPage({ ...locale, lost: "passkeys", token: text, csrf_token: text }),
    removalCancelled: recoveryCancelledPage({ ...locale, lost: "passkeys" }),
    deadRecoveryLink: deadRecoveryLinkPage(locale),
  };
}
