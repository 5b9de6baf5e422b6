import { newChallenge } from "../../../crypto/passkey_challenge.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { handleOf, passkeysOf } from "./own_passkeys.ts";
import {
  type CreationOptions,
  creationOptions,
  type PasskeyKind,
  type RequestOptions,
  requestOptions,
} from "./passkey_options.ts";
import type { PasskeySite } from "./passkey_site.ts";
import { registrationPurpose } from "./register_passkey.ts";

/** The challenge is bound to `holder`: the CSRF token or, for a sensitive action (sudo), the session ID. */
export interface Requested {
  readonly holder: string;
  readonly site: PasskeySite;
}

/** Returns options that let any user sign in with a passkey, without access to the database (PK-9). */
export function askToSignIn({ holder, site }: Requested, { sealer, now }: IdentityContext): RequestOptions {
  const challenge = newChallenge({ purpose: "sign_in", holder }, sealer, now());
  return requestOptions(challenge, [], site, { require_uv: true });
}

/** Returns options that request one of the user's passkeys; undefined if the user has none for this host. */
export async function requestFactor(
  purpose: "second_factor" | "sudo",
  user: Pick<User, "id">,
  { holder, site }: Requested,
  context: IdentityContext,
): Promise<RequestOptions | undefined> {
  const passkeys = await passkeysOf(user, site, context);
  if (passkeys.length === 0) return undefined;
  const challenge = newChallenge({ purpose, holder }, context.sealer, context.now());
  return requestOptions(challenge, passkeys, site, { require_uv: false });
}

/** Returns options for this user to create a passkey. Creates a user handle if there is none (PK-1). */
export async function requestRegistration(
  what: PasskeyKind | "upgrade",
  user: User,
  { holder, site, server_name }: Requested & { readonly server_name: string },
  context: IdentityContext,
): Promise<CreationOptions> {
  const kind = what === "upgrade" ? "passkey" : what;
  const purpose = what === "upgrade" ? what : registrationPurpose[kind];
  const challenge = newChallenge({ purpose, holder }, context.sealer, context.now());
  const passkeys = await passkeysOf(user, site, context);
  const handle = await handleOf(user, context);
  return creationOptions(kind, challenge, { user, handle, passkeys }, { site, server_name });
}
