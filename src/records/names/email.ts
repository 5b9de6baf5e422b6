import { domainToASCII, domainToUnicode } from "node:url";
import { isImpersonal } from "./names.ts";

/**
 * Maximum characters to normalize, because that takes time quadratic in the number of consecutive combining
 * marks.
 */
const longestText = 320;

/**
 * Returns the key for the unique index of email addresses (design 6.17). Email addresses that differ only in
 * case or in compatibility forms (NFKC) share a key. So do a Unicode domain and its A-labels, which some
 * browsers send. Case folding is full (Unicode 3.13).
 */
export function emailKey(email: string): string {
  if (email.length > longestText) return email.slice(0, longestText);
  const key = folded(email);
  return key.includes("xn--") ? folded(withDomain(key, inLetters)) : key;
}

function withDomain(email: string, written: (domain: string) => string): string {
  const domain = domainOf(email);
  return email.slice(0, email.length - domain.length) + written(domain);
}

const inLetters = (domain: string) =>
  domain
    .split(".")
    .map((label) => lettersOf(label) ?? label)
    .join(".");

function lettersOf(label: string): string | undefined {
  const letters = label.startsWith("xn--") ? domainToUnicode(label) : "";
  return /[^\0-\x7f]/.test(letters) && domainToASCII(letters) === label ? letters : undefined;
}

/** Folds as version 0.2 did, because the stored keys were computed that way. */
function folded(email: string): string {
  const lower = email.normalize("NFKC").toLowerCase();
  const small = lower.replaceAll(/[^ı]+/gu, (part) => part.toUpperCase().toLowerCase());
  return small.replaceAll("ς", "σ").normalize("NFKC");
}

/**
 * Returns the key as computed before version 0.2. An account still has it if, at the upgrade, another account
 * already had the new key.
 */
function oldEmailKey(email: string): string {
  return email.normalize("NFC").toLowerCase().normalize("NFC");
}

/**
 * Returns the keys under which an account with this email address may be stored; the first match counts. The
 * oldest key comes first, so that an account which still has it is found by its exact address.
 */
export function emailKeys(email: string): readonly string[] {
  if (email.length > longestText) return [];
  const written = oldEmailKey(email);
  const exact = [written, oldEmailKey(withDomain(written, inLetters)), mailboxOf(email)];
  return [...new Set([...exact, folded(email), emailKey(email)])];
}

/**
 * Returns what `find` returns for this email address: the record with the exact address or otherwise a
 * look-alike.
 */
export async function findByEmail<R>(
  email: string,
  find: (email_key: string) => Promise<R | undefined>,
): Promise<R | undefined> {
  for (const email_key of emailKeys(email)) {
    const found = await find(email_key);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface FoundByMailbox<R> {
  readonly meant?: R;
  readonly look_alike?: R | undefined;
}

/**
 * Returns the account with the mailbox of this email address as `meant`. If only an account with another
 * mailbox shares a key, returns that account as `look_alike`.
 */
export async function findByMailbox<R extends { readonly email: string }>(
  email: string,
  find: (email_key: string) => Promise<R | undefined>,
): Promise<FoundByMailbox<R>> {
  let look_alike: R | undefined;
  for (const email_key of emailKeys(email)) {
    const found = await find(email_key);
    if (found === undefined) continue;
    if (isSameMailbox(found.email, email)) return { meant: found };
    look_alike = found;
  }
  return { look_alike };
}

/**
 * Returns a typed or pasted email address without the blanks and invisible characters around it. Phones and
 * contact lists add direction marks, joiners or a byte order mark.
 */
export function trimEmail(typed: string): string {
  const text = typed.trim();
  return text.length > longestText
    ? text
    : text.replace(/^[\p{Z}\p{Cf}]+/u, "").replace(/[\p{Z}\p{Cf}]+$/u, "");
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1);

/** Returns a domain in lower case as A-labels (UTS 46); empty for an invalid one. */
export function asciiDomain(domain: string): string {
  if (domain.length > longestText) return "";
  const composed = domain.normalize("NFC");
  // Excludes everything that a URL parser would treat as the end of the host.
  return /^[\w.\u0080-\u{10ffff}-]+$/u.test(composed) ? (URL.parse(`https://${composed}`)?.host ?? "") : "";
}

/** Returns the address to send email to, with its domain as A-labels. */
export function mailAddress(email: string): string {
  return withDomain(email, (domain) =>
    /^[\0-\x7f]*$/.test(domain) ? domain : asciiDomain(domain) || domain,
  );
}

/**
 * Returns whether both email addresses denote the same mailbox. Addresses with the same key may denote two
 * mailboxes: `strasse.de` is not `straße.de`.
 */
export function isSameMailbox(one: string, other: string): boolean {
  return mailboxOf(one) === mailboxOf(other);
}

/** Returns a form that is equal for all email addresses of one mailbox. */
export function mailboxOf(email: string): string {
  return email.length > longestText
    ? email
    : oldEmailKey(withDomain(email, (domain) => asciiDomain(domain) || domain));
}

/** Excludes characters that could break a mail header or a page. */
const emailShape = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u;

/**
 * Returns whether email may be sent to the address. This check is weaker than `isEmail`, so addresses that
 * were accepted under earlier rules remain usable.
 */
export function isMailable(text: string): boolean {
  return text.length <= longestText && !text.endsWith(".") && emailShape.test(text);
}

/** Characters that are invisible or have no fixed appearance. */
const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

const latin = /\p{Script=Latin}/u;
/**
 * The two common scripts with letters that look like Latin ones (Unicode Technical Standard 39, section 5.1).
 */
const alike = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

const isMixed = (text: string) => latin.test(text) && alike.test(text);

/**
 * Returns whether all dots of the domain are plain. With another character that NFKC turns into a dot, email
 * would go to another domain. With an ideographic dot, the same mailbox would have another key (RFC 3490
 * 3.1).
 */
function hasPlainDots(text: string, plainDomain: string): boolean {
  const domain = text.slice(text.indexOf("@") + 1);
  return domain.split(".").length === plainDomain.split(/[.\u3002]/u).length;
}

/**
 * Maximum lengths (RFC 5321 4.5.3.1, RFC 1035 2.3.4): octets of an address and of its local part, and
 * characters of a label.
 */
const longest = { address: 254, local: 64, label: 63 } as const;

/**
 * A domain of only digits and dots would denote an IP address (RFC 1123 2.1), and an invalid A-label names no
 * host.
 */
function isHostName(domain: string): boolean {
  const host = asciiDomain(domain);
  if (/^[\d.]*$/.test(host) || domain.split(".").some((label) => /^-|-$/.test(label))) return false;
  const labels = host.split(".");
  return labels.every(
    (label) => label.length <= longest.label && (!label.startsWith("xn--") || lettersOf(label) !== undefined),
  );
}

/** A single label is valid, because it may be a host on an intranet. */
function mayExist(address: string, local: string, labels: readonly string[]): boolean {
  if (Buffer.byteLength(address) > longest.address || Buffer.byteLength(local) > longest.local) return false;
  return labels.every((label) => label !== "" && [...label].length <= longest.label);
}

/**
 * Returns whether an account or invitation may have this email address. An address that shares the key of one
 * of this server's own user records is invalid, because its holder would become the owner of open clients.
 */
export function isEmail(text: string): boolean {
  if (!isMailable(text) || isImpersonal(emailKey(text))) return false;
  const plain = text.normalize("NFKC");
  if (!isMailable(plain) || unseen.test(text)) return false;
  const [local = "", domain = ""] = plain.split("@");
  if (!hasPlainDots(text, domain) || !isHostName(domainOf(text))) return false;
  const labels = domain.split(".");
  return mayExist(plain, local, labels) && ![local, ...labels].some(isMixed);
}

/**
 * Returns the address with its local part masked after the first character: `ada@example.com` becomes
 * `a•••@example.com`.
 */
export function maskedEmail(email: string): string {
  const [first = ""] = email;
  return `${first}•••${email.slice(email.lastIndexOf("@"))}`;
}
