/**
 * Creates a Python environment with the packages of a `requirements.txt`, independent of installed
 * packages.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cache } from "../cache.ts";

const run = promisify(execFile);

const ownRequirements = fileURLToPath(new URL("requirements.txt", import.meta.url));

/** Returns the file with the packages of a program. */
export const requirementsOf = (program: string): string =>
  fileURLToPath(new URL(`${program}_requirements.txt`, import.meta.url));

/** Milliseconds for creating the environment, and for installing packages. */
const longestInstall = 240_000;

/** The oldest version that the packages support. */
const oldest = [3, 10] as const;

const [major, minor] = oldest;
/** The requirement, as the end of the sentence "it needs …". */
export const neededPython = `Python ${oldest.join(".")} or later, with its modules venv and ensurepip, as python3 or python on the PATH`;

const probe = `import sys, venv, ensurepip; assert sys.version_info >= (${major}, ${minor}); print(sys.version)`;

/**
 * Returns a Python on the PATH that is new enough and can create environments; undefined if there is
 * none.
 */
export async function findPython(): Promise<{ command: string; version: string } | undefined> {
  for (const command of ["python3", "python"]) {
    try {
      const { stdout } = await run(command, ["-c", probe], { timeout: 20_000 });
      return { command, version: stdout };
    } catch {
      // This Python is missing, is too old, or lacks a module.
    }
  }
  return undefined;
}

/**
 * Returns the path of a Python that has the packages in this file; by default those of the tests. They
 * are installed once per list of packages, below `node_modules/.cache`. Throws an error whose message
 * says what is missing.
 */
export async function pythonWithPackages(requirements: string = ownRequirements): Promise<string> {
  const found = await findPython();
  if (found === undefined) throw new Error(`this command needs ${neededPython}`);
  const { command, version } = found;
  const digest = createHash("sha256").update(version).update(readFileSync(requirements)).digest("hex");
  const folder = join(cache, `interop-python-${digest.slice(0, 12)}`);
  const python =
    process.platform === "win32" ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");
  const installed = join(folder, "installed");
  if (existsSync(installed)) return python;
  const limits = { timeout: longestInstall };
  await run(command, ["-m", "venv", "--clear", folder], limits);
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"];
  await run(python, [...install, "--requirement", requirements], limits);
  writeFileSync(installed, "");
  return python;
}
