/**
 * `npm run test:one -- PATH…`: runs test files as the suite does, with the Node that the project installs.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { hangsAfter } from "./form.ts";
import { preloads } from "./preloads.ts";

const usage = `Runs test files as the suite does: with their own PostgreSQL, on the Node that npm ci installed.

npm run test:one -- PATH [PATH …] [--test-name-pattern=TEXT]

  npm run test:one -- test/oauth/refresh.test.ts
  npm run test:one -- "test/**/*.test.ts" --test-name-pattern="^A-7"
`;

const requested = process.argv.slice(2);
if (requested.length === 0 || requested.includes("--help")) {
  process.stdout.write(usage);
  process.exitCode = requested.length === 0 ? 2 : 0;
} else {
  const options = requested.filter((word) => word.startsWith("--"));
  const paths = requested.filter((word) => !word.startsWith("--"));
  const setup = ["--test-global-setup=test/support/global_setup.ts", `--test-timeout=${hangsAfter}`];
  const args = ["--test", ...preloads, ...setup, "--test-reporter=spec", ...options, ...paths];
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit" }), "close");
  process.exitCode = code ?? 1;
}
