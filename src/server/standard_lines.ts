/**
 * Writes log lines to standard output and standard error synchronously, so a line about a crash is not lost.
 */
import { writeSync } from "node:fs";
import { perKey } from "../lazily.ts";
import { type LineWriter, lineWriter } from "../ops/line_writer.ts";

const retryInterval = 200;

/**
 * Returns this process's only writer to standard output (1) or standard error (2). A single writer keeps the
 * lines in order.
 */
export const standardLines = perKey((descriptor: 1 | 2): LineWriter => {
  const writer = lineWriter({
    writeBytes: (bytes) => writeSync(descriptor, bytes),
    dropped: (count) => {
      const line = { level: "warn", time: new Date().toISOString(), pid: process.pid, dropped: count };
      return `${JSON.stringify({ ...line, msg: "log lines could not be written and were dropped" })}\n`;
    },
    later: (retry) => setTimeout(retry, retryInterval).unref(),
  });
  process.once("exit", writer.finish);
  return writer;
});
