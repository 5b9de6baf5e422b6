import { inSentence } from "../parts/in_sentence.ts";
import { plural } from "./plural.ts";

export const listWords = {
  selected: "Selected:",
  select: "Select",
  selectOne: (name: string) => `Select ${name}`,
  presets: {
    label: "Presets",
    sign_ins: "Sign-ins",
    failed_sign_ins: "Failed sign-ins",
    changes: "Changes",
    failures: "Failures",
    tokens: "Tokens issued",
    hour: "Last hour",
    day: "Last 24 hours",
    week: "Last 7 days",
  },
  total: {
    of: (range: string, total: string) => `${range} of ${total}`,
    more: (figure: string) => `more than ${figure}`,
  },
  previousPage: "Previous",
  nextPage: "Next",
  pageLength: "Per page",
  sorted: {
    label: "Sort by",
    ascending: (label: string) => `${label}, ascending`,
    descending: (label: string) => `${label}, descending`,
  },
  exported: {
    label: "Export",
    csv: "CSV file",
    jsonl: "JSON Lines file",
    help: (most: string) => `All records that match the filters, at most ${most}.`,
  },
  many: {
    title: {
      delete: (count: number, kind: string) => `Delete ${count} ${inSentence(kind)}?`,
      revoke: (count: number, kind: string) => `Revoke ${count} ${inSentence(kind)}?`,
      switch_off: (count: number, kind: string) => `Switch ${count} ${inSentence(kind)} off?`,
    },
    addedUp: "Figures are added up across all records, so a person may be counted more than once.",
    records: plural({ one: (figure) => `${figure} record`, other: (figure) => `${figure} records` }),
    notDone: "Not possible for these records",
    record: "Record",
    reason: "Reason",
    why: {
      already: "It has already ended.",
      failed: "The server failed. The log says why.",
    },
    back: "Back to the list",
    done: {
      delete: (done: string, all: string, many: string) => `${many}: ${done} of ${all} deleted`,
      revoke: (done: string, all: string, many: string) => `${many}: ${done} of ${all} revoked`,
      switch_off: (done: string, all: string, many: string) => `${many}: ${done} of ${all} switched off`,
    },
    doneRecords: "Done",
  },
};

export type ListWords = typeof listWords;

export type PresetName = Exclude<keyof ListWords["presets"], "label" | "hour" | "day" | "week">;
