/** A line on a terminal that says how far long work is. */
import type { Terminal } from "./terminal.ts";

/** Milliseconds between two looks of the line: people read no faster, and terminals take time. */
const pause = 100;

/**
 * Does the work with a function that says how far it is, in the last line of standard error; the line is gone
 * before the work answers. Where standard error is no terminal nothing is said.
 */
export async function withProgress<R>(
  { now, err, messages }: Pick<Terminal, "now" | "err" | "messages">,
  work: (say: (text: string) => void) => Promise<R>,
): Promise<R> {
  const { columns } = messages;
  if (columns === undefined) return work(() => {});
  let width = 0;
  let said = Number.NEGATIVE_INFINITY;
  const draw = (text: string) => {
    const line = text.slice(0, columns - 1);
    // Spaces in place of a code that erases: a dumb terminal has none.
    err(`\r${line}${" ".repeat(Math.max(0, width - line.length))}`);
    width = line.length;
  };
  try {
    return await work((text) => {
      const at = now().getTime();
      if (at - said < pause) return;
      said = at;
      draw(text);
    });
  } finally {
    if (width > 0) {
      draw("");
      err("\r");
    }
  }
}
