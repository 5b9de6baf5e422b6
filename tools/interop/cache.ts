import { join } from "node:path";

/** The folder for software that these commands install. `npm ci` deletes it. */
export const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache");
