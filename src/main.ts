/** Entry point of the command line; the only file that acts on import. */
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { joinedPath } from "./server/joined_packages.ts";
import { launcherOf } from "./server/launcher.ts";
import { nodeFlags } from "./server/node_flags.ts";
import { startUnoptimized } from "./server/start_memory.ts";

// Signing and hashing run in libuv's thread pool. libuv reads the pool's size at first use, so it is set
// before anything else is loaded. The pool has one thread per core, one more for hashing and two for signing.
process.env.UV_THREADPOOL_SIZE ??= String(availableParallelism() + 3);

// The launcher's id is read before anything is loaded, because the launcher may end while modules are loaded.
const launcher = launcherOf(process.env);

const serves = process.argv.includes("serve");
if (serves) startUnoptimized();

const joined = serves ? joinedPath(import.meta.url, nodeFlags(process)) : undefined;
const { runHere }: typeof import("./cli/whole_program.ts") =
  joined === undefined ? await import("./cli/whole_program.ts") : createRequire(import.meta.url)(joined);
// Until the command has finished, the exit code is that of a failure, in case the process ends early.
process.exitCode = 1;
process.exitCode = await runHere(process.argv.slice(2), launcher);
