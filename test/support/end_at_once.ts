/**
 * Loaded before each test file: once its tests have ended and its exit handlers have run, the process exits
 * without cleaning up its environment. Node 26 sometimes loops forever in `Environment::CleanupHandles`.
 */
import { basename } from "node:path";
import { measured } from "./file_times.ts";

const measure = measured(`process ${basename(process.argv[1] ?? "")}`);

process.once("beforeExit", () => {
  process.on("exit", (code) => {
    measure();
    (process as unknown as { reallyExit(code: number): never }).reallyExit(code);
  });
});
