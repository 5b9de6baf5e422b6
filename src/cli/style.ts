/** Letters that stand out where the terminal has colours. */
import type { Screen } from "./terminal.ts";

/** The codes of ECMA-48 8.3.117 that begin and end each. */
const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], yellow: [33, 39], green: [32, 39] } as const;

export function styled(
  style: keyof typeof codes,
  text: string,
  { colours }: Pick<Screen, "colours">,
): string {
  const [begin, end] = codes[style];
  return colours && text !== "" ? `\u001b[${begin}m${text}\u001b[${end}m` : text;
}
