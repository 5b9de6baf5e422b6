/** Record commands against a remote server print the same as on its own machine. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { resources } from "../../src/admin/resources/resources.ts";
import { singularOf } from "../../src/records/definition/permissions.ts";
import { createPostern, type Postern } from "../../src/server/embedded.ts";
import { someOf } from "../support/form.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";
import { type CommandLine, commandLine, type Printed } from "./terminal.ts";

const commandNames: Readonly<Record<string, string>> = {
  organizations: "org",
  signing_keys: "keys",
  audit_events: "audit",
  events: "events",
};

/** Replaces values that differ between records and between runs. */
const steady = (text: string) =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "UUID")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/\bv1\.[\w.-]+/g, "CURSOR")
    .replace(/\bp[a-z]{2}_[\w-]+/g, "SECRET")
    // Only a command on the server's machine depends on the settings of its shell.
    .replace(/^warning: the event feed needs .*\n/m, "");

describe("record commands on a remote server", () => {
  const config = temporaryFolder();
  const env = { XDG_CONFIG_HOME: config };
  let local: CommandLine;
  let remote: CommandLine;
  let postern: Postern;
  let key: string;

  before(async () => {
    local = commandLine(env);
    await local.run("migrate up");
    await local.json("user create --email ada@example.com --name Ada --is-platform-admin");
    await local.json("org create --slug acme --name Acme");
    const made = await local.json<{ key: string }>(
      "api-key create --user ada@example.com --scopes postern:manage --name cli",
    );
    key = made.key;
    postern = await createPostern({ port: 0, database_url: local.env.POSTERN_DATABASE_URL ?? "" });
    // This machine has no database, so working commands must have used the server.
    remote = commandLine({ ...env, POSTERN_REMOTE: "work", POSTERN_DATABASE_URL: "" });
    const entered = await local.json<{ actor: { name: string } }>(
      `login ${postern.url} --as work --api-key-stdin`,
      `${key}\n`,
    );
    assert.equal(entered.actor.name, "Ada");
  });
  after(() => postern.close());

  /** Runs the command locally and remotely, asserts that both print the same, and returns the output. */
  async function alike(args: string): Promise<Pick<Printed, "out" | "err">> {
    const [here, there] = [
      await local.run(args.replaceAll("PLACE", "quayside")),
      await remote.run(args.replaceAll("PLACE", "farshore")),
    ];
    const printed = ({ code, out, err }: Printed, place: string) =>
      [code, steady(out).replaceAll(place, "PLACE"), steady(err).replaceAll(place, "PLACE")] as const;
    const [code, out, err] = printed(there, "farshore");
    assert.deepEqual([code, out, err], printed(here, "quayside"), args);
    return { out, err };
  }

  test("lists and records of every type print the same for a remote server, as a table and as JSON", async () => {
    await local.json(
      "app create --name Web --client-id web --owner ada@example.com --redirect-uris https://web.example/cb",
    );
    // The key must have been used before the comparison, because its first use would show in only one of the
    // two lists.
    const used = async () => {
      const { data } = await local.json<{ data: { last_used_at: string | null }[] }>("api-key list");
      return data.every(({ last_used_at }) => last_used_at !== null);
    };
    await until(used, "the use of the key is written");
    for (const { resourceType } of someOf(resources, 3)) {
      const name = commandNames[resourceType] ?? singularOf(resourceType).replaceAll("_", "-");
      if (name === "keys") continue;
      await alike(`${name} list --limit 2`);
      const { data } = JSON.parse((await alike(`${name} list --limit 2 --total --json`)).out);
      if (data.length > 0) await alike(`${name} get ${data[0].id}`);
    }
    assert.match((await remote.run("audit export")).out, /"type":"app.created"/);
  });

  /** Commands that run locally and remotely (with a different word for PLACE), and their expected output. */
  const commands: readonly (readonly [line: string, printed: RegExp])[] = [
    ["user get ADA@example.com", /ada@example.com/],
    ["app get web --json", /"client_id":"web"/],
    ["user sign-in-methods ada@example.com", /passkeys/],
    ["keys list", /RS256/],
    ["keys list --json", /"state":"signing"/],
    ["stats", /token/],
    ["stats --json --organization acme --period week", /"counts":/],
    ["brand show", /name/],
    ["brand set acme --accent #0e6655", /#0e6655/],
    ["brand show acme", /#0e6655/],
    ["brand set acme --accent green", /accent/],
    ["brand set acme --name ''", /^accent +#0e6655\n$/],
    ["invitation list acme", /email/],
    ["introspect none", /"active": false/],
    ["explain ABCDE-01234", /there is no refusal/],
    [
      "app create --name Shop --client-id PLACE --owner ada@example.com --redirect-uris https://shop.example/cb",
      /Copy the client_secret now: it is not shown again/,
    ],
    ["app add-secret PLACE", /Copy the client_secret now/],
    ['app update PLACE --metadata {"a":{"b":1}}', /"b":1/],
    [
      `app update PLACE --json --metadata {"a":{"c":2}} --add-redirect-uri https://shop.example/b
        --remove-redirect-uri https://shop.example/cb`,
      /"redirect_uris":\["https:\/\/shop.example\/b"\].*"metadata":\{"a":\{"b":1,"c":2\}\}/,
    ],
    ["app update PLACE", /nothing to change/],
    ["app revoke PLACE --yes", /revoked_at/],
    ["app delete PLACE", /needs --yes/],
    ["app delete PLACE --yes --json", /\{"deleted":"PLACE"\}/],
    ["app get nothing", /nothing/],
    ["org create --name Shop", /--slug: is required/],
    ["org create --name Shop --slug PLACE", /PLACE/],
    ["user create --email nothing --name ''", /--email/],
    [
      "user create --email PLACE@example.com --name Bob --avatar-url https://cdn.example.com/a.png",
      /^warning: --avatar-url: pages do not show this picture/m,
    ],
    ["membership create --user PLACE@example.com --organization PLACE", /member/],
    ["membership get PLACE@example.com PLACE", /member/],
    ["user sign-out PLACE@example.com", /PLACE@example.com/],
    ["user delete PLACE@example.com --yes", /deleted/],
    ["org delete PLACE --yes", /deleted PLACE/],
    ["token get 0123456789ab", /the full ID/],
    ["user list --limit 201", /limit/],
    ["user list --search PLACE --total", /Total: 0/],
    ["membership create --user nobody@example.com --organization acme", /nobody@example.com/],
  ];
  for (const [line, printed] of commands)
    test(`output is the same for a local and a remote server: ${line.replaceAll(/\s+/g, " ")}`, async () => {
      const { out, err } = await alike(line);
      assert.match(out + err, printed);
    });

  test("tokens and refusals are explained the same for a remote server", async () => {
    assert.match((await alike(`introspect ${key}`)).out, /"api_key"/);
    const page = await fetch(`${postern.url}/oauth/authorize?client_id=nobody`);
    const id = /\/console\/refusals\/(\w+)/.exec(await page.text())?.[1] ?? "";
    await until(async () => (await local.run(`explain ${id}`)).code === 0, "the refusal is stored");
    assert.match((await alike(`explain ${id}`)).out, /nobody/);
    await alike(`explain ${postern.url}/console/refusals/${id} --json`);
    assert.match((await remote.run("user export-data ada@example.com")).out, /"user\.data_exported"/);
  });

  test("invitations through a remote server are mailed in the caller's name, and signing keys can be rotated", async () => {
    const invite = ["invitation", "create", "acme", "new@example.com"];
    assert.match((await remote.run(invite)).err, /mail/);
    assert.equal((await remote.run([...invite, "--inviter", "ada@example.com"])).code, 2);
    assert.equal((await local.run(invite)).code, 2);
    const made = await local.json<{ id: string }>([...invite, "--inviter", "ada@example.com"]);
    assert.deepEqual(await remote.json(`invitation revoke acme ${made.id}`), { revoked: made.id });
    assert.match((await remote.run("keys rotate --algorithm ES256")).out, /ES256 +signing/);
  });

  test("the confirmation of a deletion shows the same counts for a remote server", async () => {
    const [there, here] = [{ POSTERN_REMOTE: "work", POSTERN_DATABASE_URL: "" }, local.env].map((place) =>
      commandLine({ ...env, ...place }, { answer: "n" }),
    );
    const requested = await there?.run("app delete web");
    assert.deepEqual(requested, await here?.run("app delete web"));
    assert.equal(requested?.code, 1);
    assert.match(
      requested?.err ?? "",
      /Also affected:\n {2}1 secret no longer works\n+Delete\? \[y\/N\] Nothing was done\./,
    );
    assert.equal((await local.run("app get web")).code, 0);
  });

  test("apply and export work the same for a remote server", async () => {
    const file = join(config, "manifest.yaml");
    const write = (name: string, more = "") =>
      writeFileSync(file, `organizations: [{ slug: umbrella, name: ${name} }]\n${more}`);
    write("Umbrella");
    await alike(`apply ${file} --dry-run`);
    await alike(`apply ${file} --dry-run --prune --json`);
    const made = await remote.json<{ created: string[] }>(`apply ${file}`);
    assert.deepEqual(made.created, ["organization umbrella"]);
    assert.match((await alike(`apply ${file}`)).out, /"unchanged"/);
    write("Other");
    assert.match(
      (await alike(`apply ${file} --dry-run`)).out,
      /~ organization umbrella: name "Umbrella" → "Other"/,
    );
    write("Umbrella", "apps: [{ name: X, owner: nobody@example.com, unknown: 1 }]\n");
    assert.equal((await alike(`apply ${file}`)).out, "");
    const { code, err } = await remote.run(`apply ${file}`);
    assert.equal(code, 1);
    assert.match(err, /apps\[0\]\.unknown/);
    await alike("export");
    await alike("export --json");
    const keyFile = join(config, "apply-key");
    writeFileSync(keyFile, `${key}\n`);
    write("Umbrella");
    const byKey = ["apply", file, "--server", postern.url, "--api-key-file", keyFile];
    assert.equal((await commandLine({ ...env, POSTERN_DATABASE_URL: "" }).run(byKey)).code, 0);
  });

  test("warnings are printed locally and remotely, with the number of omitted ones at the end", async () => {
    const file = join(config, "warned.yaml");
    const bye = (path: string) => `post_logout_redirect_uris: ["https://shop.example/${path}"]`;
    const app = (id: string) =>
      `  - { client_id: ${id}, name: W, public: true, owner: ada@example.com, ${bye("a")}, metadata: { ${bye("b")} } }\n`;
    writeFileSync(file, `apps:\n${Array.from({ length: 200 }, (_, place) => app(`w${place}`)).join("")}`);
    const { err } = await alike(`apply ${file} --dry-run`);
    const one =
      /^warning: apps\[\d+\].metadata.post_logout_redirect_uris: has no effect, because \S+ is set$/gm;
    const warned = err.match(one)?.length ?? 0;
    assert.ok(warned > 10 && warned < 200);
    assert.match(err, new RegExp(`^warning: and ${200 - warned} more$`, "m"));
  });

  test("commands that need the database say so if --server or its variable is set", async () => {
    for (const args of [["gc"], ["backup", "x.db"], ["migrate", "up"]]) {
      const { code, err } = await remote.run(args);
      assert.match(err, /needs the database/, args.join(" "));
      assert.equal(code, 2);
    }
    const { code, err } = await local.run("serve --remote work");
    assert.match(err, /needs the database/);
    assert.equal(code, 2);
    assert.equal((await local.run("user list --remote none")).code, 2);
  });

  test("help offers a remote server only to commands that support it", async () => {
    for (const args of [["serve"], ["doctor"], ["perform"], ["login"]]) {
      const { out } = await local.run([...args, "--help"]);
      assert.doesNotMatch(out, /--(?:remote <|server <|api-key-file)/, args.join(" "));
    }
    assert.match((await local.run("user list --help")).out, /--remote <name>/);
  });

  test("an address that is not a Postern server is reported in one sentence", async () => {
    const file = join(config, "key");
    writeFileSync(file, `${key}\n`);
    const answers = {
      "application/json": "{}",
      "text/html": "<p>Welcome</p>",
      "application/problem+json": "[]",
    };
    for (const [type, body] of Object.entries(answers)) {
      const strange = createServer((_request, response) => {
        response.setHeader("content-type", type);
        response.end(body);
      }).listen(0, "127.0.0.1");
      await once(strange, "listening");
      const { port } = strange.address() as AddressInfo;
      const place = ["--server", `http://127.0.0.1:${port}`, "--api-key-file", file];
      for (const command of [
        ["user", "list"],
        ["user", "get", "ada@example.com"],
        ["user", "create", "--email", "eve@example.com", "--name", "Eve"],
        ["user", "delete", "ada@example.com", "--yes"],
        ["stats"],
      ]) {
        const { code, out, err } = await local.run([...command, ...place]);
        assert.deepEqual([code, out], [1, ""], `${type} ${command}: ${out}${err}`);
        assert.match(err, /^[^\n]*\bPostern\b[^\n]*\n$/, `${type} ${command}`);
      }
      strange.close();
    }
  });

  test("an unreachable server is reported with its address", async () => {
    const stopped = createServer().listen(0, "127.0.0.1");
    await once(stopped, "listening");
    const url = `http://127.0.0.1:${(stopped.address() as AddressInfo).port}`;
    await new Promise((resolve) => stopped.close(resolve));
    const file = join(config, "key");
    writeFileSync(file, key, { mode: 0o600 });
    for (const args of [
      ["user", "list"],
      ["user", "update", "ada@example.com", "--name", "Ada"],
    ]) {
      const { code, err, out } = await local.run([...args, "--server", url, "--api-key-file", file]);
      assert.deepEqual({ code, out }, { code: 1, out: "" });
      assert.equal(err.trim(), `${url}: cannot be reached, or the connection broke off`);
    }
  });

  test("a command accepts only one server, and an option overrides a variable", async () => {
    const file = join(config, "key");
    writeFileSync(file, `${key}\n`);
    const { url } = postern;
    const nowhere = commandLine({ ...env, POSTERN_DATABASE_URL: "" });
    for (const args of [
      ["--server", url],
      ["--server", `${url}/`],
      ["--server", url, "--api-key-file", file],
    ])
      assert.equal((await nowhere.run(["org", "get", "acme", ...args])).code, 0, args.join(" "));
    for (const [variables, args, code, said] of [
      [{ POSTERN_SERVER: url }, [], 0, ""],
      [{ POSTERN_SERVER: url, POSTERN_API_KEY_FILE: file }, [], 0, ""],
      [{ POSTERN_SERVER: "https://other.example" }, ["--remote", "work"], 0, ""],
      [{ POSTERN_DATABASE_URL: "sqlite:none.db" }, ["--server", url], 0, ""],
      [{}, ["--server", "https://other.example"], 2, /postern login https:\/\/other\.example/],
      [{}, ["--server", "none", "--api-key-file", file], 2, /https address/],
      [{}, ["--server", url, "--api-key-file", "nofile"], 1, /does not exist/],
      [{}, ["--remote", "work", "--api-key-file", file], 2, /needs --server/],
      [{}, ["--remote", "work", "--server", url], 2, /--remote and --server select different servers/],
      [{}, ["--remote", "work", "--database-url", "sqlite:x.db"], 2, /--remote and --database-url/],
      [{ POSTERN_REMOTE: "work", POSTERN_DATABASE_URL: "sqlite:x.db" }, [], 2, /unset all but one/],
      [{ POSTERN_REMOTE: "work", POSTERN_SERVER: url }, [], 2, /POSTERN_REMOTE and POSTERN_SERVER/],
    ] as const) {
      const line = commandLine({ ...env, POSTERN_DATABASE_URL: "", ...variables });
      const printed = await line.run(["org", "get", "acme", ...args]);
      assert.equal(printed.code, code, `${JSON.stringify(variables)} ${args.join(" ")}: ${printed.err}`);
      assert.match(printed.err, new RegExp(said));
    }
  });

  test("H-46: the saved API key is in a file that only this account can read, and is never printed", async () => {
    const path = join(config, "postern", "remotes.json");
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.ok(readFileSync(path, "utf8").includes(key));
    const listed = await local.run("remotes");
    assert.match(listed.out, /work +http:\/\/localhost/);
    assert.ok(!listed.out.includes(key) && !(await local.run("remotes --json")).out.includes(key));
    chmodSync(path, 0o644);
    assert.match((await remote.run("user list")).err, /other accounts can read it: run chmod 600/);
    chmodSync(path, 0o600);
  });

  test("H-46: an API key that the server rejects is not saved, and a forgotten server's key is removed", async () => {
    const login = ["login", postern.url, "--as", "other", "--api-key-stdin"];
    const refused = await local.run(login, "pak_wrong\n");
    assert.deepEqual([refused.code, refused.out], [1, ""]);
    assert.ok(!refused.err.includes("pak_wrong"));
    assert.equal((await local.run(`login ${postern.url}`, key)).code, 1);
    let status = 200;
    const strange = createServer((_request, response) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await once(strange, "listening");
    const address = `http://127.0.0.1:${(strange.address() as AddressInfo).port}`;
    const unkept = await local.run(`login ${address} --as strange --api-key-stdin`, key);
    status = 502;
    const behindProxy = await local.run(`login ${address} --as strange --api-key-stdin`, key);
    strange.close();
    assert.match(behindProxy.err, /returned 502: the server or its proxy is currently not working/);
    assert.deepEqual([unkept.code, unkept.err], [1, `${address} is not a Postern server.\n`]);
    assert.equal((await local.run("user list --remote strange")).code, 2);
    assert.equal((await local.run("login http://id.example --api-key-stdin", key)).code, 2);
    assert.equal((await local.run(`login ${postern.url} --as ../x --api-key-stdin`, key)).code, 2);
    await local.json(login, key);
    assert.equal((await local.run("user list --remote other")).code, 0);
    await local.run("logout other");
    assert.equal((await local.run("logout other")).code, 2);
    assert.match((await local.run("user list --remote other")).err, /unknown remote "other"; known: work/);
  });
});
