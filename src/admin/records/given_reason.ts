import { fieldError, type Reason, reason } from "../../errors/field_errors.ts";
import { text } from "../../records/definition/field.ts";
import { isPlainText } from "../../records/names/plain_text.ts";
import { type Input, isText } from "../access/errors.ts";

const characters = 1000;

export const reasonInput = {
  reason: text("reason, recorded in the audit log", {
    plain: "lines",
    not_empty: true,
    max_length: characters,
  }),
} as const;

export function errorOfReason({ reason: input }: Input): Reason | undefined {
  if (input === undefined) return fieldError("/reason", "required");
  if (typeof input !== "string") return reason("not_string");
  if (input.trim() === "") return reason("empty");
  if (input.length > characters) return reason("too_long", { characters });
  return isText(input) && isPlainText(input, "lines") ? undefined : reason("invisible_characters");
}
