import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openStore, type Store } from "../../src/storage/store.ts";
import { anApp, aRefusal, aUser, later } from "../support/builders.ts";
import { type CommandLine, commandLine } from "./terminal.ts";

const now = new Date();

async function withStore<R>({ env }: CommandLine, work: (store: Store) => Promise<R>): Promise<R> {
  const store = await openStore({
    kind: "sqlite",
    path: String(env.POSTERN_DATABASE_URL).slice("sqlite:".length),
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Returns a command line on a database with one refusal. */
async function refusedOnce(): Promise<CommandLine & { readonly app_id: string }> {
  const line = commandLine();
  await line.run("migrate up");
  const app_id = await withStore(line, async (store) => {
    const app = await anApp(store, { name: "Orders\u001b[2J" });
    const user = await aUser(store, { name: "Ada" });
    await aRefusal(store, {
      short_id: "ABCDE01234",
      endpoint: "/oauth/token",
      error: "invalid_grant",
      description: "the authorization code has expired",
      app_id: app.id,
      user_id: user.id,
      request_id: "request-1",
      client_ip: "192.0.2.7",
      user_agent: "curl\u0007",
      created_at: now,
      expires_at: later(86_400, now),
      evidence: [
        { kind: "expired", name: "code", received: "75", expected: "60" },
        {
          kind: "redirect_uri",
          name: "redirect_uri",
          received: "https://app.example/cB",
          expected: ["https://app.example/cb", "https://other.example/"],
        },
        { kind: "already_used", name: "code", received: "2030-01-01T00:00:00.000Z", expected: null },
        { kind: "of_a_later_version", name: "x", received: "\u001b[1m", expected: null },
      ],
    });
    return app.id;
  });
  return { ...line, app_id };
}

describe("postern explain", () => {
  test("prints the same as the error's page: received and expected values, their difference, and the remedy", async () => {
    const { run, app_id } = await refusedOnce();
    const { code, out, err } = await run("explain abcde-o1234");
    for (const address of [
      "https://id.example/console/refusals/ABCDE01234",
      "http://localhost:3000/console/refusals/abcde-01234/?lang=es#top",
    ])
      assert.equal((await run(`explain ${address}`)).out, out, address);
    assert.equal(code, 0, err);
    for (const said of [
      /^Refusal ABCDE-01234\n/,
      /Error +invalid_grant/,
      /Message to the caller +the authorization code has expired/,
      /Endpoint +\/oauth\/token/,
      new RegExp(`App +Orders.*\\(${app_id}\\)`),
      /Signed-in user +Ada/,
      /IP address +192\.0\.2\.7/,
      /Request +request-1/,
      /The code, token or request has expired \(code\)\n {2}Received +75 seconds\n {2}Expected +at most 1 minute\n {2}What to do: /,
      /Received +https:\/\/app\.example\/c⟦B⟧\n {2}Expected +https:\/\/app\.example\/c⟦b⟧\n {2} +https:\/\/other/,
      /Differs starting at the 22nd character\./,
      /Received +2030-01-01T00:00:00\.000Z/,
      /A value was not as expected \(x\)/,
    ])
      assert.match(out, said);
  });

  test("S-8: names where in the request a parameter was missing or repeated, and the endpoint", async () => {
    const { run } = await refusedOnce();
    const line = commandLine();
    await line.run("migrate up");
    const evidence = [
      { kind: "missing", name: "scope", received: null, expected: null },
      { kind: "repeated", name: "code", received: "2", expected: "1" },
    ];
    await withStore(line, async (store) => {
      const kept = { created_at: now, expires_at: later(86_400, now) };
      for (const [short_id, endpoint] of [
        ["TKN0000000", "/oauth/token"],
        ["ATH0000000", "/oauth/authorize"],
      ] as const)
        await aRefusal(store, { ...kept, short_id, endpoint, evidence });
      await aRefusal(store, {
        ...kept,
        short_id: "VSR0000000",
        endpoint: "/oauth/userinfo",
        evidence: [{ kind: "missing", name: "Authorization", received: null, expected: null }],
      });
    });
    const said = async (id: string) => (await line.run(`explain ${id}`)).out;
    assert.match(await said("TKN0000000"), /What to do: Send it once, with a value, in the form of the POST/);
    assert.doesNotMatch(await said("TKN0000000"), /query|GET/);
    assert.match(await said("ATH0000000"), /in the form of a POST or the query of a GET/);
    assert.match(await said("VSR0000000"), /What to do: Send the header, with a value/);
    assert.doesNotMatch((await run("explain ABCDE01234")).out, /query of a GET/);
  });

  test("prints no control characters from a client's text", async () => {
    const { run } = await refusedOnce();
    const { out } = await run("explain ABCDE01234");
    assert.doesNotMatch(out.replaceAll("\n", ""), /\p{Cc}/u);
  });

  test("prints the record as one JSON value with --json", async () => {
    const { json, app_id } = await refusedOnce();
    const printed = await json<Record<string, unknown>>("explain ABCDE01234");
    assert.equal(printed.short_id, "ABCDE01234");
    assert.deepEqual((printed.evidence as unknown[])[0], {
      kind: "expired",
      name: "code",
      received: "75",
      expected: "60",
    });
    assert.equal((printed.app as { id: string }).id, app_id);
  });

  test("exits with 1 if the error id is unknown, and with 2 without an id", async () => {
    const line = await refusedOnce();
    for (const id of ["ZZZZZZZZZZ", "nonsense", "01920000-0000-7000-8000-000000000000", "%"]) {
      const { code, out, err } = await line.run(`explain ${id}`);
      assert.equal(code, 1, id);
      assert.equal(out, "");
      assert.match(err, /refusal/);
    }
    assert.equal((await line.run("explain")).code, 2);
    await withStore(line, (store) =>
      store.update("refusals", { short_id: "ABCDE01234" }, { expires_at: later(-1, now) }),
    );
    assert.equal((await line.run("explain ABCDE01234")).code, 1);
  });
});
