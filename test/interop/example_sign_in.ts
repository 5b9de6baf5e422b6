/** Starts a sample of `examples/` in the same way as `npm run examples`, and signs a user in to it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { person } from "../../examples/all_examples.ts";
import { type FormBrowser, formBrowser, goThrough } from "../support/form_browser.ts";
import { freePort } from "../support/free_port.ts";
import { temporaryFolder } from "../support/temp.ts";

const starter = fileURLToPath(new URL("../../examples/main.ts", import.meta.url));

export interface RunningExample {
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts Postern and the sample on free ports. Throws with their output if one of them does not start. */
export async function runningExample(name: string): Promise<RunningExample> {
  const { PATH = "", HOME = "", GOPATH, GOCACHE } = process.env;
  const env = {
    PATH,
    HOME,
    ...(GOPATH && { GOPATH }),
    ...(GOCACHE && { GOCACHE }),
    TMPDIR: temporaryFolder(),
    PORT: String(await freePort()),
    POSTERN_PORT: "0",
  };
  const child = spawn(process.execPath, [starter, name], { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const closed = once(child, "close");
  for await (const line of createInterface(child.stdout)) {
    if (line === "Ctrl-C ends both.") {
      child.stdout.resume();
      return {
        address: `http://localhost:${env.PORT}`,
        async stop() {
          child.kill("SIGTERM");
          assert.deepEqual(await closed, [0, null], said);
        },
      };
    }
  }
  await closed;
  throw new Error(`the sample ${name} did not start: ${said}`);
}

/**
 * Signs a user in at a website by its forms, and out again. The website listens at `address`, even if its
 * redirect URI names another port. With `returns`, the sign-out must redirect back to `address`.
 */
export async function signInAndOut(
  address: string,
  who: { email: string; password: string; name: string },
  { returns = false } = {},
) {
  const browser: FormBrowser = formBrowser();
  assert.match((await browser.get(`${address}/`)).body, /Sign in/);
  const { location = "" } = await browser.get(`${address}/login`);
  const callback = await goThrough(browser, location, who);
  const { host } = new URL(address);
  callback.host = host;
  const home = await browser.get(callback.href);
  assert.equal(home.location, `${address}/`, `${home.status} ${home.body}`);
  assert.match((await browser.get(`${address}/`)).body, new RegExp(`Signed in as ${who.name}`));
  // The website must not accept the same authorization response again.
  assert.doesNotMatch((await browser.get(callback.href)).body, /Signed in as/);
  const out = await browser.get(`${address}/logout`);
  assert.match(out.location ?? "", /\/oauth\/logout\?/);
  assert.match((await browser.get(`${address}/`)).body, /Sign in/);
  if (!returns) return;
  const ended = await browser.get(out.location ?? "");
  // Without an `id_token_hint`, Postern first asks the user to confirm.
  const left = ended.location === undefined ? await browser.submit(ended, {}) : ended;
  assert.equal(left.location, `${address}/`, left.body);
}

/** Does the same as `signInAndOut` with a sample, which it starts and stops. */
export async function signInAtExample(name: string): Promise<void> {
  const sample = await runningExample(name);
  try {
    await signInAndOut(sample.address, person, { returns: true });
  } finally {
    await sample.stop();
  }
}
