import { hasSecondFactor } from "../../../records/names/sign_in_methods.ts";
import type { SecurityCard } from "../../account/security_card.http.ts";
import { factorWait } from "../mail_code/mailbox_code.ts";
import { recoveryDelay } from "../recovery/delayed_recovery.ts";
import { recoveryCodesCard } from "../recovery_codes/recovery_codes.card.ts";
import { recoveryCodesOf } from "../recovery_codes/recovery_codes.ts";
import { authenticatorAppsCard } from "../totp/authenticator_apps.card.ts";
import { authenticatorAppsOf } from "../totp/authenticator_apps.ts";
import { offersTotp } from "../totp/enrol_totp.ts";

/** The authenticator apps of the person, where they have some or may add one. */
export const ownAuthenticatorApps: SecurityCard = async (
  { signedIn, page, csrf_token, browser_marks },
  { identity },
) => {
  const apps = await authenticatorAppsOf(signedIn.user, identity);
  const can_add = offersTotp(identity);
  if (apps.length === 0 && !can_add) return undefined;
  const listed = apps.map(({ id, name, created_at, last_used_at }) => ({
    id,
    name,
    added_at: created_at,
    used_at: last_used_at,
  }));
  const wait = can_add ? await factorWait(signedIn, browser_marks, identity) : undefined;
  return authenticatorAppsCard({ ...page, apps: listed, csrf_token, can_add, wait });
};

/** The recovery codes of a person who has a second factor. */
export const ownRecoveryCodes: SecurityCard = async ({ signedIn, page, csrf_token }, { identity }) => {
  const { user } = signedIn;
  const codes = await recoveryCodesOf(user, identity);
  const factors = await identity.store.secondFactorsOf(user.id);
  const none = { password: false, recovery_codes: 0, providers: [] };
  if (codes === undefined && !hasSecondFactor({ ...factors, ...none })) return undefined;
  const left = codes?.left ?? 0;
  // With a wait for new factors the mailbox is a way, too (MF-10).
  const has_wait = !user.is_platform_admin && recoveryDelay(identity) > 0;
  const count = factors.passkeys.length + factors.security_keys.length + factors.totp.length;
  const is_alone = count === 1 && left === 0 && !has_wait;
  return recoveryCodesCard({ ...page, left, made_at: codes?.made_at, is_alone, csrf_token });
};
