/** The console page that imports the export of another system (MG-13). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { storeImport } from "../../src/admin/imports/import_uploads.ts";
import { findRun } from "../../src/console/import_job.http.ts";
import { testContext } from "../admin/context.ts";
import { aPerson, browserOf, hiddenField, signInAs, testApp, testBrowser } from "../support/app.ts";
import { anOrganization, later } from "../support/builders.ts";
import { until } from "../support/until.ts";

const path = "/console/import";
const exportText = (name: string) =>
  readFileSync(new URL(`../moving_in/exports/${name}`, import.meta.url), "utf8");
const hash = "1hBoxpKXb8hGrT6QmBmaMe/H4l6jL8u0thGdcWTHQjY8Z71eobGaW";

async function fixture() {
  const it = await testApp();
  const root = await aPerson(it, { is_platform_admin: true });
  const browser = await browserOf(it, root);
  const csrf_token = hiddenField(await browser.get(path), "csrf_token");
  const phase = async () =>
    /<section class="card"><h2>([^<]+)/.exec((await browser.get(path)).body)?.[1] ?? "";
  /** Returns the page once the run has ended. */
  async function settled(title: RegExp) {
    await until(async () => title.test(await phase()), `${title}`);
    return browser.get(path);
  }
  /** Sends the form with its file as a browser does (RFC 7578). */
  const upload = (file: string, fields: Readonly<Record<string, string>>) => {
    const part = (head: string, body: string) =>
      `--edge\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
    const payload = [
      ...Object.entries({ csrf_token, ...fields }).map(([name, value]) => part(`name="${name}"`, value)),
      part(`name="file"; filename="export.json"\r\nContent-Type: application/json`, file),
      "--edge--\r\n",
    ].join("");
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, "content-type": "multipart/form-data; boundary=edge" };
    return it.app.inject({ method: "POST", url: path, headers, payload });
  };
  return { it, root, browser, csrf_token, settled, upload };
}

describe("the page for imports in the console", () => {
  test("MG-13: an export is first checked, then imported, and its file deleted; no page shows its secrets", async () => {
    const { it, root, browser, csrf_token, settled, upload } = await fixture();
    const { store } = it;
    const text = ["auth0_users.ndjson", "auth0_hashes.ndjson"].map(exportText).join("\n");
    const sent = await upload(text, { system: "auth0", source: "old-shop", organization: "" });
    assert.deepEqual([sent.statusCode, sent.headers.location], [303, path], sent.body);
    const checked = await settled(/^Checked/);
    assert.match(checked.body, /<bdi>old-shop<\/bdi>/);
    assert.match(checked.body, /[1-9]\d* to create, 0 to update, 0 unchanged/);
    assert.doesNotMatch(checked.body, /\d created/);
    assert.match(checked.body, /user: second factors|user: .*not imported|<td class="number"/);
    assert.equal(checked.headers.refresh, undefined);
    assert.match(checked.body, /<option value="auth0" selected>/);
    assert.match(checked.body, /name="source"[^>]* value="old-shop"/);
    assert.equal(checked.body.match(/<button class="button" type="submit">/g)?.length, 1);
    assert.equal(await store.count("users"), 1);
    const rows = JSON.stringify(await store.list("ephemera"));
    assert.ok(rows.includes("import_upload") && !rows.includes(hash) && !rows.includes("ada@example.com"));

    assert.equal((await browser.post(`${path}/apply`, { csrf_token })).statusCode, 303);
    const imported = await settled(/^Imported/);
    assert.match(imported.body, /[1-9]\d* created, 0 updated, 0 unchanged/);
    const ada = await store.find("users", { email_key: "ada@example.com" });
    assert.ok(ada?.password_hash);
    assert.equal(
      await store.count("imported_people", { source: "old-shop" }),
      (await store.count("users")) - 1,
    );
    const [run] = await store.list("audit_events", { type: "records_imported" });
    assert.equal(run?.actor_id, root.id);
    assert.deepEqual(
      [run.details?.system, run.details?.source, run.details?.created],
      ["auth0", "old-shop", (await store.count("users")) - 1],
    );
    assert.ok(imported.body.includes(root.email), "the run and its administrator are listed");
    assert.equal(await store.count("ephemera", { kind: "import_upload" }), 0);
    for (const { body } of [checked, imported]) assert.ok(!body.includes(hash));
    assert.ok(!JSON.stringify(await store.list("audit_events")).includes(hash));

    // A second request has no further effect.
    assert.equal((await browser.post(`${path}/apply`, { csrf_token })).statusCode, 303);
    assert.equal(await store.count("audit_events", { type: "records_imported" }), 1);
  });

  test("MG-6: the page counts the new members of each organization, in the check and after the run", async () => {
    const { it, browser, csrf_token, settled, upload } = await fixture();
    assert.match((await browser.get(path)).body, /All users in the file become its members/);
    const form = { system: "keycloak", source: "", organization: "shop" };
    const early = await upload("id,email\n1,a@example.com", { ...form, system: "csv" });
    assert.equal(early.statusCode, 422);
    assert.match(early.body, /has an organization with this slug/);
    await anOrganization(it.store, { slug: "shop" });
    const realm = JSON.parse(exportText("keycloak_26.json"));
    realm.users[0].attributes = { shoe: ["44"] };
    await upload(JSON.stringify(realm), form);
    const counted = /Memberships: <bdi>shop<\/bdi> 7, <bdi>acme<\/bdi> 2</;
    const checked = await settled(/^Checked/);
    assert.match(checked.body, counted);
    assert.match(checked.body, /7 to create, 0 to update, 0 unchanged, 1 refused/);
    assert.match(checked.body, /define it first, or use one of [^<]* \(attributes\.shoe\)/);
    assert.doesNotMatch(checked.body, /in --map|printed/);
    assert.equal(await it.store.count("memberships"), 0);
    await browser.post(`${path}/apply`, { csrf_token });
    assert.match((await settled(/^Imported/)).body, counted);
    assert.equal(await it.store.count("memberships"), 9);
  });

  test("MG-13: an export that was not checked cannot be imported, and a discarded file is deleted", async () => {
    const { it, browser, csrf_token, settled } = await fixture();
    const form = {
      csrf_token,
      system: "csv",
      source: "",
      organization: "",
      text: "id,email\n1,a@example.com\n",
    };
    await browser.post(`${path}/apply`, { csrf_token });
    assert.equal((await browser.post(path, form)).statusCode, 303);
    await settled(/^Checked/);
    await browser.post(`${path}/discard`, { csrf_token });
    assert.equal(await it.store.count("ephemera", { kind: "import_upload" }), 0);
    await browser.post(`${path}/apply`, { csrf_token });
    assert.equal(await it.store.count("users"), 1);
  });

  test("MG-8, MG-13: losses.csv lists what was not imported, without secrets or formulas, only for the importing administrator", async () => {
    const { it, browser, csrf_token, settled, upload } = await fixture();
    const other = await browserOf(it, await aPerson(it, { is_platform_admin: true }));
    const download = async () => browser.post(`${path}/losses`, { csrf_token });
    assert.equal((await download()).statusCode, 303, "there is no file before a run");
    const text = [
      ...["auth0_users.ndjson", "auth0_hashes.ndjson"].map((name) => exportText(name).trim()),
      JSON.stringify({ user_id: "auth0|9", email: "eve@example.com", "=HYPERLINK(1)": "a secret text" }),
    ].join("\n");
    await upload(text, { system: "auth0", source: "", organization: "" });
    const { body: checked } = await settled(/^Checked/);
    const counts = [...checked.matchAll(/<td class="number"[^>]*><span>(\d+)/g)].map(([, count]) =>
      Number(count),
    );
    const file = await download();
    assert.equal(file.headers["content-type"], "text/csv; charset=utf-8; header=present");
    assert.equal(file.headers["content-disposition"], 'attachment; filename="losses.csv"');
    assert.equal(file.headers["cache-control"], "no-store");
    const [header, ...lines] = file.body.trimEnd().split("\r\n");
    assert.equal(header, "object,member,reason");
    assert.ok(lines.includes("user eve@example.com,'=HYPERLINK(1),not supported"), file.body);
    assert.equal(
      lines.length,
      counts.reduce((sum, count) => sum + count, 0),
    );
    assert.equal(new Set(lines).size, lines.length);
    assert.ok(!file.body.includes(hash) && !file.body.includes("a secret text"));
    const rows = JSON.stringify(await it.store.list("ephemera"));
    assert.ok(!rows.includes(Buffer.from("eve@example.com").toString("base64")) && !rows.includes("eve@"));
    const theirs = { csrf_token: hiddenField(await other.get(path), "csrf_token") };
    assert.equal((await other.post(`${path}/losses`, theirs)).statusCode, 303);

    await browser.post(`${path}/apply`, { csrf_token });
    await settled(/^Imported/);
    assert.deepEqual((await download()).body, file.body, "the import loses what its check said");
    await browser.post(`${path}/discard`, { csrf_token });
    assert.equal((await download()).statusCode, 303);
    assert.equal(await it.store.count("ephemera", { kind: "import_losses" }), 0);
  });

  test("MG-13: an import without progress for a minute counts as stopped, and can be continued where it stopped", async () => {
    const { it, browser, csrf_token, settled } = await fixture();
    const people = Array.from({ length: 3 }, (_, index) => `${index},p${index}@example.com`).join("\n");
    await browser.post(path, { csrf_token, system: "csv", text: `id,email\n${people}\n` });
    await settled(/^Checked/);
    const states = await it.store.list("ephemera", { kind: "import_state" });
    const uploads = await it.store.list("ephemera", { kind: "import_upload" });
    await browser.post(`${path}/apply`, { csrf_token });
    await settled(/^Imported/);
    for (const { kind, key, value, expires_at } of [...states, ...uploads]) {
      await it.store.forgetEphemeral(kind as "import_state", key);
      await it.store.storeEphemeral(kind as "import_state", key, value ?? "", expires_at, it.clock.now());
    }
    await browser.post(`${path}/apply`, { csrf_token });
    assert.match((await settled(/^Imported/)).body, /0 created, 0 updated, 3 unchanged/);
  });

  test("MG-13: an import also counts as stopped if its last progress has a time in the future", async () => {
    const { store, clock, server } = await testApp();
    const context = { ...testContext(store), now: clock.now, sealer: server.sealer };
    const runs = async (seconds: number) => {
      const heard_at = later(seconds, clock.now()).getTime();
      const state = { dry_run: false, system: "csv", source: "shop", heard_at, done: 0, total: 1 };
      await storeImport(context, "state", { phase: "importing", ...state });
      return (await findRun(context)).is_running;
    };
    assert.deepEqual([await runs(0), await runs(3600)], [true, false]);
  });

  test("MG-13: an unreadable file is refused with its line, and one over the limit with the command to use instead", async () => {
    const { it, browser, csrf_token } = await fixture();
    const post = (text: string, system = "auth0") => browser.post(path, { csrf_token, system, text });
    const broken = await post('{"user_id":"auth0|1"}\n{"user_id": secretword}\n');
    assert.equal(broken.statusCode, 422);
    assert.match(broken.body, /line 2/);
    assert.ok(!broken.body.includes("secretword"));
    const other = await post(exportText("keycloak_26.json"));
    assert.equal(other.statusCode, 422);
    assert.match(other.body, /does not look like an export of Auth0, but like one of Keycloak\./);
    assert.equal((await post("")).statusCode, 422);
    assert.equal((await post("x", "none")).statusCode, 422);
    const large = await post("a".repeat(1_000_001));
    assert.equal(large.statusCode, 422);
    assert.match(large.body, /postern import/);
    assert.equal((await post("a".repeat(1_100_000))).statusCode, 413);
    assert.equal(await it.store.count("ephemera", { kind: "import_upload" }), 0);
  });

  test("MG-13: only platform administrators see the page, and others may not upload a large form", async () => {
    const { it } = await fixture();
    const member = await browserOf(it, await aPerson(it));
    const form = {
      csrf_token: hiddenField(await member.get("/logout"), "csrf_token"),
      system: "csv",
      text: "x",
    };
    assert.equal((await member.get(path)).statusCode, 403);
    for (const end of ["", "/apply", "/discard", "/losses"])
      assert.equal((await member.post(path + end, form)).statusCode, 403, end);
    assert.equal((await testBrowser(it.app).post(path, form)).statusCode, 403);
    const stale = await aPerson(it, { is_platform_admin: true });
    const browser = testBrowser(it.app);
    await signInAs(browser, stale);
    const csrf_token = hiddenField(await browser.get(path), "csrf_token");
    it.clock.advance(3600);
    const asked = await browser.post(`${path}/apply`, { csrf_token });
    assert.notEqual(asked.headers.location, path, "a fresh proof is asked for");
  });
});
