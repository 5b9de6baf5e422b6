import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { column } from "../support/lists.ts";
import { temporaryFolder } from "../support/temp.ts";
import { type UpstreamFake, upstreamFake } from "../support/upstream_fake.ts";
import { type CommandLine, commandLine } from "./terminal.ts";

interface Found {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

const secret = "a client secret of the fake";

describe("postern doctor provider", () => {
  let fake: UpstreamFake;
  let line: CommandLine;
  before(async () => {
    fake = await upstreamFake("oidc");
    line = commandLine({ POSTERN_BASE_URL: "https://id.example", POSTERN_OUTBOUND_ALLOW: "127.0.0.1" });
    const file = join(temporaryFolder(), "manifest.json");
    const acme = { preset: "oidc", client_id: "postern", client_secret: secret };
    const linkedin = { slug: "linkedin", preset: "linkedin", client_id: "c", active: false };
    const providers = [{ slug: "acme", ...acme, issuer: fake.origin }, linkedin];
    writeFileSync(file, JSON.stringify({ providers }));
    const applied = await line.run(`apply ${file}`);
    assert.equal(applied.code, 0, applied.err);
    assert.match(applied.err, /providers\[1\]\.client_secret: is missing/);
  });
  after(() => fake.close());

  async function doctored(...args: string[]) {
    const { code, out, err } = await line.run(["doctor", "provider", ...args, "--json"]);
    assert.ok(!`${out}${err}`.includes(secret));
    return { code, findings: (JSON.parse(out) as { findings: readonly Found[] }).findings };
  }

  const about = (findings: readonly Found[], check: string) =>
    findings.filter((found) => found.check === `provider acme: ${check}`);

  test("EP-20 prints the exact redirect URI of each active provider, and checks its issuer, keys, PKCE and clock", async () => {
    const { code, findings } = await doctored();
    assert.equal(code, 0, JSON.stringify(findings));
    assert.deepEqual(about(findings, "redirect uri"), [
      { check: "provider acme: redirect uri", ok: true, detail: "https://id.example/sign-in/acme/callback" },
    ]);
    for (const check of ["metadata", "keys", "pkce", "settings"])
      assert.ok(about(findings, check).length > 0, check);
    assert.ok(findings.every(({ check }) => !check.includes("linkedin")));
  });

  test("FO-4, EP-20: an organization's provider at a private address is checked only if the record permits it", async () => {
    const file = join(temporaryFolder(), "manifest.json");
    const inside = { slug: "inside", label: "Inside", preset: "oidc", client_id: "c", client_secret: secret };
    for (const internal of [false, true]) {
      const providers = [{ ...inside, organization: "acme", issuer: fake.origin, internal }];
      const organizations = [{ slug: "acme", name: "Acme" }];
      writeFileSync(file, JSON.stringify({ organizations, providers }));
      const applied = await line.run(`apply ${file}`);
      assert.equal(applied.code, 0, applied.err);
      const { findings } = await doctored("inside");
      const metadata = findings.find(({ check }) => check === "provider inside: metadata");
      assert.ok(metadata);
      assert.equal(metadata.ok, internal, metadata.detail);
      if (!internal)
        assert.match(
          metadata.detail,
          /no_allowed_address; 127\.0\.0\.1 is not a public address: run postern provider update inside --internal$/,
        );
    }
    assert.equal((await line.run("provider delete inside --yes")).code, 0);
  });

  test("FO-4, EP-20: for a private address, the operator learns which of the two permissions is missing", async () => {
    const file = join(temporaryFolder(), "manifest.json");
    const record = { preset: "oidc", client_id: "c", client_secret: secret, issuer: fake.origin };
    const own = { slug: "own", ...record };
    const theirs = { slug: "theirs", label: "Theirs", ...record, organization: "acme" };
    const organizations = [{ slug: "acme", name: "Acme" }];
    writeFileSync(file, JSON.stringify({ organizations, providers: [own, theirs] }));
    const closed = commandLine({ POSTERN_BASE_URL: "https://id.example" });
    assert.equal((await closed.run(`apply ${file}`)).code, 0);
    const adding = "127.0.0.1 is not a public address: add 127.0.0.1 to POSTERN_OUTBOUND_ALLOW";
    const { out } = await closed.run("doctor provider own");
    assert.match(out, new RegExp(`internal_address; ${adding}$`, "m"));
    assert.match(
      (await closed.run("doctor provider theirs")).out,
      new RegExp(`no_allowed_address; ${adding} and run postern provider update theirs --internal$`, "m"),
    );
  });

  test("EP-20 without mail, sign-up through a provider whose addresses are not trusted is reported", async () => {
    const mail = { POSTERN_SMTP_URL: "smtp://127.0.0.1:9", POSTERN_MAIL_FROM: "id@mail.example" };
    const mailing = commandLine({ ...line.env, ...mail });
    const told = async (options: string, on: CommandLine = line) => {
      assert.equal((await line.run(`provider update acme ${options}`)).code, 0);
      return /WRONG +provider acme: new users +.*mail is off: set POSTERN_SMTP_URL or email_trust/.test(
        (await on.run("doctor provider acme")).out,
      );
    };
    assert.equal(await told("--sign-up anyone"), true);
    assert.equal(await told("--sign-up anyone", mailing), false);
    assert.equal(await told("--email-trust claim"), false);
    assert.equal(await told("--email-trust never --sign-up never"), false);
  });

  test("EP-20 an issuer that differs from the record is reported with exit code 1, also by postern doctor", async () => {
    fake.hooks.discovery = (document) => ({ ...document, issuer: "https://evil.example" });
    const { code, findings } = await doctored("acme");
    assert.equal(code, 1);
    const [wrong] = findings.filter(({ ok }) => !ok);
    assert.match(wrong?.detail ?? "", /https:\/\/evil\.example/);
    const whole = await line.run("doctor --json");
    assert.equal(whole.code, 1);
    const { findings: all } = JSON.parse(whole.out) as { findings: readonly Found[] };
    assert.deepEqual(
      column(
        all.filter(({ ok }) => !ok),
        "check",
      ),
      [wrong?.check],
    );
    delete fake.hooks.discovery;
  });

  test("EP-20 for a named provider, protections that it lacks and a missing client_secret are reported", async () => {
    const { code, findings } = await doctored("linkedin");
    assert.equal(code, 1);
    const reported = findings.map(({ check, ok, detail }) => `${check} ${ok} ${detail}`).join("\n");
    assert.match(reported, /settings false the record has no client_secret/);
    assert.match(reported, /protection true .*nonce/);
    assert.match(reported, /protection true .*PKCE/);
    const none = await line.run("doctor provider nobody");
    assert.match(none.err, /there is no provider with the slug "nobody"/);
  });
});
