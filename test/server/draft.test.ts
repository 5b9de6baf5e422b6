import assert from "node:assert/strict";
import {
  chownSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { putFile, withDraft } from "../../src/server/files/draft.ts";
import { placeFile } from "../../src/server/files/place_file.ts";
import { temporaryFolder } from "../support/temp.ts";

const hour = 60 * 60 * 1000;

/** Puts something into the folder that was last changed `age` milliseconds ago. */
function put(
  path: string,
  age: number,
  make: (path: string) => void = (it) => writeFileSync(it, ""),
): string {
  make(path);
  const at = new Date(Date.now() - age);
  lutimesSync(path, at, at);
  return basename(path);
}

test("F-24, F-25: a draft is private, is named at random, and follows no file or link of its name", async (t) => {
  const folder = temporaryFolder();
  const umask = process.umask(0);
  t.after(() => process.umask(umask));
  const names = new Set<string>();
  for (let run = 1; run <= 2; run += 1)
    await withDraft(join(folder, "a.db"), (draft) => {
      names.add(draft);
      assert.equal(statSync(draft).mode & 0o777, 0o600);
    });
  assert.equal(names.size, 2);

  const uuid = crypto.randomUUID();
  t.mock.method(crypto, "randomUUID", () => uuid);
  const victim = join(folder, "victim");
  writeFileSync(victim, "mine");
  symlinkSync(victim, join(folder, `.a.db.${uuid}.copying`));
  await assert.rejects(
    withDraft(join(folder, "a.db"), (draft) => writeFileSync(draft, "secret")),
    { message: `no file can be created in the folder ${folder} (EEXIST)` },
  );
  assert.equal(readFileSync(victim, "utf8"), "mine");
});

test("F-24, F-25, MG-10: a run removes the drafts that killed ones left an hour ago, and no other file", async () => {
  const folder = temporaryFolder();
  const draftOf = (name: string) => join(folder, `.${name}.${crypto.randomUUID()}.copying`);
  const [left, written] = [draftOf("a.db"), draftOf("a.db")];
  put(left, hour + 1000);
  for (const suffix of ["-wal", "-shm", "-journal"]) put(left + suffix, hour + 1000);
  const target = join(folder, "target");
  writeFileSync(target, "");
  const kept = [
    "target",
    put(draftOf("a.db"), hour - 60_000),
    // SQLite writes only to the log for as long as a transaction lasts.
    put(written, hour + 1000),
    put(`${written}-wal`, 0),
    put(draftOf("b.a.db"), hour + 1000),
    put(draftOf("aXdb"), hour + 1000),
    put(join(folder, ".a.db.1.copying"), hour + 1000),
    put(draftOf("a.db"), hour + 1000, (path) => symlinkSync(target, path)),
    put(draftOf("a.db"), hour + 1000, (path) => mkdirSync(path)),
  ];
  // Only root can give files to another account.
  if (process.getuid?.() === 0)
    kept.push(
      put(draftOf("a.db"), hour + 1000, (path) => {
        writeFileSync(path, "");
        chownSync(path, 65_534, 65_534);
      }),
    );
  await withDraft(join(folder, "a.db"), () => {});
  assert.deepEqual(readdirSync(folder).sort(), kept.sort());
});

test("F-24, F-25, MG-10: a run says so if another one removed its draft, whether or not SQLite created it again", async () => {
  const path = join(temporaryFolder(), "a.db");
  for (const work of [
    (draft: string) => placeFile(draft, path, { replace: true }),
    (draft: string) => {
      writeFileSync(draft, "");
      throw new Error("no such table");
    },
  ])
    await assert.rejects(
      withDraft(path, (draft) => {
        const other = `${draft}.other`;
        renameSync(draft, other);
        return work(draft);
      }),
      { message: `another run removed the unfinished file of ${path}: repeat the command` },
    );
  const placed = withDraft(path, (draft) => {
    placeFile(draft, path, { replace: true });
    throw new Error("later");
  });
  await assert.rejects(placed, { message: "later" });
});

test("F-24, F-25, MG-10: a file that cannot be created is named, and its hidden draft is not", async () => {
  const folder = temporaryFolder();
  const put = (path: string) => putFile(path, "", { replace: true });
  await assert.rejects(put(join(folder, "n".repeat(215))), {
    message: `no file can be created in the folder ${folder} (ENAMETOOLONG)`,
  });
  for (const path of [folder, `${join(folder, "new")}/`])
    await assert.rejects(put(path), { message: `${path} is a folder: name a file` });
});
