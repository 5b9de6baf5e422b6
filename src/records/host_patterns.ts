/** Patterns of host names: `client.example`, `*.client.example` for what is below it, `*` for all. */

/** Whether the text is such a pattern, in lower case and in ASCII. */
export function isHostPattern(text: string): boolean {
  if (text === "*") return true;
  const host = text.replace(/^\*\./, "");
  return /^[a-z0-9.-]+$/.test(host) && URL.parse(`https://${host}`)?.host === host && !host.endsWith(".");
}

/** Whether one of the patterns stands for the host; a port and a dot at its end count for nothing. */
export function matchesHost(patterns: readonly string[], host: string): boolean {
  const name = host.replace(/:\d+$/, "").replace(/\.$/, "");
  return patterns.some((pattern) => {
    if (pattern === "*") return true;
    return pattern.startsWith("*.") ? name.endsWith(pattern.slice(1)) : name === pattern;
  });
}
