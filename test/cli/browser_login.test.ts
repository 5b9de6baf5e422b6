/** `postern login` through the browser: a user signs in, and commands have that user's permissions. */
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createPostern, type Postern } from "../../src/server/embedded.ts";
import { formBrowser, goThrough, type Person } from "../support/form_browser.ts";
import { column } from "../support/lists.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";
import { type CommandLine, commandLine, type Printed } from "./terminal.ts";

const ada: Person = { email: "ada@example.com", password: "correct horse battery staple" };
const bob: Person = { email: "bob@example.com", password: "correct horse battery staple" };

interface Kept {
  readonly remotes: Readonly<Record<string, { readonly session: Readonly<Record<string, string>> }>>;
}

describe("postern login through the browser", () => {
  const config = temporaryFolder();
  const path = join(config, "postern", "remotes.json");
  let operator: CommandLine;
  let postern: Postern;
  let now = Date.now();
  const kept = (): Kept => JSON.parse(readFileSync(path, "utf8"));

  before(async () => {
    operator = commandLine();
    await operator.run("migrate up");
    for (const [{ email, password }, more] of [
      [ada, "--is-platform-admin"],
      [bob, ""],
    ] as const)
      await operator.json(`user create --email ${email} --name ${email} --password '${password}' ${more}`);
    await operator.json("org create --slug acme --name Acme");
    postern = await createPostern(
      { port: 0, database_url: operator.env.POSTERN_DATABASE_URL ?? "", extra_features: "cli" },
      { now: () => new Date(now) },
    );
  });
  after(() => postern.close());

  /** Returns a laptop without a database, whose browser does what the user would do. */
  function laptop(person?: Person, decision: "allow" | "deny" = "allow") {
    const answers: Promise<Response>[] = [];
    const requested: URL[] = [];
    const openBrowser = async (address: string) => {
      requested.push(new URL(address));
      if (person === undefined) return;
      const to = await goThrough(formBrowser(), address, person, decision);
      answers.push(fetch(to));
    };
    const line = commandLine(
      { XDG_CONFIG_HOME: config, POSTERN_DATABASE_URL: "" },
      { openBrowser, now: () => new Date(now) },
    );
    const login = async (...args: string[]): Promise<Printed> => {
      const printed = await line.run(["login", postern.url, ...args]);
      await Promise.all(answers);
      return printed;
    };
    return { line, login, requested };
  }

  test("A-33: each sign-in requires consent, and the command gets the user's own permissions", async () => {
    const { line, login, requested } = laptop(ada);
    const printed = await login("--as", "work");
    assert.deepEqual([printed.code, printed.out], [0, `work: ${postern.url}, as ada@example.com\n`]);
    const parameters = Object.fromEntries(requested[0]?.searchParams ?? []);
    assert.equal(parameters.code_challenge_method, "S256");
    assert.match(parameters.redirect_uri ?? "", /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    assert.match((await line.run("org list --remote work")).out, /acme/);

    // Consent was given before and is requested again, because any program may listen on loopback.
    const browser = formBrowser();
    await goThrough(browser, requested[0]?.href ?? "", ada);
    const again = await browser.follow(await browser.get(requested[0]?.href ?? ""));
    assert.match(again.body, /name="decision"/);
    assert.doesNotMatch(again.body, /Registered by/);

    assert.equal((await laptop(bob).login("--as", "bob")).code, 0);
    const listed = await line.run("user list --remote bob --json");
    assert.deepEqual(
      JSON.parse(listed.out).data.map(({ email }: { email: string }) => email),
      [bob.email],
    );
    const refused = await line.run("org create --slug b --name B --remote bob");
    assert.equal(refused.code, 1);
    assert.match(
      (await line.run(`org list --server ${postern.url}/`)).err,
      /several remotes have the address/,
    );
  });

  test("A-33: the command-line client is public, requires consent and redirects to loopback, whatever its record says", async () => {
    const record = ["app", "update", "urn:postern:cli"];
    await operator.json([...record, "--redirect-uris", "https://evil.example/cb"]);
    await operator.json([...record, "--first-party", "--add-allowed-scope", "openid"]);
    const ask = async (over: Readonly<Record<string, string>>) => {
      const browser = formBrowser();
      const url = new URL(`${postern.url}/oauth/authorize`);
      url.search = String(
        new URLSearchParams({
          client_id: "urn:postern:cli",
          response_type: "code",
          redirect_uri: "http://127.0.0.1:9/callback",
          scope: "postern:manage",
          code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
          code_challenge_method: "S256",
          ...over,
        }),
      );
      return browser.follow(await browser.get(url.href)).then(async (page) => {
        if (page.status !== 200) return page;
        return browser.follow(await browser.submit(page, { ...ada }));
      });
    };
    assert.match((await ask({})).body, /name="decision"/);
    assert.equal((await ask({ redirect_uri: "https://evil.example/cb" })).status, 400);
    assert.match((await ask({ scope: "openid" })).location ?? "", /error=invalid_scope/);
    assert.match((await ask({ code_challenge: "" })).location ?? "", /error=invalid_request/);
    // The server notices a write of another process within a second.
    for (const [active, status] of [
      ["false", 400],
      ["true", 200],
    ] as const) {
      await operator.json([...record, "--active", active]);
      await until(async () => (await ask({})).status === status, `answered ${status}`);
    }
  });

  test("A-34: the tokens are in a file that only this account can read, are refreshed, and are revoked on logout", async () => {
    const { line, login } = laptop(ada);
    assert.equal((await login("--as", "mine", "--read-only")).code, 0);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const first = kept().remotes.mine?.session ?? {};
    const listed = await line.run("remotes");
    assert.match(listed.out, /mine +http\S+ +sign_in/);
    for (const secret of [first.access_token, first.refresh_token])
      assert.ok(secret !== undefined && !listed.out.includes(secret));
    assert.match((await line.run("org create --slug x --name X --remote mine")).err, /scope/);

    now += 3_600_000;
    const both = await Promise.all([1, 2].map(() => line.run("org list --remote mine")));
    assert.deepEqual(column(both, "code"), [0, 0]);
    const second = kept().remotes.mine?.session ?? {};
    assert.notEqual(second.refresh_token, first.refresh_token);

    // After the logout, a copy of the tokens from the file is invalid.
    assert.match((await line.run("logout mine")).out, /^signed out of mine/);
    assert.equal(kept().remotes.mine, undefined);
    writeFileSync(path, JSON.stringify({ remotes: { mine: { url: postern.url, session: second } } }));
    const ended = await line.run("org list --remote mine");
    assert.equal(ended.code, 1);
    assert.match(ended.err, /has expired or was revoked. Sign in again: postern login http\S+ --as mine/);
  });

  test("A-34: a denied or abandoned sign-in stores no tokens", async () => {
    const before = readFileSync(path, "utf8");
    const declined = await laptop(ada, "deny").login("--as", "none");
    assert.deepEqual([declined.code, readFileSync(path, "utf8")], [1, before]);
    assert.match(declined.err, /access_denied/);

    const strange = laptop();
    const waiting = strange.login("--as", "none");
    const address = async (): Promise<URL> => {
      await until(() => strange.requested.length > 0, "the address is told");
      return new URL(strange.requested[0]?.searchParams.get("redirect_uri") ?? "");
    };
    const guessed = await address();
    guessed.search = "code=stolen&state=guessed";
    assert.equal((await fetch(guessed)).status, 400);
    guessed.search = `error=server_error&state=${strange.requested[0]?.searchParams.get("state")}&iss=${postern.url}`;
    await fetch(guessed);
    assert.equal((await waiting).code, 1);
  });

  test("A-33: if the server does not enable browser login, login fails and says how to enable it", async () => {
    const off = await createPostern({ port: 0, database_url: operator.env.POSTERN_DATABASE_URL ?? "" });
    try {
      const { line } = laptop(ada);
      const { code, err } = await line.run(`login ${off.url}`);
      assert.equal(code, 1);
      assert.match(err, /POSTERN_EXTRA_FEATURES=cli.*--api-key-stdin/);
      const url = `${off.url}/oauth/authorize?client_id=urn:postern:cli&redirect_uri=http://127.0.0.1:9/callback`;
      assert.equal((await fetch(url, { redirect: "manual" })).status, 400);
    } finally {
      await off.close();
    }
  });
});
