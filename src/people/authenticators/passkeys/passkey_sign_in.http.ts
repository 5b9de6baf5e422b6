import type { HttpContext } from "../../core/http_context.http.ts";
import { askToSignIn } from "./passkey_questions.ts";
import { offeredPasskeySite } from "./passkey_site.ts";
import type { PasskeySignIn } from "./sign_in_with_passkey.view.ts";

export const passkeySignInPath = "/sign-in/passkey";

interface SignInQuestion {
  readonly csrf_token: string;
  readonly redirect: string;
  readonly here: string;
  /**
   * The ID of a passkey that this server does not know. The page signals this to the password manager
   * (PK-10).
   */
  readonly unknown?: string | undefined;
}

/** Returns the passkey request of a login page; undefined if passkeys are not offered. */
export function passkeySignIn(
  { csrf_token, redirect, here, unknown }: SignInQuestion,
  { server, identity }: HttpContext,
): PasskeySignIn | undefined {
  const site = offeredPasskeySite(server.issuer, identity);
  if (site === undefined) return undefined;
  const options = askToSignIn({ holder: csrf_token, site }, identity);
  return {
    form: {
      ceremony: "get",
      options,
      action: passkeySignInPath,
      fields: { redirect, csrf_token },
      renew_href: here,
    },
    signal: unknown === undefined ? undefined : { unknown: { rpId: site.rp_id, credentialId: unknown } },
  };
}
