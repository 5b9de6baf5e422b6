/** E-mail addresses are unique without regard to case (design 6.17); this is what the unique index holds. */
export function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase().normalize("NFC");
}

/** One `@` with something before it and a domain behind it; nothing that could break a mail header or a page. */
const emailShape = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u;

export function isEmail(text: string): boolean {
  return text.length <= 320 && emailShape.test(text);
}
