/**
 * Runs the MCP server of `examples/mcp-server` in a separate process, as the resource server of the tests.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../examples/mcp-server", import.meta.url));

/** Milliseconds after which a server without output counts as failed. */
const maxWait = 60_000;

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Returns the identifier of the MCP server, which is also the URL to which MCP clients connect. */
export const exampleUrl = (port: number): string => `http://127.0.0.1:${port}/mcp`;

/** Starts the MCP server on a port. It accepts tokens of the issuer, which must already be running. */
export async function exampleServer(port: number, issuer: string): Promise<{ stop(): Promise<void> }> {
  const child = spawn(process.execPath, ["server.js"], {
    cwd: folder,
    env: { PORT: String(port), ISSUER: issuer },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const closed = once(child, "close").then(() => running.delete(child));
  const stop = async () => {
    child.kill("SIGKILL");
    await closed;
  };
  const listening = once(createInterface(child.stdout), "line", { signal: AbortSignal.timeout(maxWait) });
  const ended = closed.then(() => Promise.reject(new Error(`the example ended: ${said}`)));
  ended.catch(() => undefined);
  try {
    await Promise.race([listening, ended]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}
