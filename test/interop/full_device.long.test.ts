import assert from "node:assert/strict";
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { listeningLine } from "../support/process.ts";
import { servedProgram } from "../support/served_program.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";

const program = servedProgram;
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill("SIGKILL");
});

/**
 * Returns the inode of the socket to which a file descriptor refers; undefined for other descriptors, and for
 * a closed one.
 */
function socketOf(path: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(path))?.[1];
  } catch {
    return undefined;
  }
}

/** Returns the port on which a process listens, from Linux's `/proc`, because its output cannot be read. */
function listeningPort(pid: number): string | undefined {
  const files = `/proc/${pid}/fd`;
  const sockets = new Set(readdirSync(files).map((file) => socketOf(join(files, file))));
  const rows = readFileSync(`/proc/${pid}/net/tcp`, "utf8")
    .split("\n")
    .map((row) => row.trim().split(/\s+/));
  // The columns are of proc_pid_net(5): 0A is LISTEN, the tenth is the inode.
  const [, address = ""] = rows.find((row) => row[3] === "0A" && sockets.has(row[9])) ?? [];
  const port = address.split(":")[1];
  return port === undefined ? undefined : String(Number.parseInt(port, 16));
}

function start(stdio: StdioOptions, input: Readonly<Record<string, string>> = {}): ChildProcess {
  const env = {
    PATH: process.env.PATH ?? "",
    POSTERN_DATABASE_URL: `sqlite:${join(temporaryFolder(), "postern.db")}`,
    POSTERN_PORT: "0",
    // Each request writes a line.
    POSTERN_LOG_LEVEL: "debug",
    ...input,
  };
  const child = spawn(process.execPath, [program, "serve"], { env, stdio });
  children.push(child);
  return child;
}

/** Starts a server whose log can be read, and resolves once the log contains its address. */
async function servedWithPipes() {
  const child = start(["ignore", "pipe", "pipe"], { POSTERN_METRICS_PORT: "0" });
  let out = "";
  const hear = (chunk: Buffer) => {
    out += chunk;
  };
  child.stdout?.on("data", hear);
  await until(() => child.exitCode !== null || listeningLine(out) !== undefined, "the server listens");
  child.stdout?.off("data", hear);
  const { url, metrics_port } = listeningLine(out) ?? {};
  return { child, url: String(url), metrics: `http://127.0.0.1:${metrics_port}/metrics` };
}

async function outlives({ child, url }: { child: ChildProcess; url: string }, lines: number): Promise<void> {
  for (let requested = 0; requested < lines; requested++) {
    const response = await fetch(`${url}/healthz`);
    await response.arrayBuffer();
    assert.equal(response.status, 200);
  }
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
}

const full = "/dev/full";

test("F-22: a server whose log is on a full disk starts, answers and stops as usual (reliability finding 7)", {
  skip: !existsSync(full) && "this system has no /dev/full",
}, async () => {
  const device = openSync(full, "w");
  const child = start(["ignore", device, device]);
  let port: string | undefined;
  await until(() => {
    port = child.exitCode === null ? listeningPort(child.pid ?? 0) : "none";
    return port !== undefined;
  }, "the server listens");
  await outlives({ child, url: `http://127.0.0.1:${port}` }, 20);
});

test("F-22: a server whose log output is no longer read answers and stops as usual", async () => {
  const running = await servedWithPipes();
  running.child.stdout?.destroy();
  running.child.stderr?.destroy();
  await outlives(running, 20);
});

test("F-22: a log reader that hangs blocks no request, and the metrics count the dropped lines", async () => {
  const running = await servedWithPipes();
  running.child.stdout?.pause();
  const dropped = async () => {
    const text = await (await fetch(running.metrics)).text();
    return Number(/^postern_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
  };
  // The pipe and the queue hold 1.1 MB, at 250 bytes or more per line.
  for (let requested = 0; (await dropped()) === 0; requested += 500) {
    assert.ok(requested < 10_000, "an unread pipe is full at some time");
    for (let turn = 0; turn < 10; turn++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${running.url}/healthz`)));
      await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    }
  }
  let last = "";
  let reported = false;
  running.child.stdout?.on("data", (chunk) => {
    last = (last + chunk).slice(-100_000);
    reported ||= /"dropped":\d+,"msg":"log lines could not be written and were dropped"/.test(last);
  });
  running.child.stdout?.resume();
  await until(() => reported, "the log says how many lines were dropped");
  await outlives(running, 20);
});
