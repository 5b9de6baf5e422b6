import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { openSpool } from "../../src/cli/moving_in/spool.ts";
import { exportFile } from "../moving_in/reading.ts";
import { temporaryFolder } from "../support/temp.ts";
import { type CommandLine, commandLine } from "./terminal.ts";

const keycloak = exportFile("keycloak_26.json");

/** The folder for temporary files of this process, which no other one uses. */
const temporary = temporaryFolder();
for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = temporary;
const left = () => readdirSync(temporary).filter((name) => name.startsWith("postern-import-"));

type Json = Record<string, unknown>;

/**
 * Starts a server that accepts the requests of an import, stores users by external id, and expects records in
 * a manifest.
 */
async function importServer({ busy = 0, broken = 0, dead_after = Number.POSITIVE_INFINITY } = {}) {
  const people = new Map<string, string>();
  const requests: { readonly path: string; readonly body: Json }[] = [];
  let toRefuse = busy;
  let toBreak = broken;

  function answerPeople({ people: sent, source: from, dry_run }: Json): [status: number, answer: Json] {
    if (toRefuse-- > 0) return [503, { code: "overloaded", detail: "busy", status: 503 }];
    const results = (sent as Json[]).map((person) => {
      const { external_id, email } = person as { external_id: string; email: string };
      const text = JSON.stringify(person);
      const known = people.get(external_id);
      if (email === "gus@example.com")
        return { status: "refused", errors: [{ path: "/email", code: "taken", message: "is taken" }] };
      if (dry_run !== true) people.set(external_id, text);
      const unlinked = ((person.linked_accounts ?? []) as Json[]).map((_, index) => ({
        ...{ path: `/linked_accounts/${index}`, code: "no_record_called", message: "there is no provider" },
      }));
      const undefinedOnes = Object.keys(from === "csv" ? (person.attributes ?? {}) : {}).map((name) => ({
        ...{ path: `/attributes/${name}`, code: "no_attribute", message: "is not an attribute" },
      }));
      const losses = [...unlinked, ...undefinedOnes];
      return { status: known === undefined ? "created" : known === text ? "unchanged" : "updated", losses };
    });
    return [200, { results }];
  }

  function answerManifest({ manifest }: Json): [status: number, answer: Json] {
    const { apps = [] } = manifest as { apps?: Json[] };
    const errors = apps.flatMap(({ client_id, allowed_grants }, index) => {
      if (client_id === "shop-mobile") return [{ path: `apps[${index}]`, message: "is refused" }];
      const isOffered = client_id !== "shop-worker" || (allowed_grants as string[]).length === 0;
      return isOffered ? [] : [{ path: `apps[${index}].allowed_grants[0]`, message: "is not offered" }];
    });
    if (errors.length > 0)
      return [
        422,
        {
          code: "invalid_manifest",
          status: 422,
          detail: "invalid",
          errors: errors.map((each) => ({ code: "x", ...each })),
        },
      ];
    return [
      200,
      { created: apps.map(({ client_id }) => `app ${client_id}`), updated: [], unchanged: [], secrets: {} },
    ];
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body: Json = JSON.parse(Buffer.concat(chunks).toString());
    const path = request.url ?? "";
    requests.push({ path, body });
    // Closes the connection, as a restarting server does.
    if (path.endsWith("/import/people") && toBreak-- > 0) return void request.socket.destroy();
    if (requests.length > dead_after) {
      response.writeHead(403, { "content-type": "application/problem+json" });
      return void response.end(JSON.stringify({ code: "forbidden", detail: "no longer", status: 403 }));
    }
    const [status, answer] = path.endsWith("/import/people") ? answerPeople(body) : answerManifest(body);
    response.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
    response.end(JSON.stringify(answer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, people };
}

describe("postern import", () => {
  const folder = temporaryFolder();
  const key = join(folder, "key");
  const losses = join(folder, "losses.csv");
  writeFileSync(key, "pak_of_a_test");
  const of = (url: string) => {
    rmSync(losses, { force: true });
    return [...["--server", url, "--api-key-file", key], "--losses", losses];
  };
  const lossLines = () => readFileSync(losses, "utf8").trimEnd().split("\r\n");
  const made = (cli: CommandLine, url: string, ...args: string[]) =>
    cli.run(["import", keycloak, "--from", "keycloak", ...of(url), ...args]);

  test("a dry run counts users, data that would be lost by kind and changes per client, and writes nothing", async () => {
    const { url, requests, people } = await importServer();
    const cli = commandLine();
    const { code, out } = await made(cli, url, "--dry-run", "--owner", "ada@admin.example");
    // The server would refuse gus@example.com.
    assert.equal(code, 1);
    assert.ok(requests.every(({ body }) => body.dry_run === true));
    assert.equal(people.size, 0);
    assert.match(out, /^Users: 6 would be created, 0 would be updated, 0 unchanged, 2 refused\./);
    assert.match(out, / 1 {2}user: the user is not imported: no email address\n/);
    assert.match(
      out,
      / 2 {2}role: it belongs to an organization: set organization in the --map file or the form\n/,
    );
    assert.match(out, new RegExp(`Set the issuer of every application to ${url}`));
    assert.match(
      out,
      /client shop-web\n(?: {2}.*\n)*? {2}redirect_uris https:\/\/shop.example\/old\/\*: must not/,
    );
    assert.match(
      out,
      /client shop-signed\n {2}PKCE: optional [^\n]*\n {2}first_party: not imported: users are asked [^\n]*\nclient /,
    );
    // Records that the real run creates before the users are not reported as losses.
    assert.doesNotMatch(out, /there is no provider/);
    assert.equal(lossLines()[0], "object,member,reason");
    assert.ok(
      lossLines().includes(
        "user gus@example.com,email,the user is not imported: another user has this email address",
      ),
    );
    assert.ok(lossLines().includes("client shop-mobile,,the client is not imported: is refused"));
    assert.ok(lossLines().includes("client shop-worker,allowed_grants[0],is not offered"));
  });

  test("an import applies users and records, and a second run finds everything unchanged", async () => {
    const { url, requests } = await importServer();
    const cli = commandLine();
    const first = await made(cli, url, "--owner", "ada@admin.example", "--source", "shop");
    assert.match(first.out, /^Users: 6 created, 0 updated, 0 unchanged, 2 refused\./);
    const again = await made(cli, url, "--owner", "ada@admin.example", "--source", "shop");
    assert.match(again.out, /^Users: 0 created, 0 updated, 6 unchanged, 2 refused\./);
    const sent = requests.filter(({ path }) => path === "/api/v1/import/people");
    assert.deepEqual(sent[0]?.body, sent[1]?.body);
    assert.equal(sent[0]?.body.source, "shop");
    assert.ok(lossLines().some((line) => line.includes("linked_accounts/0,there is no provider")));
    const written = requests.filter(({ body }) => body.manifest !== undefined && body.dry_run !== true);
    const { apps = [], organizations } = (written[0]?.body.manifest ?? {}) as Record<string, Json[]>;
    assert.deepEqual(organizations, [{ slug: "acme", name: "Acme Corp", active: true }]);
    assert.equal(apps.length, 5);
    assert.ok(apps.every(({ owner }) => owner === "ada@admin.example"));
  });

  test("users are sent in batches of 500, and a batch is repeated if the server is busy", async () => {
    const { url, requests, people } = await importServer({ busy: 2 });
    const rows = Array.from({ length: 1201 }, (_, index) => `${index},p${index}@example.com`);
    const file = join(folder, "people.csv");
    writeFileSync(file, ["id,email", ...rows].join("\n"));
    const { code, out } = await commandLine().run(["import", file, "--from", "csv", ...of(url)]);
    assert.equal(code, 0);
    assert.match(out, /^Users: 1201 created/);
    assert.equal(people.size, 1201);
    const sizes = requests.flatMap(({ body }) =>
      body.people === undefined ? [] : [(body.people as Json[]).length],
    );
    assert.deepEqual(sizes, [500, 500, 500, 500, 201]);
  });

  test("a batch is sent again if the server restarts, and an error of a later batch is reported as received", async () => {
    const rows = Array.from({ length: 1201 }, (_, index) => `${index},p${index}@example.com`);
    const file = join(folder, "more.csv");
    writeFileSync(file, ["id,email", ...rows].join("\n"));
    const restarting = await importServer({ broken: 1 });
    const through = await commandLine().run(["import", file, "--from", "csv", ...of(restarting.url)]);
    assert.match(through.out, /^Users: 1201 created/);
    const ending = await importServer({ dead_after: 3 });
    const { code, err } = await commandLine().run(["import", file, "--from", "csv", ...of(ending.url)]);
    assert.equal(code, 1);
    assert.match(err, /no longer/);
    assert.equal(ending.people.size, 500);
    assert.deepEqual(left(), []);
  });

  test("MG-8 an invalid file is refused with the line number before anything is sent, without quoting it", async () => {
    const { url, requests } = await importServer();
    const file = join(folder, "broken.json");
    const secret = "marker-of-a-secret";
    const good = '{"localId":"1","email":"a@example.com"}';
    writeFileSync(file, `{"users": [${good},\n{"passwordHash": "${secret}" oops}]}`);
    const { code, err } = await commandLine().run(["import", file, "--from", "firebase", ...of(url)]);
    assert.deepEqual([code, err], [1, `${file}, line 2: not well-formed JSON\n`]);
    writeFileSync(file, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]));
    const binary = await commandLine().run(["import", file, "--from", "firebase", ...of(url)]);
    assert.match(binary.err, /is not UTF-8/);
    const none = await commandLine().run(["import", `${file}.x`, "--from", "firebase", ...of(url)]);
    assert.match(none.err, /there is no such file/);
    assert.deepEqual(requests, []);
    assert.deepEqual(left(), []);
  });

  test("an export of an unsupported system is refused with the names of the supported ones", async () => {
    const { url, requests } = await importServer();
    const refused: [from: string, file: string, said: RegExp][] = [
      ["auth0", "keycloak_26.json", /export of auth0, but like one of keycloak\n$/],
      ["csv", "keycloak_26.json", /export of csv, but like one of keycloak\n$/],
      ["keycloak", "firebase.json", /export of keycloak, but like one of firebase\n$/],
      ["zitadel", "auth0_users.ndjson", /export of zitadel, but like one of auth0\n$/],
      ["firebase", "people.csv", /^this file does not look like an export of firebase\n$/],
    ];
    for (const [from, file, said] of refused) {
      const { code, err } = await commandLine().run(["import", exportFile(file), "--from", from, ...of(url)]);
      assert.equal(code, 1, `${from} ${file}`);
      assert.match(err, said);
      assert.ok(!existsSync(losses));
    }
    assert.deepEqual(requests, []);
    // A valid export in which no user can be imported is accepted, and its users are reported as refused.
    const phones = join(folder, "phones.json");
    writeFileSync(phones, JSON.stringify({ users: [{ localId: "1", phoneNumber: "+15550100" }] }));
    const { code, out } = await commandLine().run(["import", phones, "--from", "firebase", ...of(url)]);
    assert.equal(code, 0);
    assert.match(out, /^Users: 0 created, 0 updated, 0 unchanged, 1 refused\./);
  });

  test("a Unicode line separator in an identifier does not break the output line", async () => {
    const { url, people } = await importServer();
    const file = join(folder, "separators.csv");
    const id = "1\u20282\u20293";
    writeFileSync(file, `id,email\n${id},a@example.com\n2,b@example.com`);
    const { code, out } = await commandLine().run(["import", file, "--from", "csv", ...of(url)]);
    assert.equal(code, 0);
    assert.match(out, /^Users: 2 created/);
    assert.deepEqual([...people.keys()], [id, "2"]);
  });

  test("importing clients requires --owner, and unknown fields of the map are refused by name", async () => {
    const { url, requests } = await importServer();
    const cli = commandLine();
    const ownerless = await made(cli, url);
    const planned = await made(cli, url, "--dry-run");
    for (const { code, err } of [ownerless, planned]) {
      assert.equal(code, 2);
      assert.match(err, /6 clients in the files: name the user who owns them with --owner/);
    }
    assert.deepEqual(requests, []);
    const map = join(folder, "map.yaml");
    const wrong: [text: string, said: RegExp][] = [
      ["colums: {}", /unknown field colums/],
      ["columns: [a]", /columns must be/],
      ["rp_id: 5", /rp_id must be a host/],
      ["exported_at: soon", /exported_at must be a time/],
      ["firebase: {signer_key: marker}", /firebase.salt_separator must be/],
      ["a: [", /neither YAML nor JSON/],
    ];
    for (const [text, said] of wrong) {
      writeFileSync(map, text);
      const { code, err } = await made(cli, url, "--map", map);
      assert.equal(code, 2, text);
      assert.match(err, said);
      assert.doesNotMatch(err, /marker/);
    }
    assert.ok(!existsSync(losses), "a run that could not begin leaves no file");
    assert.match((await cli.run("import x --from ldap")).err, /Allowed choices are keycloak, auth0/);
  });

  test("MG-8 if the import is killed, no temporary file with users' data remains", async () => {
    const spool = openSpool();
    const lines = Array.from({ length: 3000 }, (_, index) => `${index} ${"x".repeat(50)}`);
    for (const line of lines) spool.write(line);
    const read: string[] = [];
    for (const line of spool.lines()) read.push(line);
    assert.deepEqual(read, lines);
    if (process.platform !== "win32") assert.deepEqual(left(), []);
    spool.close();
    assert.deepEqual(left(), []);
  });

  test("MG-8 data that cannot be imported is listed in a new file, numbered if the name is taken", async () => {
    const { url } = await importServer();
    const file = join(folder, "one.csv");
    const other = join(folder, "other.txt");
    writeFileSync(file, "id,email,shoe\n1,a@example.com,44");
    const run = (...more: string[]) =>
      commandLine().run(["import", file, "--from", "csv", ...of(url), ...more]);
    assert.equal((await run("--dry-run")).code, 0);
    assert.equal(statSync(losses).mode & 0o777, process.platform === "win32" ? 0o666 : 0o600);
    const args = ["import", file, "--from", "csv", "--server", url, "--api-key-file", key];
    const second = join(folder, "losses-2.csv");
    const third = join(folder, "losses-3.csv");
    writeFileSync(losses, "kept");
    writeFileSync(other, "kept");
    // A link with that name is not followed, whether its target exists or not.
    for (const target of [other, `${other}.new`]) {
      rmSync(second, { force: true });
      symlinkSync(target, second);
      const { code, out } = await commandLine().run([...args, "--losses", losses]);
      assert.equal(code, 0);
      assert.match(out, /\nLosses \(.*losses-3\.csv lists each one\):\n/);
      assert.match(
        readFileSync(third, "utf8"),
        /^object,member,reason\r\nuser a@example.com,attributes\/shoe,/,
      );
      rmSync(third);
    }
    for (const kept of [losses, other]) assert.equal(readFileSync(kept, "utf8"), "kept");
    assert.ok(!existsSync(`${other}.new`));
    for (const each of [losses, second]) rmSync(each);
  });

  test("a dry run lists data that cannot be imported in a file only if --losses names one", async () => {
    const { url } = await importServer();
    const file = join(folder, "dated.csv");
    writeFileSync(file, "id,email,shoe\n1,a@example.com,44");
    const before = readdirSync(".");
    const args = ["import", file, "--from", "csv", "--server", url, "--api-key-file", key, "--dry-run"];
    assert.match(
      (await commandLine().run(args)).out,
      /Losses \(--losses FILE writes each one to a file\):\n +1 {2}user/,
    );
    assert.deepEqual(readdirSync("."), before);
  });

  test("MG-8 a formula in the list of data that cannot be imported is plain text in a spreadsheet", async () => {
    const { url } = await importServer();
    const file = join(folder, "cells.csv");
    writeFileSync(file, 'id,primary_email_address,"=HYPERLINK(""x"")"\n1,a@example.com,2\n');
    await commandLine().run(["import", file, "--from", "clerk", ...of(url)]);
    assert.equal(lossLines()[1], `user a@example.com,"'=HYPERLINK(""x"")",not supported`);
  });
});
