/** `npm run examples -- NAME`: starts Postern with sample data and an example program, until Ctrl-C. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { parse } from "yaml";
import { allExamples, type Example, person } from "./all_examples.ts";
import { commandOf } from "./runtimes.ts";

const postern = join(import.meta.dirname, "..", "bin", "postern.js");

/** Maximum startup time of a sample in milliseconds. */
const longestStart = 60_000;

const folderOf = ({ name }: Example): string => join(import.meta.dirname, name);

function usage(): string {
  return [
    "npm run examples -- NAME",
    "Starts Postern with temporary data, and the sample. Ctrl-C ends both and deletes the data.",
    "POSTERN_PORT (3000) and PORT (the sample's own port) override the ports.",
    "",
    ...allExamples.map(({ name, description }) => `  ${name.padEnd(16)} ${description}`),
    "",
  ].join("\n");
}

type Environment = Readonly<Record<string, string>>;

function started(
  [command, ...args]: readonly [string, ...string[]],
  cwd: string,
  input: Environment,
  stderr: "pipe" | "inherit" = "inherit",
): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const env = { ...process.env, ...input };
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", stderr] });
  return child as typeof child & { stdout: NodeJS.ReadableStream };
}

/** Rejects when the process ends, and never resolves. */
async function ended(child: ChildProcess, name: string): Promise<never> {
  const [code] = await once(child, "close");
  throw new Error(`${name} ended with ${code}`);
}

/** Resolves with the exit code on a signal, or when one of the two processes exits. */
async function run(example: Example): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), "postern-example-"));
  const running: ChildProcess[] = [];
  const stopped = Promise.withResolvers<number>();
  // Handled each time, not only once: npm forwards a signal that the terminal has already sent, and the
  // second one would otherwise end this process immediately.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopped.resolve(0));
  try {
    return await Promise.race([stopped.promise, serve(example, data, running)]);
  } finally {
    const closed = running.map((child) => (child.exitCode === null ? once(child, "close") : undefined));
    for (const child of running) child.kill("SIGTERM");
    await Promise.all(closed);
    rmSync(data, { recursive: true, force: true });
  }
}

async function serve(example: Example, data: string, running: ChildProcess[]): Promise<number> {
  const { name, settings, callback, scope = "openid profile email", toType } = example;
  const folder = folderOf(example);
  const own = new URL(example.address);
  own.port = process.env.PORT ?? own.port;
  const command = await commandOf(example, folder, data);
  const manifest = join(data, "postern.yaml");
  const text = readFileSync(join(folder, "postern.yaml"), "utf8").replaceAll(example.address, own.origin);
  const records: { users?: readonly object[] } = parse(text);
  const users = [...(records.users ?? []), { ...person, is_platform_admin: true }];
  writeFileSync(manifest, JSON.stringify({ ...records, users }));

  const environment = { ...settings, POSTERN_DATABASE_URL: `sqlite:${join(data, "postern.db")}` };
  const applying = started(
    [process.execPath, postern, "apply", manifest, "--json"],
    data,
    environment,
    "pipe",
  );
  running.push(applying);
  let said = "";
  applying.stderr?.setEncoding("utf8").on("data", (part: string) => {
    said += part;
  });
  const [applied, [code]] = await Promise.all([textOf(applying.stdout), once(applying, "close")]);
  // Prints the errors only. "Copy the secrets now" is for readers who see the secrets, but here only the
  // sample gets them.
  if (code !== 0) {
    process.stderr.write(said);
    return 1;
  }

  const server = started([process.execPath, postern, "serve"], data, environment);
  running.push(server);
  const issuer = await Promise.race([listening(server.stdout), ended(server, "Postern")]);
  const client_id = `${name}-example`;
  const { [client_id]: secret, [`${name}-api`]: api_secret } = JSON.parse(applied).secrets;
  const sample = started(command, folder, {
    ISSUER: issuer,
    PORT: own.port,
    // A program without users authenticates as a client.
    ...(callback === undefined &&
      secret !== undefined && {
        OAUTH_ISSUER: issuer,
        OAUTH_CLIENT_ID: client_id,
        OAUTH_CLIENT_SECRET: secret,
      }),
    ...(callback !== undefined && {
      OAUTH_ISSUER: issuer,
      OAUTH_CLIENT_ID: client_id,
      OAUTH_REDIRECT_URI: `${own.origin}${callback}`,
      OAUTH_POST_LOGOUT_REDIRECT_URI: `${own.origin}/`,
      OAUTH_SCOPE: scope,
      ...(secret !== undefined && { OAUTH_CLIENT_SECRET: secret }),
      ...(api_secret !== undefined && { API_CLIENT_ID: `${name}-api`, API_CLIENT_SECRET: api_secret }),
    }),
  });
  running.push(sample);
  sample.stdout.resume();
  await Promise.race([answering(own.origin), ended(sample, name)]);

  const reported = [
    `Postern ${issuer}, with its console at ${issuer}/console`,
    `${name} ${own.origin}`,
    `Sign in as ${person.email} with the password ${JSON.stringify(person.password)}.`,
    "",
    ...toType({ address: own.origin, issuer }),
    "",
    "Ctrl-C ends both.",
  ];
  process.stdout.write(`${reported.join("\n")}\n`);
  await Promise.race([once(server, "close"), once(sample, "close")]);
  return 1;
}

/** Resolves with the address in the server's line that says it is listening. */
function listening(output: NodeJS.ReadableStream): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  createInterface(output).on("line", (line) => {
    if (line.includes('"msg":"listening"')) resolve(JSON.parse(line).url);
  });
  return promise;
}

/** Resolves once the address returns any response, including an error status. */
async function answering(address: string): Promise<void> {
  const until = Date.now() + longestStart;
  while (Date.now() < until) {
    const answer = await fetch(address).catch(() => undefined);
    if (answer !== undefined) return;
    await pause(50);
  }
  throw new Error(`nothing responds at ${address}`);
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
