/**
 * `npm run newcomer`: measures how long the commands of the quickstart take. It clones the committed
 * state, runs the commands of the document, signs in with a browser, and prints a table of the steps.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { person } from "../../examples/all_examples.ts";
import { browser } from "../../test/support/browser.ts";
import { freePort } from "../../test/support/free_port.ts";
import { temporaryFolder } from "../../test/support/temp.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** The commands of the quickstart, one per line. */
const commands = [
  ...readFileSync(join(project, "docs/quickstart.md"), "utf8").matchAll(/```sh\n([\s\S]*?)```/g),
].flatMap(([, block = ""]) => block.trim().split("\n"));

/**
 * Returns the documented command that begins with this text. Throws if there is none, because measuring an
 * undocumented command would prove nothing.
 */
function documented(beginning: string): string {
  const command = commands.find((line) => line.startsWith(beginning));
  assert.ok(command !== undefined, `docs/quickstart.md has no command ${beginning}`);
  return command;
}

const install = documented("npm ci");
const dev = documented("npm run dev");
const token = documented("curl -u demo-machine");
const example = documented("npm run examples");

const folder = temporaryFolder();
const port = String(await freePort());
const samplePort = String(await freePort());

/** The environment of a new user: the machine's own Node, and free ports in place of 3000 and 8080. */
const environment = {
  HOME: process.env.HOME ?? "",
  PATH: (process.env.PATH ?? "")
    .split(":")
    .filter((path) => !path.includes("node_modules"))
    .join(":"),
  POSTERN_PORT: port,
  PORT: samplePort,
};

const running = new Set<ChildProcess>();
after(() => {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, "SIGKILL");
});

interface Typed {
  readonly child: ChildProcess;
  /** Returns its output so far. */
  readonly said: () => string;
  /** Resolves at its next output, or when it ends. */
  readonly more: () => Promise<void>;
}

/** Starts a command in a separate process group, as in a terminal. */
function typed(command: string, cwd: string): Typed {
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const child = spawn("sh", ["-c", command], { cwd, env: environment, stdio: [...stdio], detached: true });
  running.add(child);
  let text = "";
  let next = Promise.withResolvers<void>();
  const hear = (piece: Buffer | string) => {
    text += piece;
    next.resolve();
    next = Promise.withResolvers();
  };
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  child.once("close", () => {
    running.delete(child);
    hear("");
  });
  return { child, said: () => text, more: () => next.promise };
}

/** Runs a command to its end and returns its output. */
async function finished(command: string, cwd: string): Promise<string> {
  const { child, said } = typed(command, cwd);
  const [code] = await once(child, "close");
  assert.equal(code, 0, said());
  return said();
}

/** Starts a command and waits until its output contains the text; the command keeps running. */
async function says(words: string, command: string, cwd: string): Promise<ChildProcess> {
  const { child, said, more } = typed(command, cwd);
  while (!said().includes(words)) {
    assert.equal(child.exitCode, null, said());
    await more();
  }
  return child;
}

/** Sends SIGINT to the process group, as Ctrl-C in a terminal does. */
async function interrupt(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  process.kill(-(child.pid ?? 0), "SIGINT");
  await closed;
}

const steps: (readonly [step: string, seconds: string])[] = [];

async function timed<T>(step: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const done = await work();
  steps.push([step, ((performance.now() - start) / 1000).toFixed(1)]);
  return done;
}

function printTable(heading: string): void {
  const total = steps.reduce((sum, [, seconds]) => sum + Number(seconds), 0);
  const lines = steps.map(([step, seconds], place) => `| ${place + 1}. ${step} | ${seconds} s |`);
  console.log(
    [`| ${heading} | Time |`, "|---|---:|", ...lines, `| together | ${total.toFixed(1)} s |`, ""].join("\n"),
  );
}

test("from a clone to the first token in three steps, and to a signed-in user at a sample in three", async () => {
  const checkout = join(folder, "postern");
  const clone = `git clone file://${project} postern && cd postern && ${install}`;
  await timed(`\`git clone … && cd postern && ${install}\``, () => finished(clone, folder));

  const served = await timed(`\`${dev}\``, () => says("Walk through the code flow", dev, checkout));
  const answer = await timed("`curl …/oauth/token -d grant_type=client_credentials`", () =>
    finished(token.replace("localhost:3000", `localhost:${port}`), checkout),
  );
  assert.match(answer, /"access_token":"ey/);
  printTable("To the first token");
  await interrupt(served);

  steps.length = 1;
  const sample = await timed(`\`${example}\``, () => says("Ctrl-C ends both.", example, checkout));
  const page = await (await browser()).newPage();
  await timed("sign in with the email and password that it prints, and allow", async () => {
    await page.goto(`http://localhost:${samplePort}`);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText(`Signed in as ${person.name}`).waitFor();
  });
  printTable("To a person who is signed in at a website");
  await page.close();
  await interrupt(sample);
});
