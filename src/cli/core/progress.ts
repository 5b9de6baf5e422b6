import type { Terminal } from "./terminal.ts";

/** Milliseconds between two updates. More frequent updates are unreadable, and terminals are slow. */
const pause = 100;

/**
 * Does the work, passing it a function that shows its progress in the last line of standard error. Without a
 * terminal, nothing is shown.
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
    // The rest of the old text is overwritten with spaces, because a dumb terminal has no erase code.
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
