import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { commandLine } from "./terminal.ts";

const manifest = {
  organizations: [
    { slug: "acme", name: "Acme" },
    { slug: "old", name: "Old" },
  ],
  users: [{ email: "ada@example.com", name: "Ada", is_platform_admin: true }],
  api_keys: [{ user: "ada@example.com", name: "deploy" }],
  apps: [
    { client_id: "web app", name: "Web", owner: "ada@example.com", secrets: ["marker-one-of-the-secrets"] },
  ],
};

const changed = {
  organizations: [{ slug: "acme", name: 'a"b' }],
  users: [
    { ...manifest.users[0], password: "marker-of-the-password" },
    { email: "bob@example.com", name: "Bob" },
  ],
  api_keys: manifest.api_keys,
  apps: [
    {
      ...manifest.apps[0],
      name: "Website",
      active: false,
      metadata: { note: "a\u001b[2J" },
      secrets: ["marker-one-of-the-secrets", "marker-two-of-the-secrets"],
    },
  ],
};

describe("postern apply", () => {
  test("--dry-run prints the difference field by field, without a secret, and changes nothing", async () => {
    const cli = commandLine();
    await cli.run("apply -", JSON.stringify(manifest));
    const args = ["apply", "-", "--dry-run", "--prune"];
    const { out, err } = await cli.run(args, JSON.stringify(changed));
    assert.equal(err, "1 would be created, 3 would be updated, 1 would be removed, 1 unchanged.\n");
    assert.deepEqual(out.split("\n"), [
      '~ organization acme: name "Acme" → "a\\"b"',
      "~ user ada@example.com: password (not shown)",
      "+ user bob@example.com",
      '~ app web app: name "Web" → "Website", active true → false, metadata – → {"note":"a\\u001b[2J"}, secrets (not shown)',
      "- organization old",
      "",
    ]);
    const structure: { differences: unknown[]; removed: string[] } = await cli.json(
      args,
      JSON.stringify(changed),
    );
    assert.deepEqual(structure.removed, ["organization old"]);
    assert.deepEqual(structure.differences.at(-2), {
      change: "update",
      record: "app web app",
      fields: {
        name: { before: "Web", after: "Website" },
        active: { before: true, after: false },
        metadata: { before: null, after: { note: "a\u001b[2J" } },
      },
      hidden: ["secrets"],
    });
    assert.ok(!(out + JSON.stringify(structure)).includes("marker"));
    assert.match((await cli.run("apply -", JSON.stringify(manifest))).err, /Nothing to change/);
    const none = await cli.run("apply - --dry-run", JSON.stringify(manifest));
    assert.equal(none.out, "no difference\n");
  });

  test("--prune deletes records that the file no longer names; without it nothing is deleted", async () => {
    const cli = commandLine();
    const first: { secrets: Record<string, string> } = await cli.json("apply -", JSON.stringify(manifest));
    assert.match(first.secrets["api_key deploy"] ?? "", /^pak_/);
    const kept = await cli.run("apply -", JSON.stringify(changed));
    assert.match(kept.err, /1 created, 3 updated, 1 unchanged/);
    assert.equal((await cli.run("org get old")).code, 0);
    const pruned = await cli.run("apply - --prune", JSON.stringify(changed));
    assert.equal(pruned.err, "0 created, 0 updated, 1 removed, 5 unchanged.\n");
    assert.deepEqual(JSON.parse(pruned.out).removed, ["organization old"]);
    assert.equal((await cli.run("org get old")).code, 1);
  });

  test("apply --prune names a record that cannot be deleted, exits with 1 and writes nothing", async () => {
    const cli = commandLine();
    await cli.run("apply -", JSON.stringify(manifest));
    await cli.run("app create --name Made --owner ada@example.com --organization old");
    const { code, out, err } = await cli.run("apply - --prune", JSON.stringify(changed));
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /^ {2}organization old: still has 1 app: remove them first$/m);
    assert.equal((await cli.run("user get bob@example.com")).code, 1);
  });

  test("B-6: an operator's short secret is accepted with a warning, and a very short one is refused (security finding 15)", async () => {
    const cli = commandLine();
    const input = (secret: string) =>
      JSON.stringify({ ...manifest, apps: [{ ...manifest.apps[0], secrets: [secret] }] });
    const short = await cli.run("apply -", input("worker-secret"));
    assert.equal(short.code, 0);
    assert.match(short.err, /^warning: apps\[0\]\.secrets\[0\]: has fewer than 20 characters/m);
    assert.ok(!short.err.includes("worker-secret"));
    const shorter = await cli.run("apply -", input("seven77"));
    assert.equal(shorter.code, 1);
    assert.match(shorter.err, /apps\[0\]\.secrets\[0\]: must have at least 8 characters/);
    const long = await cli.run("apply -", input("a secret with twenty characters"));
    assert.doesNotMatch(long.err, /warning/);
  });
});
