/** Reads individual claims. A claim of an unexpected type counts as missing. */
import { isMailable } from "../../records/names/email.ts";
import type { ReadClaims, UpstreamClaims } from "./preset.ts";

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the claim if it is a valid email address. */
export function addressOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text?.isWellFormed() && isMailable(text) ? text : undefined;
}

/** Returns a boolean claim, which some providers, such as Apple and Entra, send as a string or a number. */
export function truthOf(value: unknown): boolean | undefined {
  if (value === true || value === "true" || value === 1 || value === "1") return true;
  if (value === false || value === "false" || value === 0 || value === "0") return false;
  return undefined;
}

/** Returns an identifier as a string. A number must be an integer that JavaScript represents exactly. */
export function identifierOf(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? String(value) : textOf(value);
}

export function memberOf(claims: UpstreamClaims, name: string | undefined): unknown {
  if (name === undefined) return undefined;
  return name.split(".").reduce<unknown>((value, member) => {
    const isObject = typeof value === "object" && value !== null;
    return isObject && Object.hasOwn(value, member) ? (value as UpstreamClaims)[member] : undefined;
  }, claims);
}

/** Reads the claims of OpenID Connect Core 1.0, section 5.1. */
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

/**
 * Joins the two parts of a subject. A dot in the first is refused, because two pairs could then give the same
 * subject.
 */
export function joined(first: string | undefined, second: string | undefined): string | undefined {
  if (first === undefined || second === undefined || first.includes(".")) return undefined;
  return `${first}.${second}`;
}
