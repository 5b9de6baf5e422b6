/** Runs the official conformance suite of the Model Context Protocol: its part for authorization servers. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { formBrowser, goThrough, type Person } from "../../support/form_browser.ts";
import { temporaryFolder } from "../../support/temp.ts";

/** Maximum milliseconds for the whole suite. */
const longestRun = 60_000;

export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

interface Given {
  readonly issuer: string;
  readonly client_id: string;
  readonly resource: string;
  /**
   * The port of the suite's callback: the client must be registered with `http://127.0.0.1:<port>/callback`.
   */
  readonly port: number;
  readonly person: Person;
}

const suite = fileURLToPath(
  new URL("../../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);

/** Runs every scenario for authorization servers. Returns the checks by id. */
export async function conformanceChecks({
  issuer,
  client_id,
  resource,
  port,
  person,
}: Given): Promise<ReadonlyMap<string, Check>> {
  const results = temporaryFolder();
  const requested = {
    url: issuer,
    "client-id": client_id,
    resource,
    port: String(port),
    "output-dir": results,
  };
  const options = Object.entries(requested).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(process.execPath, [suite, "authorization", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: longestRun,
    killSignal: "SIGKILL",
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const closed = once(child, "close");
  try {
    for await (const line of createInterface(child.stdout)) {
      said += `${line}\n`;
      // The suite prints the URL that a user has to open, and receives the redirect at a server of its own.
      if (!line.startsWith(`${issuer}/oauth/authorize?`)) continue;
      const back = await goThrough(formBrowser(), line, person);
      await (await fetch(back)).text();
    }
  } finally {
    child.kill("SIGKILL");
    await closed;
  }
  const checks = new Map<string, Check>();
  for (const name of readdirSync(results, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith("checks.json")) continue;
    for (const check of JSON.parse(readFileSync(join(results, name), "utf8")) as Check[]) {
      checks.set(check.id, check);
    }
  }
  if (checks.size === 0) throw new Error(`the suite made no check: ${said}`);
  return checks;
}
