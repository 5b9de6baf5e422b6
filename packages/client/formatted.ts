/** A source as the formatter of the house writes it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** Throws where the formatter does not take the source. */
export async function formatted(source: string): Promise<string> {
  const biome = fileURLToPath(new URL("../../node_modules/@biomejs/biome/bin/biome", import.meta.url));
  const child = spawn(process.execPath, [biome, "format", "--stdin-file-path=src/client/generated/x.ts"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(source);
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (child.exitCode !== 0) throw new Error(`biome ended with ${child.exitCode}`);
  return output;
}
