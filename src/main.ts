/** The command line starts here; the only file that acts on import. */
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { joinedPath } from "./server/joined_packages.ts";
import { launcherOf } from "./server/launcher.ts";
import { nodeFlags } from "./server/node_flags.ts";
import { startUnoptimized } from "./server/start_memory.ts";

// Signing and hashing both run in libuv's thread pool, which reads its size when it is first used: before
// anything else is loaded. Hashes take a thread for each core and one to spare, and two are always left for
// signing; more threads than that only push each other off the cores.
process.env.UV_THREADPOOL_SIZE ??= String(availableParallelism() + 3);

// Asked before anything is loaded, which takes longer than a launcher may live.
const launcher = launcherOf(process.env);

const serves = process.argv.includes("serve");
if (serves) startUnoptimized();

const joined = serves ? joinedPath(import.meta.url, nodeFlags(process)) : undefined;
const { runHere }: typeof import("./cli/whole_program.ts") =
  joined === undefined ? await import("./cli/whole_program.ts") : createRequire(import.meta.url)(joined);
// Until the command has answered it has failed: a process that ends while it waits for something did not do
// its work.
process.exitCode = 1;
process.exitCode = await runHere(process.argv.slice(2), launcher);
