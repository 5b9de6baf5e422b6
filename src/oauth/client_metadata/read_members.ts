/** The JSON object of a registration (RFC 7591 3.1). */
import { isObject } from "../../records/names/json_shapes.ts";
import { refuse } from "../refusals/refuse.ts";
import { isStorable } from "./is_storable.ts";
import type { ClientMembers } from "./members.ts";
import { repeatedMember } from "./repeated_member.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The members of this text. Throws `invalid_client_metadata` for what is no JSON object in UTF-8, for one
 * that holds what no text can hold, and for a member that stands twice: readers take either of the two.
 */
export function readMembers(bytes: Uint8Array): ClientMembers {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw refuse("registration_not_json");
  }
  if (!isObject(value) || !isStorable(value)) throw refuse("registration_not_json");
  const name = repeatedMember(text);
  if (name !== undefined) throw refuse("registration_member_repeated", { name });
  return value;
}
