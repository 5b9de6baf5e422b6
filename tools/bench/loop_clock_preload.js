/**
 * Preloaded into a server. At each SIGUSR2, it writes a LoopClock (loop_clock.ts) to the file in the query of
 * its own URL. It is plain JavaScript without imports, so that the server's start takes hardly longer.
 */
const file = new URL(import.meta.url).searchParams.get("file");
if (file === null) throw new Error("the URL of this module names no file for the clock");
const { performance } = globalThis;
const { renameSync, writeFileSync } = process.getBuiltinModule("node:fs");

// Worker threads run this module too, but receive no signals.
process.on("SIGUSR2", () => {
  const { idle, active } = performance.eventLoopUtilization();
  const { user, system } = process.cpuUsage();
  const clock = { idle_ms: idle, active_ms: active, cpu_seconds: (user + system) / 1e6 };
  writeFileSync(`${file}.new`, JSON.stringify(clock));
  renameSync(`${file}.new`, file);
});
