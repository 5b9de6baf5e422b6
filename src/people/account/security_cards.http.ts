import { ownAuthenticatorApps, ownRecoveryCodes } from "../authenticators/factors/own_factors.http.ts";
import { ownPasskeys } from "../authenticators/passkeys/own_passkeys.http.ts";
import { ownPassword } from "../authenticators/password/own_password.http.ts";
import { recentEvents } from "./recent_events.http.ts";
import type { SecurityCard } from "./security_card.http.ts";

/** The cards of `/account/security` in their order. */
export const securityCards: readonly SecurityCard[] = [
  ownPassword,
  ownPasskeys,
  ownAuthenticatorApps,
  ownRecoveryCodes,
  recentEvents,
];
