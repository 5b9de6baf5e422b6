/** Exporting users with their hashes from one server, and importing them into another (MG-10). */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { hashSync } from "bcryptjs";
import { exportPeople } from "../../src/admin/imports/export_people.ts";
import { readConfig } from "../../src/config.ts";
import { serverMemory } from "../../src/oauth/core/memory.ts";
import { signIn } from "../../src/people/entry/sign_in.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { emailKey } from "../../src/records/names/email.ts";
import { openEnvironment } from "../../src/server/environment.ts";
import { refused, testContext } from "../admin/context.ts";
import { anOAuthAccount, anOrganization, aProvider, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { temporaryFolder } from "../support/temp.ts";
import { type CommandLine, commandLine, emptyCommandLine } from "./terminal.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };
const passphrase = "a passphrase of the test";
const own = "an example of a password";
const foreign = "a password from elsewhere";
const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

/** A pair of keys, which encrypts without the second of work that a passphrase takes. */
const recipient = "age1typchku87lskaepnja8q86h8ctcyas0eu9pq92mc8j2cw3kskymsem0upu";
const key = "AGE-SECRET-KEY-1KFCZU8QCUN3GE8T7RZ00M0NMPZQQY5PKRJP9FVN5ULFHS56SJLHSRDQAVF";

/** Writes the private key into a file of the folder, and returns its path. */
function identityIn(folder: string): string {
  const path = join(folder, "key.txt");
  writeFileSync(path, `# created: today\n# public key: ${recipient}\n${key}\n`);
  return path;
}

/** Runs the work on the database of a command line. */
async function on<R>({ env }: CommandLine, work: (it: Awaited<ReturnType<typeof open>>) => Promise<R>) {
  const it = await open(env);
  try {
    return await work(it);
  } finally {
    await it.close();
  }
}

async function open(env: Record<string, string>) {
  const { store, passwords, sealer, close } = await openEnvironment(readConfig(env), {
    now: () => new Date(),
  });
  const context = {
    ...{ store, passwords, sealer, now: () => new Date(), memory: serverMemory(), throttle: false },
    report: () => {},
  };
  const enter = async (email: string, password: string) =>
    (await signIn({ email, password, origin }, context)).type;
  return { store, passwords, sealer, close, enter };
}

/** Creates the records that `postern apply` would bring: an organization with a role and a group. */
async function acmeOn(cli: CommandLine): Promise<void> {
  const manifest = {
    organizations: [{ slug: "acme", name: "Acme" }],
    roles: [{ organization: "acme", name: "editor" }],
    groups: [{ organization: "acme", display_name: "/staff" }],
    resources: [{ identifier: "https://orders.example", name: "Orders" }],
    app_roles: [{ resource: "https://orders.example", name: "clerk" }],
  };
  const file = join(temporaryFolder(), "manifest.json");
  writeFileSync(file, JSON.stringify(manifest));
  await cli.json(["apply", file]);
}

let made: Promise<CommandLine> | undefined;

/** Returns a command line on a server with users of every kind: a copy of one that is made once. */
async function populated(): Promise<CommandLine> {
  made ??= makePopulated();
  const { folder } = await made;
  const cli = emptyCommandLine();
  cpSync(folder, cli.folder, { recursive: true });
  return cli;
}

async function makePopulated(): Promise<CommandLine> {
  const cli = commandLine();
  const make = async (email: string, ...more: string[]) =>
    cli.json<{ id: string }>(["user", "create", "--email", email, "--name", email, ...more]);
  const ada = await make("ada@example.com", "--password", own);
  await acmeOn(cli);
  await on(cli, async ({ store, sealer, passwords }) => {
    const at = new Date();
    const [acme] = await store.list("organizations");
    const organization_id = acme?.id ?? "";
    const [role] = await store.list("roles");
    const [group] = await store.list("groups");
    const membership_id = store.newId(at);
    await store.insert("memberships", {
      ...{ id: membership_id, user_id: ada.id, organization_id, role: "admin" },
      ...{ created_at: at, updated_at: at, role_ids: [role?.id ?? ""] },
    });
    await store.insert("group_members", {
      ...{ id: store.newId(at), user_id: ada.id, membership_id, group_id: group?.id ?? "", created_at: at },
    });
    const id = store.newId(at);
    await store.insert("totp_authenticators", {
      ...{ id, user_id: ada.id, name: "Phone", last_step: 0, last_used_at: null, created_at: at },
      secret_sealed: sealer.seal("totp_authenticator", secret, id),
    });
    const { createUser } = await import("../../src/admin/records/users.ts");
    const admin = {
      ...{ store, passwords, sealer, now: () => new Date(), switches: {} },
      actor: { kind: "system", label: "test" } as const,
    };
    for (const [email, hash] of [
      ["bea@example.com", hashSync(foreign, 4)],
      ["cleo@example.com", `{SHA}${createHash("sha1").update(foreign).digest("base64")}`],
    ] as const)
      await createUser(admin, { email, name: email, password: { hash } });
  });
  await make("dora@example.com", "--password", own, "--active", "false");
  await make("eve@example.com");
  return cli;
}

describe("postern export --people", () => {
  test("MG-10: people who are exported with hashes sign in on another server, and a second import changes nothing", async () => {
    const from = await populated();
    const file = join(temporaryFolder(), "people.age");
    const losses = join(temporaryFolder(), "losses.csv");
    const exported = await from.json([
      "export",
      "--people",
      file,
      "--with-hashes",
      "--passphrase",
      passphrase,
    ]);
    assert.deepEqual(exported, { file, people: 5 });
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const bytes = readFileSync(file);
    for (const hidden of ["example.com", "argon2", secret]) assert.ok(!bytes.includes(hidden));
    await on(from, async ({ store }) => {
      const [event] = await store.list("audit_events", { type: "records_exported" });
      assert.deepEqual(event?.details, { format: "people", with_hashes: true });
      assert.match(String(event?.actor_id), /command line/);
    });

    const to = commandLine();
    await acmeOn(to);
    const args = ["import", file, "--from", "postern", "--losses", losses, "--passphrase"];
    const wrong = await to.run([...args, "another passphrase"]);
    assert.deepEqual(
      [wrong.code, wrong.err],
      [1, `${file} cannot be opened: the passphrase or key does not open this file\n`],
    );
    assert.match(
      (await to.run(args.slice(0, -1))).err,
      /the file is encrypted: use --passphrase or --identity/,
    );
    const sourced = await to.run([...args, passphrase, "--source", "other"]);
    assert.deepEqual(
      [sourced.code, sourced.err],
      [2, "leave out --source: users of another Postern server keep their ids\n"],
    );
    const first = await to.json<{ people: object }>([...args, passphrase]);
    assert.deepEqual(first.people, { created: 5, updated: 0, unchanged: 0, refused: 0 });
    assert.equal(readFileSync(losses, "utf8"), "object,member,reason\r\n");
    rmSync(losses);
    const again = await to.json<{ people: object }>([...args, passphrase]);
    assert.deepEqual(again.people, { created: 0, updated: 0, unchanged: 5, refused: 0 });

    const known = await on(from, ({ store }) => store.list("users", {}, { order_by: "id" }));
    await on(to, async ({ store, sealer, enter }) => {
      const users = await store.list("users", {}, { order_by: "id" });
      const plain = (all: typeof users) =>
        all.map(({ id, email, name, active, created_at }) => ({ id, email, name, active, created_at }));
      assert.deepEqual(plain(users), plain(known));
      const [app] = await store.list("totp_authenticators");
      assert.equal(app && sealer.open("totp_authenticator", app.secret_sealed, app.id), secret);
      const [membership] = await store.list("memberships");
      assert.deepEqual([membership?.user_id, membership?.role], [users[0]?.id, "admin"]);
      const [role] = await store.list("roles");
      assert.deepEqual(membership?.role_ids, [role?.id]);
      assert.equal(await store.count("group_members", { user_id: users[0]?.id ?? "" }), 1);
      assert.equal(await enter("ada@example.com", own), "second_factor");
      assert.equal(await enter("bea@example.com", foreign), "signed_in");
      assert.equal(await enter("cleo@example.com", foreign), "signed_in");
      assert.equal(await enter("dora@example.com", own), "refused");
      for (const { email } of users) assert.equal(await enter(email, "wrong"), "refused", email);
    });
  });

  test("MG-12: after the commands of the page on moving out, users sign in on the new server with their old passwords", async () => {
    const from = await populated();
    await on(from, async ({ store }) => {
      const [ada] = await store.list("users", { email: "ada@example.com" });
      const [role] = await store.list("app_roles");
      const [membership] = await store.list("memberships");
      assert.ok(ada && role && membership);
      await store.update("users", { id: ada.id }, { is_platform_admin: true, email_verified_at: new Date() });
      await store.update("memberships", { id: membership.id }, { app_role_ids: [role.id] });
      const { slug, id } = await aProvider(store, { slug: "corp" });
      await anOAuthAccount(store, {
        user_id: ada.id,
        provider: slug,
        provider_id: id,
        provider_user_id: "1157",
      });
    });
    const folder = temporaryFolder();
    writeFileSync(join(folder, "phrase.txt"), passphrase);
    const page = readFileSync("docs/moving-in.md", "utf8").split("## Moving out")[1] ?? "";
    const commands = [...page.matchAll(/postern ((?:export|apply|import) [^`#\n]+)/g)].map(
      ([, command = ""]) =>
        command.trim().replaceAll(/[a-z]+\.(?:yaml|age|txt)/g, (name) => join(folder, name)),
    );
    assert.equal(commands.length, 4);
    const to = commandLine();
    for (const [index, command] of commands.entries()) {
      const [words = "", target] = command.split(" > ");
      const losses = words.startsWith("import ") ? ` --losses ${join(folder, "losses.csv")}` : "";
      const { code, out, err } = await (index < 2 ? from : to).run(words + losses);
      assert.equal(code, 0, err + out);
      if (target !== undefined) writeFileSync(target, out);
    }
    await on(to, async ({ store, enter }) => {
      const [ada] = await store.list("users", { email: "ada@example.com" });
      assert.ok(ada?.is_platform_admin && ada.email_verified_at !== null);
      assert.equal(await enter("ada@example.com", own), "second_factor");
      assert.equal(await enter("bea@example.com", foreign), "signed_in");
      const [membership] = await store.list("memberships");
      assert.equal(membership?.app_role_ids.length, 1);
      assert.equal(await store.count("oauth_accounts", { user_id: ada.id }), 1);
    });
    const again = `${commands[3]} --losses ${join(folder, "again.csv")} --json`;
    const { code, out } = await to.run(again);
    assert.deepEqual(
      [code, JSON.parse(out).people],
      [0, { created: 0, updated: 0, unchanged: 5, refused: 0 }],
    );
  });

  test("MG-12: an import completes no user who can sign in or has another address, and then exits with code 1", async () => {
    const from = await populated();
    const file = join(temporaryFolder(), "people.age");
    const losses = join(temporaryFolder(), "losses.csv");
    await from.json(["export", "--people", file, "--with-hashes", "--recipient", recipient]);
    const to = commandLine();
    const manifest = join(temporaryFolder(), "manifest.json");
    writeFileSync(manifest, (await from.run("export --json")).out);
    await to.json(["apply", manifest]);
    await on(to, async ({ store }) => {
      const idOf = async (email: string) => (await store.list("users", { email }))[0]?.id ?? "";
      const change = async (email: string, changes: Partial<User>) =>
        store.update("users", { id: await idOf(email) }, changes);
      await change("ada@example.com", { is_platform_admin: true });
      await change("bea@example.com", { last_login_at: new Date() });
      await change("cleo@example.com", {
        email: "other@example.com",
        email_key: emailKey("other@example.com"),
      });
      const { slug, id } = await aProvider(store);
      const dora = await idOf("dora@example.com");
      await anOAuthAccount(store, { user_id: dora, provider: slug, provider_id: id, provider_user_id: "1" });
      const user_id = await idOf("eve@example.com");
      await store.insert("recovery_codes", {
        ...{ id: store.newId(new Date()), user_id, selector: "abcd", code_hash: "hash", used_at: null },
        created_at: new Date(),
      });
    });
    const identity = identityIn(temporaryFolder());
    const args = ["import", file, "--from", "postern", "--losses", losses, "--identity", identity];
    const { code, out } = await to.run([...args, "--json"]);
    assert.deepEqual(
      [code, JSON.parse(out).people],
      [1, { created: 0, updated: 0, unchanged: 0, refused: 5 }],
    );
    assert.equal(readFileSync(losses, "utf8").match(/another user has this/g)?.length, 5);
    await on(to, async ({ store }) => {
      for (const { password_hash } of await store.list("users")) assert.equal(password_hash, null);
    });
  });

  test("MG-10: an export can be encrypted to a public key, and hashes are never written unencrypted", async () => {
    const from = await populated();
    const folder = temporaryFolder();
    const file = join(folder, "people");
    const identity = identityIn(folder);
    const made = (...args: string[]) => from.run(["export", ...args]);
    for (const wrong of [
      ["--people", file, "--with-hashes"],
      ["--people", file, "--passphrase", passphrase],
      ["--people", file, "--with-hashes", "--passphrase", "short"],
      ["--people", file, "--with-hashes", "--recipient", `${recipient}x`],
      ["--people", file, "--with-hashes", "--recipient", recipient, "--passphrase", passphrase],
      ["--with-hashes"],
      ["--people", file, "--server", "https://id.example"],
    ])
      assert.equal((await made(...wrong)).code, 2, wrong.join(" "));
    assert.deepEqual(readdirSync(folder), ["key.txt"]);
    assert.equal((await made("--people", file, "--with-hashes", "--recipient", recipient)).code, 0);
    assert.equal((await made("--people", file)).code, 1);
    assert.deepEqual(readdirSync(folder).sort(), ["key.txt", "people"]);
    const losses = ["--losses", join(folder, "losses.csv")];
    const to = commandLine();
    const { people } = await to.json<{ people: { created: number } }>([
      ...["import", file, "--from", "postern", "--identity", identity, ...losses],
    ]);
    assert.equal(people.created, 5);
    const plain = join(folder, "plain");
    assert.equal((await made("--people", plain)).code, 0);
    const lines = readFileSync(plain, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.equal(lines.length, 5);
    assert.ok(lines.every((line) => line.password === undefined && line.totp === undefined));
  });

  test("MG-10: no API credential, not even an administrator's, can export users with hashes", async () => {
    const store = (await databases[0]?.open()) ?? assert.fail("no database");
    const administrator = await aUser(store, { is_platform_admin: true });
    const organization = await anOrganization(store);
    for (const actor of [
      { kind: "user", user: administrator },
      { kind: "organization", organization, api_key_id: store.newId(new Date()), scopes: ["postern:admin"] },
    ] as const)
      for (const with_hashes of [true, false])
        await refused(exportPeople(testContext(store, actor), { with_hashes }).next(), "forbidden");
    assert.equal(await store.count("audit_events"), 0);
  });
});
