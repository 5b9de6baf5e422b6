/**
 * The secret of a provider: the client secret that the provider issued, or a private key for Apple. Callers
 * can write it but never read it.
 */
import { p256PrivateKey } from "../../crypto/signing_secrets.ts";
import { type Reason, reason } from "../../errors/field_errors.ts";
import { presetOf } from "../../providers/presets/all_presets.ts";
import type { Provider } from "../../records/definition/definition.ts";
import { type AdminContext, sealerOf } from "../access/actor.ts";

const longestSecret = 16_384;

type Of = Pick<Provider, "preset">;

function isSigned(provider: Of): boolean {
  return presetOf(provider).client_authentication === "signed_secret";
}

/** Returns whether users can sign in through the provider only after its secret is set. */
export function needsSecret(provider: Of): boolean {
  const { needs } = presetOf(provider);
  return needs.includes("client_secret") || needs.includes("private_key");
}

/** Returns the reason why the text cannot be the provider's secret; undefined if it can. */
export function secretReason(secret: unknown, provider: Of): Reason | undefined {
  if (typeof secret !== "string" || secret === "" || !secret.isWellFormed()) return reason("not_text");
  if (secret.length > longestSecret) return reason("too_long", { characters: longestSecret });
  return isSigned(provider) && p256PrivateKey(secret) === undefined
    ? reason("not_p256_private_key")
    : undefined;
}

/** Returns the secret encrypted for storage. It can be decrypted only for the provider with this id. */
export function sealedSecret(context: AdminContext, id: string, secret: string, provider: Of): string {
  const text = (isSigned(provider) ? p256PrivateKey(secret) : undefined) ?? secret;
  return sealerOf(context).seal("provider_secret", text, id);
}

export function isStoredSecret(context: AdminContext, stored: Provider, secret: string): boolean {
  if (stored.client_secret === "") return false;
  const text = (isSigned(stored) ? p256PrivateKey(secret) : undefined) ?? secret;
  return sealerOf(context).open("provider_secret", stored.client_secret, stored.id) === text;
}
