/**
 * Preloaded into a server: delays the end of each `fdatasync` by the milliseconds in the query of its own URL,
 * as a slower disk would. It is plain JavaScript without imports, so that the server's start takes hardly
 * longer.
 */
const ms = Number(new URL(import.meta.url).searchParams.get("ms"));
const fs = process.getBuiltinModule("node:fs");
const { syncBuiltinESMExports } = process.getBuiltinModule("node:module");

const { fdatasync } = fs;
fs.fdatasync = (fd, done) => fdatasync(fd, (error) => setTimeout(done, ms, error));
syncBuiltinESMExports();
