import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CommandLine, commandLine } from "./terminal.ts";

const [first, second, third] = ["https://a.example/cb", "https://b.example/cb", "https://c.example/cb"];

const manifest = `
users:
  - { email: ada@example.com, name: Ada }
apps:
  - client_id: web
    name: Web
    owner: ada@example.com
    redirect_uris: [${first}]
    allowed_scopes: [openid, email]
    metadata: { team: red, limits: { a: 1, b: 2 } }
`;

interface App {
  readonly redirect_uris: readonly string[];
  readonly allowed_scopes: readonly string[];
  readonly metadata: unknown;
  readonly public: boolean;
}

async function filled(): Promise<CommandLine> {
  const cli = commandLine();
  assert.equal((await cli.run("apply -", manifest)).code, 0);
  return cli;
}

const update = (cli: CommandLine, ...args: string[]) => cli.json<App>(["app", "update", ...args]);

describe("options that change lists and metadata", () => {
  test("metadata is merged as by PATCH: keys that are not given stay, and null removes a key", async () => {
    const cli = await filled();
    const changed = await update(cli, "web", "--metadata", '{"limits":{"b":null,"c":3},"new":true}');
    assert.deepEqual(changed.metadata, { team: "red", limits: { a: 1, c: 3 }, new: true });
    assert.equal((await update(cli, "web", "--clear", "metadata")).metadata, null);
  });

  test("list values that contain spaces are one value each", async () => {
    const cli = await filled();
    const apps = await cli.json<{ sign_in_groups: unknown }>([
      "app",
      "update",
      "web",
      "--sign-in-groups",
      "Sales Berlin",
      "--sign-in-groups",
      "Board",
    ]);
    assert.deepEqual(apps.sign_in_groups, ["Sales Berlin", "Board"]);
    const added = await cli.json<{ sign_in_groups: unknown }>([
      "app",
      "update",
      "web",
      "--add-sign-in-group",
      "Night shift",
      "--remove-sign-in-group",
      "Sales Berlin",
    ]);
    assert.deepEqual(added.sign_in_groups, ["Board", "Night shift"]);
  });

  test("options that add or remove list values can be repeated", async () => {
    const cli = await filled();
    const added = await update(
      cli,
      ...["web", "--add-redirect-uri", second, "--add-redirect-uri", third, "--add-redirect-uri", first],
    );
    assert.deepEqual(added.redirect_uris, [first, second, third]);
    const both = await update(
      cli,
      ...["web", "--remove-redirect-uri", second, "--add-allowed-scope", "profile offline_access"],
      ...["--remove-allowed-scope", "email", "--remove-allowed-scope", "never:there"],
    );
    assert.deepEqual(both.redirect_uris, [first, third]);
    assert.deepEqual(both.allowed_scopes, ["openid", "profile", "offline_access"]);
    const two = await cli.run(`app update web --redirect-uris ${first} --add-redirect-uri ${second}`);
    assert.deepEqual([two.code, two.out], [2, ""]);
    const wrong = await cli.run("app update web --add-redirect-uri http://b.example");
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /--redirect-uris/);
  });

  test("concurrent additions to one list are all stored", async () => {
    const cli = await filled();
    const scopes = Array.from({ length: 6 }, (_, index) => `orders:${index}`);
    await Promise.all(scopes.map((scope) => update(cli, "web", "--add-allowed-scope", scope)));
    const { allowed_scopes } = await cli.json<App>("app get web");
    assert.deepEqual(allowed_scopes.toSorted(), ["email", "openid", ...scopes]);
  });

  test("a list option does not take the name of the record as its value", async () => {
    const cli = await filled();
    const lists = ["--redirect-uris", second, third];
    for (const args of [
      [...lists, "web"],
      ["web", ...lists],
      [...lists, "web", "--name", "Web"],
      ["--name", "Web", ...lists, "web"],
    ]) {
      await update(cli, "web", "--redirect-uris", first);
      assert.deepEqual((await update(cli, ...args)).redirect_uris, [second, third], args.join(" "));
    }
    assert.equal((await update(cli, "--active", "web")).redirect_uris.length, 2);
    assert.equal((await cli.json<{ active: boolean }>("app update --active false web")).active, false);
    const unnamed = await cli.run(`app update --redirect-uris ${second}`);
    assert.equal(unnamed.code, 2, "one value alone is the list's");
  });
});
