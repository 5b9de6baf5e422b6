import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type FormBrowser, formBrowser, goThrough } from "../support/form_browser.ts";
import { freePort } from "../support/free_port.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";
import { signInAndOut } from "./example_sign_in.ts";
import { ada, manifest, native, redirect_uri, second, spa, web } from "./registrations.ts";

const resource = "https://api.example.com/orders";
const usual = { owner: ada.email, redirect_uris: [redirect_uri] };
const noOpenid = { client_id: "it's-plain", secret: "a secret with 'quotes' in it, and more" };
const terminal = { client_id: "a terminal" } as const;
const worker = { client_id: "worker-of-orders", secret: "a worker's secret of decent length" };

/** By client_id: the id under which the console finds the app's page. */
const ids: Readonly<Record<string, string>> = Object.fromEntries(
  [web, second, spa, native, noOpenid, worker, terminal].map(({ client_id }, index) => [
    client_id,
    `01920000-0000-7000-8000-00000000000${index}`,
  ]),
);

const registered = {
  ...manifest,
  apps: [
    ...manifest.apps,
    {
      ...usual,
      client_id: noOpenid.client_id,
      name: "Plain",
      allowed_scopes: ["orders:read"],
      metadata: { resources: [resource] },
      secrets: [noOpenid.secret],
    },
    {
      owner: ada.email,
      client_id: terminal.client_id,
      name: "Terminal",
      kind: "command_line",
    },
    {
      owner: ada.email,
      client_id: worker.client_id,
      name: "Worker",
      app_type: "machine",
      allowed_scopes: ["orders:read", "orders:write"],
      allowed_grants: ["client_credentials"],
      metadata: { resources: [resource] },
      secrets: [worker.secret],
    },
  ],
};

let served: ServedProcess;
let browser: FormBrowser;

before(async () => {
  const apps = registered.apps.map((app) => ({
    ...app,
    ...(ids[app.client_id] !== undefined && { id: ids[app.client_id] }),
  }));
  served = await servedProcess({ manifest: { ...registered, apps } });
  browser = formBrowser();
  const login = await browser.follow(await browser.get(`${served.url}/console`));
  await browser.submit(login, { email: ada.email, password: ada.password });
});
after(() => served.stop());

/** The snippets on an app's page: the environment file, and the texts of each program by its title. */
interface Shown {
  readonly environment: string;
  readonly programs: ReadonlyMap<string, readonly string[]>;
}

const unescaped = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

const texts = (html: string) =>
  [...html.matchAll(/<pre class="snippet"[^>]*>([^<]*)<\/pre>/g)].map(([, text = ""]) => unescaped(text));

async function shownOf({ client_id }: { client_id: string }): Promise<Shown> {
  const { status, body } = await browser.get(`${served.url}/console/apps/${ids[client_id]}/use`);
  assert.equal(status, 200, body);
  const all = texts(body);
  for (const text of all)
    for (const { secret } of [web, second, noOpenid, worker]) assert.ok(!text.includes(secret));
  const programs = [...body.matchAll(/<summary><h3>([^<]*)<\/h3><\/summary>([\s\S]*?)<\/details>/g)].map(
    ([, title = "", content = ""]) => [unescaped(title), texts(content)] as const,
  );
  return { environment: all[0] ?? "", programs: new Map(programs) };
}

/** Returns the text of a single-file program without the commands that run it. */
function fileOf({ programs }: Shown, title: string): string {
  const found = programs.get(title);
  assert.ok(found, `${title} is among ${[...programs.keys()]}`);
  return found.at(-1) ?? "";
}

const repository = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Creates the folder of a developer: the libraries are installed, and the environment file contains the
 * secret.
 */
function project(environment: string, secret: string | undefined): string {
  const folder = temporaryFolder();
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  const quoted = secret?.includes("'") ? `"${secret}"` : `'${secret}'`;
  writeFileSync(join(folder, ".env"), `${environment.replace("paste-the-secret-here", () => quoted)}\n`);
  return folder;
}

interface Running {
  readonly out: () => string;
  say(line: string): void;
  readonly ended: Promise<number | null>;
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Running {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
  }
  after(() => child.kill("SIGKILL"));
  return {
    out: () => out,
    say: (line) => child.stdin.end(`${line}\n`),
    ended: new Promise((resolve, reject) => child.once("error", reject).once("close", resolve)),
  };
}

/** Resolves with a program's output once the pattern appears; rejects with its errors if it exits earlier. */
async function printed({ out, ended }: Running, pattern: RegExp): Promise<string> {
  await Promise.race([ended, until(() => pattern.test(out()), `${pattern} is printed`)]);
  const found = pattern.exec(out())?.[0];
  if (found === undefined) throw new Error(`${pattern} was not printed: ${out()}`);
  return found;
}

/**
 * Resolves with the URL of the authorization request that a script prints, once the whole line has arrived.
 */
const printedAddress = (running: Running) =>
  printed(running, new RegExp(`${served.url}/oauth/authorize\\?\\S+(?=\\s)`));

/** Follows a script's instructions to the user: opens the address, and returns the redirect target. */
async function signedIn(running: Running): Promise<string> {
  const callback = await goThrough(formBrowser(), await printedAddress(running), ada);
  running.say(callback.href);
  assert.equal(await running.ended, 0, running.out());
  return running.out();
}

const fixtures: readonly { client_id: string; secret?: string }[] = [web, second, noOpenid, native];

describe("the quickstarts of an app", () => {
  for (const [title, what, fixture] of [
    ["Node.js with Express", "an app whose id and secret need encoding", web],
    ["Node.js with Fastify", "an app whose id and secret need encoding", web],
  ] as const)
    test(`${title}: a user signs in to and out of ${what}`, async () => {
      const shown = await shownOf(fixture);
      const folder = project(shown.environment, fixture.secret);
      writeFileSync(join(folder, "server.mjs"), fileOf(shown, title));
      const PORT = String(await freePort());
      const running = run(process.execPath, ["--env-file=.env", "server.mjs"], folder, { PORT });
      await printed(running, /Open http:\S+/);
      await signInAndOut(`http://127.0.0.1:${PORT}`, ada);
    });

  test("Node.js in a terminal: a user signs in, and returns to a loopback port that the program chose", async () => {
    const shown = await shownOf(terminal);
    assert.doesNotMatch(shown.environment, /SECRET/);
    const folder = project(shown.environment, undefined);
    writeFileSync(join(folder, "sign_in.mjs"), fileOf(shown, "Node.js in a terminal"));
    const running = run(process.execPath, ["--env-file=.env", "sign_in.mjs"], folder);
    const callback = await goThrough(formBrowser(), await printedAddress(running), ada);
    assert.notEqual(callback.port, "");
    assert.equal((await fetch(callback)).status, 200);
    assert.equal(await running.ended, 0, running.out());
    assert.match(running.out(), new RegExp(`Signed in as ${ada.name}`));
  });

  test("show for each kind of app the programming languages that suit it", async () => {
    const titles = async (fixture: { client_id: string }) => [...(await shownOf(fixture)).programs.keys()];
    assert.deepEqual(await titles(web), [
      "Node.js with Express",
      "Node.js with Fastify",
      "Next.js with Auth.js",
      "Python with FastAPI and Authlib",
      "Go with go-oidc",
      "Java with Spring Security",
      ".NET with ASP.NET Core",
      "PHP with openid-connect-php",
      "A shell with curl",
    ]);
    assert.deepEqual(await titles(spa), [
      "JavaScript with oidc-client-ts",
      "React with react-oidc-context",
      "A shell with curl",
    ]);
    assert.deepEqual(await titles(worker), [
      "Node.js with openid-client",
      "Python with Requests",
      "Go with x/oauth2",
      "A shell with curl",
    ]);
    // Without openid the user's identity is unknown.
    assert.deepEqual(await titles(noOpenid), ["A shell with curl"]);
  });

  test("contain the values of the app if it runs in a browser", async () => {
    const { programs } = await shownOf(spa);
    for (const title of ["JavaScript with oidc-client-ts", "React with react-oidc-context"]) {
      const text = programs.get(title)?.at(-1) ?? "";
      for (const value of [
        served.url,
        spa.client_id,
        redirect_uri,
        "openid profile email offline_access orders:read",
      ])
        assert.ok(text.includes(JSON.stringify(value)), `${value} in ${text}`);
      assert.doesNotMatch(text, /localhost:3000|localhost:8080|browser-example/);
    }
  });

  test("get a token for a machine's API", async () => {
    const shown = await shownOf(worker);
    const folder = project(shown.environment, worker.secret);
    writeFileSync(join(folder, "token.mjs"), fileOf(shown, "Node.js with openid-client"));
    const running = run(process.execPath, ["--env-file=.env", "token.mjs"], folder);
    assert.equal(await running.ended, 0, running.out());
    const token = /access_token: (\S+)/.exec(running.out())?.[1] ?? "";
    assert.equal(claimsOf(token).aud, resource);
    assert.equal(claimsOf(token).scope, "orders:read orders:write");
  });

  for (const tools of toolSets()) {
    test(`sign a user in from a shell with ${tools.what}`, async () => {
      for (const fixture of fixtures) {
        const shown = await shownOf(fixture);
        const folder = project(shown.environment, fixture.secret);
        writeFileSync(join(folder, "sign_in.sh"), `set -eu\n${fileOf(shown, "A shell with curl")}\n`);
        const out = await signedIn(run("sh", ["sign_in.sh"], folder, tools.environment(folder)));
        assert.match(out, /"access_token":"ey/, fixture.client_id);
      }
    });

    test(`get a token for a machine from a shell with ${tools.what}`, async () => {
      const shown = await shownOf(worker);
      const folder = project(shown.environment, worker.secret);
      writeFileSync(join(folder, "token.sh"), `set -eu\n${fileOf(shown, "A shell with curl")}\n`);
      const running = run("sh", ["token.sh"], folder, tools.environment(folder));
      assert.equal(await running.ended, 0, running.out());
      const token = /"access_token":"([^"]+)"/.exec(running.out())?.[1] ?? "";
      assert.equal(claimsOf(token).aud, resource);
    });
  }

  test("contain an environment file with the values of the app", async () => {
    const { environment } = await shownOf(web);
    const values = Object.fromEntries(environment.split("\n").map((line) => line.split(/=(.*)/, 2)));
    assert.equal(values.OAUTH_ISSUER, served.url);
    assert.equal(values.OAUTH_CLIENT_ID, `'${web.client_id}'`);
    assert.equal(values.OAUTH_REDIRECT_URI, redirect_uri);
    assert.equal(values.OAUTH_SCOPE, "'openid profile email offline_access orders:read'");
  });
});

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

interface Tools {
  readonly what: string;
  environment(folder: string): Record<string, string>;
}

/**
 * Returns the commands that the shell snippets call: those of this machine if installed, and always the
 * stand-ins.
 */
function toolSets(): Tools[] {
  const path = process.env.PATH ?? "";
  const has = (name: string) => path.split(delimiter).some((folder) => existsSync(join(folder, name)));
  const own: Tools = { what: "the tools of this machine", environment: () => ({}) };
  const standIns: Tools = {
    what: "stand-ins for curl and openssl",
    environment(folder) {
      for (const [name, text] of Object.entries({ curl: curlStandIn, openssl: opensslStandIn })) {
        const file = join(folder, name);
        writeFileSync(file, `#!${process.execPath}\n${text}`);
        chmodSync(file, 0o755);
      }
      return { PATH: [folder, path].join(delimiter) };
    },
  };
  return has("curl") && has("openssl") ? [own, standIns] : [standIns];
}

/** The options of curl that the snippets use: `-sS`, `-u`, `-d` and `--data-urlencode`. */
const curlStandIn = `
const args = process.argv.slice(2);
let url; let user; const form = [];
for (let index = 0; index < args.length; index += 1) {
  const arg = args[index];
  if (arg === "-sS") continue;
  else if (arg === "-u") user = args[++index];
  else if (arg === "-d") form.push(args[++index]);
  else if (arg === "--data-urlencode") {
    const [name, value] = args[++index].split(/=(.*)/s, 2);
    form.push(name + "=" + encodeURIComponent(value));
  } else if (arg.startsWith("-")) throw new Error("unknown option " + arg);
  else url = arg;
}
const headers = { "content-type": "application/x-www-form-urlencoded" };
if (user !== undefined) headers.authorization = "Basic " + Buffer.from(user).toString("base64");
fetch(url, { method: "POST", headers, body: form.join("&") })
  .then((answer) => answer.text())
  .then((text) => process.stdout.write(text));
`;

/** The parts of openssl that the snippets use. */
const opensslStandIn = `
const { createHash, randomBytes } = require("node:crypto");
const { readFileSync } = require("node:fs");
const [command, format, length] = process.argv.slice(2);
if (command === "rand") {
  console.log(randomBytes(Number(length)).toString(format.slice(1)));
} else {
  const input = readFileSync(0);
  if (command === "dgst") process.stdout.write(createHash("sha256").update(input).digest());
  else if (command === "base64") console.log(input.toString("base64"));
  else throw new Error("unknown command " + command);
}
`;
