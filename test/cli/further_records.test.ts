import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { openStore, type Store } from "../../src/storage/store.ts";
import { insertAny } from "../storage/any_row.ts";
import { aConsent, aRefusal, aSession, aToken } from "../support/builders.ts";
import { column } from "../support/lists.ts";
import { type CommandLine, commandLine } from "./terminal.ts";

interface Named {
  readonly id: string;
  readonly [name: string]: unknown;
}

interface Listed {
  readonly data: readonly Named[];
  readonly next_cursor: string | null;
}

const manifest = `
organizations:
  - { slug: acme, name: Acme }
  - { slug: tiny, name: Tiny }
users:
  - { email: ada@example.com, name: Ada Lovelace }
  - { email: bob@example.com, name: Bob, active: false }
memberships:
  - { user: ada@example.com, organization: acme, role: owner }
apps:
  - { client_id: web, name: Web, owner: ada@example.com, organization: acme }
  - { client_id: spa, name: Shop, owner: ada@example.com, public: true }
service_accounts:
  - { email: ci@acme.example, name: CI, organization: acme, created_by: ada@example.com }
`;

async function filled(): Promise<CommandLine> {
  const cli = commandLine();
  assert.equal((await cli.run("apply -", manifest)).code, 0);
  return cli;
}

/** Runs `work` on the database of the command line. */
async function withStore<R>({ folder }: CommandLine, work: (store: Store) => Promise<R>): Promise<R> {
  const store = await openStore({ kind: "sqlite", path: join(folder, "postern.db") });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function ids(cli: CommandLine) {
  const id = async (command: string, name: string) => (await cli.json<Named>(`${command} get ${name}`)).id;
  return {
    ada: await id("user", "ada@example.com"),
    web: await id("app", "web"),
    acme: await id("org", "acme"),
    ci: await id("service-account", "ci@acme.example"),
  };
}

describe("commands for other record types", () => {
  test("the command for a record type is the singular of its resource name", async () => {
    const cli = await filled();
    assert.equal((await cli.run("delivery list")).code, 0);
    assert.match((await cli.run("delivery get none")).err, /delivery/);
    assert.equal((await cli.run("deliverie list")).code, 2);
  });

  test("stats and gc print the singular for one token and one row", async () => {
    const cli = await filled();
    const web = await cli.json<Named>("app get web");
    await withStore(cli, async (store) => {
      await aRefusal(store, { app_id: web.id, expires_at: new Date(0) });
      store.increment("tokens_code", [web.id], new Date());
      await store.flushCounts();
    });
    assert.match((await cli.run("stats")).out, /^web +1 token$/m);
    assert.match((await cli.run("gc --dry-run")).err, /^1 row would be removed/);
  });

  test("an option for a record's field works even if a setting has the same name", async () => {
    const cli = await filled();
    const input = ["--slug", "firm", "--preset", "google", "--client-id", "x", "--client-secret", "y"];
    const made = await cli.json<{ id: string; sign_up: string }>([
      ...["provider", "create", ...input, "--sign-up", "anyone"],
    ]);
    assert.equal(made.sign_up, "anyone");
    const updated = ["provider", "update", made.id, "--sign-up", "never"];
    assert.equal((await cli.json<{ sign_up: string }>(updated)).sign_up, "never");
    await cli.json(`provider delete ${made.id} --yes`);
  });

  test("MF-10 a user's sign-in methods are listed, and one of two can be removed, but never the last", async () => {
    const cli = await filled();
    const { ada } = await ids(cli);
    const [key, app] = await withStore(cli, async (store) => [
      await insertAny(store, "passkeys", { users: ada }, { name: "Lost key" }),
      await insertAny(store, "totp_authenticators", { users: ada }, { name: "App" }),
    ]);
    const methods = await cli.json<{ passkeys: Named[] }>("user sign-in-methods ada@example.com");
    assert.deepEqual(column(methods.passkeys, "id"), [key?.id]);
    const { out } = await cli.run("user sign-in-methods ada@example.com");
    assert.match(out, /^recovery_codes +0$/m);
    assert.match(out, /^passkeys\nid +name/m);
    assert.match(out, /Lost key/);
    const take = (id = "") => cli.run(`user remove-factor ada@example.com --factor-id ${id} --reason Lost`);
    assert.equal((await take(key?.id)).code, 0);
    const last = await take(app?.id);
    assert.equal(last.code, 1);
    assert.match(last.err, /last second factor/);
    const left = await withStore(cli, (store) => store.count("totp_authenticators", { user_id: ada }));
    assert.equal(left, 1);
  });

  test("a membership and a consent can be named by the two records that they connect", async () => {
    const cli = await filled();
    const { ada, web } = await ids(cli);
    const consent = await withStore(cli, (store) => aConsent(store, { user_id: ada, app_id: web }));
    const name = ["BOB@example.com", "acme"];
    const input = "--user bob@example.com --organization acme --role member --permissions users:read billing";
    const made = await cli.json<Named>(`membership create ${input}`);
    assert.deepEqual([made.role, made.permissions], ["member", ["users:read", "billing"]]);
    const list = async (filter: string) => (await cli.json<Listed>(`membership list ${filter}`)).data;
    assert.equal((await list("--organization acme")).length, 2);
    const table = (await cli.run("membership list --user bob@example.com")).out;
    assert.match(table, /^id +user +organization +role +permissions\n\S+ +bob@example\.com +acme +member /);
    const group = await cli.json<Named>("group create --organization acme --display-name Sales");
    await cli.json(`group-member create --group ${group.id} --user bob@example.com`);
    assert.match(
      (await cli.run("group-member list")).out,
      /^id +group +user\n\S+ +Sales +bob@example\.com\n/,
    );
    const help = (await cli.run("membership create --help")).out;
    assert.doesNotMatch(help.slice(help.indexOf("Required:"), help.indexOf("Fields:")), /--user|--email/);
    assert.match(help, /--email <text> +the user's email address, in place of --user; required unless/);
    const http = await cli.run("webhook-endpoint create --organization acme --url http://127.0.0.1:1/");
    assert.match(http.err, /--url: .*; http requires --internal, which a platform administrator sets/);
    assert.deepEqual(column(await list("--user BOB@example.com"), "id"), [made.id]);
    assert.deepEqual(await list("--organization tiny"), []);
    assert.equal((await cli.json<Named>(["membership", "get", ...name])).id, made.id);
    await cli.json("role create --organization acme --name editor");
    for (const [role, why] of [
      ["Admin", "must not look like a built-in role (owner, admin, developer, member)"],
      ["editor", "is a custom role: add it to --roles instead"],
    ] as const) {
      const { code, err } = await cli.run(["membership", "update", ...name, "--role", role]);
      assert.deepEqual([code, err.includes(`\n  --role: ${why}\n`)], [1, true], err);
    }
    const changed = await cli.json<Named>(["membership", "update", ...name, "--role", "admin"]);
    assert.equal(changed.role, "admin");
    const alone = await cli.run("membership delete ada@example.com --yes");
    assert.equal(alone.code, 2);
    assert.match(
      alone.err,
      /"ada@example.com" is not an ID: name a membership by its ID, or by <email> and <slug>/,
    );
    const other = await cli.run("membership delete ada@example.com tiny --yes");
    assert.equal(other.code, 1);
    assert.match(other.err, /no membership "ada@example.com tiny"/);
    const deleted = await cli.json(["membership", "delete", ...name, "--yes"]);
    assert.deepEqual(deleted, { deleted: "BOB@example.com acme" });
    assert.equal((await cli.run(["membership", "get", ...name])).code, 1);
    const revoked = await cli.json<Named>("consent revoke ada@example.com web");
    assert.deepEqual([revoked.id, revoked.revoked], [consent.id, true]);
    assert.match((await cli.run("consent revoke --help")).out, /<id\|email> \[client_id\]/);
  });

  test("tokens, consents and sessions are listed by user, shown and revoked; refusals are found by short id", async () => {
    const cli = await filled();
    const { ada, web } = await ids(cli);
    const theirs = await withStore(cli, async (store) => ({
      token: (await aToken(store, { user_id: ada, app_id: web })).id,
      consent: (await aConsent(store, { user_id: ada, app_id: web })).id,
      session: (await aSession(store, { user_id: ada })).id,
      refusal: await aRefusal(store, { app_id: web }),
      others: await aToken(store),
    }));
    for (const command of ["token", "consent", "session"] as const) {
      const { data }: Listed = await cli.json(`${command} list --user ada@example.com`);
      assert.deepEqual(column(data, "id"), [theirs[command]], command);
      assert.equal((await cli.json<Named>(`${command} get ${theirs[command]}`)).id, theirs[command]);
      await cli.json(`${command} revoke ${theirs[command]}`);
    }
    assert.deepEqual((await cli.json<Listed>("token list --app web --revoked false")).data, []);
    const quoted = ["refusal", "list", "--short-id", theirs.refusal.short_id];
    assert.deepEqual(column((await cli.json<Listed>(quoted)).data, "id"), [theirs.refusal.id]);
    await withStore(cli, async (store) => {
      assert.equal((await store.find("oauth_tokens", { id: theirs.token }))?.revoked, true);
      assert.equal((await store.find("oauth_tokens", { id: theirs.others.id }))?.revoked, false);
      assert.notEqual((await store.find("sessions", { id: theirs.session }))?.ended_at, null);
      assert.equal((await store.find("oauth_consents", { id: theirs.consent }))?.revoked, true);
    });
  });

  test("audit events are listed by type, shown, and exported as JSON lines and as one value", async () => {
    const cli = await filled();
    const { web } = await ids(cli);
    const { data }: Listed = await cli.json(`audit list --type app.created --target-id ${web}`);
    assert.equal(data.length, 1);
    assert.equal((await cli.json<Named>(["audit", "get", data[0]?.id ?? ""])).target_id, web);
    const exported = await cli.run("audit export");
    const lines = exported.out.trimEnd().split("\n");
    const all = await cli.json<Named[]>("audit export");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      all,
    );
    const counted = await withStore(cli, (store) => store.count("audit_events"));
    assert.ok(counted >= 9 && all.length === counted, `${all.length} of ${counted}`);
    assert.deepEqual(await cli.json("audit export --type passkey.created"), []);
    assert.deepEqual((await cli.run("audit export --type passkey.created")).out, "");
    for (const verb of ["list", "export"]) {
      const { code, out, err } = await cli.run(`audit ${verb} --type user.craeted`);
      assert.deepEqual([code, out], [1, ""]);
      assert.match(
        err,
        /^an option is not valid\n {2}--type: is not an event type; similar: user\.access_revoked, user\.created,/,
      );
    }
  });

  test("characters that act on a terminal are escaped in the export of audit events and in the feed", async () => {
    const cli = commandLine({ POSTERN_EXTRA_FEATURES: "events" });
    await cli.run("user create --email ada@example.com --name Ada");
    await withStore(cli, (store) => store.numberEvents());
    const database = new DatabaseSync(join(cli.folder, "postern.db"));
    database.prepare("UPDATE audit_events SET user_agent = ?").run("evil\u009b2J\u202e");
    database.prepare("UPDATE events SET subject_id = ?").run("\u009b2J\u202e");
    database.close();
    for (const command of ["audit export", "audit export --json", "events follow --once --after 0"]) {
      const { out } = await cli.run(command);
      assert.match(out, /\\u009b2J\\u202e/i, command);
      assert.doesNotMatch(out, /[\u0080-\u009f\u202e]/, command);
    }
    const { err } = await cli.run("user get \u202eada@example.com");
    assert.doesNotMatch(err, /\u202e/);
  });

  test("EV-3: the event feed can be followed from a position and by type, as JSON lines", async () => {
    const cli = commandLine({ POSTERN_EXTRA_FEATURES: "events" });
    const { id } = await cli.json<Named>("user create --email ada@example.com --name Ada");
    await cli.json("user update ada@example.com --name Augusta");
    await withStore(cli, (store) => store.numberEvents());
    const follow = async (options: string) => {
      const { out } = await cli.run(`events follow --once ${options}`);
      const lines = out.split("\n").filter((line) => line !== "");
      return lines
        .map((line) => JSON.parse(line))
        .map(({ position, type, subject_id }) => [position, type, subject_id]);
    };
    assert.deepEqual(await follow("--after 0"), [
      [1, "user.created", id],
      [2, "user.updated", id],
    ]);
    for (const types of ["user.updated,user.deleted", "user.updated user.deleted"])
      assert.deepEqual(await follow(`--after 0 --types ${types}`), [[2, "user.updated", id]]);
    assert.deepEqual(await follow(""), []);
    assert.equal(
      (await cli.json<Listed>(`events list --subject-id ${id} --type user.created`)).data.length,
      1,
    );
    for (const [options, why] of [
      ["follow --after 9 --once", "--after: is after the newest position, 2"],
      ["follow --after xyz", "--after: must be an integer"],
      ["list --type user.craeted", "--type: is not an event type; similar: user.created, "],
    ] as const) {
      const { code, err } = await cli.run(`events ${options}`);
      assert.deepEqual([code, err.startsWith(`an option is not valid\n  ${why}`)], [1, true], err);
    }
  });

  test("EV-1: a command writes events for the feed if the server does, even without the feature setting", async () => {
    const off = commandLine();
    await off.run("user create --email ada@example.com --name Ada");
    assert.equal(await withStore(off, (store) => store.count("events")), 0);
    const serving = commandLine({ POSTERN_EXTRA_FEATURES: "events" });
    await serving.run("user create --email ada@example.com --name Ada");
    const { POSTERN_EXTRA_FEATURES: _, ...env } = serving.env;
    await commandLine(env).run("user update ada@example.com --name Augusta");
    assert.equal(await withStore(serving, (store) => store.count("events")), 2);
  });

  test("EV-1: a webhook endpoint receives the first event even from a shell without the feature setting", async () => {
    const serving = commandLine({ POSTERN_EXTRA_FEATURES: "events" });
    await serving.json("webhook-endpoint create --url https://app.example/hooks");
    const { POSTERN_EXTRA_FEATURES: _, ...env } = serving.env;
    await commandLine(env).run("user create --email ada@example.com --name Ada");
    assert.equal(await withStore(serving, (store) => store.count("events")), 1);
  });

  test("an empty event feed says on the command line that the setting may be missing in the shell", async () => {
    const warning = /^warning: the event feed needs POSTERN_EXTRA_FEATURES=events\. .*set it here too/m;
    assert.match((await commandLine().run("events list")).err, warning);
    for (const feature of ["events", "ssf"])
      assert.equal((await commandLine({ POSTERN_EXTRA_FEATURES: feature }).run("events list")).err, "");
  });

  test("a command that needs a setting of the server says where to set it", async () => {
    const cli = await filled();
    for (const args of ["webhook-endpoint create --url https://app.example/hooks", "app test-logout web"]) {
      const { code, err } = await cli.run(args);
      assert.equal(code, 1);
      assert.match(err, /POSTERN_EXTRA_FEATURES[\s\S]*set it here too, or use --server/, args);
    }
    const preview = "token preview --app web --user ada@example.com";
    assert.match((await cli.run(preview)).err, /POSTERN_BASE_URL is not set in this shell/);
    assert.equal((await cli.run(`${preview} --base-url https://id.example`)).err, "");
    const { out } = await cli.run("token preview --app web");
    assert.equal(out, "No token is issued: the app may not request one for itself. Name a user.\n");
    await cli.json("app update web --organization-mode auto");
    for (const organization of ["tiny", "unknown"]) {
      const outside = await cli.run(`${preview} --organization ${organization}`);
      assert.equal(outside.code, 0);
      assert.match(outside.out, /access_denied\): the user is not a member of this organization/);
    }
    assert.match((await cli.run(`${preview} --organization acme`)).out, /^scopes: /);
    const unknown = await cli.run(`${preview} --resource https://unknown.example`);
    assert.match(
      unknown.err,
      /^an option is not valid\n {2}--resource: there is no API with this identifier/m,
    );
  });

  test("help offers no file for fixed choices, and no revocation of a new record", async () => {
    const cli = commandLine();
    const help = async (command: string) => (await cli.run(`${command} --help`)).out.replaceAll(/\s+/g, " ");
    const app = await help("app create");
    assert.match(app, /--kind <text> /);
    assert.doesNotMatch(/--kind <text>.*?(?= --)/.exec(app)?.[0] ?? "", /@file/);
    for (const command of ["app create", "api-key create", "app-secret create"])
      assert.doesNotMatch(await help(command), /--revoked/, command);
  });

  test("a resource type has commands only for the operations that it supports", async () => {
    const cli = await filled();
    for (const args of [
      ["token", "create"],
      ["session", "delete", "x"],
      ["audit", "delete", "x"],
      ["membership", "revoke", "x"],
    ]) {
      const { code, out } = await cli.run(args);
      assert.deepEqual([code, out], [2, ""], args.join(" "));
    }
  });
});

describe("filters of list commands", () => {
  test("each list command accepts its records' filters, and other records by name", async () => {
    const cli = await filled();
    await cli.json("attribute create --record-type users --name team --searchable");
    await cli.json(`user update ada@example.com --attributes '{"team": "Analysts"}'`);
    for (const [of, change] of [
      ["apps --name tier", `app update web --attributes '{"tier": "1"}'`],
      [
        "memberships --name floor --organization acme",
        `membership update ada@example.com acme --attributes '{"floor": "4"}'`,
      ],
      ["organizations --name region", `org update acme --attributes '{"region": "EU"}'`],
    ]) {
      await cli.json(`attribute create --searchable --record-type ${of}`);
      await cli.json(String(change));
    }
    for (const [command, column, expected] of [
      ["user list --attribute team:analysts", "name", ["Ada Lovelace"]],
      ["user list --email ADA@example.com", "name", ["Ada Lovelace"]],
      ["user list --active false", "name", ["Bob"]],
      ["user list --q 'love ada'", "name", ["Ada Lovelace"]],
      ["user list --created-before 2020-01-01T00:00Z", "name", []],
      ["org list --slug tiny", "name", ["Tiny"]],
      ["app list --public", "client_id", ["spa"]],
      ["app list --organization acme", "client_id", ["web"]],
      ["app list --organization acme --attribute tier:1", "client_id", ["web"]],
      ["membership list --organization acme --attribute floor:4", "role", ["owner"]],
      ["org list --attribute region:eu", "slug", ["acme"]],
      ["app list --owner bob@example.com", "client_id", []],
      ["service-account list --organization acme", "email", ["ci@acme.example"]],
    ] as const)
      assert.deepEqual(
        (await cli.json<Listed>(command)).data.map((each) => each[column]),
        expected,
        command,
      );
  });

  test("a wrong filter value is refused under the option's name, and an unknown option is a usage error", async () => {
    const cli = await filled();
    const wrong = await cli.run("user list --active maybe --created-from soon");
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /^ {2}--active: must be true or false$/m);
    assert.match(wrong.err, /^ {2}--created-from: must be a time/m);
    const hidden = await cli.run("user list --attribute team:analysts");
    assert.match(hidden.err, /^ {2}--attribute: must be a searchable attribute and a value/m);
    const nobody = await cli.run("token list --user nobody@example.com");
    assert.deepEqual([nobody.code, nobody.out], [1, ""]);
    assert.equal((await cli.run("token list --colour red")).code, 2);
  });
});
