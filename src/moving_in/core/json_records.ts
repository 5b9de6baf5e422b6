/** Reads JSON of any length by returning the elements of its long arrays one at a time. */
import { type Found, ImportFault } from "./import_fault.ts";

/**
 * Maximum characters of an array element, and of an outermost value without the elements that are returned
 * one by one.
 */
const longestElement = 2 ** 20;
const longestDocument = 2 ** 25;
const deepest = 64;

interface Container {
  readonly is_array: boolean;
  readonly at: string;
  readonly is_read: boolean;
  index: number;
  key: string;
  expects_key: boolean;
}

interface Kept {
  parts: string[];
  length: number;
  line: number;
}

const code = (character: string) => character.charCodeAt(0);
const [quote, backslash, comma, colon, newline] = ['"', "\\", ",", ":", "\n"].map(code);
const [openObject, closeObject, openArray, closeArray] = ["{", "}", "[", "]"].map(code);

const isBlank = (character: number) => character === 32 || (character >= 9 && character <= 13);

/**
 * Reads one JSON value, or several in sequence (NDJSON). Returns the elements of an outermost array and of
 * the arrays at `arrays` (paths in which a star matches any index). Also returns each outermost object when
 * it ends; those arrays are then empty. Throws an ImportFault for a value that is invalid, too long or too
 * deeply nested.
 */
export async function* jsonRecords(
  chunks: AsyncIterable<string>,
  arrays: readonly string[],
): AsyncGenerator<Found> {
  const containers: Container[] = [];
  let line = 1;
  let document: Kept | undefined;
  let element: Kept | undefined;
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  let key: string | undefined;

  const patterns = new Set(["", ...arrays]);
  const isRead = (at: string) => patterns.has(at.replaceAll(/(?<=^|\/)\d+(?=\/|$)/g, "*"));

  function keep(text: string): void {
    const kept = element ?? document;
    if (kept === undefined || text === "") return;
    kept.parts.push(text);
    kept.length += text.length;
    const longest = element === undefined ? longestDocument : longestElement;
    if (kept.length > longest)
      throw new ImportFault(kept.line, `a value has more than ${longest} characters`);
  }

  function open(is_array: boolean): void {
    if (containers.length >= deepest) throw new ImportFault(line, `nested deeper than ${deepest} levels`);
    const top = containers.at(-1);
    const name = top?.is_array ? String(top.index) : (top?.key ?? "");
    const at = top === undefined || top.at === "" ? name : `${top.at}/${name}`;
    const is_read = is_array && element === undefined && isRead(top === undefined ? "" : at);
    containers.push({
      is_array,
      at: top === undefined ? "" : at,
      is_read,
      index: 0,
      key: "",
      expects_key: !is_array,
    });
  }

  function ended(kept: Kept, at: string, is_document = false): Found {
    return { at, is_document, line: kept.line, value: () => parsed(kept) };
  }

  for await (const chunk of chunks) {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const character = chunk.charCodeAt(at);
      if (character === newline) line += 1;
      const top = containers.at(-1);
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (character === backslash) isEscaped = true;
        else if (character === quote) isInText = false;
        if (key !== undefined) {
          if (isInText) key += chunk[at];
          else if (top !== undefined) {
            top.key = key;
            key = undefined;
          }
        }
        continue;
      }
      if (isBlank(character)) {
        if (element === undefined && top?.is_read) from = at + 1;
        continue;
      }
      const isBetween = element === undefined && top?.is_read === true;
      if (character === comma || character === closeObject || character === closeArray) {
        if (element !== undefined && containers.length === depth && top !== undefined) {
          keep(chunk.slice(from, at));
          yield ended(element, top.at);
          element = undefined;
          from = character === comma ? at + 1 : at;
        } else if (isBetween) from = character === comma ? at + 1 : at;
        if (character === comma) {
          if (top === undefined) throw new ImportFault(line, "a comma outside of any value");
          top.index += 1;
          top.expects_key = !top.is_array;
          continue;
        }
        const closed = containers.pop();
        if (closed === undefined || closed.is_array !== (character === closeArray))
          throw new ImportFault(line, "a closing bracket has no matching opening bracket");
        if (element !== undefined && containers.length === depth) {
          keep(chunk.slice(from, at + 1));
          from = at + 1;
          yield ended(element, containers.at(-1)?.at ?? "");
          element = undefined;
        } else if (containers.length === 0 && document !== undefined) {
          keep(chunk.slice(from, at + 1));
          from = at + 1;
          // An outermost array is not returned, because its elements have already been returned.
          const whole = ended(document, "", true);
          document = undefined;
          if (!closed.is_array) yield whole;
        }
        continue;
      }
      if (containers.length === 0 && document === undefined) {
        if (character !== openObject && character !== openArray)
          throw new ImportFault(line, "neither a JSON object nor a JSON array");
        document = { parts: [], length: 0, line };
        from = at;
      } else if (isBetween) {
        element = { parts: [], length: 0, line };
        depth = containers.length;
        from = at;
      }
      if (character === openObject || character === openArray) {
        open(character === openArray);
        if (containers.at(-1)?.is_read) {
          keep(chunk.slice(from, at + 1));
          from = at + 1;
        }
      } else if (character === quote) {
        isInText = true;
        if (element === undefined && top?.expects_key) key = "";
      } else if (character === colon && top !== undefined) top.expects_key = false;
    }
    if (element !== undefined || !containers.at(-1)?.is_read) keep(chunk.slice(from));
  }
  if (containers.length > 0 || isInText) throw new ImportFault(line, "the file ends inside a value");
}

/** The parser's own error is dropped, because its message would quote the file. */
function parsed({ parts, line }: Kept): unknown {
  const text = parts.join("");
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    const before = text.slice(0, place === undefined ? 0 : Number(place));
    throw new ImportFault(line + before.split("\n").length - 1, "not well-formed JSON");
  }
}
