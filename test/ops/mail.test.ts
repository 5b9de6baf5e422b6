import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { after, describe, test } from "node:test";
import { UnavailableError } from "../../src/errors.ts";
import { createMailer, createOutbox, type SmtpOptions } from "../../src/ops/mail.ts";
import { type MailOptions, mailQueue } from "../../src/ops/mail_queue.ts";
import type { Mail } from "../../src/records/names/notices.ts";
import { deadPort, readMail, smtpServer } from "../support/smtp.ts";
import { until } from "../support/until.ts";

const message: Mail = {
  to: "ada@example.com",
  subject: "选择新密码 – a subject",
  text: "Hello,\n\nhttps://id.example/reset-password?token=pot_secret\n",
  html: "<p>Hello,</p>",
};
const now = () => new Date("2030-01-02T03:04:05Z");
const from = "Example Sign-in <id@mail.example>";

/** Returns the options of a mailer whose log can be read as text. */
function watched(retry_delays: readonly number[] = []) {
  const lines: string[] = [];
  const outcomes: string[] = [];
  const note = (fields: object, message: string) => lines.push(`${message} ${JSON.stringify(fields)}`);
  const options: MailOptions & Pick<SmtpOptions, "mailAddress"> = {
    mailAddress: (email) => email,
    log: { warn: note, error: note },
    metrics: { count: (_name, { outcome }) => outcomes.push(outcome) },
    retry_delays,
  };
  return { lines, outcomes, options };
}

describe("mail over SMTP", () => {
  test("both parts of a mail arrive unchanged, and its headers prevent automatic replies", async () => {
    const server = await smtpServer();
    const { options, outcomes, lines } = watched();
    const mailer = await createMailer({ smtp_url: `smtp://127.0.0.1:${server.port}`, from, now, ...options });
    mailer.post(async () => message);
    await mailer.settled();
    const [mail] = server.received;
    assert.ok(mail);
    assert.deepEqual([mail.from, mail.to], ["id@mail.example", ["ada@example.com"]]);
    const { headers, text, html } = readMail(mail.raw);
    assert.equal(headers.get("subject"), message.subject);
    assert.equal(headers.get("from"), '"Example Sign-in" <id@mail.example>');
    assert.equal(headers.get("to"), "ada@example.com");
    assert.equal(headers.get("auto-submitted"), "auto-generated");
    assert.equal(new Date(headers.get("date") ?? "").getTime(), now().getTime());
    assert.equal(text.trimEnd(), message.text.trimEnd());
    assert.equal(html.trimEnd(), message.html);
    assert.deepEqual([outcomes, lines], [["sent"], []]);
  });

  test("the server's name and password are used, and smtps is encrypted from the first byte", async () => {
    const seen: (string | undefined)[] = [];
    const server = await smtpServer({
      secure: true,
      onAuth({ username, password }, _session, done) {
        seen.push(username ?? undefined, password ?? undefined);
        done(null, { user: username });
      },
    });
    const { options, outcomes } = watched();
    const smtp_url = `smtps://postern:p%40ss%2Fword@127.0.0.1:${server.port}/?tls.rejectUnauthorized=false`;
    const mailer = await createMailer({ smtp_url, from, now, ...options });
    mailer.post(async () => message);
    await mailer.settled();
    assert.deepEqual(seen, ["postern", "p@ss/word"]);
    assert.equal(server.received[0]?.encrypted, true);
    assert.deepEqual(outcomes, ["sent"]);
  });

  test("an untrusted certificate is refused", async () => {
    const server = await smtpServer({ secure: true });
    const { options, outcomes } = watched();
    const smtp_url = `smtps://127.0.0.1:${server.port}`;
    const mailer = await createMailer({ smtp_url, from, now, ...options });
    mailer.post(async () => message);
    await mailer.settled();
    assert.deepEqual([outcomes, server.received], [["failed"], []]);
  });

  test("mail to another machine is encrypted unless the URL allows otherwise", async () => {
    const server = await smtpServer();
    // 0.0.0.0 leads to this machine, but is not a loopback address.
    const smtp_url = `smtp://0.0.0.0:${server.port}`;
    const { options, outcomes } = watched();
    const careful = await createMailer({ smtp_url, from, now, ...options });
    careful.post(async () => message);
    await careful.settled();
    assert.deepEqual([outcomes, server.received], [["failed"], []]);

    const reported = await createMailer({ smtp_url: `${smtp_url}/?requireTLS=false`, from, now, ...options });
    reported.post(async () => message);
    await reported.settled();
    assert.deepEqual([outcomes, server.received.length], [["failed", "sent"], 1]);
  });

  test("a recipient's address is never read as a list of recipients or as headers", async () => {
    const server = await smtpServer();
    const { options } = watched();
    const mailer = await createMailer({ smtp_url: `smtp://127.0.0.1:${server.port}`, from, now, ...options });
    mailer.post(async () => ({ ...message, to: "ada@example.com, eve@evil.example" }));
    mailer.post(async () => ({ ...message, to: "ada@example.com\r\nBcc: eve@evil.example" }));
    await mailer.settled();
    for (const { to, raw } of server.received) {
      assert.ok(!to.includes("eve@evil.example"), to.join());
      assert.doesNotMatch(raw, /^bcc:/im);
    }
  });

  test("H-7: a refused mail is not retried, is counted, and is logged without its address and link", async (t) => {
    const printed = (["log", "info", "debug", "warn", "error"] as const).map((name) =>
      t.mock.method(console, name, () => {}),
    );
    const text = "no such user ada@example.com, see https://id.example/reset-password?token=pot_secret";
    const server = await smtpServer({ refusal: () => ({ status: 550, text }) });
    const { options, outcomes, lines } = watched([1, 1]);
    const mailer = await createMailer({
      smtp_url: `smtp://127.0.0.1:${server.port}/?logger=true&debug=true`,
      from,
      now,
      ...options,
    });
    mailer.post(async () => message);
    await mailer.settled();
    assert.deepEqual(outcomes, ["failed"]);
    assert.equal(lines.length, 1);
    assert.match(lines.join(), /"smtp_status":550/);
    assert.deepEqual(
      printed.flatMap(({ mock }) => mock.calls),
      [],
    );
    assert.doesNotMatch(lines.join(), /ada|example|pot_/);
  });

  test("a temporary failure is retried, and the mail arrives once", async () => {
    const server = await smtpServer({
      refusal: (attempt) => (attempt <= 2 ? { status: 451, text: "ada@example.com, later" } : undefined),
    });
    const { options, outcomes, lines } = watched([1, 1, 1]);
    const mailer = await createMailer({ smtp_url: `smtp://127.0.0.1:${server.port}`, from, now, ...options });
    mailer.post(async () => message);
    await mailer.settled();
    assert.deepEqual([outcomes, server.received.length, lines.length], [["sent"], 1, 2]);
    assert.doesNotMatch(lines.join(), /ada/);
  });

  test("a connection to a mail server that responds byte by byte is closed after the mail's time limit", async () => {
    const hung = Promise.withResolvers<void>();
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("close", () => hung.resolve());
      socket.write("220 drip ESMTP\r\n");
      socket.once("data", () => {
        const drip = setInterval(() => socket.write("2"), 5);
        socket.on("close", () => clearInterval(drip));
      });
    }).listen(0, "127.0.0.1");
    after(() => server.close());
    await once(server, "listening");
    const { options, outcomes, lines } = watched();
    const smtp_url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const mailer = await createMailer({ smtp_url, from, now, ...options, sending_time: 100 });
    mailer.post(async () => message);
    await mailer.settled();
    assert.deepEqual(outcomes, ["failed"]);
    assert.match(lines.join(), /"error":"ETIMEDOUT"/);
    await hung.promise;
  });

  test("after a mail is sent, the server's response has a separate time limit", {
    timeout: 20_000,
  }, async () => {
    const server = await smtpServer({ answer() {} });
    const { options, outcomes, lines } = watched();
    const smtp_url = `smtp://127.0.0.1:${server.port}`;
    const times = { sending_time: 60_000, answer_time: 300 };
    const mailer = await createMailer({ smtp_url, from, now, ...options, ...times });
    mailer.post(async () => message);
    await mailer.settled();
    assert.deepEqual([outcomes, server.received.length], [["failed"], 1]);
    assert.match(lines.join(), /"error":"ETIMEDOUT"/);
  });

  test("an unreachable mail server is tried the configured number of times", async () => {
    const { options, outcomes, lines } = watched([1, 1]);
    const mailer = await createMailer({
      smtp_url: `smtp://127.0.0.1:${await deadPort()}`,
      from,
      now,
      ...options,
    });
    mailer.post(async () => message);
    await mailer.settled();
    assert.deepEqual([outcomes, lines.length], [["failed"], 3]);
    assert.match(String(lines.at(-1)), /giving up.*"attempt":3/);
  });
});

describe("the mail queue", () => {
  test("queueing a mail waits for neither its creation nor its delivery, and never throws", async () => {
    const { options, lines, outcomes } = watched();
    let sent = 0;
    const queue = mailQueue(async () => {
      sent += 1;
    }, options);
    let made = 0;
    queue.post(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      made += 1;
      return message;
    });
    queue.post(async () => undefined);
    queue.post(async () => {
      throw new Error("the database is away");
    });
    assert.deepEqual([made, sent], [0, 0]);
    await queue.settled();
    assert.deepEqual([made, sent], [1, 1]);
    assert.match(lines.join(), /could not be composed/);
    assert.deepEqual(outcomes.toSorted(), ["failed", "sent"]);
  });

  test("mails beyond the queue's limit are dropped and counted", async () => {
    const { options, outcomes } = watched();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const queue = mailQueue(() => held, options);
    for (let index = 0; index < 1100; index++) queue.post(async () => message);
    const dropped = outcomes.filter((outcome) => outcome === "dropped").length;
    assert.ok(dropped > 50 && dropped <= 100, String(dropped));
    release();
    await queue.settled();
    assert.equal(outcomes.filter((outcome) => outcome === "sent").length, 1100 - dropped);
  });

  test("the load reports waiting and failed mails, and whether the last one failed", async () => {
    const { options } = watched();
    let away = true;
    let release: (() => void) | undefined;
    const queue = mailQueue(async () => {
      if (away) throw new Error("away");
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    }, options);
    assert.deepEqual(queue.load(), { waiting: 0, failed: 0, failing: false });
    for (let index = 0; index < 6; index += 1) queue.post(async () => message);
    assert.deepEqual(queue.load(), { waiting: 6, failed: 0, failing: false });
    await queue.settled();
    assert.deepEqual(queue.load(), { waiting: 0, failed: 6, failing: true });
    away = false;
    queue.post(async () => message);
    assert.deepEqual(queue.load(), { waiting: 1, failed: 6, failing: true });
    await until(() => release !== undefined, "the mail is under way");
    assert.deepEqual(queue.load(), { waiting: 1, failed: 6, failing: true });
    release?.();
    await queue.settled();
    assert.deepEqual(queue.load(), { waiting: 0, failed: 6, failing: false });
  });

  test("a mail that waits for a retry delays no others, and is tried once more when the queue closes", async () => {
    const { options, outcomes } = watched([3_600_000]);
    const delivered: string[] = [];
    let away = true;
    const queue = mailQueue(async ({ to }) => {
      if (to === "first@example.com" && away) throw Object.assign(new Error(to), { code: "ECONNECTION" });
      delivered.push(to);
    }, options);
    for (const name of ["first", "b", "c", "d", "e", "f"])
      queue.post(async () => ({ ...message, to: `${name}@example.com` }));
    await until(() => delivered.length === 5, "all others are delivered");
    away = false;
    await queue.close(60_000);
    assert.equal(delivered.at(-1), "first@example.com");
    assert.deepEqual(outcomes, Array(6).fill("sent"));
  });

  test("SS-8 mails requested by anonymous callers never displace other mails, however many wait", async () => {
    const { options, outcomes } = watched();
    const sent: string[] = [];
    const held = Promise.withResolvers<void>();
    const queue = mailQueue(async ({ subject }) => {
      if (subject === "register") await held.promise;
      sent.push(subject);
    }, options);
    for (let index = 0; index < 1010; index++)
      queue.post(async () => ({ ...message, subject: "register" }), "anybody");
    queue.post(async () => ({ ...message, subject: "your address was changed" }));
    await until(() => sent.length === 1, "the notice is sent");
    assert.deepEqual(sent, ["your address was changed"]);
    assert.ok(outcomes.includes("dropped"));
    held.resolve();
    await queue.settled();
  });

  test("a mail that cannot be created during an outage is created later, unless another error caused it", async () => {
    const { options, outcomes, lines } = watched([1, 1]);
    let tries = 0;
    const queue = mailQueue(async () => {}, options);
    queue.post(async () => {
      tries += 1;
      if (tries === 1) throw new UnavailableError("away", "the database is away", undefined);
      return message;
    });
    await queue.settled();
    assert.deepEqual([tries, outcomes], [2, ["sent"]]);
    assert.match(lines.join(), /could not be composed and will be retried/);
    queue.post(async () => {
      tries += 1;
      throw new TypeError("a fault");
    });
    await queue.settled();
    assert.deepEqual([tries, outcomes], [3, ["sent", "failed"]]);
  });

  test("mails dropped at a stop are counted and logged, and stored ones are returned to the database", {
    timeout: 20_000,
  }, async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { options, outcomes, lines } = watched();
    const queue = mailQueue(() => new Promise<void>(() => {}), options);
    for (let index = 0; index < 6; index++) queue.post(async () => message);
    const kept: boolean[] = [];
    void queue.flushOutbox(async (send) => kept.push(await send(message)));
    const closed = queue.close(5000);
    t.mock.timers.tick(5000);
    await closed;
    assert.deepEqual(kept, [false]);
    assert.deepEqual(outcomes, Array(6).fill("dropped"));
    assert.match(lines.join(), /are lost \{"mails":6\}/);
    assert.doesNotMatch(lines.join(), /stays stored for a retry/, "a stop is no fault of the mail");
  });

  test("closing the queue does not wait forever for a delivery that hangs", {
    timeout: 20_000,
  }, async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { options } = watched();
    const queue = mailQueue(() => new Promise<void>(() => {}), options);
    queue.post(async () => message);
    const closed = queue.close(5000);
    t.mock.timers.tick(5000);
    await closed;
  });
});

test("the outbox keeps the newest fifty mails, newest first", async () => {
  const outbox = createOutbox({ now, ...watched().options });
  for (let index = 0; index < 60; index++) outbox.post(async () => ({ ...message, subject: String(index) }));
  await outbox.settled();
  assert.equal(outbox.kept().length, 50);
  assert.equal(outbox.kept()[0]?.subject, "59");
  assert.equal(outbox.kept()[0]?.kept_at.getTime(), now().getTime());
});
