/** Removes credentials from evidence and limits its length before it is stored (H-7). */
import type { Evidence } from "../../errors.ts";

/**
 * Maximum characters of a stored string. `longestRead` is the maximum of a string that is searched for
 * secrets.
 */
const longestText = 500;
const longestRead = 1000;
const longestList = 20;

const removed = "…";

/**
 * Returns at most 20 pieces of the evidence, with shortened strings, without credentials and user information
 * of URLs.
 */
export function withoutSecrets(evidence: readonly Evidence[]): Evidence[] {
  return evidence.slice(0, longestList).map(({ kind, name, received, expected }) => ({
    kind,
    name: truncate(name),
    received: fitValue(received),
    expected: fitValue(expected),
  }));
}

function fitValue(value: Evidence["received"]): Evidence["received"] {
  if (value === null) return null;
  return typeof value === "string" ? truncate(value) : value.slice(0, longestList).map(truncate);
}

export function truncate(text: string): string {
  const clean = withoutCredentials(withoutSecretParameters(text.slice(0, longestRead)));
  return clean.length > longestText ? `${clean.slice(0, longestText)}${removed}` : clean;
}

function withoutCredentials(text: string): string {
  return text
    .replaceAll(/p[a-z]{2}_[\w-]{20,}/g, removed)
    .replaceAll(/eyJ[\w-]{5,}\.[\w.-]*/g, removed)
    .replaceAll(/\b(bearer|basic|dpop) +[\w.~+/=-]+/gi, `$1 ${removed}`)
    .replaceAll(/\$argon2\S+/g, removed)
    .replaceAll(/-----BEGIN .*/gs, removed);
}

const userInformation = /^([a-z][a-z0-9+.-]*:[/\\]*|[/\\]{2,})[^/?#\\]*@/i;

const secretNames =
  /token|secret|passw|pwd|credential|assertion|authorization|cookie|csrf|session|signature|verifier|hint|api_?key|jwt|otp|^(?:code|state|nonce|key|sig|sid|pass|auth)$/i;

const deepest = 3;

function withoutSecretParameters(text: string): string {
  return text
    .replace(userInformation, `$1${removed}@`)
    .replaceAll(/([?&#;])([^?=&#;]*)=([^&#;]+)/g, (whole, before: string, name: string, value: string) =>
      secretNames.test(decoded(name)) || hidesSecret(value) ? `${before}${name}=${removed}` : whole,
    );
}

/** A value that is encoded more than `deepest` times counts as secret. */
function hidesSecret(value: string): boolean {
  let text = value;
  for (let depth = 0; depth <= deepest; depth += 1) {
    if (userInformation.test(text)) return true;
    if (
      text.split(/[?&#;]/).some((part) => part.includes("=") && secretNames.test(part.split("=", 1)[0] ?? ""))
    ) {
      return true;
    }
    const inner = decoded(text);
    if (inner === text) return false;
    text = inner;
  }
  return true;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
