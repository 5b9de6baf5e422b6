import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { programsOfSamples } from "../../src/console/apps/quickstarts.view.ts";
import { joinedPath } from "../../src/server/joined_packages.ts";
import { nodeFlags } from "../../src/server/node_flags.ts";
import { listeningLine } from "../support/process.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the package `@postern/NAME` and installs it into the folder. */
function install(name: string, folder: string): string {
  const build = join(root, "packages", name, "build_package.ts");
  const path = execFileSync(process.execPath, [build, "--out", folder], { encoding: "utf8" }).trim();
  const installed = join(folder, "node_modules", "@postern", name);
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", path, "--strip-components=1", "-C", installed]);
  return installed;
}

/** Returns the standard error of the installed server until it listens. */
async function saidAtStart(installed: string): Promise<string> {
  const child = spawn(process.execPath, [join(installed, "bin", "postern.js"), "serve"], {
    cwd: temporaryFolder(),
    env: { PATH: process.env.PATH, POSTERN_PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    said.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.err += chunk;
  });
  try {
    await until(() => listeningLine(said.out) !== undefined, "the server says where it listens");
  } finally {
    child.kill("SIGTERM");
  }
  await new Promise((resolve) => child.once("close", resolve));
  return said.err;
}

function bytesBelow(folder: string): number {
  const files = globSync("**", { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

type Locked = Readonly<{
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  link?: boolean;
  engines?: { node?: string };
  optionalDependencies?: Record<string, string>;
}>;

/** The packages of the lock file by folder; "" is Postern itself. */
const lockedPackages = (
  JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as { packages: Record<string, Locked> }
).packages;

/** Returns the folders of the packages that an installation needs, without development and optional ones. */
function neededPackages(): string[] {
  return Object.entries(lockedPackages)
    .filter(
      ([path, { dev, optional, devOptional, link }]) =>
        path !== "" && !dev && !optional && !devOptional && !link,
    )
    .map(([path]) => path)
    .filter((path) => path.startsWith("node_modules/"));
}

// npm silently omits an optional package that it does not find, or whose engines exclude its Node.
describe("optional dependencies", () => {
  test("are all in the lock file", () => {
    const requested = Object.keys(lockedPackages[""]?.optionalDependencies ?? {});
    assert.ok(requested.length > 5, String(requested.length));
    const absent = requested.filter((name) => lockedPackages[`node_modules/${name}`] === undefined);
    assert.deepEqual(absent, []);
  });

  test("are installed by an npm that runs on Node 20", () => {
    const takes20 = (range: string): boolean =>
      range.split("||").some((part) => {
        const [, operator = "", major = "", minor = "0"] =
          /^(>=|\^|~)? ?v?(\d+|\*)(?:\.(\d+))?[\d.]*$/.exec(part.trim()) ?? [];
        if (major === "*" || (operator === ">=" && Number(major) < 20)) return true;
        return Number(major) === 20 && Number(minor) <= 19;
      });
    assert.deepEqual([">=22.15.0", "^18.19.0 || >=20.6.0", ">= 10"].map(takes20), [false, true, true]);
    const refused = Object.entries(lockedPackages)
      .filter(([, { optional, engines }]) => optional && !takes20(engines?.node ?? "*"))
      .map(([path]) => path);
    assert.deepEqual(refused, []);
  });
});

describe("the package @postern/test", () => {
  const folder = temporaryFolder();

  before(() => {
    const installed = install("test", folder);
    const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    assert.equal(dependencies, undefined);
    cpSync(join(root, "examples", "tested"), folder, { recursive: true });
  });

  test("runs in its own folder, also in another language, and ends together with the process that uses it", () => {
    const program = `import { startPostern, type Failure, type RecordedRequest } from "@postern/test";
const postern = await startPostern({ settings: { profiles: ["mcp"], throttle: true } });
const failure: Failure = { delay: 1 };
await postern.fail("token", failure);
const { email } = await postern.user({ password: "a password that nobody has" });
const asked: RecordedRequest[] = await postern.requests();
const page = await fetch(postern.url + "/login", { headers: { "accept-language": "es" } });
console.log(email, asked.length, (await page.text()).includes('<html lang="es"'));
`;
    writeFileSync(join(folder, "program.mts"), program);
    const inFolder = { cwd: folder, encoding: "utf8" } as const;
    const said = execFileSync(process.execPath, ["program.mts"], inFolder);
    assert.equal(said, "person-1@people.example 0 true\n");
    symlinkSync(join(root, "node_modules", "@types"), join(folder, "node_modules", "@types"));
    symlinkSync(join(root, "node_modules", "undici-types"), join(folder, "node_modules", "undici-types"));
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2024", "--types", "node"];
    execFileSync(process.execPath, [compiler, ...options, "program.mts"], { ...inFolder, stdio: "inherit" });
  });

  test("tests the example website and API of examples/tested", () => {
    for (const name of readdirSync(join(root, "node_modules"))) {
      const link = join(folder, "node_modules", name);
      if (!existsSync(link) && !name.startsWith(".")) symlinkSync(join(root, "node_modules", name), link);
    }
    const env = { PATH: process.env.PATH };
    const ran = spawnSync(process.execPath, ["--test"], { cwd: folder, env, encoding: "utf8" });
    assert.equal(ran.status, 0, ran.stdout);
    assert.match(ran.stdout, /pass 10/);
  });
});

describe("the package @postern/server", () => {
  const folder = temporaryFolder();
  const installed = join(folder, "node_modules", "@postern", "server");

  before(() => {
    install("server", folder);
    // The dependencies of the package are next to it, where npm would install them.
    for (const name of readdirSync(join(root, "node_modules"))) {
      if (name === "@postern" || name.startsWith(".")) continue;
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
    }
  });

  test("contains JavaScript with source maps, type declarations of its entry point, and no TypeScript", () => {
    const names = globSync("**/*.*", { cwd: installed });
    assert.deepEqual(
      names.filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts")),
      [],
    );
    // The console shows these snippets and does not run them, so they have no source maps.
    const shown = /^src\/console\/quickstarts\//;
    const scripts = names.filter(
      (name) => name.endsWith(".js") && /^src\/(?!joined\/)/.test(name) && !shown.test(name),
    );
    const mapped = scripts.filter((name) => names.includes(`${name}.map`));
    // The pages' scripts are served as written, so they have no source maps either.
    assert.deepEqual(scripts.filter((name) => !mapped.includes(name)).toSorted(), [
      "src/web/brand_preview.js",
      "src/web/enhancements.js",
      "src/web/passkeys.js",
      "src/web/picker.js",
    ]);
    assert.ok(names.includes("src/server/embedded.d.ts"));
    const shownElsewhere = globSync("examples/**/*.*", { cwd: installed });
    const programs = programsOfSamples.map((program) => `examples/${program}`);
    assert.deepEqual(shownElsewhere.toSorted(), programs.toSorted());
  });

  test("contains only ASCII code, which takes less memory, and loads Node's own modules only when needed", () => {
    const files = globSync("src/**/*.js", {
      cwd: installed,
      exclude: ["src/console/quickstarts/**", "src/web/*.js"],
    });
    assert.ok(files.length > 10);
    for (const name of files) {
      const code = readFileSync(join(installed, name), "utf8");
      assert.match(code, /^[\0-\x7f]*$/, name);
      assert.doesNotMatch(code, /^(import|export)[^;]*from\s*"node:(?!module)/m, name);
    }
  });

  test("takes less than 40 MB with its dependencies, without the pinned Node and optional ones", () => {
    const needed = neededPackages().map((path) => join(root, path));
    assert.ok(needed.length > 50, String(needed.length));
    const bytes = bytesBelow(installed) + needed.reduce((sum, path) => sum + bytesBelow(path), 0);
    assert.ok(bytes < 40e6, `${bytes} bytes`);
  });

  /** Returns the responses of a server in an empty folder, and asserts that it exits with 0 on a signal. */
  async function serves<A>(
    env: Readonly<Record<string, string>>,
    ask: (url: string) => Promise<A>,
  ): Promise<A> {
    const child = spawn(process.execPath, [join(installed, "bin", "postern.js"), "serve"], {
      cwd: temporaryFolder(),
      env: { PATH: process.env.PATH, POSTERN_PORT: "0", ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    try {
      await until(() => listeningLine(out) !== undefined, "the server says where it listens");
      return await ask(String(listeningLine(out)?.url));
    } finally {
      child.kill("SIGTERM");
      assert.equal(await ended, 0);
    }
  }

  test("serves in an empty folder, also in another language, and exits with 0 on a signal", async () => {
    const page = await serves({}, async (url) =>
      (await fetch(`${url}/login`, { headers: { "accept-language": "es" } })).text(),
    );
    assert.match(page, /<html lang="es"/);
  });

  test("serves where code generation is forbidden", async () => {
    const statuses = await serves({ NODE_OPTIONS: "--jitless" }, async (url) => {
      const found: number[] = [];
      for (let index = 0; index < 30; index++) found.push((await fetch(`${url}/login`)).status);
      return found;
    });
    assert.deepEqual(new Set(statuses), new Set([200]));
  });

  test("starts from a single bundled file, and loads packages that changed since from their own files", async () => {
    const main = pathToFileURL(join(installed, "src", "main.js")).href;
    const started = (...flags: string[]) => joinedPath(main, flags) !== undefined;
    const changed = (name: string, file: string, more: string): (() => void) => {
      const path = join(folder, "node_modules", name);
      rmSync(path);
      cpSync(join(root, "node_modules", name), path, { recursive: true });
      appendFileSync(join(path, file), more);
      return () => {
        rmSync(path, { recursive: true });
        symlinkSync(join(root, "node_modules", name), path);
      };
    };
    assert.equal(started(), true);
    for (const NODE_OPTIONS of [
      "--import ./telemetry.js",
      '"--require=./a folder/telemetry.cjs"',
      "--max-old-space-size=64 --enable_source_maps",
      "--experimental-config-file=node.config.json",
      "--experimental-default-config-file",
    ])
      assert.equal(started(...nodeFlags({ execArgv: [], env: { NODE_OPTIONS } })), false, NODE_OPTIONS);
    assert.equal(started("--max-old-space-size=64"), true);
    for (const name of ["pinned.json", "cli/whole_program.js"]) {
      const path = join(installed, "src", "joined", name);
      const kept = readFileSync(path);
      rmSync(path);
      assert.equal(started(), false, name);
      if (name.endsWith("json")) {
        writeFileSync(path, "null");
        assert.equal(started(), false, name);
      }
      writeFileSync(path, kept);
    }
    const licences = readFileSync(join(installed, "THIRD_PARTY_LICENSES.txt"), "utf8");
    assert.match(licences, /^fastify [\d.]+ \(MIT\)$/m);
    const restoreFastify = changed("fastify", "fastify.js", "\nconsole.error('the changed Fastify');\n");
    try {
      assert.equal(started(), true);
      assert.match(await saidAtStart(installed), /the changed Fastify/);
      const restoreKysely = changed("kysely", "dist/index.js", "\nconsole.error('the changed Kysely');\n");
      try {
        assert.equal(started(), false);
        assert.match(await saidAtStart(installed), /the changed Kysely/);
      } finally {
        restoreKysely();
      }
    } finally {
      restoreFastify();
    }
    assert.equal(started(), true);
    assert.doesNotMatch(await saidAtStart(installed), /changed/);
  });

  test("has types that compile in a program together with those of @postern/client", () => {
    const client = install("client", folder);
    const description = JSON.parse(readFileSync(join(client, "package.json"), "utf8"));
    assert.equal(description.dependencies, undefined);
    const program = `import { ApiProblem, createClient, type Schemas } from "@postern/client";
import { createPostern, type Postern } from "@postern/server";
const postern: Postern = await createPostern({ port: 0, database_url: "sqlite:postern.db", profiles: ["mcp"] });
console.log((await fetch(\`\${postern.url}/healthz\`)).status);
const client = createClient({ url: postern.url, credential: "pak_none" });
const emails: string[] = [];
try {
  for await (const user of client.users.list({ limit: 10 })) emails.push((user satisfies Schemas["User"]).email);
} catch (error) {
  if (error instanceof ApiProblem) console.log(error.code);
}
await postern.close();
`;
    writeFileSync(join(folder, "program.mts"), program);
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2024", "--types", "node"];
    const inFolder = { cwd: folder, encoding: "utf8" } as const;
    execFileSync(process.execPath, [compiler, ...options, "program.mts"], { ...inFolder, stdio: "inherit" });
    assert.equal(execFileSync(process.execPath, ["program.mts"], inFolder).trim(), "200\nunauthorized");
  });
});
