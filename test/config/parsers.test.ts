import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readConfig } from "../../src/config.ts";
import { brandErrors } from "../../src/records/formats/brand.ts";
import { words } from "../support/lists.ts";
import { type Env, errorsOf, randomHex, refused, unfit } from "./errors.ts";

const otherHex = "a97c04e13b5d6f82e0914c7ab8d2f35610ce4f9b7a83d52164ef0b9d8c7a3f12";

describe("D-2: POSTERN_BASE_URL", () => {
  test("D-2: an https address and a loopback http address are kept byte for byte", () => {
    for (const url of words(`
      https://id.example.com https://id.example.com:8443 https://192.0.2.1 http://localhost
      http://localhost:3000 http://id.localhost:3000 http://127.0.0.1:3000 http://127.8.9.10
      http://[::1]:3000
    `))
      assert.equal(readConfig({ POSTERN_BASE_URL: url }).base_url, url);
  });

  test("D-2: an address that is relative, ends with a slash, or has a path, query, fragment or user is refused", () => {
    for (const [url, message] of [
      ["id.example.com", /absolute|https/],
      ["/auth", /absolute/],
      ["ftp://id.example.com", /https:\/\//],
      ["https://id.example.com/", /slash; write https:\/\/id\.example\.com$/],
      ["https://id.example.com/auth", /path/],
      ["https://id.example.com?", /query/],
      ["https://id.example.com?a=b", /query/],
      ["https://id.example.com#", /fragment/],
      ["https://id.example.com#top", /fragment/],
      ["https://ada:pass@id.example.com", /user name or password/],
      ["https://ID.example.com", /write it as https:\/\/id\.example\.com$/],
      ["https://id.example.com:443", /write it as https:\/\/id\.example\.com$/],
      [" https://id.example.com", /write it as/],
      ["https://id.exa\tmple.com", /write it as/],
    ] as const)
      unfit("POSTERN_BASE_URL", url, message);
  });

  test("D-2: all errors of one address are reported together", () => {
    const [error] = errorsOf({ POSTERN_BASE_URL: "http://ada:pass@id.example.com/auth?x#y" });
    for (const part of [/user name/, /path/, /query/, /fragment/, /https/])
      assert.match(error?.message ?? "", part);
    assert.doesNotMatch(error?.message ?? "", /pass@/);
  });

  test("H-12: an http issuer on a public host prevents startup", () => {
    for (const url of words(`
      http://id.example.com http://10.0.0.1 http://localhost.example.com http://idlocalhost
      http://.localhost http://[::2]
    `))
      unfit("POSTERN_BASE_URL", url, /https:\/\/; http is allowed only for localhost/);
  });

  test("without POSTERN_BASE_URL the address is derived from the port, and is unknown if the port is 0", () => {
    assert.equal(readConfig({ POSTERN_PORT: "4000" }).base_url, "http://localhost:4000");
    assert.equal(readConfig({ POSTERN_PORT: "80" }).base_url, "http://localhost");
    assert.equal(readConfig({ POSTERN_PORT: "0" }).base_url, undefined);
    assert.equal(
      readConfig({ POSTERN_PORT: "0", POSTERN_BASE_URL: "https://a.example" }).base_url,
      "https://a.example",
    );
  });
});

describe("POSTERN_HOST", () => {
  test("is an IP address or a host name", () => {
    for (const host of ["0.0.0.0", "::", "::1", "localhost", "db-1.internal"])
      assert.equal(readConfig({ POSTERN_HOST: host }).host, host);
  });
  test("is refused with brackets, a port, spaces, or as a broken address", () => {
    for (const host of ["[::1]", "localhost:3000", "a b", "256.1.1.1", "127.1", "a..b", "http://x"])
      unfit("POSTERN_HOST", host, /IP address/);
  });
});

const numbers = {
  POSTERN_PORT: ["port", 0, 65535],
  POSTERN_METRICS_PORT: ["metrics_port", 0, 65535],
  POSTERN_WORKERS: ["workers", 1, 64],
  POSTERN_REFRESH_REUSE_WINDOW: ["refresh_reuse_window", 0, 60],
  POSTERN_REFRESH_FAMILY_MAX_AGE: ["refresh_family_max_age", 1, 315_360_000],
  POSTERN_AUTHORIZATION_CODE_TTL: ["authorization_code_ttl", 1, 600],
  POSTERN_AUDIT_RETENTION: ["audit_retention", 0, 36_500],
  POSTERN_EVENT_RETENTION: ["event_retention", 0, 36_500],
  POSTERN_ADDRESS_RETENTION: ["address_retention", 0, 36_500],
  POSTERN_REFUSAL_RETENTION: ["refusal_retention", 1, 90],
} as const;

for (const [name, [member, least, most]] of Object.entries(numbers))
  test(`${name} is a whole number from ${least} to ${most}`, () => {
    for (const value of [least, most]) assert.equal(readConfig({ [name]: String(value) })[member], value);
    for (const text of [
      String(least - 1),
      String(most + 1),
      "1.5",
      "1e1",
      "0x10",
      " 5",
      "5 ",
      "five",
      "+5",
      "٣",
    ])
      refused({ [name]: text }, name, new RegExp(`from ${least} to ${most}, got `));
  });

test("POSTERN_METRICS_PORT must differ from the server's own port", () => {
  unfit("POSTERN_METRICS_PORT", "3000", /must differ from POSTERN_PORT/);
  assert.equal(readConfig({ POSTERN_PORT: "0", POSTERN_METRICS_PORT: "0" }).metrics_port, 0);
});

describe("POSTERN_DATABASE_URL", () => {
  test("is sqlite: with a path or a PostgreSQL URL", () => {
    const database = (url: string) =>
      readConfig({ POSTERN_DATABASE_URL: url, POSTERN_SECRET_KEY: randomHex }).database;
    assert.deepEqual(database("sqlite:a/b.db"), { kind: "sqlite", path: "a/b.db" });
    assert.deepEqual(database("sqlite:/var/lib/p.db"), { kind: "sqlite", path: "/var/lib/p.db" });
    for (const url of [
      "postgres://ada:p%40ss@db.example:5432/postern",
      "postgresql://db.example/postern?sslmode=require",
      "postgres:///postern?host=/run/postgresql",
    ])
      assert.deepEqual(database(url), { kind: "postgres", url });
  });

  test("F-11: a list of hosts is read as one URL for each host (reliability finding 12)", () => {
    const database = (url: string) =>
      readConfig({ POSTERN_DATABASE_URL: url, POSTERN_SECRET_KEY: randomHex }).database;
    assert.deepEqual(database("postgres://ada:p%40ss@a:5432,[::1]:5433,c/postern?sslmode=require"), {
      kind: "postgres",
      url: "postgres://ada:p%40ss@a:5432/postern?sslmode=require",
      further_urls: [
        "postgres://ada:p%40ss@[::1]:5433/postern?sslmode=require",
        "postgres://ada:p%40ss@c/postern?sslmode=require",
      ],
      target_session_attrs: "read-write",
    });
    for (const folder of ["/var/run/postgresql", "%2Fvar%2Frun%2Fpostgresql"]) {
      const socket = database(`postgres://ada@/postern?host=${folder}`);
      assert.equal("url" in socket && socket.url, `postgres://ada@localhost/postern?host=${folder}`);
    }
    const any = database("postgres://a,b/postern?target_session_attrs=any");
    assert.equal("target_session_attrs" in any && any.target_session_attrs, "any");
    const one = database("postgres://a/postern?target_session_attrs=primary");
    assert.equal("target_session_attrs" in one && one.target_session_attrs, "primary");
    const standby = "postgres://ada:hunter22@a,b/postern?target_session_attrs=standby";
    unfit("POSTERN_DATABASE_URL", standby, /read-write/, { POSTERN_SECRET_KEY: randomHex });
    for (const url of ["postgres://ada:hunter22@a,/postern", "postgres://ada:hunter22@a:x,b/postern"]) {
      const env = { POSTERN_DATABASE_URL: url, POSTERN_SECRET_KEY: randomHex };
      refused(env, "POSTERN_DATABASE_URL", /several hosts/);
      assert.doesNotMatch(JSON.stringify(errorsOf(env)), /hunter22/);
    }
  });

  test("an unsupported TLS parameter is refused", () => {
    const error = (parameters: string, message: RegExp) =>
      refused(
        { POSTERN_DATABASE_URL: `postgres://a/postern?${parameters}`, POSTERN_SECRET_KEY: randomHex },
        "POSTERN_DATABASE_URL",
        message,
      );
    error("sslmode=verify_ca", /sslmode: expected one of .*verify-ca/);
    for (const name of ["sslcrl", "sslcrldir", "sslpassword"]) error(`${name}=x`, new RegExp(`^${name}: `));
  });

  test("a read replica requires a PostgreSQL primary, and only the replica URL marks it as one", () => {
    const about = { POSTERN_DATABASE_URL: "postgres://a/postern", POSTERN_SECRET_KEY: randomHex };
    const name = "POSTERN_DATABASE_READ_URL";
    assert.deepEqual(readConfig({ ...about, [name]: "postgres://ada@b:5432,c/postern" }).database_read, {
      kind: "postgres",
      url: "postgres://ada@b:5432/postern",
      further_urls: ["postgres://ada@c/postern"],
    });
    refused({ ...about, [name]: "sqlite:copy.db" }, name, /expected postgres:/);
    refused({ ...about, [name]: "postgres://b/postern?target_session_attrs=any" }, name, /remove it/);
    refused({ [name]: "postgres://b/postern" }, name, /needs PostgreSQL in POSTERN_DATABASE_URL/);
  });

  test("POSTERN_DATABASE_PROFILE has two values, is for PostgreSQL only, and excludes a read replica", () => {
    const name = "POSTERN_DATABASE_PROFILE";
    const about = { POSTERN_DATABASE_URL: "postgres://a/postern", POSTERN_SECRET_KEY: randomHex };
    const read = (env: Record<string, string>) => readConfig({ ...about, ...env }).database;
    assert.deepEqual(read({}), { kind: "postgres", url: "postgres://a/postern" });
    assert.deepEqual(read({ [name]: "native" }), read({}));
    assert.deepEqual(read({ [name]: "serializable" }), { ...read({}), profile: "serializable" });
    refused({ ...about, [name]: "cockroach" }, name, /native, serializable/);
    refused({ [name]: "serializable" }, name, /needs PostgreSQL in POSTERN_DATABASE_URL/);
    unfit("POSTERN_DATABASE_READ_URL", "postgres://b/postern", /needs native in POSTERN_DATABASE_PROFILE/, {
      ...about,
      [name]: "serializable",
    });
  });

  test("F-5: POSTERN_DATABASE_QUERY_TIMEOUT must exceed the statement timeout (reliability finding 4)", () => {
    const env = { POSTERN_DATABASE_STATEMENT_TIMEOUT: "7000" };
    refused(env, "POSTERN_DATABASE_QUERY_TIMEOUT", /must exceed POSTERN_DATABASE_STATEMENT_TIMEOUT/);
    const unlimited = { POSTERN_DATABASE_STATEMENT_TIMEOUT: "0", POSTERN_DATABASE_QUERY_TIMEOUT: "0" };
    assert.equal(readConfig(unlimited).database_limits.query_timeout, 0);
  });

  test("is refused without a file or database name, and is not quoted", () => {
    for (const [url, message] of [
      ["sqlite::memory:", /lose every token/],
      ["sqlite:file:x?mode=memory", /lose every token/],
      ["sqlite:", /relative\/path/],
      ["sqlite:///abs.db", /absolute\/path/],
      ["sqlite:data/", /relative\/path/],
      ["mysql://ada:hunter22@db/x", /expected sqlite:path or postgres/],
      ["data/postern.db", /expected sqlite:path/],
    ] as const)
      unfit("POSTERN_DATABASE_URL", url, message);
    for (const url of [
      "postgres://ada:hunter22@db",
      "postgres://ada:hunter22#@db/x",
      "postgres://ada:hunter22%@db/x",
      "postgres://ada:hunter22@db:port/x",
    ]) {
      const env = { POSTERN_DATABASE_URL: url, POSTERN_SECRET_KEY: randomHex };
      refused(env, "POSTERN_DATABASE_URL", /percent-encode/);
      assert.doesNotMatch(JSON.stringify(errorsOf(env)), /hunter22/);
    }
  });
});

describe("the secret key in POSTERN_SECRET_KEY", () => {
  const keys = (text: string) => readConfig({ POSTERN_SECRET_KEY: text }).secret_keys;
  const bytes = Buffer.from(randomHex, "hex");

  test("is read as hex, base64 and base64url, alone and in a list", () => {
    assert.deepEqual(keys(randomHex), [bytes]);
    assert.deepEqual(keys(randomHex.toUpperCase()), [bytes]);
    assert.deepEqual(keys(bytes.toString("base64")), [bytes]);
    assert.deepEqual(keys(bytes.toString("base64url")), [bytes]);
    assert.deepEqual(keys(`${otherHex}, ${bytes.toString("base64")}`), [Buffer.from(otherHex, "hex"), bytes]);
  });

  test("is read back unchanged, whatever its bytes", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 64 }).filter((key) => new Set(key).size > 20),
        fc.constantFrom("hex", "base64", "base64url"),
        (key, encoding) => {
          assert.deepEqual(keys(Buffer.from(key).toString(encoding as BufferEncoding)), [Buffer.from(key)]);
        },
      ),
    );
  });

  test("H-12: prevents startup if it is short, guessable or unreadable, and is not quoted", () => {
    for (const [text, message] of [
      [randomHex.slice(0, 62), /at least 32 bytes, got 31/],
      [randomHex.slice(0, 48), /at least 32 bytes, got 24/],
      [randomHex.slice(0, 63), /expected base64, base64url or hex/],
      [bytes.subarray(0, 24).toString("base64"), /at least 32 bytes, got 24/],
      ["change me, please", /key 1 of 2: expected base64/],
      ["00".repeat(32), /guessable/],
      ["0123456789abcdef".repeat(4), /guessable/],
      [Buffer.from("password".repeat(5)).toString("base64"), /guessable/],
      [`${randomHex},${randomHex.slice(0, 40)}`, /key 2 of 2: expected at least 32 bytes/],
      [`${randomHex},`, /key 2 of 2: expected base64/],
      ["a+b_c".repeat(12), /expected base64/],
    ] as const) {
      unfit("POSTERN_SECRET_KEY", text, message);
      for (const item of text.split(",").filter((each) => each.length > 3))
        assert.ok(!JSON.stringify(errorsOf({ POSTERN_SECRET_KEY: text })).includes(item));
    }
  });

  test("H-12: is required for PostgreSQL", () => {
    const env = { POSTERN_DATABASE_URL: "postgres://db.example/postern" };
    refused(env, "POSTERN_SECRET_KEY", /required with PostgreSQL/);
    assert.equal(readConfig({ ...env, POSTERN_SECRET_KEY: randomHex }).secret_keys?.length, 1);
  });
});

describe("the settings POSTERN_ADMIN_EMAIL and POSTERN_ADMIN_PASSWORD", () => {
  const env = { POSTERN_ADMIN_EMAIL: "ada@example.com", POSTERN_ADMIN_PASSWORD: "lovelace" };

  test("must be set together", () => {
    assert.deepEqual(readConfig(env).admin, { email: "ada@example.com", password: "lovelace" });
    refused(
      { POSTERN_ADMIN_EMAIL: env.POSTERN_ADMIN_EMAIL },
      "POSTERN_ADMIN_PASSWORD",
      /required if POSTERN_ADMIN_EMAIL/,
    );
    refused(
      { POSTERN_ADMIN_PASSWORD: "lovelace" },
      "POSTERN_ADMIN_EMAIL",
      /required if POSTERN_ADMIN_PASSWORD/,
    );
  });

  test("are refused for an invalid address, or a password under 8 characters or over 1024 bytes", () => {
    for (const password of ["sevench", "😀😀😀😀😀😀😀", "é".repeat(513)])
      unfit("POSTERN_ADMIN_PASSWORD", password, /expected at (least 8 characters|most 1024)/, env);
    for (const email of ["ada", "@example.com", "ada@", "a b@example.com", "a@b@c"])
      unfit("POSTERN_ADMIN_EMAIL", email, /email address/, env);
  });
});

test("POSTERN_TRUST_PROXY refuses a range that contains every address", () => {
  for (const range of ["0.0.0.0/0", "::/0", "10.0.0.0/00", "::ffff:0.0.0.0/96", "::FFFF:0:0/8"])
    unfit(
      "POSTERN_TRUST_PROXY",
      `10.0.0.1, ${range}`,
      /contains every address, .* list only the addresses of your proxies$/,
    );
});

test("POSTERN_TRUST_PROXY accepts addresses and CIDR ranges of both families", () => {
  assert.deepEqual(readConfig({ POSTERN_TRUST_PROXY: "127.0.0.1, 10.0.0.0/8,fd00::/8 , ::1" }).trust_proxy, [
    "127.0.0.1",
    "10.0.0.0/8",
    "fd00::/8",
    "::1",
  ]);
  for (const text of words(`
    proxy.example 10.0.0.0/33 ::/129 10.0.0.0/ 10.0.0.0/8/8 10.0.0.1,, fe80::1%eth0 *
  `))
    unfit("POSTERN_TRUST_PROXY", text, /addresses or CIDR/);
});

test("POSTERN_LOG_LEVEL accepts the log levels of pino", () => {
  for (const level of ["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    assert.equal(readConfig({ POSTERN_LOG_LEVEL: level }).log_level, level);
  for (const level of ["INFO", "verbose", "30"]) unfit("POSTERN_LOG_LEVEL", level, /one of trace, debug/);
});

test("POSTERN_THROTTLE may be off only on loopback", () => {
  assert.equal(readConfig({ POSTERN_THROTTLE: "off" }).throttle, false);
  assert.equal(readConfig({ POSTERN_THROTTLE: "off", POSTERN_HOST: "::1" }).throttle, false);
  assert.equal(readConfig({ POSTERN_THROTTLE: "on", POSTERN_HOST: "0.0.0.0" }).throttle, true);
  const off = { POSTERN_THROTTLE: "off" };
  for (const host of ["0.0.0.0", "::", "10.0.0.1", "id.example.com"])
    refused({ ...off, POSTERN_HOST: host }, "POSTERN_THROTTLE", /POSTERN_HOST is a loopback/);
  refused(
    { ...off, POSTERN_BASE_URL: "https://id.example.com" },
    "POSTERN_THROTTLE",
    /POSTERN_BASE_URL is a loopback/,
  );
  unfit("POSTERN_THROTTLE", "0", /one of on, off/);
});

test("only JWT assertions can be enabled as an extra grant or client authentication; other names are refused", () => {
  const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
  assert.deepEqual(readConfig({ POSTERN_EXTRA_GRANTS: jwtBearer }).extra_grants, [jwtBearer]);
  unfit("POSTERN_EXTRA_GRANTS", `${jwtBearer},password`, /"password"/);
  const { extra_client_auth } = readConfig({ POSTERN_EXTRA_CLIENT_AUTH: "private_key_jwt" });
  assert.deepEqual(extra_client_auth, ["private_key_jwt"]);
  unfit(
    "POSTERN_EXTRA_CLIENT_AUTH",
    "client_secret_jwt",
    /"client_secret_jwt": unknown; available: private_key_jwt/,
  );
});

test("POSTERN_OUTBOUND_ALLOW accepts addresses and CIDR ranges", () => {
  const { outbound_allow } = readConfig({ POSTERN_OUTBOUND_ALLOW: "127.0.0.1, 10.1.0.0/16,::1" });
  assert.deepEqual(outbound_allow, ["127.0.0.1", "10.1.0.0/16", "::1"]);
  assert.deepEqual(readConfig({}).outbound_allow, []);
  unfit("POSTERN_OUTBOUND_ALLOW", "localhost", /CIDR ranges/);
});

test("an optional feature is enabled by its name, and an unknown name is refused", () => {
  assert.deepEqual(readConfig({ POSTERN_EXTRA_FEATURES: " dpop " }).extra_features, ["dpop"]);
  unfit(
    "POSTERN_EXTRA_FEATURES",
    "dpop,implicit",
    /"implicit": unknown; available: cli, dpop, events, form_post, logout_notices, par, resource_metadata/,
  );
});

test("pushed authorization requests can be required only if they are enabled", () => {
  unfit("POSTERN_REGISTRATION", "open", /needs mcp in POSTERN_PROFILES/);
  const env = { POSTERN_REQUIRE_PUSHED_REQUESTS: "on" };
  assert.equal(readConfig({ ...env, POSTERN_EXTRA_FEATURES: "par" }).require_pushed_requests, true);
  refused(env, "POSTERN_REQUIRE_PUSHED_REQUESTS", /needs par in POSTERN_EXTRA_FEATURES/);
  unfit("POSTERN_REQUIRE_PUSHED_REQUESTS", "yes", /on, off/);
});

describe("the settings POSTERN_SMTP_URL and POSTERN_MAIL_FROM", () => {
  const env = {
    POSTERN_SMTP_URL: "smtp://ada:hunter22@mail.example:587",
    POSTERN_MAIL_FROM: "Postern <id@example.com>",
  };

  test("must be set together", () => {
    assert.deepEqual(readConfig(env).mail, { smtp_url: env.POSTERN_SMTP_URL, from: env.POSTERN_MAIL_FROM });
    assert.equal(
      readConfig({ ...env, POSTERN_SMTP_URL: "smtps://mail.example" }).mail?.smtp_url,
      "smtps://mail.example",
    );
    refused({ POSTERN_SMTP_URL: env.POSTERN_SMTP_URL }, "POSTERN_MAIL_FROM", /required if POSTERN_SMTP_URL/);
    refused({ POSTERN_MAIL_FROM: "id@example.com" }, "POSTERN_SMTP_URL", /required if POSTERN_MAIL_FROM/);
  });

  test("an invalid URL or sender is refused", () => {
    for (const url of ["http://hunter22@mail.example", "smtp://", "mail.example:587", "smtp://a b"])
      unfit("POSTERN_SMTP_URL", url, /^expected smtp:\/\/user:password@host/, env);
    for (const from of ["Postern", "Postern <id>", "a@b.example\r\nBcc: x@y.example", "<a@b.example> x"])
      unfit("POSTERN_MAIL_FROM", from, /expected an email address/, env);
  });
});

test("POSTERN_DOCS_URL must be an http or https address", () => {
  const address = "https://docs.example/start?a=1#b";
  assert.equal(readConfig({ POSTERN_DOCS_URL: address }).docs_url, address);
  for (const wrong of [
    "docs.example",
    "javascript:alert(1)",
    "/docs",
    "https://a:b@docs.example",
    "https://a\\b",
    "ftp://a.example",
  ])
    unfit("POSTERN_DOCS_URL", wrong, /^expected an https or http address/);
});

describe("POSTERN_PICTURE_HOSTS", () => {
  test("accepts only hosts that are valid in a content security policy", () => {
    const env = { POSTERN_PICTURE_HOSTS: "cdn.example.com, images.example:8443" };
    assert.deepEqual(readConfig(env).picture_hosts, ["cdn.example.com", "images.example:8443"]);
    for (const wrong of [
      "https://cdn.example.com",
      "cdn.example.com/logos",
      "*.example.com",
      "CDN.example.com",
      "a.example,,b.example",
      "a.example; script-src *",
      "user@a.example",
      "a.example:443",
    ])
      unfit("POSTERN_PICTURE_HOSTS", wrong, /^expected hosts such as/);
  });
});

describe("the settings POSTERN_BRAND_NAME, POSTERN_BRAND_LOGO_URL and POSTERN_BRAND_ACCENT", () => {
  const brandOfServer = (env: Env) => readConfig(env).brand;

  test("can be set together or separately", () => {
    const env = {
      POSTERN_BRAND_NAME: "Umbrella & Co",
      POSTERN_BRAND_LOGO_URL: "https://umbrella.example/logo.svg",
      POSTERN_BRAND_ACCENT: "#5B5bd6",
    };
    const [name, logo_url, accent] = Object.values(env);
    assert.deepEqual(brandOfServer(env), { name, logo_url, accent });
    const alone = { POSTERN_BRAND_ACCENT: "#5b5bd6" };
    assert.deepEqual(brandOfServer(alone), { name: undefined, logo_url: undefined, accent: "#5b5bd6" });
  });

  test("accept a path of this server or a data URL as the logo", () => {
    for (const url of ["/assets/icon.svg", "/logo.svg?v=2", "data:image/svg+xml;base64,PHN2Zy8+"])
      assert.equal(brandOfServer({ POSTERN_BRAND_LOGO_URL: url }).logo_url, url);
    for (const url of [
      "http://umbrella.example/logo.svg",
      "//umbrella.example/logo.svg",
      "/\\umbrella.example",
      "logo.svg",
      "https://user:hunter22@umbrella.example/",
      "data:text/html,x",
      "data:image/png,a b",
      "javascript:alert(1)",
      `/${"a".repeat(2048)}`,
      `data:image/png;base64,${"a".repeat(8192)}`,
    ])
      unfit("POSTERN_BRAND_LOGO_URL", url, /^expected an https URL or a path/);
  });

  test("accept the same names and accents as an organization's brand", () => {
    const names = ["Umbrella", " ", "n".repeat(100), "n".repeat(101), "<b>"];
    const accents = ["#5b5bd6", "#5B5BD6", "#5b5", "red", "#5b5bd6;", "#5b5bdg", " #5b5bd6"];
    const cases = [
      ...names.map((text) => ["POSTERN_BRAND_NAME", "name", text] as const),
      ...accents.map((text) => ["POSTERN_BRAND_ACCENT", "accent", text] as const),
    ];
    for (const [variable, member, text] of cases) {
      const holds = brandErrors({ brand: { [member]: text } }).length === 0;
      assert.equal(errorsOf({ [variable]: text }).length === 0, holds, text);
    }
  });
});

describe("POSTERN_CLIENT_HOSTS", () => {
  test("PR-23: accepts hosts, wildcards for subdomains, and an asterisk for all", () => {
    const { client_hosts, client_hosts_denied } = readConfig({
      POSTERN_CLIENT_HOSTS: "claude.ai, *.example.com,*",
      POSTERN_CLIENT_HOSTS_DENIED: "evil.example",
    });
    assert.deepEqual(client_hosts, ["claude.ai", "*.example.com", "*"]);
    assert.deepEqual(client_hosts_denied, ["evil.example"]);
    for (const wrong of words("https://claude.ai Claude.ai claude.ai:443 a.*.example bücher.example a. *."))
      unfit("POSTERN_CLIENT_HOSTS", wrong, /^expected hosts such as/);
  });
});
