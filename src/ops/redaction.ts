/**
 * Removes secrets from logs (H-7), such as tokens, passwords, cookies and the query of an authorization
 * request. pino's own redaction covers only paths of a fixed depth, but a secret may be at any depth and
 * within text.
 */

const removed = "[redacted]";

const secretNames: ReadonlySet<string> = new Set([
  "auth_code",
  "authorization_code",
  "body",
  "code",
  "code_challenge",
  "code_verifier",
  "form",
  "hash",
  "key",
  "nonce",
  "passwd",
  "pem",
  "pwd",
  "query",
  "query_string",
  "querystring",
  "raw_body",
  "raw_headers",
  "redirect",
  "search",
  "state",
  "verifier",
]);
const secretPart =
  /password|secret|token|cookie|authorization|assertion|credential|csrf|api_?key|private_?key/;
/** Fields with these endings describe a secret without containing it, such as `token_type`. */
const aboutASecret = /_(?:type|prefix|endpoint|method|methods|ttl|at|id|in|kind|reason|count|name)$/;
/** Long, random-looking values of these fields are public. */
const publicNames: ReadonlySet<string> = new Set(["kid", "client_id", "request_id"]);

const inText =
  "[\\w-]{0,40}(?:password|secret|token|cookie|authorization|assertion|csrf|verifier|api_?key)[\\w-]{0,20}|(?:auth_?)?code|state|nonce|redirect|pwd";

/**
 * Rules that are applied in order, starting with the one that removes most. Bounded repetitions make each
 * rule linear in the length of the text.
 */
const textRules: readonly (readonly [RegExp, string | ((match: string) => string)])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END|$)/g, removed],
  [/\$argon2(?:id|i|d)\$[^\s"']+/g, removed],
  [/(:\/\/)(?:[^\s"'<>/?#@:]*:[^\s"'<>]*|[^\s"'<>/?#@]+)@/g, `$1${removed}@`],
  [
    new RegExp(`\\b(${inText})(\\\\?["']?\\s*:\\s*)\\\\?(["'])(?:(?!\\3)(?:\\\\.|[^\\\\]))*\\3?`, "gis"),
    `$1$2"${removed}"`,
  ],
  [/\b(cookie|set-cookie|authorization)\s*[:=][^\r\n]*/gi, `$1: ${removed}`],
  [/[^\s"'<>]+/g, withoutQuery],
  [new RegExp(`\\b(${inText})(?:=|%3D)[^&\\s"'<>]*`, "gi"), `$1=${removed}`],
  [
    /\b([Bb]earer|BEARER|[Bb]asic|BASIC|DPoP|dpop) +(?![a-z]+(?:[\s.,;:]|$))[A-Za-z0-9._~+/=-]+/g,
    `$1 ${removed}`,
  ],
  [/\beyJ[\w-]+\.[\w.-]*/g, removed],
  // The credentials of this server: three letters for their kind, then base64url.
  [/\bp[a-z]{2}_[\w-]{20,}/g, removed],
  // Other secrets are base64url or hex of at least 40 characters, unlike UUIDs and function names.
  [/(?<![\w-])(?=[A-Za-z_-]*[0-9])[\w-]{40,}/g, removed],
];

/** Most values in log lines match, and are too short to contain a credential. */
const harmless = /^[\w./-]{0,39}$/;
const longest = 8192;
const deepest = 8;

/** Returns the text without the secrets that `textRules` match, truncated to `longest` characters. */
export function redactText(text: string): string {
  if (harmless.test(text)) return text;
  return textRules.reduce((rest, [pattern, by]) => {
    return typeof by === "string" ? rest.replace(pattern, by) : rest.replace(pattern, by);
  }, shortened(text));
}

/** Truncates between words, because the rules do not recognize half a secret. */
function shortened(text: string): string {
  if (text.length <= longest) return text;
  const start = text.slice(0, longest);
  return `${start.slice(0, Math.max(0, start.search(/\s\S*$/)))} [${text.length} characters]`;
}

/** The query may contain a code, a state or a `redirect`, and the URL may be percent-encoded. */
function withoutQuery(word: string): string {
  const slash = word.search(/\/|%2F/i);
  if (slash < 0) return word;
  const query = word.slice(slash).search(/[?#]|%3F|%23/i);
  return query < 0 ? word : `${word.slice(0, slash + query)}?${removed}`;
}

/** Returns the fields of a log line without secrets. */
export function redactFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return members(fields, 0, new Set());
}

function members(value: object, depth: number, above: ReadonlySet<object>): Record<string, unknown> {
  const path = new Set(above).add(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [redactText(name), member(name, each, depth, path)]),
  );
}

function member(name: string, value: unknown, depth: number, above: ReadonlySet<object>): unknown {
  const snake = snakeCase(name);
  if (value === undefined || value === null) return value;
  if (isSecret(snake, value)) return removed;
  if (typeof value === "object") {
    if (snake === "req" || snake === "request") return requestSummary(value);
    if (snake === "res" || snake === "response" || snake === "reply") return responseSummary(value);
  }
  if (typeof value === "string" && publicNames.has(snake)) return value;
  return plain(value, depth, above);
}

function plain(value: unknown, depth: number, above: ReadonlySet<object>): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return errorSummary(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof URL) return redactText(value.href);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (above.has(value)) return "[circular]";
  if (depth >= deepest) return "[too deep]";
  if (Array.isArray(value)) {
    const path = new Set(above).add(value);
    return value.map((each) => plain(each, depth + 1, path));
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `[${value.constructor?.name ?? "object"}]`;
  return members(value, depth + 1, above);
}

function isSecret(name: string, value: unknown): boolean {
  if (secretNames.has(name)) return true;
  if (!secretPart.test(name) || aboutASecret.test(name)) return false;
  // Numbers and booleans are harmless: `tokens: 12`, `has_password: true`.
  return typeof value !== "number" && typeof value !== "boolean";
}

function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}

function requestSummary(value: unknown): Record<string, unknown> {
  const { method, url, id, request_id } = properties(value);
  return {
    method: typeof method === "string" ? method : undefined,
    path: typeof url === "string" ? redactText(url.replace(/[?#].*$/s, "")) : undefined,
    request_id: [request_id, id].find((each) => typeof each === "string" || typeof each === "number"),
  };
}

function responseSummary(value: unknown): Record<string, unknown> {
  const { statusCode, status } = properties(value);
  return { status: [statusCode, status].find((each) => typeof each === "number") };
}

function errorSummary(error: Error, depth = 0): Record<string, unknown> {
  const { code } = properties(error);
  const summary: Record<string, unknown> = {
    name: redactText(String(error.name)),
    message: redactText(String(error.message)),
    stack: typeof error.stack === "string" ? redactText(error.stack) : undefined,
    code: typeof code === "string" && isErrorCode(code) ? code : undefined,
  };
  if (error.cause !== undefined) summary.cause = depth >= deepest ? "[too deep]" : reason(error.cause, depth);
  if (error instanceof AggregateError)
    summary.errors = error.errors.slice(0, 10).map((each) => reason(each, depth));
  return summary;
}

function reason(value: unknown, depth: number): unknown {
  if (value instanceof Error) return depth >= deepest ? "[too deep]" : errorSummary(value, depth + 1);
  return typeof value === "object" && value !== null
    ? members(value, depth + 1, new Set())
    : plain(value, depth + 1, new Set());
}

/**
 * Returns whether a string is an error code, such as `ECONNREFUSED`, `invalid_grant` or SQLSTATE `23505`,
 * rather than an authorization code.
 */
function isErrorCode(code: string): boolean {
  return /^(?:[A-Z][A-Z_]{0,59}|[A-Z][A-Z0-9]*_[A-Z0-9_]{1,50}|[a-z]+(?:_[a-z]+)+|[0-9A-Z]{5})$/.test(code);
}

function properties(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
