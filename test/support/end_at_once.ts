/**
 * Loaded before each test file: once its tests have ended and its exit handlers have run, the process ends
 * without taking its environment apart. Node 26 now and then spins there for ever, in
 * `Environment::CleanupHandles`.
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
