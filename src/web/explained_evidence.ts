import type { Refusal } from "../records/definition/definition.ts";
import type { EvidenceKind } from "../records/names/evidence.ts";
import { ownWord } from "./html/own_word.ts";
import { durationText } from "./measure.ts";
import { numberText } from "./number.ts";
import type { ManagementLocale } from "./words/page_locale.ts";

type Evidence = Refusal["evidence"][number];
type Said = Pick<ManagementLocale, "words" | "language">;

/**
 * `code` is a machine-readable string in parts, of which the relevant ones are marked. `duration` is in
 * seconds.
 */
export type ExplainedValue =
  | { readonly type: "code"; readonly parts: readonly { readonly text: string; readonly marked: boolean }[] }
  | { readonly type: "words"; readonly text: string }
  | {
      readonly type: "duration";
      readonly seconds: number;
      readonly text: string;
      readonly limit?: string | undefined;
    }
  | { readonly type: "time"; readonly time: Date };

export interface ExplainedEvidence {
  readonly name: string;
  readonly what: string;
  readonly received?: readonly ExplainedValue[];
  readonly expected?: readonly ExplainedValue[];
  readonly difference?: string;
  readonly advice?: string;
}

type Shape = "text" | "address" | "beyond" | "lacking" | "fact" | "seconds" | "length" | "number" | "moment";

interface Presentation {
  readonly shape: Shape;
  readonly absent?: "nothing" | "not_shown";
}

const presentations: Readonly<Record<EvidenceKind, Presentation>> = {
  redirect_uri: { shape: "address" },
  code_redirect_uri: { shape: "address" },
  post_logout_redirect_uri: { shape: "address" },
  client_id: { shape: "text", absent: "not_shown" },
  client_id_differs: { shape: "text" },
  client_document: { shape: "text" },
  client_inactive: { shape: "fact" },
  client_authentication: { shape: "text", absent: "nothing" },
  two_methods: { shape: "text" },
  client_secret: { shape: "fact" },
  client_secret_expired: { shape: "text" },
  client_secret_revoked: { shape: "text" },
  authorization_header: { shape: "fact" },
  scope: { shape: "beyond" },
  scope_of_user: { shape: "beyond" },
  scope_lacking: { shape: "lacking" },
  resource: { shape: "beyond" },
  audience: { shape: "beyond" },
  grant_type: { shape: "text" },
  allowed_grants: { shape: "text" },
  allowed_response_types: { shape: "text" },
  one_of: { shape: "text", absent: "nothing" },
  missing: { shape: "text", absent: "nothing" },
  repeated: { shape: "number" },
  malformed: { shape: "fact" },
  not_supported: { shape: "text", absent: "not_shown" },
  content_type: { shape: "text", absent: "not_shown" },
  method: { shape: "text" },
  too_large: { shape: "number" },
  pkce_required: { shape: "text", absent: "nothing" },
  pkce_method: { shape: "text", absent: "nothing" },
  pkce_challenge: { shape: "length" },
  pkce_verifier: { shape: "fact" },
  length: { shape: "length" },
  unknown_credential: { shape: "fact" },
  other_app: { shape: "fact" },
  already_used: { shape: "moment" },
  expired: { shape: "seconds" },
  revoked: { shape: "moment" },
  ended: { shape: "fact" },
  user_inactive: { shape: "fact" },
  not_signed_in: { shape: "text", absent: "nothing" },
  auth_age: { shape: "seconds" },
  acr_not_held: { shape: "text", absent: "nothing" },
  acr_unreachable: { shape: "text", absent: "nothing" },
  other_user: { shape: "fact" },
  organization: { shape: "text", absent: "nothing" },
  not_admitted: { shape: "text" },
  consent: { shape: "beyond" },
  denied: { shape: "text" },
  consent_form: { shape: "fact" },
  pushed_request: { shape: "fact" },
  push_required: { shape: "text", absent: "nothing" },
  foreign_form: { shape: "fact" },
  dead_link: { shape: "text" },
  id_token_hint: { shape: "fact" },
  sign_in: { shape: "fact" },
  throttled: { shape: "seconds" },
  upstream: { shape: "text", absent: "nothing" },
  assertion: { shape: "fact", absent: "nothing" },
  assertion_key: { shape: "fact" },
  client_assertion: { shape: "fact", absent: "nothing" },
  client_assertion_key: { shape: "fact" },
  proof: { shape: "fact", absent: "nothing" },
  proof_address: { shape: "address", absent: "nothing" },
  proof_clock_ahead: { shape: "seconds" },
  proof_clock_behind: { shape: "seconds" },
  proof_key: { shape: "beyond", absent: "nothing" },
};

/** Endpoints that read parameters only from the body of a POST request (T-4). */
const formEndpoints: readonly string[] = ["/oauth/token", "/oauth/introspect", "/oauth/revoke", "/oauth/par"];

/** Explains one piece of evidence of a refused request. `endpoint` is the path of the request. */
export function explainEvidence(evidence: Evidence, endpoint: string, said: Said): ExplainedEvidence {
  const words = said.words.refusal;
  const { name, kind } = evidence;
  if (!isKnown(kind))
    return { name, what: words.unknownKind, ...valuesOf({ shape: "text" }, evidence, said) };
  const { what, adviceInForm, adviceInHeader, ...usual } = words.kinds[kind];
  const special =
    name === "Authorization" ? adviceInHeader : formEndpoints.includes(endpoint) ? adviceInForm : undefined;
  return { name, what, advice: special ?? usual.advice, ...valuesOf(presentations[kind], evidence, said) };
}

function isKnown(kind: string): kind is EvidenceKind {
  return Object.hasOwn(presentations, kind);
}

type Values = Pick<ExplainedEvidence, "received" | "expected" | "difference">;

function valuesOf({ shape, absent }: Presentation, evidence: Evidence, said: Said): Values {
  const words = said.words.refusal;
  const received = listOf(evidence.received);
  const expected = listOf(evidence.expected);
  const stead = absent === "nothing" ? words.nothing : absent === "not_shown" ? words.notShown : undefined;
  const compared = comparisons[shape](received, expected, said);
  return {
    ...(received.length > 0
      ? { received: compared.received }
      : stead !== undefined && { received: [inWords(stead)] }),
    ...(expected.length > 0
      ? { expected: compared.expected }
      : expectsSomething(shape) && { expected: [inWords(words.nothing)] }),
    ...(compared.difference !== undefined && { difference: compared.difference }),
  };
}

/**
 * For URLs and for lists of allowed names, an empty list of expected values means that no value is allowed.
 */
function expectsSomething(shape: Shape): boolean {
  return shape === "address" || shape === "beyond";
}

type Comparison = (
  received: readonly string[],
  expected: readonly string[],
  said: Said,
) => {
  readonly received: readonly ExplainedValue[];
  readonly expected: readonly ExplainedValue[];
  readonly difference?: string | undefined;
};

const comparisons: Readonly<Record<Shape, Comparison>> = {
  text: (received, expected) => ({ received: received.map(code), expected: expected.map(code) }),
  address: compareAddresses,
  beyond: (received, expected, { words }) => {
    const beyond = received.filter((name) => !expected.includes(name));
    return {
      received: received.map((name) => codeMarked(name, beyond.includes(name))),
      expected: expected.map(code),
      difference: beyond.length > 0 ? words.refusal.beyond(beyond.join(", ")) : undefined,
    };
  },
  lacking: (received, expected, { words }) => {
    const lacking = expected.filter((name) => !received.includes(name));
    return {
      received: received.map(code),
      expected: expected.map((name) => codeMarked(name, lacking.includes(name))),
      difference: lacking.length > 0 ? words.refusal.lacking(lacking.join(", ")) : undefined,
    };
  },
  fact: (received, expected, { words }) => ({
    received: received.map((text) => factOf(text, words)),
    expected: expected.map(code),
  }),
  seconds: (received, expected, { words, language }) => ({
    received: received.map((text) => durationOf(text, language)),
    expected: expected.map((text) => durationOf(text, language, words.refusal.atMost)),
  }),
  length: (received, [least = "", most = ""], { words: { refusal } }) => ({
    received: received.map((text) => measured(text, (count) => refusal.characters(count))),
    expected: [measured(most, (count) => refusal.characters(count, refusal.range(least, most)))],
  }),
  number: (received, expected, { words, language }) => ({
    received: received.map((text) => measured(text, (value) => numberText(value, language))),
    expected: expected.map((text) =>
      measured(text, (value) => `${words.refusal.atMost} ${numberText(value, language)}`),
    ),
  }),
  moment: (received, expected) => ({ received: received.map(timeOf), expected: expected.map(timeOf) }),
};

/** `expected` is sorted: its first URL is the one most similar to the received URL. */
function compareAddresses(
  received: readonly string[],
  expected: readonly string[],
  said: Said,
): ReturnType<Comparison> {
  const [came] = received;
  const [nearest, ...others] = expected;
  if (came === undefined || nearest === undefined) {
    return { received: received.map(code), expected: expected.map(code) };
  }
  const at = firstDifference(came, nearest);
  return {
    received: [markedAt(came, at)],
    expected: [markedAt(nearest, at), ...others.map(code)],
    difference: differenceInWords(came, nearest, at, said),
  };
}

function differenceInWords(came: string, nearest: string, at: number | undefined, { words }: Said): string {
  const { differsFrom, endsEarly, endsLate, sameAsShown } = words.refusal;
  if (at === undefined) return sameAsShown;
  const end = at === [...came].length ? ` ${endsEarly}` : at === [...nearest].length ? ` ${endsLate}` : "";
  return `${differsFrom(at + 1)}${end}`;
}

/**
 * Returns the index, in code points, of the first character at which the strings differ; undefined if they
 * are equal.
 */
export function firstDifference(one: string, other: string): number | undefined {
  const [left, right] = [[...one], [...other]];
  const at = left.findIndex((character, index) => character !== right[index]);
  if (at !== -1) return at;
  return left.length === right.length ? undefined : left.length;
}

function markedAt(text: string, at: number | undefined): ExplainedValue {
  const characters = [...text];
  if (at === undefined || at >= characters.length) return code(text);
  return {
    type: "code",
    parts: [
      { text: characters.slice(0, at).join(""), marked: false },
      { text: characters[at] ?? "", marked: true },
      { text: characters.slice(at + 1).join(""), marked: false },
    ].filter(({ text: part }) => part !== ""),
  };
}

function code(text: string): ExplainedValue {
  return codeMarked(text, false);
}

function codeMarked(text: string, marked: boolean): ExplainedValue {
  return { type: "code", parts: [{ text, marked }] };
}

function inWords(text: string): ExplainedValue {
  return { type: "words", text };
}

function factOf(text: string, words: Said["words"]): ExplainedValue {
  const said = ownWord(words.refusal.receivedFacts, text);
  return said === undefined ? code(text) : inWords(said);
}

function measured(text: string, say: (value: number) => string): ExplainedValue {
  return /^\d{1,15}$/.test(text) ? inWords(say(Number(text))) : code(text);
}

function durationOf(text: string, language: Said["language"], limit?: string): ExplainedValue {
  if (!/^\d{1,10}$/.test(text)) return code(text);
  const seconds = Number(text);
  return { type: "duration", seconds, text: durationText(seconds, language), limit };
}

/** `text` may also be the reason of a revocation, which is shown unchanged. */
function timeOf(text: string): ExplainedValue {
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? new Date(text) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? code(text) : { type: "time", time };
}

function listOf(value: Evidence["received"]): readonly string[] {
  if (value === null) return [];
  return typeof value === "string" ? [value] : value;
}
