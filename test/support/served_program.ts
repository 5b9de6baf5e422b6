/** The program of the servers and commands that tests start as separate processes. */
import { fileURLToPath } from "node:url";

export const servedProgram = fileURLToPath(new URL("../../bin/postern.js", import.meta.url));
