/**
 * Loaded before a server's own modules: each `fdatasync` ends later by the milliseconds in the query of its own
 * address, as on a slower disk. Plain JavaScript without imports, like the clock's preload.
 */
const ms = Number(new URL(import.meta.url).searchParams.get("ms"));
const fs = process.getBuiltinModule("node:fs");
const { syncBuiltinESMExports } = process.getBuiltinModule("node:module");

const { fdatasync } = fs;
fs.fdatasync = (fd, done) => fdatasync(fd, (error) => setTimeout(done, ms, error));
syncBuiltinESMExports();
