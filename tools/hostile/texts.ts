/** Texts that are expensive for code that splits, compares, normalizes or parses more than necessary. */

/** Bytes of each text. A form has room for about this number in addition to its other fields. */
const hostileBytes = 60_000;

function upTo(bytes: number, part: (at: number) => string): string {
  let text = "";
  for (let at = 0; text.length < bytes; at++) text += part(at);
  return text.slice(0, bytes);
}
const repeated = (part: string, bytes = hostileBytes) => upTo(bytes, () => part);
const letters = "abcdefghijklmnopqrstuvwxyz";
const letter = (at: number) => letters[at % 26] ?? "a";
/** Returns a three-letter word, different for each number below 17,576. */
const word = (at: number) => letter(at) + letter(Math.floor(at / 26)) + letter(Math.floor(at / 676));
const base64url = (text: string) => Buffer.from(text).toString("base64url");

const deepJson = `${"[".repeat(hostileBytes / 2)}${"]".repeat(hostileBytes / 2)}`;
const jwtOf = (claims: string) =>
  `${base64url(JSON.stringify({ alg: "RS256", typ: "dpop+jwt", kid: "x" }))}.${base64url(claims)}.${base64url("x".repeat(256))}`;

const texts: Readonly<Record<string, string>> = {
  letters: repeated("a"),
  digits: repeated("9"),
  commas: repeated(","),
  spaces: repeated(" "),
  "spaces before a letter": `${repeated(" ").slice(1)}x`,
  semicolons: repeated("a=b; "),
  quotes: repeated('"\\'),
  percents: repeated("%"),
  escapes: repeated("%41"),
  dots: repeated("a."),
  hyphens: repeated("a-"),
  slashes: repeated("/../a"),
  brackets: repeated("<[({"),
  "language tags": upTo(hostileBytes, (at) => `${word(at)}-ZZ,`),
  "language words": upTo(hostileBytes, (at) => `${word(at)}-ZZ `),
  scopes: upTo(hostileBytes, (at) => `${word(at)}:read `),
  "one scope": repeated("openid "),
  addresses: upTo(hostileBytes, (at) => `192.0.2.${at % 256}, `),
  "addresses of proxies": upTo(hostileBytes, (at) => `10.0.0.${at % 256}, `),
  "email addresses": repeated("a@a."),
  "internationalized names": repeated("xn--"),
  urls: upTo(hostileBytes, (at) => `https://a.example/${word(at)} `),
  "one url": `https://a.example/${repeated("a/")}`.slice(0, hostileBytes),
  "pending request": `/oauth/authorize?ui_locales=${upTo(hostileBytes - 30, (at) => `${word(at)}-ZZ+`)}`,
  "entity tags": upTo(hostileBytes, (at) => `"${word(at)}", `),
  json: `[${upTo(hostileBytes, (at) => `"${word(at)}",`).slice(0, -6)}]`,
  "deep json": deepJson,
  "deep claims": `{"claims":${deepJson}}`,
  tokens: repeated("eyJhbGciOiJub25lIn0."),
  jwt: jwtOf(`{"jti":"${"x".repeat(40_000)}"}`),
  basic: `Basic ${Buffer.from(repeated(":%", 44_000)).toString("base64")}`,
  bearer: `Bearer ${repeated("a~")}`,
  credential: `pse_${repeated("A_")}`,
  // Canonical ordering (UAX 15) sorts marks of different classes.
  "combining marks": `a${repeated("\u0315\u0301\u0327\u0316", 20_000)}`,
  "compatibility characters": repeated("\uFDFA", 20_000),
  jamo: repeated("\u1100\u1161\u11A8", 20_000),
  bidi: repeated("\u202E\u2066", 20_000),
  joiners: repeated("\u200D\u{1F468}", 15_000),
};

/** Bytes that are not valid UTF-8 characters. */
const encodings: Readonly<Record<string, string>> = {
  surrogates: repeated("%ED%A0%80"),
  "no utf-8": repeated("%ff"),
  nuls: repeated("%00"),
  plus: repeated("+"),
  halves: repeated("%4"),
};

/** As header values: each byte is sent as one character. */
export const hostileHeaders: readonly (readonly [string, string])[] = Object.entries(texts).map(
  ([name, text]) => [name, Buffer.from(text).toString("latin1")],
);

/** Percent-encoded, for forms, queries and paths. */
export const hostileMembers: readonly (readonly [string, string])[] = [
  ...Object.entries(texts).map(([name, text]) => {
    // Cut off before an incomplete escape sequence.
    const encoded = encodeURIComponent(text).slice(0, hostileBytes).replace(/%.?$/, "");
    return [name, encoded] as const;
  }),
  ...Object.entries(encodings),
];

/** Complete forms and queries of 60 kB. */
export const hostileForms: readonly (readonly [string, string])[] = Object.entries({
  separators: repeated("&"),
  equals: repeated("="),
  "members without end": upTo(hostileBytes, (at) => `${word(at)}=1&`),
});

export const hostileJson: readonly (readonly [string, string])[] = Object.entries({
  "deep json": deepJson,
  "deep object": `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
  "many members": `{${upTo(hostileBytes - 2, (at) => `"${word(at)}":1,`).slice(0, -9)}"z":1}`,
  "one name": `{${'"a":1,'.repeat(9_900)}"z":1}`,
  "long text": JSON.stringify({ client_name: repeated("a", 59_000) }),
  "combining marks": JSON.stringify({ client_name: `a${repeated("\u0315\u0301\u0327\u0316", 20_000)}` }),
  "many addresses": JSON.stringify({
    redirect_uris: Array.from({ length: 2_000 }, (_, at) => `https://${word(at)}.example/`),
  }),
  numbers: `[${repeated("1e9,")}1]`,
  escapes: `"${repeated("\\u0041")}"`,
});
