import type { SecurityCard } from "../../account/security_card.http.ts";
import { factorWait } from "../mail_code/mailbox_code.ts";
import { allPasskeysOf } from "./own_passkeys.ts";
import { passkeyCard } from "./passkey.card.ts";
import { offeredPasskeySite } from "./passkey_site.ts";
import { agreedToUpgrades, mayUpgrade } from "./passkey_upgrades.ts";
import { upgradeConsentPath } from "./upgrade_consent_path.http.ts";

/** The passkeys of the person, where they have some or may add one. */
export const ownPasskeys: SecurityCard = async (
  { signedIn, page, csrf_token, upgrade_consent, browser_marks },
  { server, identity },
) => {
  const { user } = signedIn;
  const passkeys = await allPasskeysOf(user, identity);
  const can_add = offeredPasskeySite(server.issuer, identity) !== undefined;
  if (passkeys.length === 0 && !can_add) return undefined;
  const { password, providers, passkeys: alone } = await identity.store.enrolledMethods(user);
  const [only] = passkeys.filter(({ id }) => alone.includes(id));
  const agreed = agreedToUpgrades(user, upgrade_consent, identity);
  const may_upgrade = can_add && (await mayUpgrade(user, identity));
  return passkeyCard({
    ...page,
    upgrades: may_upgrade ? { agreed, action: upgradeConsentPath } : undefined,
    passkeys: passkeys.map(({ id, name, backed_up, signs_in, uv_initialized, created_at, last_used_at }) => ({
      id,
      name,
      synced: backed_up,
      signs_in: signs_in && uv_initialized,
      added_at: created_at,
      used_at: last_used_at,
    })),
    csrf_token,
    can_add,
    wait: can_add ? await factorWait(signedIn, browser_marks, identity) : undefined,
    is_only_way: !password && providers.length === 0 && alone.length === 1 && only?.backed_up === false,
  });
};
