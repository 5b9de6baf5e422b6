import assert from "node:assert/strict";
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ConfigError } from "../../src/config/config_error.ts";
import { describeSettings, settingsHelp, settingsList } from "../../src/config/describe_settings.ts";
import { readConfig } from "../../src/config.ts";
import { codePoint, webUrl } from "../support/code_point.ts";
import { column, words } from "../support/lists.ts";
import { temporaryFolder } from "../support/temp.ts";
import { errorsOf, noFiles, randomHex, refused, unfit } from "./errors.ts";

test("without variables, the base URL and the database have derived values and optional features are off", () => {
  const config = readConfig({});
  assert.deepEqual(
    [config.base_url, config.database, config.metrics_host],
    ["http://localhost:3000", { kind: "sqlite", path: "data/postern.db" }, "127.0.0.1"],
  );
  assert.deepEqual(config.brand, { name: undefined, logo_url: undefined, accent: undefined });
  const off = Object.entries(config).filter(([, value]) => value === undefined);
  assert.deepEqual(
    off.map(([name]) => name),
    words(`
      database_read secret_keys secret_key_command signer admin metrics_port telemetry audit_file
      audit_syslog foreign_passwords_until account_lookup outbound_proxy outbound_ca mail docs_url
      service_documentation op_policy_uri op_tos_uri words_dir
    `),
  );
});

test("an empty value counts as unset", () => {
  assert.deepEqual(
    readConfig({ POSTERN_PORT: "", POSTERN_SECRET_KEY: "", POSTERN_MAIL_FROM: "" }),
    readConfig({}),
  );
});

test("a flag wins over the environment, the environment over a file, a file over the default", () => {
  const files = { readFile: (path: string) => `sqlite:${path}.db\n` };
  const env = { POSTERN_DATABASE_URL_FILE: "from_file" };
  const path = (...args: Parameters<typeof readConfig>) => readConfig(...args).database;
  assert.deepEqual(path(env, {}, files), { kind: "sqlite", path: "from_file.db" });
  const both = { ...env, POSTERN_DATABASE_URL: "sqlite:from_env.db" };
  assert.deepEqual(path(both, {}, files), { kind: "sqlite", path: "from_env.db" });
  assert.deepEqual(path(both, { POSTERN_DATABASE_URL: "sqlite:from_flag.db" }, files), {
    kind: "sqlite",
    path: "from_flag.db",
  });
});

test("all errors are reported together, each with the name of its variable", () => {
  const env = {
    POSTERN_BASE_URL: "id.example.com",
    POSTERN_HOST: "not a host",
    POSTERN_PORT: "http",
    POSTERN_DATABASE_URL: "mysql://localhost/db",
    POSTERN_SECRET_KEY: "short",
    POSTERN_ADMIN_EMAIL: "ada",
    POSTERN_WORKERS: "0",
    POSTERN_TRUST_PROXY: "everyone",
    POSTERN_METRICS_PORT: "-1",
    POSTERN_LOG_LEVEL: "loud",
    POSTERN_REFRESH_REUSE_WINDOW: "61",
    POSTERN_REFRESH_FAMILY_MAX_AGE: "0",
    POSTERN_AUTHORIZATION_CODE_TTL: "601",
    POSTERN_AUDIT_RETENTION: "-1",
    POSTERN_ADDRESS_RETENTION: "for ever",
    POSTERN_REFUSAL_RETENTION: "0",
    POSTERN_THROTTLE: "maybe",
    POSTERN_EXTRA_GRANTS: "password",
    POSTERN_EXTRA_CLIENT_AUTH: "client_secret_jwt",
    POSTERN_EXTRA_FEATURES: "implicit",
    POSTERN_DPOP_NONCE: "sometimes",
    POSTERN_SMTP_URL: "mail.example.com",
    POSTERN_ISSUER: "https://id.example.com",
  };
  const errors = errorsOf(env);
  const expected = [...Object.keys(env), "POSTERN_ADMIN_PASSWORD", "POSTERN_MAIL_FROM"];
  assert.deepEqual(errors.map(({ name }) => name).sort(), expected.sort());
  const { message } = new ConfigError(errors);
  for (const name of expected) assert.match(message, new RegExp(`^ {2}${name}: .{10}`, "m"));
});

test("POSTERN_SIGNER is an https or loopback http address, or a PKCS #11 URI with its PIN in a file", () => {
  const signer = (POSTERN_SIGNER: string) => readConfig({ POSTERN_SIGNER }).signer;
  assert.deepEqual(signer("http://127.0.0.1:8200/v1/"), {
    ...{ kind: "http", url: "http://127.0.0.1:8200/v1" },
    ...{ token: undefined, certificate: undefined, ca: undefined },
  });
  assert.deepEqual(signer("pkcs11:token=My%20token?module-path=/lib/p11.so&pin-source=file:/run/pin"), {
    ...{ kind: "pkcs11", token: "My token", module_path: "/lib/p11.so", pin_file: "/run/pin" },
  });
  for (const wrong of ["http://signer.example", "pkcs11:token=a", "pkcs11:token=a?pin-value=1234", "signer"])
    unfit("POSTERN_SIGNER", wrong, /expected|pin-source/);
  unfit("POSTERN_SIGNER_TOKEN", "alone", /requires an HTTP signer/);
});

describe("an unknown POSTERN_ variable", () => {
  test("prevents startup, and the nearest known name is suggested", () => {
    unfit("POSTERN_PROT", "80", /did you mean POSTERN_PORT\?$/);
    unfit("POSTERN_SECRET_KEYS", randomHex, /did you mean POSTERN_SECRET_KEY\?$/);
    unfit("POSTERN_", "x", /no such setting/);
  });

  test("prevents startup even with an empty value", () => {
    unfit("POSTERN_BASEURL", "", /did you mean POSTERN_BASE_URL\?$/);
  });

  test("is ignored if it belongs to the tests or to other programs", () => {
    assert.deepEqual(errorsOf({ POSTERN_TEST_DATABASE: "x", POSTGRES_USER: "x", PATH: "/bin" }), []);
  });

  test("that adds _FILE to a setting that is no secret is refused with the reason", () => {
    unfit("POSTERN_PORT_FILE", "/run/port", /only secrets.*POSTERN_PORT itself/);
  });
});

describe("settings read from files", () => {
  const values: Record<string, string> = {
    POSTERN_SECRET_KEY: randomHex,
    POSTERN_DATABASE_URL: "postgres://db1/postern",
    POSTERN_DATABASE_READ_URL: "postgres://db2,db3/postern",
    POSTERN_ADMIN_PASSWORD: " with spaces around ",
    POSTERN_SMTP_URL: "smtp://mail.example:587",
    POSTERN_ACCOUNT_LOOKUP_SECRET: `whsec_${"A".repeat(32)}`,
    POSTERN_SIGNER_TOKEN: "token-of-the-signer",
    POSTERN_SIGNER_CERTIFICATE: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
    POSTERN_OUTBOUND_PROXY: "http://proxy.example:3128",
    POSTERN_OUTBOUND_CA: "-----BEGIN CERTIFICATE-----\nCCCC\n-----END CERTIFICATE-----",
    POSTERN_SIGNER_CA: "-----BEGIN CERTIFICATE-----\nBBBB\n-----END CERTIFICATE-----",
  };
  const rest = {
    POSTERN_ADMIN_EMAIL: "ada@example.com",
    POSTERN_MAIL_FROM: "id@example.com",
    POSTERN_SIGNER: "https://signer.example/v1",
    POSTERN_ACCOUNT_LOOKUP_URL: "https://old.example/lookup",
    POSTERN_ACCOUNT_LOOKUP_UNTIL: "2027-01-31T00:00:00Z",
  };

  test("each is read without the final line break of the file", () => {
    const names = Object.keys(values);
    const env = { ...rest, ...Object.fromEntries(names.map((name) => [`${name}_FILE`, `/run/${name}`])) };
    for (const lineEnd of ["", "\n", "\r\n"]) {
      const files = { readFile: (path: string) => `${values[path.slice("/run/".length)]}${lineEnd}` };
      assert.deepEqual(readConfig(env, {}, files), readConfig({ ...rest, ...values }));
    }
    assert.deepEqual(
      describeSettings()
        .flatMap(({ file }) => file ?? [])
        .sort(),
      names.map((name) => `${name}_FILE`).sort(),
    );
  });

  test("an unreadable or empty file is an error that quotes neither path nor content", () => {
    const env = { POSTERN_SECRET_KEY_FILE: randomHex };
    for (const [files, message] of [
      [noFiles, /^the file cannot be read \(ENOENT\)$/],
      [{ readFile: () => "\n" }, /^the file is empty$/],
      [{ readFile: () => "not-32-bytes" }, /got 9/],
    ] as const) {
      const errors = errorsOf(env, files);
      assert.deepEqual(column(errors, "name"), ["POSTERN_SECRET_KEY_FILE"]);
      assert.match(errors[0]?.message ?? "", message);
      assert.doesNotMatch(errors[0]?.message ?? "", /5f0c8e|not-32-bytes/);
    }
  });

  test("a file that does not exist is reported by its setting", () => {
    const env = { POSTERN_SECRET_KEY_FILE: new URL("no_such_file", import.meta.url).pathname };
    assert.throws(() => readConfig(env), /POSTERN_SECRET_KEY_FILE: the file cannot be read \(ENOENT\)/);
  });
});

test("no error quotes any secret value", () => {
  const secret = fc
    .string({ minLength: 6, maxLength: 40 })
    .map((text) => `q7x${text.replaceAll(/\s/g, "_")}`);
  const names = fc.constantFrom(
    "POSTERN_SECRET_KEY",
    "POSTERN_DATABASE_URL",
    "POSTERN_ADMIN_PASSWORD",
    "POSTERN_SMTP_URL",
  );
  const prefix = fc.constantFrom("", "sqlite:", "postgres://ada:", "smtp://ada:", "http://");
  fc.assert(
    fc.property(names, prefix, secret, (name, before, value) => {
      const reported = JSON.stringify([
        errorsOf({ [name]: before + value }),
        errorsOf({ [`${name}_FILE`]: "/run/x" }, { readFile: () => before + value }),
        errorsOf({ [`${name}S`]: value }),
      ]);
      assert.ok(!reported.includes("q7x"), reported);
    }),
  );
});

test("any environment yields a configuration or a ConfigError, and no other exception", () => {
  const names = fc.constantFrom(...describeSettings().map(({ name }) => name as string));
  fc.assert(
    fc.property(
      fc.dictionary(names, fc.oneof(fc.string(), webUrl, fc.string({ unit: codePoint }))),
      (env) => {
        try {
          readConfig(env);
        } catch (error) {
          assert.ok(error instanceof ConfigError && error.errors.length > 0, String(error));
        }
      },
    ),
  );
});

test("the help text and docs/operations/settings.md come from the same descriptions", () => {
  const help = settingsHelp();
  for (const { name, flag, meaning } of describeSettings()) {
    assert.match(flag, /^--[a-z-]+$/);
    for (const part of [name, flag, meaning]) assert.ok(help.includes(part), part);
  }
  const operations = readFileSync(new URL("../../docs/operations/settings.md", import.meta.url), "utf8");
  assert.ok(
    operations.includes(settingsList()),
    `put this list into docs/operations/settings.md:\n${settingsList()}`,
  );
});

test("every documented default can be set explicitly and changes nothing", () => {
  // For these settings, the documented default is a description and not a value.
  const described = ["POSTERN_SECRET_KEY", "POSTERN_BRAND_NAME"];
  for (const { name, default: shown } of describeSettings()) {
    if (shown === undefined || described.includes(name)) continue;
    assert.deepEqual(readConfig({ [name]: shown.replace("<port>", "3000") }), readConfig({}), name);
  }
});

test("H-60: the audit file may be neither the database, nor its key, nor a file of another setting", () => {
  const database = { POSTERN_DATABASE_URL: "sqlite:data/postern.db" };
  const own = ["postern.db", "postern.db-wal", "postern.db-shm", "secret.key", "../data/./secret.key"];
  for (const name of own) unfit("POSTERN_AUDIT_FILE", `data/${name}`, /belong to the database/, database);
  const secret = { POSTERN_SIGNER_TOKEN_FILE: "/run/token", POSTERN_SIGNER: "https://signer.example/" };
  const files = { readFile: () => "token" };
  const errors = errorsOf({ ...secret, POSTERN_AUDIT_FILE: "/run/../run/token" }, files);
  assert.deepEqual(errors, [
    {
      name: "POSTERN_AUDIT_FILE",
      message: "expected a different file from that of POSTERN_SIGNER_TOKEN_FILE",
    },
  ]);
  assert.deepEqual(errorsOf({ ...database, POSTERN_AUDIT_FILE: "data/audit.jsonl" }), []);
});

test("H-60: no symbolic link, linked folder or hard link lets the audit file be one of the server's own files", () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  mkdirSync(at("data"));
  writeFileSync(at("data/postern.db"), "");
  writeFileSync(at("token"), "token");
  symlinkSync("data/postern.db", at("to_database"));
  symlinkSync("data/secret.key", at("to_key_not_yet_made"));
  symlinkSync("data", at("to_folder"));
  linkSync(at("data/postern.db"), at("second_name"));
  symlinkSync("round", at("round"));
  const linked = { POSTERN_DATABASE_URL: `sqlite:${at("to_database")}` };
  unfit("POSTERN_AUDIT_FILE", at("data/postern.db-wal"), /belong to the database/, linked);
  const database = { POSTERN_DATABASE_URL: `sqlite:${at("data/postern.db")}` };
  const own = ["to_database", "to_key_not_yet_made", "to_folder/postern.db-wal", "second_name"];
  for (const name of own) unfit("POSTERN_AUDIT_FILE", at(name), /belong to the database/, database);
  for (const name of ["token", "to_folder/audit.jsonl", "round"])
    assert.deepEqual(errorsOf({ ...database, POSTERN_AUDIT_FILE: at(name) }), [], name);
});

test("POSTERN_AUDIT_SYSLOG_URL requires udp or tcp and a valid port", () => {
  const url = "POSTERN_AUDIT_SYSLOG_URL";
  for (const wrong of ["udp://127.0.0.1:0", "tcp://127.0.0.1:70000", "http://127.0.0.1:514"])
    refused({ [url]: wrong }, url, /expected udp/);
});

test("MG-9: the account look-up requires a key and an end date, and sends passwords only over https", () => {
  const env = {
    POSTERN_ACCOUNT_LOOKUP_URL: "http://old.internal/lookup",
    POSTERN_ACCOUNT_LOOKUP_SECRET: `whsec_${"A".repeat(32)}`,
    POSTERN_ACCOUNT_LOOKUP_UNTIL: "2027-01-31T00:00:00Z",
  };
  assert.equal(readConfig(env).account_lookup?.send_password, false);
  const send = { POSTERN_ACCOUNT_LOOKUP_SEND_PASSWORD: "on" };
  const secure = { ...env, ...send, POSTERN_ACCOUNT_LOOKUP_URL: "https://old.example/lookup" };
  assert.equal(readConfig(secure).account_lookup?.send_password, true);
  const names = (wrong: Parameters<typeof errorsOf>[0]) => errorsOf(wrong).map(({ name }) => name);
  assert.deepEqual(names({ ...env, ...send }), ["POSTERN_ACCOUNT_LOOKUP_SEND_PASSWORD"]);
  for (const missing of ["POSTERN_ACCOUNT_LOOKUP_SECRET", "POSTERN_ACCOUNT_LOOKUP_UNTIL"])
    assert.deepEqual(names({ ...env, [missing]: "" }), [missing]);
  const short = { ...env, POSTERN_ACCOUNT_LOOKUP_SECRET: `whsec_${"A".repeat(16)}` };
  refused(short, "POSTERN_ACCOUNT_LOOKUP_SECRET", /24 to 64 bytes/);
});
