import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { passwordHasher } from "../../src/crypto/passwords.ts";
import { temporaryFolder } from "../support/temp.ts";
import { commandLine } from "./terminal.ts";

const secret = "a secret of the people's own choosing";

const user = "user create --email ada@example.com --name Ada";
const app = "app create --client-id web --name Web --owner ada@example.com --app-type machine";
const password = "SELECT password_hash AS hash FROM users";
const newest = "SELECT secret_hash AS hash FROM oauth_app_secrets ORDER BY id DESC";

/** Each command that takes a secret, the records that it needs, and the hash that it stores. */
const commands: Readonly<
  Record<string, readonly [before: readonly string[], whole: string, stored: string]>
> = {
  "user create --password": [[], `${user} --password`, password],
  "user update --password": [[user], "user update ada@example.com --password", password],
  "app create --secret": [[user], `${app} --secret`, newest],
  "app add-secret --secret": [[user, app], "app add-secret web --secret", newest],
  "app-secret create --value": [[user, app], "app-secret create --app web --value", newest],
};

async function storedBy(name: string, typed: string, input = "") {
  const [before, whole, stored] = commands[name] ?? assert.fail(name);
  const { run, folder } = commandLine();
  for (const each of before) assert.equal((await run(each)).code, 0, each);
  const { code, err } = await run([...whole.split(" "), typed], input);
  const database = new DatabaseSync(join(folder, "postern.db"));
  const hash = database.prepare(stored).get()?.hash;
  database.close();
  return { code, err, hash: hash === null || hash === undefined ? undefined : String(hash) };
}

const passwords = passwordHasher({ concurrency: 1, queue: 10 });

describe("F-27: a secret on the command line (security finding 20)", () => {
  const file = join(temporaryFolder(), "secret");
  writeFileSync(file, `${secret}\n`);

  for (const name of Object.keys(commands))
    for (const [typed, input] of [
      [`@${file}`, ""],
      ["-", `${secret}\n`],
      ["@-", `${secret}\r\n`],
    ] as const)
      test(`F-27: \`${name} ${typed.replace(file, "FILE")}\` stores the file's content, not the typed text`, async () => {
        const { code, err, hash = "" } = await storedBy(name, typed, input);
        assert.equal(code, 0, err);
        assert.equal(await passwords.verify(hash, secret), true);
        assert.equal(await passwords.verify(hash, typed), false);
      });

  test("F-27: a file that cannot be read is wrong usage, and nothing is stored", async () => {
    const { code, err, hash } = await storedBy("user create --password", `@${file}.none`);
    assert.deepEqual([code, hash], [2, undefined]);
    assert.match(err, /the file after @ cannot be read \(ENOENT\)/);
  });

  test("F-27: text that is not a file name is used as the secret itself", async () => {
    const { hash = "" } = await storedBy("user create --password", secret);
    assert.equal(await passwords.verify(hash, secret), true);
  });

  test("F-27: the help of every secret option says so", () => {
    for (const name of ["records/user", "records/app", "perform"]) {
      const text = readFileSync(join(import.meta.dirname, `../../src/cli/${name}.ts`), "utf8");
      for (const [option] of text.matchAll(/ption\("--(?:[a-z-]*secret|password|refresh-token) <.*/g))
        assert.match(option, /secretOption/);
    }
  });
});
