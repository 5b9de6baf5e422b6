/** `npm run examples -- NAME`: Postern on data that go with it, and a sample beside it, until Ctrl-C. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { allExamples, type Example } from "./all_examples.ts";

const person = { email: "ada@example.com", password: "correct horse battery staple" };
const postern = join(import.meta.dirname, "..", "bin", "postern.js");

const folderOf = ({ name }: Example): string => join(import.meta.dirname, name);

function usage(): string {
  const described = allExamples.map((example) => {
    const { description } = JSON.parse(readFileSync(join(folderOf(example), "package.json"), "utf8"));
    return `  ${example.name.padEnd(16)} ${description}`;
  });
  return [
    "npm run examples -- NAME",
    "starts Postern on data that go when it ends, and the sample beside it; Ctrl-C ends both.",
    "POSTERN_PORT and PORT name other ports than 3000 and that of the sample.",
    "",
    ...described,
    "",
  ].join("\n");
}

interface Started {
  readonly child: ChildProcess;
  /** The first line that holds the text. Fails when the process ends before. */
  line(text: string): Promise<string>;
}

function started(args: readonly string[], cwd: string, given: Readonly<Record<string, string>>): Started {
  const env = { ...process.env, ...given };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface(child.stdout);
  return {
    child,
    line(text) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      lines.on("line", (line) => line.includes(text) && resolve(line));
      child.once("close", (code) => reject(new Error(`${args.join(" ")} ended with ${code}`)));
      return promise;
    },
  };
}

/** Ends when a signal comes, or one of the two processes ends by itself; the exit code. */
async function run(example: Example): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), "postern-example-"));
  const running: ChildProcess[] = [];
  const stopped = Promise.withResolvers<number>();
  // Not once: npm passes on what the terminal has sent to all of them already.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopped.resolve(0));
  try {
    return await Promise.race([stopped.promise, serve(example, data, running)]);
  } finally {
    const ended = running.map((child) => (child.exitCode === null ? once(child, "close") : undefined));
    for (const child of running) child.kill("SIGTERM");
    await Promise.all(ended);
    rmSync(data, { recursive: true, force: true });
  }
}

async function serve(example: Example, data: string, running: ChildProcess[]): Promise<number> {
  const { settings, toType } = example;
  const own = new URL(example.address);
  own.port = process.env.PORT ?? own.port;
  const manifest = join(data, "postern.yaml");
  const records = readFileSync(join(folderOf(example), "postern.yaml"), "utf8");
  const users = `users:\n  - ${JSON.stringify({ ...person, name: "Ada", is_platform_admin: true })}\n`;
  writeFileSync(manifest, records.replaceAll(example.address, own.origin) + users);

  const environment = { ...settings, POSTERN_DATABASE_URL: `sqlite:${join(data, "postern.db")}` };
  const applying = started([postern, "apply", manifest], data, environment).child;
  running.push(applying);
  if ((await once(applying, "close"))[0] !== 0) return 1;

  const server = started([postern, "serve"], data, environment);
  running.push(server.child);
  const issuer: string = JSON.parse(await server.line('"msg":"listening"')).url;
  const sample = started(["server.js"], folderOf(example), { ISSUER: issuer, PORT: own.port });
  running.push(sample.child);
  await sample.line(own.origin);

  const told = [
    `Postern ${issuer}, with its console at ${issuer}/console`,
    `${example.name} ${own.origin}`,
    `Sign in as ${person.email} with the password ${JSON.stringify(person.password)}.`,
    "",
    ...toType({ address: own.origin, issuer }),
    "",
    "Ctrl-C ends both.",
  ];
  process.stdout.write(`${told.join("\n")}\n`);
  await Promise.race([once(server.child, "close"), once(sample.child, "close")]);
  return 1;
}

const [name, ...more] = process.argv.slice(2);
const example = allExamples.find((each) => each.name === name);
if (name === undefined || name === "--help") process.stdout.write(usage());
else if (example === undefined || more.length > 0) {
  process.stderr.write(usage());
  process.exitCode = 2;
} else {
  process.exitCode = await run(example).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    return 1;
  });
}
