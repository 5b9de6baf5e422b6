import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { formBrowser, goThrough, type Person } from "../../../test/support/form_browser.ts";

/** Maximum milliseconds of a client's run. */
const longestRun = 60_000;

/**
 * Runs a client in Python, whose first line of input is `input` as JSON. If it writes `open <address>`, a
 * browser signs in there as `person`, and the address of the final redirect is the next line of input.
 * Returns its other output. Throws an error with its error output if it fails.
 */
export async function runPythonClient(
  python: string,
  script: string,
  input: object,
  person: Person,
  browser = formBrowser(),
): Promise<readonly string[]> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(python, ["-I", path], { stdio: "pipe", timeout: longestRun, killSignal: "SIGKILL" });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const closed = once(child, "close");
  child.stdin.write(`${JSON.stringify(input)}\n`);
  const written: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    const address = /^open (\S+)$/.exec(line)?.[1];
    if (address === undefined) written.push(line);
    else child.stdin.write(`${await goThrough(browser, address, person)}\n`);
  }
  const [code] = await closed;
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${err}${written.join("\n")}`);
  return written;
}
