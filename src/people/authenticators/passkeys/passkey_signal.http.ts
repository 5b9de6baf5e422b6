/** Signals a signed-in user's passkeys to the password manager (PK-10). */

import type { SignedIn } from "../../../records/definition/request_origin.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { waitingFactor } from "../recovery_codes/enrol_factor.ts";
import { handleOf, passkeysOf } from "./own_passkeys.ts";
import type { PasskeySignal } from "./passkey_form.view.ts";
import { passkeySite } from "./passkey_site.ts";

/** Returns undefined for a user who never had a passkey. */
export async function passkeySignalFor(
  signedIn: SignedIn,
  { server, identity }: Pick<HttpContext, "server" | "identity">,
): Promise<PasskeySignal | undefined> {
  const { user } = signedIn;
  const site = passkeySite(server.issuer);
  if (site === undefined || user.webauthn_handle === null) return undefined;
  const stored = await passkeysOf(user, site, identity);
  const waiting = await waitingFactor(signedIn, identity);
  // A passkey that waits for its recovery codes already exists in the authenticator, and must not be
  // deleted there.
  const known = waiting?.factor.kind === "passkey" ? [...stored, waiting.factor.passkey] : stored;
  const about = { rpId: site.rp_id, userId: await handleOf(user, identity) };
  const allAcceptedCredentialIds = known.map(({ credential_id }) => credential_id);
  return {
    accepted: { ...about, allAcceptedCredentialIds },
    user: { ...about, name: user.email, displayName: user.name || user.email },
  };
}
