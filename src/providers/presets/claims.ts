/** Readers of single claims: a claim of another type than expected counts as missing. */
import { isMailable } from "../../records/names/email.ts";
import type { ReadClaims, UpstreamClaims } from "./preset.ts";

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** An address that mail can be sent to. */
export function addressOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text?.isWellFormed() && isMailable(text) ? text : undefined;
}

/** A boolean; also as the text or number that Apple, Entra and others write for one. */
export function truthOf(value: unknown): boolean | undefined {
  if (value === true || value === "true" || value === 1 || value === "1") return true;
  if (value === false || value === "false" || value === 0 || value === "0") return false;
  return undefined;
}

/** An identifier as text. A number counts where it is an integer that JavaScript reads without loss. */
export function identifierOf(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? String(value) : textOf(value);
}

/** The claims that OpenID Connect Core 5.1 names. */
export function standardClaims({ sub, email, email_verified, name, picture }: UpstreamClaims): ReadClaims {
  return {
    subject: textOf(sub),
    email: addressOf(email),
    email_verified: truthOf(email_verified),
    name: textOf(name),
    picture: textOf(picture),
    tenant: undefined,
  };
}

/** Both parts of a key; undefined if one is missing. Neither part may hold the dot between them. */
export function joined(first: string | undefined, second: string | undefined): string | undefined {
  if (first === undefined || second === undefined || first.includes(".")) return undefined;
  return `${first}.${second}`;
}
