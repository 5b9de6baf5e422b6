/**
 * The secret of a provider record: this server's client secret at the provider, or Apple's private key. It
 * can be written but never read.
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

/** Returns whether users can sign in only after the record has been given a secret. */
export function needsSecret(provider: Of): boolean {
  const { needs } = presetOf(provider);
  return needs.includes("client_secret") || needs.includes("private_key");
}

/** Returns why a text cannot be the secret; undefined if it can. */
export function secretReason(secret: unknown, provider: Of): Reason | undefined {
  if (typeof secret !== "string" || secret === "" || !secret.isWellFormed()) return reason("not_text");
  if (secret.length > longestSecret) return reason("too_long", { characters: longestSecret });
  return isSigned(provider) && p256PrivateKey(secret) === undefined
    ? reason("not_p256_private_key")
    : undefined;
}

/** Returns the secret as it is stored: encrypted, and bound to the id of the record. */
export function sealedSecret(context: AdminContext, id: string, secret: string, provider: Of): string {
  const text = (isSigned(provider) ? p256PrivateKey(secret) : undefined) ?? secret;
  return sealerOf(context).seal("provider_secret", text, id);
}

export function isStoredSecret(context: AdminContext, stored: Provider, secret: string): boolean {
  if (stored.client_secret === "") return false;
  const text = (isSigned(stored) ? p256PrivateKey(secret) : undefined) ?? secret;
  return sealerOf(context).open("provider_secret", stored.client_secret, stored.id) === text;
}
