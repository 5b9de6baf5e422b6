/** Hostile input for any operation of the management API. */
import { listed } from "../../support/listed.ts";

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Replaces the query of the operation. */
  readonly query?: string;
}

/** JSON texts of values that few fields allow. The server must not convert them to a text, number or list. */
export const oddValues = [
  ...listed`
    null true 0 -1 1.5 1e400 -0 9007199254740993
  `,
  ...['""', '" "', '"\\u0000"', '"\\ud800"', '"\\u202e\\ufeff"', '"__proto__"'],
  `"${"x".repeat(60_000)}"`,
  ...["[]", "[[]]", "[null]", '[{"toString":""}]', "{}", '{"toString":""}'],
  ...['{"toString":null,"valueOf":null}', '{"toJSON":"","length":-1}'],
  ...['{"__proto__":{"is_platform_admin":true}}', '{"constructor":{"prototype":{}}}', '{"then":{}}'],
  `${"[".repeat(18)}${"]".repeat(18)}`,
];

const nested = (levels: number, open: string, close: string) =>
  `${open.repeat(levels)}${open.endsWith(":") ? "1" : ""}${close.repeat(levels)}`;

/** Bodies that are not a JSON object, or that contain an object that cannot be stored. */
export const oddBodies: readonly (string | Buffer)[] = [
  ...["", " ", "null", "true", "0", '"text"', "[]", "[{}]", "{", "{}{}", "{}\0", '{"a":1,"a":2}'],
  ...['{"__proto__":{}}', '{"toString":"","valueOf":""}', '{"":{}}'],
  nested(10_000, "[", "]"),
  nested(10_000, '{"a":', "}"),
  `{"a":${nested(10_000, "[", "]")}}`,
  `{${'"a":1,'.repeat(9000)}"a":1}`,
  `{"a":"${"x".repeat(200_000)}"}`,
  "a=b&c=d",
  "<a/>",
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from("\ufeff{}"),
  Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.alloc(1000),
];

const json = { "content-type": "application/json" };

/** Media types and encodings, with a body that would otherwise be valid. */
export const oddTypes: readonly Sent[] = [
  ...[
    ...["", ";", "application", "application/json;", "application/json; charset=utf-16"],
    ...['application/json; charset="', "application/json, text/plain", "application/json-patch+json"],
    ...["multipart/form-data", "multipart/form-data; boundary=a", "application/x-www-form-urlencoded"],
    ...["text/plain; charset=\u00e9", "*/*"],
    "x".repeat(5000),
  ].map((type) => ({ headers: { "content-type": type }, body: "{}" })),
  ...["gzip", "deflate", "br", "identity", "compress, gzip", "\u00e9"].map((encoding) => ({
    headers: { ...json, "content-encoding": encoding },
    body: "{}",
  })),
];

/** Encodes a JSON text in base64url, as in a header. */
const part = (text: string) => Buffer.from(text).toString("base64url");

/** Headers that this server reads. */
export const oddHeaders: readonly Sent[] = [
  ...["", " ", '"', '""', "*, *", 'W/"x"', "x".repeat(5000), '"\u00e9"', ","].flatMap((tag) => [
    { headers: { "if-match": tag } },
    { headers: { "if-none-match": tag } },
  ]),
  ...["", "a b", "\u00e9", "x".repeat(5000), "__proto__"].map((key) => ({
    headers: { ...json, "idempotency-key": key },
    body: "{}",
  })),
  ...["null", "[]", "0", '"x"', '{"toString":""}'].flatMap((text) =>
    [`{"alg":"RS256","typ":${text},"kid":${text}}`, `{"alg":${text}}`, text].map((header) => ({
      headers: { authorization: `Bearer ${part(header)}.${part(`{"aud":${text},"iss":${text}}`)}.AAAA` },
    })),
  ),
  ...["", "Bearer", "Bearer ", "Bearer \u00e9", "DPoP x", "Basic ::", `Bearer ${"x".repeat(9000)}`].map(
    (authorization) => ({ headers: { authorization } }),
  ),
  ...["x", "{}", `${part("{}")}.${part("{}")}.`, `${part('{"jwk":{"kty":{"toString":""}}}')}.e30.AA`].map(
    (dpop) => ({ headers: { dpop, authorization: "DPoP x" } }),
  ),
  ...["null", "https://elsewhere.example", "//", "\u00e9"].map((origin) => ({ headers: { origin } })),
  ...["%", "a=b; ;=", "__Host-postern_session=%00", "x".repeat(9000)].map((cookie) => ({
    headers: { cookie },
  })),
  ...["\u00e9", "*/*;q=x", "", "text/html"].map((accept) => ({ headers: { accept } })),
];

/** Methods that a path of the API may not support. */
export const oddMethods = ["PUT", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "QUERY"];

/** Values of a query parameter as they are sent. */
export const oddParameters = [
  "",
  ...listed`
    -1 0 1e3 99999999999999999999 NaN 1.5 true null %00 %ed%a0%80 %ff % []
    %7B%22toString%22%3A%22%22%7D __proto__ constructor toString 2026-02-30T25:61:00Z
    %2B275760-09-13T00:00:00.001Z -271822-01-01T00:00:00Z
  `,
  "a".repeat(3000),
  "%25",
  "'%20OR%201=1%20--",
  "id,name,id",
];

/** Texts for a path parameter in place of an id or a name. */
export const oddNames = ["0", "null", "%00", "%ed%a0%80", "%", "%2e%2e", "%2f", "__proto__", "a".repeat(900)];
