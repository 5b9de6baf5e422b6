import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ConfigError, createPostern, type PosternSettings } from "../../src/server/embedded.ts";
import { temporaryFolder } from "../support/temp.ts";

const settings = (): PosternSettings => ({
  port: 0,
  database_url: `sqlite:${join(temporaryFolder(), "postern.db")}`,
});

describe("a server in another process", () => {
  test("takes its settings as an object, answers, and tells its setup link", async () => {
    const lines: string[] = [];
    const postern = await createPostern(
      { ...settings(), extra_sign_in: ["passkey", "totp"], throttle: "off" },
      { log: (line) => lines.push(line) },
    );
    try {
      const answer = await fetch(`${postern.url}/.well-known/openid-configuration`);
      const { issuer } = (await answer.json()) as { issuer: string };
      assert.equal(issuer, postern.url);
      assert.match(postern.setup_link ?? "", /\/setup\?token=/);
      const { status } = await fetch(`${postern.url}/login`);
      assert.equal(status, 200);
    } finally {
      await postern.close();
    }
    for (const line of lines) assert.doesNotThrow(() => JSON.parse(line), line);
    await assert.rejects(fetch(`${postern.url}/healthz`));
  });

  test("two run beside each other, each on a clock of its own", async () => {
    const at = new Date("2030-01-01T00:00:00Z");
    const made = await Promise.all([createPostern(settings()), createPostern(settings(), { now: () => at })]);
    const [one, other] = made;
    assert.notEqual(one.url, other.url);
    for (const { url } of made) assert.equal((await fetch(`${url}/readyz`)).status, 200);
    await Promise.all(made.map((each) => each.close()));
  });

  test("names every setting that is wrong, and reads no variable of the process", async () => {
    process.env.POSTERN_PORT = "nonsense";
    try {
      const wrong = { ...settings(), port: 70_000, log_level: "loud" };
      await assert.rejects(createPostern(wrong), (error: unknown) => {
        assert.ok(error instanceof ConfigError);
        assert.deepEqual(error.faults.map(({ name }) => name).toSorted(), [
          "POSTERN_LOG_LEVEL",
          "POSTERN_PORT",
        ]);
        return true;
      });
      const unknown = { ...settings(), prot: 1 } as PosternSettings;
      await assert.rejects(createPostern(unknown), /POSTERN_PROT/);
      await assert.rejects(createPostern({ ...settings(), workers: 2 }), /workers/);
    } finally {
      delete process.env.POSTERN_PORT;
    }
  });
});
