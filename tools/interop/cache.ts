import { join } from "node:path";

/** The folder for the software that the commands in `tools/interop` install. `npm ci` deletes it. */
export const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache");
