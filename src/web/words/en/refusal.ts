import type { Plural } from "../parts/plural.ts";
import { type EvidenceWords, evidenceWords, type FactWords, factWords } from "./evidence.ts";
import { ordinal, plural } from "./plural.ts";

export interface RefusalWords {
  readonly title: (short_id: string) => string;
  readonly facts: Readonly<
    Record<
      "description" | "endpoint" | "app" | "user" | "when" | "until" | "from" | "agent" | "request" | "id",
      string
    >
  >;
  readonly nothingMore: string;
  readonly unknownKind: string;
  readonly received: string;
  readonly expected: string;
  readonly nothing: string;
  readonly notShown: string;
  /** `position` is the number of the first different character, counted from 1. */
  readonly differsFrom: (position: number) => string;
  readonly endsEarly: string;
  readonly endsLate: string;
  readonly sameAsShown: string;
  readonly beyond: (names: string) => string;
  readonly lacking: (names: string) => string;
  readonly characters: Plural;
  readonly range: (least: string, most: string) => string;
  readonly atMost: string;
  readonly todo: string;
  readonly unknown: {
    readonly title: string;
    readonly lead: string;
    readonly reasons: Readonly<Record<"mistyped" | "expired" | "flood" | "elsewhere", string>>;
    readonly list: string;
  };
  readonly kinds: EvidenceWords;
  readonly receivedFacts: FactWords;
}

export const refusalWords: RefusalWords = {
  title: (short_id) => `Refusal ${short_id}`,
  facts: {
    description: "Message to the caller",
    endpoint: "Endpoint",
    app: "App",
    user: "Signed-in user",
    when: "When",
    until: "Kept until",
    from: "IP address",
    agent: "Browser or program",
    request: "Request",
    id: "Record ID",
  },
  nothingMore: "No further details were recorded.",
  unknownKind: "A value was not as expected",
  received: "Received",
  expected: "Expected",
  nothing: "nothing",
  notShown: "not shown, since it may be secret",
  differsFrom: (position) => `Differs starting at the ${ordinal(position)} character.`,
  endsEarly: "The received value ends early.",
  endsLate: "The received value has extra characters at the end.",
  sameAsShown: "Both values are the same as far as they are stored.",
  beyond: (names) => `Not expected: ${names}.`,
  lacking: (names) => `Missing: ${names}.`,
  characters: plural({
    one: (figure) => `${figure} character`,
    other: (figure) => `${figure} characters`,
  }),
  range: (least, most) => `${least} to ${most}`,
  atMost: "at most",
  todo: "What to do",
  unknown: {
    title: "Refusal not found",
    lead: "No refusal with this reference is visible to you. Possible reasons:",
    reasons: {
      mistyped: "the reference is mistyped",
      expired: "it has expired: refusals are stored for only a few days",
      flood: "it was not stored because too many requests were refused at the time",
      elsewhere:
        "it belongs to an app that you do not manage, or to no app; platform administrators can see it",
    },
    list: "All failed requests",
  },
  kinds: evidenceWords,
  receivedFacts: factWords,
};
