import assert from "node:assert/strict";
import { test } from "node:test";
import type { IdentityContext } from "../../src/identity/context.ts";
import { keepMail, sendKeptMails } from "../../src/identity/kept_mails.ts";
import { userLock } from "../../src/records/lock_names.ts";
import type { Mail } from "../../src/records/mail.ts";
import { testServer } from "../support/authorization_server.ts";
import { aUser } from "../support/builders.ts";
import { describeInForm, type TestDatabase } from "../support/databases.ts";

const letter: Mail = {
  to: "ada@example.com",
  subject: "Your address was changed",
  text: "https://id.example/undo-email?token=pot_secret",
  html: "<p>pot_secret</p>",
};
const week = 7 * 24 * 60;

async function setUp(database: TestDatabase) {
  const { server, clock } = await testServer(await database.open());
  const { store, memory, passwords, sealer, now } = server;
  const context: IdentityContext = {
    ...{ store, memory, passwords, sealer, now },
    report() {},
    throttle: true,
    sends_mail: true,
  };
  const user = await aUser(store);
  const keep = (mail = letter, of = user) =>
    store.transaction(async (tx) => {
      await tx.lock(userLock(of.id));
      await keepMail(tx, of, mail, week, context);
    });
  const sent: Mail[] = [];
  const take = async (mail: Mail) => {
    sent.push(mail);
    return true;
  };
  let refused = 0;
  const refuse = async () => {
    refused += 1;
    return false;
  };
  const rows = () => store.list("ephemera", { kind: "mail" });
  return { store, clock, context, user, keep, sent, take, refuse, rows, refused: () => refused };
}

describeInForm("kept mails", (database) => {
  test("SS-7 a mail with a link is kept with its change or not at all, sealed, until it is sent once", async () => {
    const { store, context, user, keep, sent, take, rows } = await setUp(database);
    await assert.rejects(
      store.transaction(async (tx) => {
        await keepMail(tx, user, letter, week, context);
        throw new Error("the change fails");
      }),
    );
    assert.deepEqual(await rows(), []);
    await keep();
    const [row] = await rows();
    assert.doesNotMatch(JSON.stringify(row), /pot_secret|ada@|address was/);
    await Promise.all(Array.from({ length: 8 }, () => sendKeptMails(context, take)));
    assert.deepEqual(sent, [letter]);
    assert.deepEqual(await rows(), []);
  });

  test("SS-7 a mail that was not taken is tried again, ever more seldom, until its link is dead", async () => {
    const { clock, context, keep, sent, take, refuse, refused } = await setUp(database);
    await keep();
    const pauses = [10, 60, 300, 1800, 7200, 21_600, 21_600];
    for (const [turn, pause] of pauses.entries()) {
      await sendKeptMails(context, refuse);
      assert.equal(refused(), turn + 1);
      clock.advance(pause - 1);
      await sendKeptMails(context, refuse);
      assert.equal(refused(), turn + 1, `not before ${pause} s`);
      clock.advance(1);
    }
    await sendKeptMails(context, take);
    assert.deepEqual(sent, [letter]);
    await keep();
    clock.advance(week * 60);
    await sendKeptMails(context, take);
    assert.equal(sent.length, 1);
  });

  test("SS-7 a process that ends in the middle of a try leaves the mail to another one, a quarter of an hour later", async () => {
    const { clock, context, keep, sent, take } = await setUp(database);
    await keep();
    const never = new Promise<boolean>(() => {});
    const begun = Promise.withResolvers<void>();
    void sendKeptMails(context, () => {
      begun.resolve();
      return never;
    });
    await begun.promise;
    clock.advance(15 * 60 - 1);
    await sendKeptMails(context, take);
    assert.deepEqual(sent, []);
    clock.advance(1);
    await sendKeptMails(context, take);
    assert.deepEqual(sent, [letter]);
  });

  test("SS-7 of one person twenty mails wait at most, and a change that could not be told is not made", async () => {
    const { store, context, keep, take, rows, refuse, clock } = await setUp(database);
    for (let turn = 0; turn < 20; turn++) await keep();
    await assert.rejects(keep(), { name: "OverloadedError" });
    assert.equal((await rows()).length, 20);
    await keep(letter, await aUser(store));
    await sendKeptMails(context, refuse);
    clock.advance(10);
    await sendKeptMails(context, take);
    assert.deepEqual(await rows(), []);
    await keep();
  });
});
