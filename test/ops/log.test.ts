import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createLog, type Log } from "../../src/ops/log.ts";
import { someOf } from "../support/form.ts";
import { assertLinear, larger } from "../support/growth.ts";
import { column, words } from "../support/lists.ts";

type Line = Record<string, unknown>;

function memoryLog(level: Parameters<typeof createLog>[0]["level"] = "trace") {
  const written: string[] = [];
  const log = createLog({
    level,
    destination: { write: (line) => written.push(line) },
    now: () => new Date("2030-01-01T00:00:00.123Z"),
  });
  return { log, text: () => written.join(""), lines: () => written.map((line) => JSON.parse(line) as Line) };
}

function lineOf(write: (log: Log) => void): Line {
  const { log, lines } = memoryLog();
  write(log);
  const [line] = lines();
  assert.ok(line);
  return line;
}

test("a log line is one JSON object with level, ISO time in UTC, message and fields", () => {
  const { log, text } = memoryLog();
  log.info({ url: "http://127.0.0.1:3000", port: 3000 }, "listening");
  assert.ok(text().endsWith("\n"));
  assert.ok(text().includes('"msg":"listening"') && text().includes('"url":"http://127.0.0.1:3000"'));
  assert.deepEqual(JSON.parse(text()), {
    level: "info",
    time: "2030-01-01T00:00:00.123Z",
    pid: process.pid,
    url: "http://127.0.0.1:3000",
    port: 3000,
    msg: "listening",
  });
});

test("a log line below the level is not written, and level silent writes none", () => {
  const warn = memoryLog("warn");
  for (const level of ["debug", "info", "warn", "error", "fatal"] as const) warn.log[level]({}, level);
  assert.deepEqual(column(warn.lines(), "level"), ["warn", "error", "fatal"]);
  const silent = memoryLog("silent");
  silent.log.fatal({}, "unheard");
  assert.equal(silent.text(), "");
});

test("a child logger adds its fields to every line", () => {
  const line = lineOf((log) =>
    log.child({ request_id: "r-1" }).child({ route: "/oauth/token" }).info({ status: 200 }, "done"),
  );
  assert.equal(line.request_id, "r-1");
  assert.equal(line.route, "/oauth/token");
  assert.equal(line.status, 200);
});

test("H-7: the log contains only method, path without query and id of a request, and the status of its response", () => {
  const req = {
    method: "GET",
    url: "/oauth/authorize?client_id=web&state=abc",
    id: "r-1",
    headers: { authorization: "Basic YWJj", cookie: "session=abc" },
    body: { password: "hunter22" },
  };
  const line = lineOf((log) =>
    log.info({ req, res: { statusCode: 302, headers: { location: "/cb?code=abc" } } }, "answered"),
  );
  assert.deepEqual(line.req, { method: "GET", path: "/oauth/authorize", request_id: "r-1" });
  assert.deepEqual(line.res, { status: 302 });
});

test("H-7: the log contains only name, message, stack, short code and causes of an error", () => {
  const cause = Object.assign(new TypeError("inner"), { code: "ECONNREFUSED", parameters: ["hunter22"] });
  const error = Object.assign(new Error("outer", { cause }), {
    code: "aB3_xyz-notAnErrorCode",
    input: "hunter22",
  });
  const { log, text, lines } = memoryLog();
  log.error({ err: error }, "failed");
  const { err } = lines()[0] as { err: { stack: string; cause: Line } };
  assert.deepEqual(Object.keys(err), ["name", "message", "stack", "cause"]);
  assert.deepEqual(Object.keys(err.cause), ["name", "message", "stack", "code"]);
  assert.equal(err.cause.code, "ECONNREFUSED");
  assert.match(err.stack, /log\.test\.ts/);
  assert.ok(!text().includes("hunter22"));
});

test("the errors inside an AggregateError are logged", () => {
  const error = new AggregateError([new Error("first"), new Error("second")], "both");
  const { err } = lineOf((log) => log.error({ err: error }, "failed")) as { err: { errors: Line[] } };
  assert.deepEqual(column(err.errors, "message"), ["first", "second"]);
});

test("text that only mentions secrets, and public names, are logged unchanged", () => {
  const fields = {
    grant_type: "authorization_code",
    token_type: "Bearer",
    secret_prefix: "pst_1234",
    tokens_deleted: 12,
    has_password: true,
    kid: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
    client_id: "https://client.example/0123456789012345678901234567890",
    user_id: "0192f3a4-5b6c-7d8e-9fa0-b1c2d3e4f5a6",
    redirect_uri: "https://client.example/cb",
    error: "invalid_grant",
    expires_in: 900,
    at: new Date("2030-01-01T00:00:00Z"),
    nothing: null,
    list: ["openid", "profile"],
  };
  const line = lineOf((log) => log.info(fields, "Basic authentication was used at /oauth/token"));
  assert.deepEqual(Object.fromEntries(Object.keys(fields).map((name) => [name, line[name]])), {
    ...fields,
    at: "2030-01-01T00:00:00.000Z",
  });
  assert.equal(line.msg, "Basic authentication was used at /oauth/token");
});

test("a value that JSON cannot represent does not prevent the log line", () => {
  const loop: Record<string, unknown> = { name: "loop" };
  loop.self = loop;
  const selfCaused = new Error("self");
  selfCaused.cause = selfCaused;
  let deep: unknown = "bottom";
  for (let level = 0; level < 100; level++) deep = { deep };
  const fields = {
    loop,
    selfCaused,
    deep,
    big: 12n,
    bytes: Buffer.from("hunter22"),
    map: new Map([["password", "hunter22"]]),
    headers: new Headers({ authorization: "hunter22" }),
    run: () => "hunter22",
    broken: new Date(Number.NaN),
  };
  const line = lineOf((log) => log.info(fields, "odd"));
  assert.equal(line.big, "12");
  assert.equal(line.bytes, "[8 bytes]");
  assert.equal(line.map, "[Map]");
  assert.deepEqual(line.loop, { name: "loop", self: "[circular]" });
  assert.ok(!JSON.stringify(line).includes("hunter22"));
});

test("a long text is truncated between words, and is searched for secrets in linear time", () => {
  for (const piece of ["/", "a.", "://", "code", "eyJ", "a:", "-----BEGIN ", '\\"code\\":\\"', "%3F/"]) {
    // Created only once, so the test measures the log and not the creation of a long text.
    const texts = new Map([5_000, larger * 5_000, 100_000].map((size) => [size, piece.repeat(size)]));
    const written = (size: number) => lineOf((log) => log.info({ text: texts.get(size) }, "long"));
    assert.ok(String(written(100_000).text).length < 9000);
    assertLinear(written, 5_000, piece);
  }
  const token = randomBytes(32).toString("base64url");
  const { log, text } = memoryLog();
  log.info({ text: `${"x ".repeat(4080)}${token} ${token}` }, "cut");
  assert.ok(!text().includes(token.slice(0, 12)), "no part of a token that straddles the cut");
});

describe("H-7: a secret in one of its usual places never reaches the log", () => {
  // Searches only for the random part, whose first letters make a chance match impossible.
  const word = fc
    .tuple(fc.constantFrom("base64url", "hex", "base64"), fc.uint8Array({ minLength: 6, maxLength: 48 }))
    .map(([encoding, bytes]) => `zQ9x${Buffer.from(bytes).toString(encoding as BufferEncoding)}`);
  const anyText = fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" }).map((text) => `zQ9x${text}`);

  const memberNames = fc.constantFrom(
    ..."code authCode auth_code authorization_code code_verifier access_token accessToken refresh_token id_token id_token_hint token".split(
      " ",
    ),
    ..."client_secret clientSecret secret secret_hash password password_hash newPassword cookie cookies Cookie set-cookie".split(
      " ",
    ),
    ..."Authorization authorization proxy-authorization client_assertion assertion csrf_token redirect state nonce query".split(
      " ",
    ),
    ..."querystring body rawBody rawHeaders private_key api_key x-api-key POSTERN_SECRET_KEY POSTERN_ADMIN_PASSWORD".split(
      " ",
    ),
  );
  const path = fc.array(fc.constantFrom("params", "request_data", "headers", "raw", "0", "a"), {
    maxLength: 5,
  });

  function leaksNothing(write: (log: Log, secret: string) => void, secrets: fc.Arbitrary<string>): void {
    fc.assert(
      fc.property(secrets, (secret) => {
        const { log, text } = memoryLog();
        write(log, secret);
        write(log.child({ request_id: "r-1" }), secret);
        assert.notEqual(text(), "");
        assert.ok(!text().includes("zQ9x"), text());
      }),
    );
  }

  test("H-7: a secret in a field at any depth is removed, also in a child logger", () => {
    fc.assert(
      fc.property(
        memberNames,
        path,
        fc.oneof(word, anyText),
        fc.constantFrom("value", "list", "object"),
        (name, inside, secret, kind) => {
          const value = { value: secret, list: [secret, [secret]], object: { value: secret } }[kind];
          const fields = inside.reduceRight<Line>(
            (inner, each) => (each === "0" ? { list: [inner] } : { [each]: inner }),
            { [name]: value },
          );
          const { log, text } = memoryLog();
          log.info(fields, "fields");
          log.child(fields).info({}, "child");
          log.error({ err: new Error("failed", { cause: fields }) }, "cause");
          assert.ok(!text().includes("zQ9x"), text());
        },
      ),
    );
  });

  const places: Record<string, (secret: string) => string> = {
    "the query of a URL": (secret) =>
      `https://id.example/oauth/authorize?${new URLSearchParams({ x: secret })}`,
    "the query of a path": (secret) =>
      `/login?${new URLSearchParams({ redirect: `https://id.example/a?state=${secret}` })}`,
    "a fragment": (secret) => `https://client.example/cb#access_token=${encodeURIComponent(secret)}`,
    "a percent-encoded URL": (secret) =>
      encodeURIComponent(`https://id.example/oauth/authorize?state=${secret}`),
    "a user's part of a URL": (secret) =>
      `postgres://ada:${encodeURIComponent(secret)}@db.example:5432/postern`,
    "an Authorization header": (secret) => `Authorization: Bearer ${secret}`,
    "a Basic header": (secret) => `Basic ${secret}`,
    "a cookie header": (secret) => `cookie: __Host-session=${encodeURIComponent(secret)}; theme=dark`,
  };
  for (const name of words("code refresh_token client_secret password code_verifier redirect csrf_token")) {
    places[`the form field ${name}`] = (secret) =>
      new URLSearchParams({ grant_type: "x", [name]: secret }).toString();
    places[`the JSON member ${name}`] = (secret) => JSON.stringify({ a: 1, [name]: secret });
    places[`the JSON member ${name} twice over`] = (secret) =>
      JSON.stringify(JSON.stringify({ [name]: secret }));
  }
  for (const [place, textWith] of someOf(Object.entries(places), 3))
    test(`H-7: a secret in ${place} is removed from message, fields, error message, stack and causes`, () => {
      leaksNothing((log, secret) => {
        const text = textWith(secret);
        log.info({}, text);
        log.info({}, `could not read ${text} twice`);
        log.info({ detail: text, list: [text], url: text, referer: text, location: text }, "fields");
        log.child({ detail: text }).warn({}, "child");
        log.error({ err: new Error(text) }, "error");
        log.error(
          { err: new Error("outer", { cause: new AggregateError([new TypeError(`at ${text}`)], "many") }) },
          "cause",
        );
        log.error({ err: new Error("outer", { cause: text }) }, "cause");
        log.error({ err: text, error: new URL("https://a.example/?x=zQ9x") }, "text");
      }, word);
    });

  test("H-7: this server's codes, tokens, keys and hashes are removed from any text", () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 64 }).map((each) => Buffer.from(each));
    const alone = fc.oneof(
      // Random bytes contain no digit once in a thousand times, so one is added.
      bytes.map((each) => `7${each.toString("base64url")}`),
      bytes.map((each) => `7${each.toString("hex")}`),
      fc
        .constantFrom("pac_", "prt_", "pcs_", "pse_", "pot_")
        .map((prefix) => `${prefix}${"oNlyLetters_".repeat(4)}`),
      bytes.map((each) => `eyJhbGciOiJSUzI1NiJ9.${each.toString("base64url")}.${each.toString("base64url")}`),
      bytes.map(
        (each) => `$argon2id$v=19$m=19456,t=2,p=1$${each.toString("base64")}$${each.toString("base64")}`,
      ),
      bytes.map(
        (each) => `-----BEGIN PRIVATE KEY-----\n${each.toString("base64")}\n-----END PRIVATE KEY-----`,
      ),
    );
    fc.assert(
      fc.property(alone, fc.constantFrom("", " ", ": ", "(", '"', "'", ", "), (secret, before) => {
        const { log, text } = memoryLog();
        log.info({ detail: `${before}${secret}` }, `found ${before}${secret}`);
        log.error({ err: new Error(`not found ${before}${secret}`) }, "failed");
        for (const piece of secret.split(/[\n.$]/).filter((each) => each.length > 30))
          assert.ok(!text().includes(piece), text());
        assert.ok(!text().includes("eyJ"), text());
      }),
    );
  });
});

test("a UUID in a log message is kept, because it identifies the record", () => {
  const id = randomUUID();
  assert.equal(lineOf((log) => log.info({}, `swept family ${id}`)).msg, `swept family ${id}`);
});
