import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deadPort, smtpServer } from "../support/smtp.ts";
import { commandLine } from "./terminal.ts";

/** Returns the findings about the mail server at this URL, and the whole output. */
async function doctored(smtp_url: string | undefined, more: NodeJS.ProcessEnv = {}) {
  const mail =
    smtp_url === undefined ? {} : { POSTERN_SMTP_URL: smtp_url, POSTERN_MAIL_FROM: "id@mail.example" };
  const { run } = commandLine({ ...mail, ...more });
  const { code, out, err } = await run("doctor");
  const line = out.split("\n").find((each) => /^\S+ +mail /.test(each));
  return { code, line, printed: out + err };
}

const withPassword = (port: number) => `smtp://postern:hunter22@127.0.0.1:${port}`;

describe("postern doctor checks the mail server", () => {
  test("and finds no problem if it accepts the name and password, without sending mail", async () => {
    const requested: unknown[] = [];
    const server = await smtpServer({
      onAuth: ({ username, password }, _session, done) => {
        requested.push([username, password]);
        done(null, { user: username });
      },
    });
    const { code, line } = await doctored(withPassword(server.port));
    assert.equal(code, 0);
    assert.match(line ?? "", /^ok +mail +127\.0\.0\.1:\d+ accepts email from this machine/);
    assert.deepEqual(requested, [["postern", "hunter22"]]);
    assert.deepEqual(server.received, []);
  });

  test("and reports rejected credentials without printing the password", async () => {
    const server = await smtpServer({
      onAuth: ({ password }, _session, done) => done(new Error(`no such password: ${password}`)),
    });
    const { code, line, printed } = await doctored(withPassword(server.port));
    assert.equal(code, 1);
    assert.match(line ?? "", /^WRONG +mail +127\.0\.0\.1:\d+ rejects the user name and password .+\(535\)/);
    assert.doesNotMatch(printed, /hunter22/);
  });

  test("and reports an unreachable server", async () => {
    const { code, line } = await doctored(`smtp://127.0.0.1:${await deadPort()}`);
    assert.equal(code, 1);
    assert.match(line ?? "", /^WRONG +mail +127\.0\.0\.1:\d+ cannot be reached/);
  });

  test("and reports a remote server without encryption or with an untrusted certificate", async () => {
    const plain = await smtpServer();
    const forged = await smtpServer({ secure: true });
    // 0.0.0.0 leads to this machine, but is not a loopback address.
    const { line } = await doctored(`smtp://0.0.0.0:${plain.port}`);
    assert.match(line ?? "", /^WRONG +mail +0\.0\.0\.0:\d+ cannot be reached with encryption/);
    const other = await doctored(`smtps://127.0.0.1:${forged.port}`);
    assert.equal(other.code, 1);
    assert.match(other.line ?? "", /^WRONG +mail /);
  });

  test("and reports a missing mail server if users may enroll second factors", async () => {
    const { code, line } = await doctored(undefined, { POSTERN_EXTRA_SIGN_IN: "totp" });
    assert.equal(code, 1);
    assert.match(
      line ?? "",
      /^WRONG +mail +POSTERN_EXTRA_SIGN_IN is set but POSTERN_SMTP_URL is not: .*wait a day/,
    );
  });

  test("and reports nothing if none is set and none is needed", async () => {
    const { code, line } = await doctored(undefined);
    assert.deepEqual([code, line], [0, undefined]);
  });
});
