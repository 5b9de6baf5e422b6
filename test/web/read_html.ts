import assert from "node:assert/strict";

export type Tag = { name: string; attributes: ReadonlyMap<string, string> };

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

function decode(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}

const tag = /<([a-z][a-z0-9]*)((?:\s+[a-z][a-zA-Z0-9-]*(?:="[^"<>]*")?)*)\s*\/?>/g;

/**
 * Returns a page as a strict reader sees it: its opening tags with their attributes, and its text. Fails on
 * anything except a doctype, a well-formed tag with double-quoted values, and text without angle brackets.
 */
export function readHtml(page: string): { tags: Tag[]; text: string } {
  const tags = [...page.matchAll(tag)].map(([, name = "", attributes = ""]) => ({
    name,
    attributes: new Map(
      [...attributes.matchAll(/([a-z][a-zA-Z0-9-]*)(?:="([^"]*)")?/g)].map(
        ([, key = "", value = ""]) => [key, decode(value)] as const,
      ),
    ),
  }));
  const rest = page
    .replace(/^<!doctype html>/, "")
    .replace(tag, " ")
    .replace(/<\/[a-z][a-z0-9]*>/g, " ");
  assert.doesNotMatch(rest, /[<>]/, "a stray angle bracket");
  return { tags, text: decode(rest).replace(/\s+/g, " ").trim() };
}
