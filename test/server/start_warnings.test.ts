import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/ops/log.ts";
import { sayWarnings } from "../../src/server/serve.ts";

/** Returns the warnings of a start with these settings, one per line. */
function warnings(env: Record<string, string>, more?: { readonly has_outbox: boolean }): readonly string[] {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  sayWarnings(createLog({ level: "warn", destination }), readConfig(env), more);
  return lines.map((line) => JSON.parse(line).msg);
}

test("a start warns if second factors are enabled without a mail server, and not otherwise", () => {
  const about = (env: Record<string, string>, more?: { readonly has_outbox: boolean }) =>
    warnings(env, more).filter((msg) => /POSTERN_SMTP_URL is not/.test(msg)).length;
  const factors = { POSTERN_EXTRA_SIGN_IN: "passkey" };
  const mail = { POSTERN_SMTP_URL: "smtp://127.0.0.1:2525", POSTERN_MAIL_FROM: "id@mail.example" };
  assert.deepEqual([about(factors), about({ ...factors, ...mail }), about({})], [1, 0, 0]);
  assert.equal(about(factors, { has_outbox: true }), 0, "the demo shows its mails on a page");
});
