/**
 * Loaded before a server's own modules: at each SIGUSR2 it leaves a LoopClock (loop_clock.ts) in the file that the
 * query of its own address names. Plain JavaScript without imports, so that a start hardly takes longer.
 */
const file = new URL(import.meta.url).searchParams.get("file");
if (file === null) throw new Error("no file to leave the clock in");
const { performance } = globalThis;
const { renameSync, writeFileSync } = process.getBuiltinModule("node:fs");

// Threads run it as well, and get no signals.
process.on("SIGUSR2", () => {
  const { idle, active } = performance.eventLoopUtilization();
  const { user, system } = process.cpuUsage();
  const clock = { idle_ms: idle, active_ms: active, cpu_seconds: (user + system) / 1e6 };
  writeFileSync(`${file}.new`, JSON.stringify(clock));
  renameSync(`${file}.new`, file);
});
