import { ownAuthenticatorApps, ownRecoveryCodes } from "./own_factors.ts";
import { ownPasskeys } from "./own_passkeys.ts";
import { ownPassword } from "./own_password.ts";
import { recentEvents } from "./recent_events.ts";
import type { SecurityCard } from "./security_card.ts";

/** The cards of `/account/security` in their order. */
export const securityCards: readonly SecurityCard[] = [
  ownPassword,
  ownPasskeys,
  ownAuthenticatorApps,
  ownRecoveryCodes,
  recentEvents,
];
