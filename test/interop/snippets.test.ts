import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type FormBrowser, formBrowser, goThrough } from "../support/form_browser.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";
import { ada, manifest, native, redirect_uri, second, spa, web } from "./registrations.ts";

const resource = "https://api.example.com/orders";
const usual = { owner: ada.email, redirect_uris: [redirect_uri] };
const noOpenid = { client_id: "it's-plain", secret: "a secret with 'quotes' in it, and more" };
const worker = { client_id: "worker-of-orders", secret: "a worker's secret of decent length" };

/** By client_id, the id that its page in the console is found by. */
const ids: Readonly<Record<string, string>> = Object.fromEntries(
  [web, second, spa, native, noOpenid, worker].map(({ client_id }, index) => [
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

/** The texts to paste of an app's page, in their order: the environment file is the first. */
async function snippetsOf({ client_id }: { client_id: string }): Promise<string[]> {
  const { status, body } = await browser.get(`${served.url}/console/apps/${ids[client_id]}/use`);
  assert.equal(status, 200, body);
  const texts = [...body.matchAll(/<pre class="snippet"[^>]*>([^<]*)<\/pre>/g)].map(([, text = ""]) =>
    text
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&"),
  );
  for (const text of texts)
    for (const { secret } of [web, second, noOpenid, worker]) assert.ok(!text.includes(secret));
  return texts;
}

const repository = fileURLToPath(new URL("../..", import.meta.url));

/**
 * A folder as a developer has one: the libraries installed, the environment file with the secret pasted in.
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

/** The address of an authorization request that a script prints, once the whole line is there. */
async function printedAddress({ out, ended }: Running): Promise<string> {
  const printed = new RegExp(`${served.url}/oauth/authorize\\?\\S+(?=\\s)`);
  await Promise.race([ended, until(() => printed.test(out()), "an address is printed")]);
  const found = printed.exec(out())?.[0];
  if (found === undefined) throw new Error(`no address was printed: ${out()}`);
  return found;
}

/**
 * Does what a script asks of whoever runs it: opens the address, and hands over where the browser was sent.
 */
async function signedIn(running: Running): Promise<string> {
  const callback = await goThrough(formBrowser(), await printedAddress(running), ada);
  running.say(callback.href);
  assert.equal(await running.ended, 0, running.out());
  return running.out();
}

const nodeOptions = (secret: string | undefined) => (secret === undefined ? [] : ["--env-file=.env"]);

const parties: { what: string; party: { client_id: string; secret?: string }; openid: boolean }[] = [
  { what: "a confidential app whose id and secret need encoding", party: web, openid: true },
  { what: "a confidential app", party: second, openid: true },
  {
    what: "an app without openid, for another API, with quotes in its id and secret",
    party: noOpenid,
    openid: false,
  },
  { what: "a native app", party: native, openid: true },
];

describe("the snippets of an app", () => {
  for (const { what, party, openid } of parties) {
    for (const [index, library] of [
      [1, "openid-client"],
      [2, "oauth4webapi"],
    ] as const) {
      test(`for ${library} sign somebody in with ${what}`, async () => {
        const texts = await snippetsOf(party);
        const folder = project(texts[0] ?? "", party.secret);
        assert.match(texts[index] ?? "", new RegExp(`import \\* as \\w+ from "${library}"`));
        writeFileSync(join(folder, "sign_in.mjs"), texts[index] ?? "");
        const out = await signedIn(
          run(process.execPath, [...nodeOptions(party.secret), "sign_in.mjs"], folder),
        );
        assert.match(out, /access_token: '/);
        assert.equal(/sub: '[0-9a-f-]{36}'/.test(out), openid, out);
      });
    }
  }

  for (const [index, library] of [
    [1, "openid-client"],
    [2, "oauth4webapi"],
  ] as const) {
    test(`for ${library} sign somebody in within a browser`, async () => {
      const texts = await snippetsOf(spa);
      assert.doesNotMatch(texts[0] ?? "", /SECRET/);
      const folder = project(texts[0] ?? "", undefined);
      writeFileSync(join(folder, "sign_in.mjs"), texts[index] ?? "");
      writeFileSync(join(folder, "browser.mjs"), browserStandIn);
      const args = ["--import=./browser.mjs", "sign_in.mjs"];
      const leaving = run(process.execPath, args, folder, { HREF: redirect_uri });
      const callback = await goThrough(formBrowser(), await printedAddress(leaving), ada);
      assert.equal(await leaving.ended, 0, leaving.out());
      const back = run(process.execPath, args, folder, { HREF: callback.href });
      assert.equal(await back.ended, 0, back.out());
      assert.match(back.out(), /access_token: '/);
      assert.match(back.out(), /sub: '[0-9a-f-]{36}'/);
    });
  }

  test("for a machine get a token for the API it is for, with each library", async () => {
    const texts = await snippetsOf(worker);
    const folder = project(texts[0] ?? "", worker.secret);
    for (const index of [1, 2]) {
      writeFileSync(join(folder, "token.mjs"), texts[index] ?? "");
      const running = run(process.execPath, ["--env-file=.env", "token.mjs"], folder);
      assert.equal(await running.ended, 0, running.out());
      const token = /access_token: '([^']+)'/.exec(running.out())?.[1] ?? "";
      assert.equal(claimsOf(token).aud, resource);
      assert.equal(claimsOf(token).scope, "orders:read orders:write");
    }
  });

  for (const tools of toolSets()) {
    test(`for a shell sign somebody in with ${tools.what}`, async () => {
      for (const { party } of parties) {
        const texts = await snippetsOf(party);
        const folder = project(texts[0] ?? "", party.secret);
        writeFileSync(join(folder, "sign_in.sh"), `set -eu\n${texts[3]}\n`);
        const out = await signedIn(run("sh", ["sign_in.sh"], folder, tools.environment(folder)));
        assert.match(out, /"access_token":"ey/, party.client_id);
      }
    });

    test(`for a shell get a token for a machine with ${tools.what}`, async () => {
      const texts = await snippetsOf(worker);
      const folder = project(texts[0] ?? "", worker.secret);
      writeFileSync(join(folder, "token.sh"), `set -eu\n${texts[3]}\n`);
      const running = run("sh", ["token.sh"], folder, tools.environment(folder));
      assert.equal(await running.ended, 0, running.out());
      const token = /"access_token":"([^"]+)"/.exec(running.out())?.[1] ?? "";
      assert.equal(claimsOf(token).aud, resource);
    });
  }

  test("of an environment file hold what the app is registered with", async () => {
    const [environment = ""] = await snippetsOf(web);
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

/** What the shell snippets call: the tools of this machine where it has them, and stand-ins in any case. */
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

/** As much of curl as the snippets use: `-sS`, `-u`, `-d` and `--data-urlencode`. */
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

/** As much of openssl as the snippets use. */
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

/** What the snippets for a browser find there, over a file: each load of the page is a process of its own. */
const browserStandIn = `
import { existsSync, readFileSync, writeFileSync } from "node:fs";
const file = new URL("session.json", import.meta.url);
const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
const save = () => writeFileSync(file, JSON.stringify(kept));
const sessionStorage = {
  getItem: (name) => kept[name] ?? null,
  setItem(name, value) { kept[name] = String(value); save(); },
  removeItem(name) { delete kept[name]; save(); },
};
const location = { href: process.env.HREF, assign: (address) => console.log(String(address)) };
for (const [name, value] of Object.entries({ sessionStorage, location })) {
  Object.defineProperty(globalThis, name, { value, configurable: true });
}
`;
