import { factorsLostPage } from "../../src/people/authenticators/mail_code/lost_factors.page.ts";
import { lostFactorsField } from "../../src/people/authenticators/mail_code/mail_code.view.ts";
import { passkeyFactor } from "../../src/people/authenticators/passkeys/passkey_form.view.ts";
import {
  cancelRecoveryPage,
  deadRecoveryLinkPage,
  recoveryCancelledPage,
} from "../../src/people/authenticators/recovery/cancel_recovery.page.ts";
import { recoveryPage } from "../../src/people/authenticators/recovery/recovery.page.ts";
import { recoveryCodeField } from "../../src/people/authenticators/recovery_codes/recovery_codes.card.ts";
import { totpField } from "../../src/people/authenticators/totp/authenticator_apps.card.ts";
import {
  recoveryCodeUsedPage,
  secondFactorEndedPage,
  secondFactorPage,
} from "../../src/people/entry/second_factor.page.ts";
import type { Html } from "../../src/web/html/html.ts";
import type { PageLocale } from "../../src/web/words/page_locale.ts";
import { formsOf } from "./forms_of.ts";

/** Returns every variant of the page of the second factor; see `everyPage`. */
export function secondFactorPages(text: string, locale: PageLocale): Record<string, Html> {
  const href = "/sign-in/second-factor?method=totp";
  const page = { ...locale, user: { email: text }, csrf_token: text };
  const others = [
    { kind: "passkey", href },
    { kind: "recovery_code", href },
  ] as const;
  const requested = passkeyFactor({ options: { challenge: text }, name: "passkey" }, locale);
  const passkey = { kind: "passkey", others: [{ kind: "totp", href }] } as const;
  const totp = (error?: "late" | "throttled") => totpField(locale, { name: "code", error, required: true });
  const recovery_code = (error?: "wrong") =>
    recoveryCodeField(locale, { name: "recovery_code", error, required: true });
  const due_at = new Date(0);
  const lost_href = "/sign-in/lost-factors";
  return {
    ...recoverySamples(text, locale),
    factorsLost: factorsLostPage({ ...locale, continue_href: "/account" }),
    ...formsOf(
      secondFactorPage,
      { ...page, kind: "totp", part: totp(), others },
      {
        secondFactorMailCode: {
          kind: "mail_code",
          part: lostFactorsField(locale, {
            name: "mail_code",
            email: text,
            minutes: 10,
            error: "wrong",
            throttled: true,
          }),
          others: [],
          error: "wrong",
        },
        secondFactorTotp: { remember: { days: 30, chosen: false }, lost_href },
        secondFactorRecoveryWaits: { lost_href, recovery: { state: "elsewhere", due_at } },
        secondFactorRecoveryReady: { lost_href, recovery: { state: "ready", due_at } },
        secondFactorTotpLate: { part: totp("late"), others: [], redirect: text, error: "late" },
        secondFactorTotpThrottled: { part: totp("throttled"), error: "throttled", retry_after: 120 },
        secondFactorRecoveryCode: { kind: "recovery_code", part: recovery_code("wrong"), error: "wrong" },
        secondFactorOutOfDate: { kind: "recovery_code", part: recovery_code(), error: "out_of_date" },
        secondFactorPasskey: { ...passkey, part: requested, remember: { days: 30, chosen: true } },
        secondFactorPasskeyExpired: { ...passkey, part: requested, error: "expired" },
        secondFactorPasskeyNone: { ...passkey, part: undefined, error: "wrong" },
      },
    ),
    secondFactorEnded: secondFactorEndedPage({ ...locale, login_href: "/login" }),
    recoveryCodeUsed: recoveryCodeUsedPage({ ...locale, codes_left: 1, continue_href: "/account" }),
  };
}

/** Returns the pages of a user who lost every second factor, and of the link in their mails. */
function recoverySamples(text: string, locale: PageLocale): Record<string, Html> {
  const requested = { email: text, hours: 72, minutes: 10, csrf_token: text };
  const page = { ...locale, ...requested, back_href: "/sign-in/second-factor" };
  const due_at = new Date(0);
  const lost = { ...locale, token: text, csrf_token: text };
  return {
    ...formsOf(
      recoveryPage,
      { ...page, state: "none" },
      {
        recoveryAdministrator: { state: "administrator" },
        recoveryNone: {},
        recoveryExpired: { error: "expired" },
        recoveryThrottled: { error: "throttled" },
        recoveryOutOfDate: { error: "out_of_date" },
        recoveryRequested: { state: "requested", error: "wrong" },
        recoveryElsewhere: { state: "elsewhere", due_at },
        recoveryWaiting: { state: "waiting", due_at },
        recoveryReady: { state: "ready", due_at },
      },
    ),
    cancelRecovery: cancelRecoveryPage({ ...lost, lost: "factors" }),
    recoveryCancelled: recoveryCancelledPage({ ...locale, lost: "factors" }),
    cancelRemoval: cancelRecoveryPage({ ...lost, lost: "passkeys" }),
    removalCancelled: recoveryCancelledPage({ ...locale, lost: "passkeys" }),
    deadRecoveryLink: deadRecoveryLinkPage(locale),
  };
}
