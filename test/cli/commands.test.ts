import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { column } from "../support/lists.ts";
import { commandLine, emptyCommandLine } from "./terminal.ts";

interface Named {
  readonly id: string;
  readonly [name: string]: unknown;
}

const manifest = `
organizations:
  - { slug: acme, name: Acme }
users:
  - { email: ada@example.com, name: Ada, password: "correct horse battery staple" }
apps:
  - { client_id: web, name: Web, owner: ada@example.com }
`;

describe("the command line", () => {
  test("exits with 0 on success, 1 on failure, 2 on wrong usage", async () => {
    const { run } = commandLine();
    const expected: [number, string[]][] = [
      [0, ["--help"]],
      [0, ["user", "--help"]],
      [0, ["help", "app"]],
      [0, ["help", "settings"]],
      [0, ["settings"]],
      [0, ["--version"]],
      [0, ["user", "list"]],
      [0, ["--json", "user", "list"]],
      [1, ["user", "get", "nobody@example.com"]],
      [1, ["user", "create", "--email", "no address", "--name", "x"]],
      [1, ["apply", "/nowhere/manifest.yaml"]],
      [2, []],
      [2, ["nothing"]],
      [2, ["__proto__"]],
      [2, ["user"]],
      [2, ["user", "create", "--name", "x"]],
      [2, ["user", "get"]],
      [2, ["user", "list", "--colour"]],
      [2, ["user", "get", "a", "b"]],
      [2, ["org", "update", "acme"]],
      [2, ["app", "create", "--name", "x", "--metadata", "{"]],
      [2, ["healthcheck", "--timeout", "soon"]],
    ];
    for (const [code, args] of expected) {
      const printed = await run(args);
      assert.equal(printed.code, code, `postern ${args.join(" ")}: ${printed.err}`);
      if (code === 0) assert.equal(printed.err, "");
      else assert.ok(printed.err !== "" && printed.out === "", args.join(" "));
    }
  });

  test("an unknown command, or help for one, is answered with similar command names only", async () => {
    const { run } = commandLine();
    for (const words of ["nonsense", "help nonsense"]) {
      const { code, err } = await run(words);
      assert.deepEqual([code, err.split("\n")[0]], [2, "error: unknown command 'nonsense'"]);
      assert.doesNotMatch(err, /Did you mean/);
    }
    for (const words of ["sevre", "help sevre"])
      assert.match((await run(words)).err, /\n\(Did you mean serve\?\)/);
    assert.match((await run("help serve")).out, /^Usage: postern serve/);
  });

  test('the help of a command uses the right article, "a" or "an", for each record type', async () => {
    const { run } = commandLine();
    for (const [group, one] of [
      ["app", "an app"],
      ["org", "an organization"],
      ["api-key", "an API key"],
      ["user", "a user"],
      ["membership", "a membership"],
    ] as const)
      assert.match((await run(`${group} create --help`)).out, new RegExp(`^create ${one}$`, "m"));
  });

  test("a missing file is reported in one sentence, and --version prints the package's version", async () => {
    const { run } = commandLine();
    const missing = await run("apply /nowhere/manifest.yaml");
    assert.equal(missing.err, "/nowhere/manifest.yaml cannot be read: it does not exist\n");
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    assert.equal((await run("--version")).out, `postern ${version}\n`);
  });

  test("an audit event of a command names the operating-system account that ran it", async () => {
    const { run, json } = commandLine({}, { user: "ada as root" });
    await run("org create --slug acme --name Acme");
    const { data }: { data: Named[] } = await json("audit list --type organization.created");
    assert.deepEqual(
      data.map(({ actor_kind, actor_id }) => [actor_kind, actor_id]),
      [["system", "command line (ada as root)"]],
    );
  });

  test("every wrong setting is reported, and a flag overrides an environment variable", async () => {
    const { run, env } = commandLine({ POSTERN_PORT: "many", POSTERN_WORKERS: "0", POSTERN_COLOUR: "red" });
    const wrong = await run("user list");
    assert.equal(wrong.code, 1);
    for (const name of ["POSTERN_PORT", "POSTERN_WORKERS", "POSTERN_COLOUR"])
      assert.match(wrong.err, new RegExp(name));
    delete env.POSTERN_COLOUR;
    assert.equal((await run("user list --port 0 --workers 2")).code, 0);
    assert.equal((await run("--port 0 --workers 2 user list")).code, 0);
  });

  test("validation errors name the command's options, and a conflict names the field", async () => {
    const { run } = commandLine();
    await run("apply -", manifest);
    const app = await run(
      "app create --name x --redirect-uris https://a.example http://b.example --access-token-ttl 1.5",
    );
    assert.match(app.err, /^ {2}--owner: is required$/m);
    assert.match(app.err, /^ {2}--redirect-uris 2: must be https/m);
    assert.match(app.err, /^ {2}--access-token-ttl: must be an integer$/m);
    const org = await run("org create --slug acme --name Acme");
    assert.match(org.err, /same slug/);
    assert.deepEqual(
      [app.code, org.code],
      [2, 1],
      "what is missing is wrong usage, what is refused a failure",
    );
  });

  test("H-12: data folder, database and secret key are created once, accessible only to their owner", async () => {
    const { run, folder } = emptyCommandLine();
    await Promise.all([run("org create --slug a --name A"), run("org create --slug b --name B")]);
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    assert.equal(mode(folder), "700");
    const key = readFileSync(join(folder, "secret.key"), "utf8");
    for (const name of ["postern.db", "secret.key"]) assert.equal(mode(join(folder, name)), "600", name);
    await run("user list");
    assert.equal(readFileSync(join(folder, "secret.key"), "utf8"), key);
  });

  test("if the secret key is lost, a command fails and creates no replacement", async () => {
    const { run, folder } = commandLine();
    assert.equal((await run("keys rotate")).code, 0);
    rmSync(join(folder, "secret.key"));
    const lost = await run("keys list");
    assert.equal(lost.code, 1);
    assert.match(lost.err, /secret\.key is missing/);
    assert.equal(existsSync(join(folder, "secret.key")), false);
  });

  test("a secret key file with invalid content stops the command, which names the file and never quotes it", async () => {
    const { run, folder } = commandLine();
    writeFileSync(join(folder, "secret.key"), "hunter2-hunter2");
    const { code, err } = await run("user list");
    assert.equal(code, 1);
    assert.match(err, /secret\.key/);
    assert.doesNotMatch(err, /hunter2/);
  });
});

describe("the commands for records", () => {
  test("organizations, users, apps, service accounts and API keys are created, listed, shown, changed and deleted", async () => {
    const { run, json } = commandLine();
    const acme: Named = await json('org create --slug acme --name Acme --plan pro --settings {"a":1}');
    assert.deepEqual([acme.plan, acme.settings], ["pro", { a: 1 }]);
    const ada: Named = await json(
      "user create --email ada@example.com --name Ada --is-platform-admin --password-stdin",
      "a long pass phrase\nmore",
    );
    assert.equal(ada.is_platform_admin, true);
    const app: Named = await json(
      `app create --name Web --owner ada@example.com --organization acme --client-id web
        --allowed-scopes 'openid email'`,
    );
    assert.deepEqual(
      [app.owner_id, app.organization_id, app.allowed_scopes],
      [ada.id, acme.id, ["openid", "email"]],
    );
    assert.match(String(app.client_secret), /^pcs_/);
    const account: Named = await json(
      `service-account create --email ci@acme.example --name CI --organization acme
        --created-by ada@example.com`,
    );
    assert.equal(account.created_by, ada.id);
    const key: Named = await json("api-key create --name k --user ada@example.com --scopes read write");
    assert.match(String(key.key), /^pak_/);

    const records = [
      ["user", "ada@example.com", ada.id],
      ["org", "acme", acme.id],
      ["app", "web", app.id],
      ["service-account", "ci@acme.example", account.id],
      ["api-key", key.id, key.id],
    ] as const;
    for (const [command, name, id] of records) {
      const list: { data: Named[]; next_cursor: null } = await json(`${command} list`);
      assert.deepEqual([list.data.map((each) => each.id), list.next_cursor], [[id], null], command);
      const shown: Named = await json(`${command} get ${name}`);
      assert.equal(shown.id, id);
      const changed: Named = await json(`${command} update ${name} --name Other`);
      assert.equal(changed.name, "Other");
      assert.match((await run(`${command} list`)).out, /Other/);
    }
    assert.equal(
      (await json<Named>("app update web --clear organization_id --public")).organization_id,
      null,
    );
    assert.equal((await json<Named>("app update web --active false")).active, false);
    await json("user create --email root@example.com --name Root --is-platform-admin");
    for (const [command, name] of [...records].toReversed()) {
      assert.deepEqual(await json(`${command} delete ${name} --yes`), { deleted: name });
      assert.equal((await run(`${command} get ${name}`)).code, 1);
    }
  });

  test("--cursor continues a list where the previous page ended", async () => {
    const { json, run } = commandLine();
    await run("apply -", manifest);
    await json("app create --name B --owner ada@example.com --client-id b");
    const page: { data: Named[]; next_cursor: string } = await json("app list --limit 1");
    const rest: { data: Named[]; next_cursor: null } = await json(`app list --cursor ${page.next_cursor}`);
    assert.deepEqual([...page.data, ...rest.data].map((app) => app.client_id).toSorted(), ["b", "web"]);
    assert.equal((await run("app list --limit many")).code, 1);
  });

  test("C-9: new secrets do not replace existing ones, each is revoked alone, and revoking an app is permanent", async () => {
    const { json, run } = commandLine();
    await run("apply -", manifest);
    const added: Named = await json("app add-secret web --expires-at 2031-01-01T00:00:00Z");
    assert.match(String(added.client_secret), /^pcs_/);
    const chosen: Named = await json("app add-secret web --secret chosen-elsewhere");
    assert.equal("client_secret" in chosen, false);
    const other: Named = await json(
      "app create --name Other --owner ada@example.com --client-id other --kind browser",
    );
    assert.deepEqual([other.app_type, other.public, "client_secret" in other], ["spa", true, false]);
    const elsewhere = await run(`app revoke-secret other ${added.id}`);
    assert.deepEqual([elsewhere.code, elsewhere.err.includes("there is no app secret")], [1, true]);
    await json(`app revoke-secret web ${added.id}`);
    const { secrets }: { secrets: Named[] } = await json("app get web");
    assert.deepEqual(
      column(secrets, "revoked"),
      secrets.map(({ id }) => id === added.id),
    );
    assert.equal(secrets.length, 3);
    const revoked: Named = await json("app revoke web");
    assert.notEqual(revoked.revoked_at, null);
  });

  test("a public key is registered from its file", async () => {
    const { json, run, folder } = commandLine();
    await run("apply -", manifest);
    await json(
      `service-account create --email ci@acme.example --name CI --organization acme
        --created-by ada@example.com`,
    );
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const [file, secret] = [join(folder, "key.pem"), join(folder, "private.pem")];
    writeFileSync(file, pair.publicKey.export({ type: "spki", format: "pem" }));
    writeFileSync(secret, pair.privateKey.export({ type: "pkcs8", format: "pem" }));
    const key: Named = await json(`service-account add-key ci@acme.example ${file} --key-id one`);
    assert.equal(key.algorithm, "ES256");
    const refused = await run(`service-account add-key ci@acme.example ${secret} --key-id two`);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /private/);
    const { key_pairs }: { key_pairs: Named[] } = await json("service-account get ci@acme.example");
    assert.equal(key_pairs.length, 1);
  });

  test("PR-23: app register turns an open client into a registered app with a name and an owner", async () => {
    const { json, run, folder } = commandLine();
    await json("apply -", manifest);
    const client_id = "https://tools.example/client.json";
    const database = new DatabaseSync(join(folder, "postern.db"));
    database.prepare("UPDATE oauth_apps SET provenance = 'metadata_document', client_id = ?").run(client_id);
    database.close();
    const register = ["app", "register", client_id, "--name", "Tools"];
    const unowned = await run(register);
    assert.deepEqual([unowned.code, /--owner/.test(unowned.err)], [2, true]);
    const app: Named = await json([...register, "--owner", "ada@example.com"]);
    assert.deepEqual([app.name, app.provenance, app.client_id], ["Tools", "registered", client_id]);
    assert.equal((await run([...register, "--owner", "ada@example.com"])).code, 1);
  });

  test("control characters in names that others chose never reach the terminal", async () => {
    const { json, run, folder } = commandLine();
    await json("org create --slug acme --name Acme");
    // The name was stored before such names were refused.
    const database = new DatabaseSync(join(folder, "postern.db"));
    database.prepare("UPDATE organizations SET name = ?").run("a\u001b[2Jb\nfake");
    database.close();
    const { out } = await run("org list");
    assert.ok(!out.includes("\u001b") && out.includes("a\\x1b[2Jb\\x0afake"), out);
  });
});

describe("postern apply and postern export", () => {
  test("apply reads YAML and JSON, from a file and from standard input, and prints its changes", async () => {
    const { run, json, folder } = commandLine();
    const first: { created: string[]; secrets: Record<string, string> } = await json("apply -", manifest);
    assert.deepEqual(first.created, ["organization acme", "user ada@example.com", "app web"]);
    assert.match(first.secrets.web ?? "", /^pcs_/);
    const file = join(folder, "manifest.json");
    writeFileSync(
      file,
      JSON.stringify({
        organizations: [
          { slug: "acme", name: "Acme" },
          { slug: "new", name: "New" },
        ],
      }),
    );
    const dry = await run(`apply ${file} --dry-run`);
    assert.match(dry.err, /1 would be created/);
    const second = await run(`apply ${file}`);
    assert.match(second.err, /1 created, 0 updated, 1 unchanged/);
    assert.deepEqual(JSON.parse(second.out).created, ["organization new"]);
    const third = await run(`apply ${file}`);
    assert.match(third.err, /Nothing to change: 2 unchanged/);
    assert.deepEqual(JSON.parse(third.out), {
      created: [],
      updated: [],
      unchanged: ["organization acme", "organization new"],
      secrets: {},
    });
  });

  test("a manifest that is not valid YAML is refused with the line number, without quoting it", async () => {
    const { run } = commandLine();
    for (const text of [
      "users:\n  - email: a\n    email: hunter2\n",
      'users: ["hunter2',
      '{"users": [], "users": [{"password": "hunter2"}]}',
      "users: !!binary hunter2",
      "users: *hunter2",
      "--- 1\n--- hunter2",
    ]) {
      const { code, err, out } = await run("apply -", text);
      assert.equal(code, 1, text);
      assert.equal(out, "");
      assert.doesNotMatch(err, /hunter2/);
      assert.match(err, /line \d+, column \d+|must be|has aliases/);
    }
  });

  test("every error of a manifest is printed with its path and without the value", async () => {
    const { run } = commandLine();
    const { code, err } = await run(
      "apply -",
      "users: [{ email: ada@example.com, name: Ada, password: hunter2 }]\napps: [{ name: A, owner: ada@example.com, public: true, secrets: [hunter3] }]",
    );
    assert.equal(code, 1);
    assert.match(err, /^ {2}users\[0\]\.password: must be at least 8 characters$/m);
    assert.match(err, /^ {2}apps\[0\]\.secrets: must be absent: a public app has no secret$/m);
    assert.doesNotMatch(err, /hunter/);
  });

  test("an exported manifest, as YAML or JSON, changes nothing here and fills an empty server", async () => {
    const [from, to] = [commandLine(), commandLine()];
    await from.run("apply -", manifest);
    await from.run('org create --slug no --name 1:30 --settings {"on":"yes"}');
    const acting = String.raw`{"\u009b31m":"a\u009b31m\n\u202e \u2028 b\ufeff"}`;
    await from.run(`org create --slug odd --name Odd --settings ${acting.replaceAll(" ", "_")}`);
    const yaml = (await from.run("export")).out;
    const exported = await from.json("export");
    for (const { out } of [
      { out: yaml },
      await from.run("export --json"),
      await from.run("org get odd --json"),
    ]) {
      assert.match(out, /\\u009b31m/);
      assert.doesNotMatch(out, /[\u0080-\u009f\u2028-\u202e]/);
    }
    assert.match((await from.run("apply -", yaml)).err, /Nothing to change/);
    assert.equal((await to.run("apply -", yaml)).code, 0);
    assert.deepEqual(await to.json("export"), exported);
  });
});

describe("commands for operators", () => {
  test("migrate status lists missing migrations and changes nothing; migrate up applies them", async () => {
    const { run, json, folder } = emptyCommandLine();
    const absent = await run("migrate status");
    assert.deepEqual([absent.code, existsSync(folder)], [1, false]);
    const up: { applied: { version: number }[] } = await json("migrate up");
    assert.equal(up.applied[0]?.version, 1);
    assert.deepEqual(await json("migrate"), { applied: [] });
    const status: { migrations: { applied: boolean }[] } = await json("migrate status");
    assert.ok(status.migrations.length > 0 && status.migrations.every(({ applied }) => applied));
  });

  test("D-4: keys list shows the state of each key, and keys rotate publishes a key before it signs", async () => {
    const { json } = commandLine();
    const first: Named = await json("keys rotate");
    const next: Named = await json("keys rotate");
    assert.deepEqual([first.state, next.state], ["signing", "next"]);
    const urgent: Named = await json("keys rotate --now");
    assert.ok(Date.parse(String(urgent.activates_at)) - Date.now() <= 5000);
    const { data }: { data: Named[] } = await json("keys list");
    assert.deepEqual(column(data, "kid"), [first.kid, urgent.kid]);
  });

  test("dropping a signing key warns that resource servers refuse the tokens that it signed", async () => {
    const { json, run } = commandLine();
    const { kid }: Named = await json("keys rotate");
    const { err } = await run(["keys", "drop", String(kid)]);
    assert.match(err, /Resource servers no longer accept tokens that it signed\./);
    assert.doesNotMatch(err, /Nothing else/);
  });

  test("a key ID that begins with a hyphen is never read as an option", async () => {
    const { run } = commandLine();
    const kid = "-0H0jVrfGsEuBuYf4AZDCrMcHwgHsMooJUFojZJ0r8c";
    for (const args of [
      ["keys", "drop", kid, "--yes"],
      ["keys", "drop", "--yes", kid],
    ]) {
      const { code, err } = await run(args);
      assert.deepEqual([code, err], [1, `there is no signing key "${kid}"\n`]);
    }
    assert.equal((await run(`keys drop ${kid} --now`)).code, 2);
  });

  test("gc deletes expired rows and prints their number; introspect says why a token is not active", async () => {
    const { json, run } = commandLine();
    const dry = await run("gc --dry-run");
    assert.match(dry.out, /^table +would_be_removed\noauth_tokens +0\n/);
    assert.match(dry.err, /^0 rows would be removed, in \d+\.\d s\.\n$/);
    const gc: { dry_run: boolean; removed: Record<string, number> } = await json("gc --dry-run");
    assert.equal(gc.dry_run, true);
    assert.equal(gc.removed.oauth_tokens, 0);
    assert.deepEqual(await json("introspect x"), {
      active: false,
      reason: "this server does not recognize the token",
    });
    assert.deepEqual(await json("introspect -", "x\n"), {
      active: false,
      reason: "this server does not recognize the token",
    });
  });

  test("doctor finds no problem in a new installation, and creates nothing", async () => {
    const { run, json, folder } = emptyCommandLine();
    assert.equal((await run("doctor")).code, 0);
    assert.equal(existsSync(folder), false);
    await run("keys rotate");
    const { healthy, findings }: { healthy: boolean; findings: { check: string }[] } = await json("doctor");
    assert.equal(healthy, true);
    for (const check of [
      "settings",
      "clock",
      "file mode",
      "database",
      "migrations",
      "secret key",
      "signing keys",
    ])
      assert.ok(
        findings.some((finding) => finding.check === check),
        check,
      );
  });

  test("doctor names every file by its absolute path, although the database has a relative one", async () => {
    const { run, json, folder } = commandLine();
    await run("keys rotate");
    const relativePath = relative(process.cwd(), join(folder, "postern.db"));
    const { findings }: { findings: { check: string; detail: string }[] } = await json(
      `doctor --database-url sqlite:${relativePath}`,
    );
    const ofFiles = findings.filter(({ check }) => check === "file mode" || check === "integrity");
    assert.ok(ofFiles.length > 3);
    for (const { detail } of ofFiles)
      assert.ok(
        detail.split(" ").some((word) => word.startsWith(folder)),
        detail,
      );
  });

  test("doctor reports readable key files, a wrong key, an unreachable database and wrong settings", async () => {
    const { run, folder, env } = commandLine();
    await run("keys rotate");
    chmodSync(join(folder, "secret.key"), 0o644);
    const open = await run("doctor");
    assert.equal(open.code, 1);
    assert.match(open.out, /WRONG +file mode +\S+secret\.key has mode 644/);
    const other = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
    const wrongKey = await run(`doctor --secret-key ${other}`);
    assert.match(wrongKey.out, /WRONG +signing keys +a sealed value \(signing_key\) cannot be opened/);
    const unreachable = await run(
      `doctor --database-url postgres://u:hunter2@127.0.0.1:1/db --secret-key ${other}`,
    );
    assert.equal(unreachable.code, 1);
    assert.match(unreachable.out, /WRONG +database +/);
    assert.doesNotMatch(unreachable.out + unreachable.err, /hunter2/);
    env.POSTERN_WORKERS = "none";
    const { code, out }: { code: number; out: string } = await run("doctor --json");
    assert.equal(code, 1);
    assert.match(JSON.parse(out).findings[0].detail, /POSTERN_WORKERS/);
  });

  test("healthcheck requests /readyz and exits with 0 only on 200", async () => {
    const { run, json } = commandLine();
    let status = 200;
    const requested: string[] = [];
    const server = createServer((request, response) => {
      requested.push(request.url ?? "");
      response.writeHead(status).end();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    try {
      assert.deepEqual(await json(`healthcheck --url http://127.0.0.1:${port}/`), {
        ready: true,
        url: `http://127.0.0.1:${port}/readyz`,
        detail: "ready",
      });
      assert.equal((await run(["healthcheck", "--port", String(port)])).code, 0);
      status = 503;
      const busy = await run(["healthcheck", "--port", String(port)]);
      assert.deepEqual([busy.code, busy.out], [1, "not ready: it returned 503\n"]);
      assert.deepEqual(new Set(requested), new Set(["/readyz"]));
    } finally {
      server.close();
    }
    assert.equal((await run(["healthcheck", "--port", String(port)])).code, 1);
  });
});
