/**
 * The first member that stands twice in an object of this text, at any depth; undefined of none. `JSON.parse`
 * takes the last one and other readers the first (RFC 8259 4), so that two of them read two documents. The
 * text is JSON, as `JSON.parse` has found.
 */
export function repeatedMember(json: string): string | undefined {
  const objects: (Set<string> | undefined)[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;
  let last: string | undefined;
  for (const [token] of json.matchAll(tokens)) {
    if (token === "{") objects.push(new Set());
    else if (token === "[") objects.push(undefined);
    else if (token === "}" || token === "]") objects.pop();
    else if (token === ":" && last !== undefined) {
      const name = JSON.parse(last) as string;
      const names = objects.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
    last = token.startsWith('"') ? token : undefined;
  }
  return undefined;
}
