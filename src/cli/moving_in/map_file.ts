import type { ImportMap } from "../../moving_in/core/moved.ts";
import { momentOf } from "../../records/formats/check.ts";
import { isObject, textOfJson } from "../../records/names/json_shapes.ts";
import { WrongUsage } from "../core/terminal.ts";
import { readNamedFile } from "../core/typed_text.ts";

/**
 * Returns the map in the file, or an empty map if there is no file. Unless the map contains `exported_at`, the
 * export counts as created at `written_at`. Throws a `WrongUsage` that names the field and quotes no value.
 */
export async function readMap(file: string | undefined, written_at: Date): Promise<ImportMap> {
  const given = file === undefined ? {} : await parsed(file);
  const wrong = (member: string, what: string) => new WrongUsage(`${file}: ${member} must be ${what}`);
  if (!isObject(given)) throw wrong("the file", "an object");
  const { columns = {}, providers = {}, organization, rp_id, exported_at, firebase, ...unknown } = given;
  const [stray] = Object.keys(unknown);
  if (stray !== undefined) throw new WrongUsage(`${file}: unknown field ${stray}`);
  if (!isTexts(columns)) throw wrong("columns", "an object that maps names in the file to Postern's names");
  if (!isTexts(providers))
    throw wrong("providers", "an object that maps names in the file to provider slugs");
  if (organization !== undefined && typeof organization !== "string")
    throw wrong("organization", "a slug or ID");
  if (rp_id !== undefined && typeof rp_id !== "string") throw wrong("rp_id", "a host");
  const moment = exported_at === undefined ? written_at : momentOf(textOfJson(exported_at));
  if (moment === undefined) throw wrong("exported_at", "a time (RFC 3339)");
  return {
    ...{ columns, providers, organization, rp_id, exported_at: moment.toISOString() },
    firebase: firebase === undefined ? undefined : firebaseOf(firebase, wrong),
  };
}

async function parsed(file: string): Promise<unknown> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(readNamedFile(file), { prettyErrors: false, schema: "core" });
  if (document.errors.length > 0) throw new WrongUsage(`${file} is neither YAML nor JSON`);
  return document.toJS({ maxAliasCount: 0 });
}

const isTexts = (value: unknown): value is Record<string, string> =>
  isObject(value) && Object.values(value).every((each) => typeof each === "string");

function firebaseOf(value: unknown, wrong: (member: string, what: string) => WrongUsage) {
  const { signer_key, salt_separator, rounds, mem_cost } = isObject(value) ? value : {};
  if (typeof signer_key !== "string") throw wrong("firebase.signer_key", "text in base64");
  if (typeof salt_separator !== "string") throw wrong("firebase.salt_separator", "text in base64");
  if (typeof rounds !== "number") throw wrong("firebase.rounds", "a number");
  if (typeof mem_cost !== "number") throw wrong("firebase.mem_cost", "a number");
  return { signer_key, salt_separator, rounds, mem_cost };
}
