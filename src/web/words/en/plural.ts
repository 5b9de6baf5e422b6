import { pluralsOf } from "../parts/plural.ts";

export const categories = ["one", "other"] as const;

export const plural = pluralsOf("en", categories);

/** Returns the ordinal of a number: 1st, 2nd, 3rd, 4th. */
export const ordinal = pluralsOf(
  "en",
  ["one", "two", "few", "other"],
  "ordinal",
)({
  one: (figure) => `${figure}st`,
  two: (figure) => `${figure}nd`,
  few: (figure) => `${figure}rd`,
  other: (figure) => `${figure}th`,
});
