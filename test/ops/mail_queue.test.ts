import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { mailQueue } from "../../src/ops/mail_queue.ts";

const mail = { to: "ada@example.com", subject: "Hello", text: "Hello", html: "<p>Hello" };
const later = Object.assign(new Error("451 4.7.1 greylisted"), { responseCode: 451 });

/** A mail server that refuses every mail until a given second, and accepts it after that. */
function greylisting(t: TestContext, until: number) {
  let [seconds, tries] = [0, 0];
  const deliver = async () => {
    tries += 1;
    if (seconds < until) throw later;
  };
  const queue = mailQueue(deliver, { log: { warn() {}, error() {} }, metrics: { count() {} } });
  async function pass(count: number): Promise<void> {
    for (let each = 0; each < count; each += 1) {
      await turn();
      seconds += 1;
      t.mock.timers.tick(1000);
    }
    await turn();
  }
  return { queue, pass, tries: () => tries };
}

test("a mail is delivered if the server accepts it within five minutes, and dropped after seven and a half", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { queue, pass, tries } = greylisting(t, 300);
  queue.post(async () => mail, "anybody");
  await pass(460);
  assert.deepEqual([queue.load(), tries()], [{ waiting: 0, failed: 0, failing: false }, 6]);
  const never = greylisting(t, 1e9);
  never.queue.post(async () => mail, "anybody");
  await never.pass(460);
  assert.deepEqual([never.queue.load(), never.tries()], [{ waiting: 0, failed: 1, failing: true }, 6]);
});

test("while the mail server is unavailable, a thousand mails wait and others are dropped after half a minute", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { queue, pass } = greylisting(t, 1e9);
  for (let each = 0; each < 1000; each += 1) queue.post(async () => mail, "anybody");
  for (let each = 0; each < 500; each += 1) queue.post(async () => mail, "account");
  for (let round = 0; round < 1500; round += 1) await turn();
  await pass(60);
  assert.equal(queue.load().failed, 500);
});
