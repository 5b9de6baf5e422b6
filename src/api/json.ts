/** Parses JSON for the management API: I-JSON (RFC 7493), so stored values equal the sent ones. */
import type { FastifyRequest } from "fastify";
import { type Detail, detail } from "../errors/details.ts";
import { type FieldError, fieldError, pointerStep } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import { bodyLimit, type RawBody } from "../http/form.ts";

export type JsonInput = Readonly<Record<string, unknown>>;

interface JsonBody {
  readonly text: string;
  readonly value: JsonInput;
}

export const deepestJson = 20;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export const jsonTypes = ["application/json"] as const;
export const patchTypes = ["application/merge-patch+json", "application/json"] as const;

/**
 * Returns the JSON object in the body; undefined if the request has no body. Throws 415
 * `unsupported_media_type` for another content type, 413 `too_large`, and 400 `invalid_json` unless the body
 * is an I-JSON object.
 */
export function jsonBodyOf(request: FastifyRequest, types: readonly string[]): JsonBody | undefined {
  const body = request.body as RawBody | undefined;
  if (body === undefined || body.bytes?.length === 0) return undefined;
  if (!isOneOf(types, request.headers["content-type"])) {
    throw new Problem("unsupported_media_type", detail("content_type", { types }));
  }
  const { bytes } = body;
  if (bytes === undefined) {
    const { most_body = bodyLimit } = request.routeOptions.config;
    throw new Problem("too_large", detail("too_large", { bytes: most_body }));
  }
  return readJson(bytes);
}

function isOneOf(types: readonly string[], header: string | undefined): boolean {
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  return (
    types.includes(type) &&
    parameters.every((parameter) => parameter === "" || /^charset="?utf-8"?$/.test(parameter))
  );
}

/** Parses an I-JSON object. Throws 400 `invalid_json` that lists every field that is not accepted. */
export function readJson(bytes: Uint8Array): JsonBody {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw invalidJson(detail("not_utf8"));
  }
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidJson(detail("not_json"));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidJson(detail("not_json_object"));
  }
  const errors = jsonErrors(text);
  if (errors.length > 0) throw invalidJson(detail("json_not_kept"), errors);
  return { text, value: value as JsonInput };
}

function invalidJson(detailOf: Detail, errors: readonly FieldError[] = []): Problem {
  return new Problem("invalid_json", detailOf, errors);
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d[\d.eE+-]*/g;

type Open = { readonly names: Set<string>; name: string; expects: "name" | "value" } | { index: number };

/**
 * Errors in JSON that `JSON.parse` accepts. The text has already been parsed, so every string is terminated
 * and matching takes linear time.
 */
type JsonErrorCode = "json_name_repeated" | "json_name_reserved" | "json_number_inexact" | "unstorable";

function jsonErrors(text: string): FieldError[] {
  const errors: FieldError[] = [];
  const stack: Open[] = [];
  const path = () =>
    stack.map((open) => `/${"names" in open ? pointerStep(open.name) : open.index}`).join("");
  const report = (code: JsonErrorCode) => errors.push(fieldError(path(), code));
  for (const [mark] of text.matchAll(token)) {
    const top = stack.at(-1);
    if (stack.length > deepestJson) {
      throw invalidJson(detail("json_too_deep", { levels: deepestJson }));
    }
    if (mark === "{") stack.push({ names: new Set(), name: "", expects: "name" });
    else if (mark === "[") stack.push({ index: 0 });
    else if (mark === "}" || mark === "]") stack.pop();
    else if (mark === ":") continue;
    else if (mark === ",") {
      if (top === undefined) continue;
      if ("names" in top) top.expects = "name";
      else top.index += 1;
    } else if (mark.startsWith('"')) {
      const said: string = JSON.parse(mark);
      if (top !== undefined && "names" in top && top.expects === "name") {
        top.name = said;
        top.expects = "value";
        if (top.names.has(said)) report("json_name_repeated");
        if (said === "__proto__") report("json_name_reserved");
        top.names.add(said);
      }
      if (said.includes("\0") || !said.isWellFormed()) report("unstorable");
    } else if (!isKept(mark)) report("json_number_inexact");
  }
  return errors;
}

/**
 * Returns whether a double stores an integer exactly, or any other number without overflow (RFC 7493 2.2).
 */
function isKept(digits: string): boolean {
  const number = Number(digits);
  return /^-?\d+$/.test(digits) ? Number.isSafeInteger(number) : Number.isFinite(number);
}
