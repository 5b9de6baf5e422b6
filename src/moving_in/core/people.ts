import { isUuid } from "../../records/formats/check.ts";
import { isEmail } from "../../records/names/email.ts";
import { isPlainText } from "../../records/names/plain_text.ts";
import type { Loss, MovedPasskey, MovedPerson, Sink } from "./moved.ts";

export interface FoundPerson {
  readonly external_id: string | undefined;
  readonly email: string | undefined;
  readonly email_verified_at?: string | undefined;
  readonly name?: string | undefined;
  readonly avatar_url?: string | undefined;
  readonly active?: boolean | undefined;
  readonly created_at?: string | undefined;
  readonly hash?: string | undefined;
  readonly totp?: readonly Totp[];
  readonly passkeys?: readonly MovedPasskey[];
  readonly linked_accounts?: MovedPerson["linked_accounts"];
  readonly memberships?: MovedPerson["memberships"];
  readonly attributes?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface Totp {
  readonly secret: Buffer;
  readonly name: string;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Encodes bytes in base32 without padding (RFC 4648, section 6). */
function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}

/**
 * Decodes base32 in upper or lower case, with or without spaces, hyphens and padding; undefined for any other
 * string.
 */
export function fromBase32(text: string): Buffer | undefined {
  const digits = text.toUpperCase().replaceAll(/[\s=-]/g, "");
  if (!/^[A-Z2-7]+$/.test(digits)) return undefined;
  const bits = Array.from(digits, (digit) => alphabet.indexOf(digit).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

function otpauthOf({ secret, name }: Totp, email: string) {
  const otpauth = `otpauth://totp/${encodeURIComponent(email)}?secret=${base32(secret)}&algorithm=SHA1&digits=6&period=30`;
  return { otpauth, name: nameOf(name, 64) ?? "Authenticator app" };
}

const nameOf = (text: string | undefined, longest: number): string | undefined =>
  text !== undefined && text.length <= longest && text.trim() !== "" && isPlainText(text, "line")
    ? text.trim()
    : undefined;

function isPicture(text: string): boolean {
  return text.length <= 2048 && /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

export const joinedName = (...parts: readonly (string | undefined)[]): string | undefined =>
  parts.filter((part) => part !== undefined).join(" ") || undefined;

/**
 * Passes the user to the sink and returns true. Without a valid email address and identifier, reports that
 * the user is not imported and returns false.
 */
export function addPerson(found: FoundPerson, called: string, sink: Sink): boolean {
  const lose = (member: string, reason: Loss["reason"]) => sink.lose({ object: called, member, reason });
  const email = found.email?.trim();
  const { external_id, hash, totp = [], passkeys = [], linked_accounts = [], memberships = [] } = found;
  if (external_id === undefined || external_id.length > 255) {
    sink.omit(called, "no identifier of at most 255 characters");
    return false;
  }
  if (email === undefined) {
    sink.omit(called, "no email address");
    return false;
  }
  if (!isEmail(email)) {
    sink.omit(called, "the email address is invalid");
    return false;
  }
  const name = nameOf(found.name, 255);
  if (found.name !== undefined && name === undefined)
    lose("name", "not a name of at most 255 visible characters");
  const avatar_url =
    found.avatar_url !== undefined && isPicture(found.avatar_url) ? found.avatar_url : undefined;
  if (found.avatar_url !== undefined && avatar_url === undefined) lose("avatar_url", "not an http address");
  const attributes = Object.fromEntries(
    Object.entries(found.attributes ?? {}).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  sink.person({
    external_id,
    ...(isUuid(external_id) && { id: external_id.toLowerCase() }),
    email,
    ...(found.email_verified_at !== undefined && { email_verified_at: found.email_verified_at }),
    ...(name !== undefined && { name }),
    ...(avatar_url !== undefined && { avatar_url }),
    ...(found.active !== undefined && { active: found.active }),
    ...(found.created_at !== undefined && { created_at: found.created_at }),
    ...(hash !== undefined && { password: { hash } }),
    ...(totp.length > 0 && { totp: totp.map((each) => otpauthOf(each, email)) }),
    ...(passkeys.length > 0 && { passkeys }),
    ...(linked_accounts.length > 0 && { linked_accounts }),
    ...(memberships.length > 0 && { memberships }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  });
  return true;
}
