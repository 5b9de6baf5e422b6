import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openPostgres } from "../../src/storage/postgres/driver.ts";
import { splitTls } from "../../src/storage/postgres/tls.ts";
import { certificate, key } from "../outbound/tls_server.ts";
import { type PostgresCluster, startPostgres } from "../support/postgres.ts";
import { handOver, makeFolder, unprivilegedAccount } from "../support/postgres_installation.ts";

/** The self-signed certificate is for 127.0.0.1, and not for `localhost`. */
let cluster: PostgresCluster;
let files: { readonly certificate: string; readonly key: string };
before(async () => {
  const account = unprivilegedAccount();
  const folder = makeFolder(account);
  files = { certificate: join(folder, "server.pem"), key: join(folder, "server.key") };
  writeFileSync(files.certificate, certificate);
  writeFileSync(files.key, key, { mode: 0o600 });
  handOver(folder, account);
  cluster = await startPostgres([
    "ssl=on",
    `ssl_cert_file=${files.certificate}`,
    `ssl_key_file=${files.key}`,
    `ssl_ca_file=${files.certificate}`,
  ]);
});
after(() => cluster.stop());

/** Connects, and returns what the server reports about the encryption. */
async function connection(host: string, parameters: Record<string, string>) {
  const url = new URL(cluster.url);
  url.hostname = host;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const driver = await openPostgres(url.href);
  try {
    const [row] = await driver.all("SELECT ssl, client_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid()", []);
    return row;
  } finally {
    await driver.close();
  }
}

const untrusted =
  /^the database refuses this server: .* unknown authority: .* sslrootcert .* sslmode=no-verify$/;
const otherHost =
  /^the database refuses this server: its certificate is for another host: .* sslmode=verify-ca/;

test("sslmode and sslrootcert work as in libpq, and an error names the remedy", async () => {
  const ca = { sslrootcert: files.certificate };
  for (const [host, parameters, expected] of [
    ["127.0.0.1", { sslmode: "disable" }, false],
    ["localhost", { sslmode: "no-verify" }, true],
    ["127.0.0.1", { sslmode: "require" }, untrusted],
    ["127.0.0.1", { sslmode: "verify-ca" }, untrusted],
    ["127.0.0.1", { sslmode: "verify-full", ...ca }, true],
    ["localhost", { sslmode: "verify-full", ...ca }, otherHost],
    ["localhost", { sslmode: "verify-ca", ...ca }, true],
    ["localhost", { sslmode: "require", ...ca }, true],
    ["127.0.0.1", { sslmode: "verify-full", sslrootcert: "system" }, untrusted],
  ] as const) {
    const said = await connection(host, parameters).then(
      (row) => row?.ssl,
      (error: Error) => error.message,
    );
    const of = `${host} ${JSON.stringify(parameters)}`;
    if (typeof expected === "boolean") assert.equal(said, expected, of);
    else assert.match(String(said), expected, of);
  }
});

test("sslcert and sslkey present a client certificate to PostgreSQL", async () => {
  const own = { sslcert: files.certificate, sslkey: files.key };
  const row = await connection("127.0.0.1", { sslmode: "verify-ca", sslrootcert: files.certificate, ...own });
  assert.deepEqual(row, { ssl: true, client_dn: "/CN=outbound test" });
});

test("a certificate file that cannot be read is named with its parameter", () => {
  const url = "postgres://a@b/c?sslmode=verify-ca&sslrootcert=/nowhere/ca.pem";
  assert.throws(
    () => splitTls(url),
    /^Error: sslrootcert of the database's URL: \/nowhere\/ca\.pem cannot be read: ENOENT/,
  );
});
