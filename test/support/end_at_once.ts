/**
 * Loaded before each test file: once its tests have ended and its exit handlers have run, the process ends
 * without taking its environment apart. Node 26 now and then spins there for ever, in
 * `Environment::CleanupHandles`.
 */
process.once("beforeExit", () => {
  process.on("exit", (code) => {
    (process as unknown as { reallyExit(code: number): never }).reallyExit(code);
  });
});
