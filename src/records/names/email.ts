import { domainToASCII, domainToUnicode } from "node:url";

/**
 * Characters of the longest text that is taken for an address. Longer ones are not normalized, which takes
 * a time that grows with the square of the marks in a row.
 */
const longestText = 320;

/**
 * The key of the unique index of email addresses (design 6.17). Addresses that people confuse share a key,
 * and so do a Unicode domain and its A-labels, which some browsers send. Compatibility forms fold (NFKC), and
 * case folds in full (Unicode 3.13): lower case of upper case, with the two small sigmas of Greek as one. A
 * dotless i is not an i. The key of a text that is too long for an address is its beginning.
 */
export function emailKey(email: string): string {
  if (email.length > longestText) return email.slice(0, longestText);
  const key = folded(email);
  return key.includes("xn--") ? folded(withDomain(key, inLetters)) : key;
}

/** The address with its domain written in another way. */
function withDomain(email: string, written: (domain: string) => string): string {
  const domain = domainOf(email);
  return email.slice(0, email.length - domain.length) + written(domain);
}

const inLetters = (domain: string) =>
  domain
    .split(".")
    .map((label) => lettersOf(label) ?? label)
    .join(".");

/** The decoded form of an A-label in lower case; undefined for every other label. */
function lettersOf(label: string): string | undefined {
  const letters = label.startsWith("xn--") ? domainToUnicode(label) : "";
  return /[^\0-\x7f]/.test(letters) && domainToASCII(letters) === label ? letters : undefined;
}

/** The key of version 0.2. */
function folded(email: string): string {
  const lower = email.normalize("NFKC").toLowerCase();
  const small = lower.replaceAll(/[^ı]+/gu, (part) => part.toUpperCase().toLowerCase());
  return small.replaceAll("ς", "σ").normalize("NFKC");
}

/**
 * The key of versions before 0.2. An account keeps it where another account had its new key at the upgrade.
 */
function oldEmailKey(email: string): string {
  return email.normalize("NFC").toLowerCase().normalize("NFC");
}

/**
 * The keys under which an account of this address may be stored; the first match counts. The oldest comes
 * first, so that the exact address reaches an account that kept it, however its domain is written. One for
 * every address of ASCII, but for A-labels; none for a text that is too long for an address.
 */
export function emailKeys(email: string): readonly string[] {
  if (email.length > longestText) return [];
  const written = oldEmailKey(email);
  const exact = [written, oldEmailKey(withDomain(written, inLetters)), mailboxOf(email)];
  return [...new Set([...exact, folded(email), emailKey(email)])];
}

/**
 * The result of `find` for this address: the record of the exact address or, failing that, of a look-alike.
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

/** Of the records that `find` has for the keys of an address. */
export interface FoundByMailbox<R> {
  /** The one whose mail goes to exactly this mailbox. */
  readonly meant?: R;
  /** Otherwise one of another mailbox with the key. */
  readonly look_alike?: R | undefined;
}

/** The account of an address: if two mailboxes share a key, they are never confused. */
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
 * An address as typed or pasted, without the blanks and invisible marks that phones and lists of contacts put
 * around it: signs of direction, joiners, a byte order mark.
 */
export function trimEmail(typed: string): string {
  const text = typed.trim();
  return text.length > longestText
    ? text
    : text.replace(/^[\p{Z}\p{Cf}]+/u, "").replace(/[\p{Z}\p{Cf}]+$/u, "");
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1);

/** A domain in lower case, as A-labels (UTS 46); empty for an invalid one. */
export function asciiDomain(domain: string): string {
  if (domain.length > longestText) return "";
  const composed = domain.normalize("NFC");
  // Nothing that a URL would take for an end of its host.
  return /^[\w.\u0080-\u{10ffff}-]+$/u.test(composed) ? (URL.parse(`https://${composed}`)?.host ?? "") : "";
}

/** The address that mail is sent to, so that it goes where `isSameMailbox` says: its domain as A-labels. */
export function mailAddress(email: string): string {
  return withDomain(email, (domain) =>
    /^[\0-\x7f]*$/.test(domain) ? domain : asciiDomain(domain) || domain,
  );
}

/**
 * Whether mail to both goes to one mailbox, ignoring the case of letters and the spelling of the domain; only
 * the mail host knows for sure. Addresses with one key may have two: `strasse.de` is not `straße.de`.
 */
export function isSameMailbox(one: string, other: string): boolean {
  return mailboxOf(one) === mailboxOf(other);
}

/** Equal for all addresses of one mailbox. */
export function mailboxOf(email: string): string {
  return email.length > longestText
    ? email
    : oldEmailKey(withDomain(email, (domain) => asciiDomain(domain) || domain));
}

/**
 * One `@` with text before it and a domain after it; no characters that could break a mail header or a page.
 */
const emailShape = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u;

/** Whether mail may be sent there: addresses that exist are no worse than when they were taken. */
export function isMailable(text: string): boolean {
  return text.length <= longestText && !text.endsWith(".") && emailShape.test(text);
}

/** Characters that are invisible or have no fixed look: control, format, private, unassigned, and blanks. */
const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

const latin = /\p{Script=Latin}/u;
/** Scripts whose letters pass for Latin ones (Unicode Technical Standard 39, section 5.1). */
const alike = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

const isMixed = (text: string) => latin.test(text) && alike.test(text);

/**
 * Whether each dot of the domain is one as it is written: mail goes to another domain by what folds to a dot
 * (NFKC), and to the mailbox of another key by the ideographic one (RFC 3490 3.1).
 */
function hasPlainDots(text: string, plainDomain: string): boolean {
  const domain = text.slice(text.indexOf("@") + 1);
  return domain.split(".").length === plainDomain.split(/[.\u3002]/u).length;
}

/** The longest that mail takes: octets of an address and of its first part, characters of a label. */
const longest = { address: 254, local: 64, label: 63 } as const;

/**
 * Whether a host can have this name (RFC 1123 2.1): not a number, which denotes an IP address, and no empty
 * A-labels.
 */
function isHostName(domain: string): boolean {
  const host = asciiDomain(domain);
  if (/^[\d.]*$/.test(host) || domain.split(".").some((label) => /^-|-$/.test(label))) return false;
  const labels = host.split(".");
  return labels.every(
    (label) => label.length <= longest.label && (!label.startsWith("xn--") || lettersOf(label) !== undefined),
  );
}

/** Whether mail could reach it (RFC 5321 4.5.3.1, RFC 1035 2.3.4); one label may be a host of an intranet. */
function mayExist(address: string, local: string, labels: readonly string[]): boolean {
  if (Buffer.byteLength(address) > longest.address || Buffer.byteLength(local) > longest.local) return false;
  return labels.every((label) => label !== "" && [...label].length <= longest.label);
}

/**
 * Whether an account or invitation may have this address: one that mail could reach, and that readers cannot
 * confuse with another. Neither the part before the `@` nor a label of the domain mixes Latin letters with
 * Cyrillic or Greek ones.
 */
export function isEmail(text: string): boolean {
  if (!isMailable(text)) return false;
  const plain = text.normalize("NFKC");
  if (!isMailable(plain) || unseen.test(text)) return false;
  const [local = "", domain = ""] = plain.split("@");
  if (!hasPlainDots(text, domain) || !isHostName(domainOf(text))) return false;
  const labels = domain.split(".");
  return mayExist(plain, local, labels) && ![local, ...labels].some(isMixed);
}

/** A masked address that only its owner recognizes: `ada@example.com` becomes `a•••@example.com`. */
export function maskedEmail(email: string): string {
  const [first = ""] = email;
  return `${first}•••${email.slice(email.lastIndexOf("@"))}`;
}
