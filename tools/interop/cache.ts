import { join } from "node:path";

/** The folder of what the commands of this folder install. `npm ci` removes it. */
export const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache");
