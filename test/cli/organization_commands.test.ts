/** Commands on the server's machine without mail: links are printed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { commandLine } from "./terminal.ts";

test("an organization's invitations are created, sent again and revoked on the command line", async () => {
  const { run, json } = commandLine();
  await run("migrate up");
  await json("org create --slug acme --name Acme");
  await json("user create --email ada@example.com --name Ada");
  await json("user create --email bob@example.com --name Bob");
  await json("user update ada@example.com --is-platform-admin true");

  type Made = { id: string; email: string; role: string; link?: string };
  const invite = ["invitation", "create", "acme", "new@example.com", "--inviter", "ada@example.com"];
  const made = await json<Made>([...invite, "--role", "developer"]);
  assert.deepEqual([made.email, made.role], ["new@example.com", "developer"]);
  assert.match(String(made.link), /^http:\/\/localhost:3000\/invitation\?token=\S{20,}$/);
  const again = await json<Made>(`invitation send-again acme ${made.id} --inviter ada@example.com`);
  assert.notEqual(again.link, made.link);
  const listed = await run("invitation list acme");
  assert.ok(listed.out.includes(again.id) && !listed.out.includes(made.id) && !listed.out.includes("token="));
  assert.equal((await run(`invitation revoke acme ${again.id}`)).code, 0);
  assert.deepEqual((await json<{ data: unknown[] }>("invitation list acme")).data, []);
  // An inviter without the permission to invite is refused, and the inviter has to be named.
  assert.equal((await run([...invite.slice(0, -1), "bob@example.com"])).code, 1);
  assert.equal((await run(invite.slice(0, 4))).code, 2);
});

test("OC-6: commands accept a group by its name", async () => {
  const { run, json } = commandLine();
  await run("migrate up");
  await json("org create --slug acme --name Acme");
  await json("user create --email ada@example.com --name Ada");
  await json("membership create --user ada@example.com --organization acme --role member");
  const { id } = await json<{ id: string }>([
    "group",
    "create",
    "--organization",
    "acme",
    "--display-name",
    "Night shift",
  ]);
  const made = ["group-member", "create", "--user", "ada@example.com", "--group"];
  const member = await json<{ group_id: string }>([...made, "Night shift"]);
  assert.equal(member.group_id, id);
  const missing = await run([...made, "Nights"]);
  assert.equal(missing.code, 1);
  assert.match(missing.err, /there is no group with the name "Nights"/);
});

test("commands export a user's data and send a link for a new password", async () => {
  const { run, json } = commandLine();
  await run("migrate up");
  await json("user create --email ada@example.com --name Ada");
  type File = { version: number; records: { users: { email: string }[] } };
  const file = await json<File>("user export-data ada@example.com");
  assert.deepEqual([file.version, file.records.users[0]?.email], [1, "ada@example.com"]);
  assert.equal((await run("user export-data eve@example.com")).code, 1);
  const sent = await json<{ link?: string }>("user send-password-reset ada@example.com");
  assert.match(String(sent.link), /^http:\/\/localhost:3000\/reset-password\?token=\S{20,}$/);
  const { out } = await run("audit list --type user.data_exported");
  assert.match(out, /user\.data_exported/);
  await run("user update ada@example.com --active false");
  assert.equal((await run("user send-password-reset ada@example.com")).code, 1);
});
