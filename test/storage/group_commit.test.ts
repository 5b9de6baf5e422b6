import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import type { Connection } from "../../src/storage/database/driver.ts";
import { type GroupCommit, groupCommit } from "../../src/storage/sqlite/group_commit.ts";

/** Creates a group commit without a database, which records its steps. */
function recorded(
  maxWait?: number,
  onDisk: () => Promise<void> | undefined = () => undefined,
  onCommit: () => void = () => {},
): {
  commits: GroupCommit;
  steps: string[];
  add(name: string, fails?: boolean): Promise<string>;
} {
  const steps: string[] = [];
  const step = (name: string) => () => {
    steps.push(name);
  };
  const commits = groupCommit(
    {
      connection: {} as Connection,
      begin: step("begin"),
      commit() {
        onCommit();
        steps.push("commit");
      },
      flush: async () => onDisk(),
      rollback: step("rollback"),
      mark: step("mark"),
      keep: step("keep"),
      undo: step("undo"),
    },
    maxWait,
  );
  const add = (name: string, fails = false) =>
    new Promise<string>((resolve, reject) => {
      const work = async () => {
        steps.push(name);
        if (fails) throw new Error(name);
        return name;
      };
      commits.add({ work, resolve: resolve as (value: unknown) => void, reject });
    });
  return { commits, steps, add };
}

async function untilFlushed(flushes: () => number, times: number): Promise<void> {
  while (flushes() < times) await turn();
}

describe("transactions that share a commit", () => {
  test("design 5: a single transaction is committed at the end of the event-loop turn", async () => {
    const { steps, add } = recorded();
    const done = add("a");
    assert.deepEqual(steps, []);
    await turn();
    await done;
    assert.deepEqual(steps, ["begin", "mark", "a", "keep", "commit"]);
  });

  test("design 5: transactions of one turn share a commit, and a failing one is rolled back alone", async () => {
    const { steps, add } = recorded();
    const answers = await Promise.allSettled([add("a"), add("b", true), add("c")]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.deepEqual(steps, [
      "begin",
      "mark",
      "a",
      "keep",
      "mark",
      "b",
      "undo",
      "mark",
      "c",
      "keep",
      "commit",
    ]);
  });

  test("design 5: no caller gets an answer before the commit", async () => {
    const { steps, add } = recorded();
    let heard: string[] | undefined;
    await Promise.allSettled([
      add("a", true).catch(() => {
        heard = [...steps];
      }),
      add("b"),
    ]);
    assert.equal(heard?.at(-1), "commit");
  });

  test("design 5: a caller gets an answer once its data is on disk; the next commit is written meanwhile", async () => {
    const disk = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let flushes = 0;
    const { steps, add } = recorded(undefined, () => disk[flushes++]?.promise);
    const heard: string[] = [];
    const hear = (name: string, fails = false) =>
      add(name, fails).then(
        () => heard.push(name),
        () => heard.push(name),
      );
    const first = [hear("a"), hear("b", true)];
    await untilFlushed(() => flushes, 1);
    const second = [hear("c"), hear("d")];
    await untilFlushed(() => flushes, 2);
    const third = hear("e");
    for (let turns = 0; turns < 5; turns++) await turn();
    assert.deepEqual(steps.slice(steps.lastIndexOf("begin")), [
      ...["begin", "mark", "c", "keep", "mark", "d", "keep", "commit"],
    ]);
    assert.deepEqual(heard, []);
    disk[1]?.resolve();
    await Promise.all(second);
    assert.deepEqual(heard, ["c", "d"]);
    disk[0]?.resolve();
    await Promise.all([...first, third]);
    assert.deepEqual(heard.toSorted(), ["a", "b", "c", "d", "e"]);
    assert.equal(steps.filter((step) => step === "commit").length, 3);
  });

  test("design 5: if the disk refuses a commit, all its transactions fail, and the next commit is not affected", async () => {
    const disk = Promise.withResolvers<void>();
    let flushes = 0;
    const { steps, add } = recorded(undefined, () => (flushes++ === 0 ? disk.promise : undefined));
    const first = Promise.allSettled([add("a"), add("b", true)]);
    await untilFlushed(() => flushes, 1);
    const second = add("c");
    await second;
    disk.reject(new Error("no disk"));
    assert.deepEqual(
      (await first).map((answer) => answer.status === "rejected" && (answer.reason as Error).message),
      ["no disk", "no disk"],
    );
    assert.equal(steps.includes("rollback"), false);
  });

  test("design 5: a commit that fails while another one is flushed is rolled back alone", async () => {
    const disk = Promise.withResolvers<void>();
    let flushes = 0;
    let fails = false;
    const { add, steps } = recorded(
      undefined,
      () => (flushes++ === 0 ? disk.promise : undefined),
      () => {
        if (fails) throw new Error("full");
      },
    );
    const first = add("a");
    await untilFlushed(() => flushes, 1);
    fails = true;
    await assert.rejects(add("b"), /full/);
    assert.equal(steps.at(-1), "rollback");
    fails = false;
    assert.equal(await add("c"), "c");
    disk.resolve();
    assert.equal(await first, "a");
  });

  test("design 5: a transaction waits for announced ones until all of them have arrived", async () => {
    const { commits, steps, add } = recorded(60_000);
    const came = [commits.expectJob(), commits.expectJob(), commits.expectJob()];
    came[0]?.();
    const first = add("a");
    await turn();
    assert.deepEqual(steps, []);
    came[1]?.();
    const second = add("b");
    await Promise.all([first, second]);
    assert.equal(steps.filter((step) => step === "commit").length, 1);
    came[2]?.();
  });

  test("design 5: a transaction does not wait for an announced one that is withdrawn", async () => {
    const { commits, steps, add } = recorded(60_000);
    const withdraw = [commits.expectJob(), commits.expectJob()];
    const done = add("a");
    await turn();
    assert.deepEqual(steps, []);
    for (const each of withdraw) each();
    for (const each of withdraw) each();
    await done;
  });

  test("design 5: a transaction waits only briefly for announced ones that do not arrive", async () => {
    const { commits, steps, add } = recorded();
    commits.expectJob();
    commits.expectJob();
    const done = add("a");
    await pause(50);
    assert.ok(steps.includes("commit"));
    await done;
  });

  test("design 5: before the store closes, transactions that wait for others are committed", async () => {
    const { commits, steps, add } = recorded(60_000);
    commits.expectJob();
    commits.expectJob();
    const done = add("a");
    await commits.drained();
    assert.ok(steps.includes("commit"));
    await done;
  });
});
