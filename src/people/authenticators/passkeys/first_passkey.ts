import { type ChallengeUse, newChallenge } from "../../../crypto/passkey_challenge.ts";
import { userHandleOfLink } from "../../../crypto/user_handles.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import type { ProvedPasskey } from "../../core/proofs/purposes.ts";
import { type CreationOptions, creationOptions } from "./passkey_options.ts";
import type { Requested } from "./passkey_questions.ts";
import type { PasskeySite } from "./passkey_site.ts";
import { type NewPasskeyProof, proveNewPasskey } from "./register_passkey.ts";

export interface FirstPasskey {
  readonly answer: string;
  /** A secret of this browser, such as its CSRF token. */
  readonly holder: string;
  readonly site: PasskeySite;
  readonly name: string;
}

/**
 * Returns the options for creating the passkey of a new account. Stores nothing, since mail scanners open the
 * page too.
 */
export function offerFirstPasskey(
  { token, email }: { readonly token: string; readonly email: string },
  { holder, site, server_name }: Requested & { readonly server_name: string },
  { sealer, now }: IdentityContext,
): CreationOptions {
  const handle = userHandleOfLink(token, sealer).toString("base64url");
  const challenge = newChallenge(useOf(holder, handle), sealer, now());
  const owner = { user: { email, name: "" }, handle, passkeys: [] };
  return creationOptions("passkey", challenge, owner, { site, server_name });
}

/** Verifies a passkey for the account that the link with this `token` creates. */
export async function proveFirstPasskey(
  { answer, holder, site, name }: FirstPasskey,
  token: string,
  context: IdentityContext,
): Promise<
  | { readonly type: "proved"; readonly passkey: ProvedPasskey; readonly handle: Buffer }
  | Exclude<NewPasskeyProof, { type: "proved" }>
> {
  const handle = userHandleOfLink(token, context.sealer);
  const requested = useOf(holder, handle.toString("base64url"));
  const proof = await proveNewPasskey({ kind: "passkey", name, answer, requested }, site, context);
  return proof.type === "proved" ? { ...proof, handle } : proof;
}

/** The user handle is derived from the link, so a passkey created with another link is refused. */
const useOf = (holder: string, handle: string): ChallengeUse => ({
  purpose: "new_account",
  holder: JSON.stringify([holder, handle]),
});
