/** Reads single claims: a claim of an unexpected type counts as missing. */
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

/** Returns a boolean claim, including the text or number that Apple, Entra and others send instead of a boolean. */
export function truthOf(value: unknown): boolean | undefined {
  if (value === true || value === "true" || value === 1 || value === "1") return true;
  if (value === false || value === "false" || value === 0 || value === "0") return false;
  return undefined;
}

/**
 * Returns an identifier as text. A number is accepted if it is an integer that JavaScript represents
 * exactly.
 */
export function identifierOf(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? String(value) : textOf(value);
}

/** Returns the member at a path such as `data.user.id`. */
export function memberOf(claims: UpstreamClaims, name: string | undefined): unknown {
  if (name === undefined) return undefined;
  return name.split(".").reduce<unknown>((value, member) => {
    const isObject = typeof value === "object" && value !== null;
    return isObject && Object.hasOwn(value, member) ? (value as UpstreamClaims)[member] : undefined;
  }, claims);
}

/** Reads the claims that OpenID Connect Core 5.1 names. */
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
 * Joins both parts of a key; undefined if one is missing. Neither part may contain the dot between them.
 */
export function joined(first: string | undefined, second: string | undefined): string | undefined {
  if (first === undefined || second === undefined || first.includes(".")) return undefined;
  return `${first}.${second}`;
}
