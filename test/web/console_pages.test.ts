import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listPage } from "../../src/console/lists/list.page.ts";
import { madePage } from "../../src/console/records/form.page.ts";
import { recordPage } from "../../src/console/records/record.page.ts";
import { detail } from "../../src/errors/details.ts";
import { reason } from "../../src/errors/field_errors.ts";
import { aList, aRecord, read } from "./console_page_samples.ts";
import { aConsoleReader, filterFields, listedRecords, shownFields } from "./record_samples.ts";

const list = (...input: Parameters<typeof aList>) => read(listPage(aList(...input)));
const record = (...input: Parameters<typeof aRecord>) => read(recordPage(aRecord(...input)));

describe("a list page of the console", () => {
  test("shows each record by its name and state, and marks the columns to hide on narrow screens", () => {
    const page = list({
      records: listedRecords("Orders", "/console/apps/1"),
      columns: ["client_id", "app_type", "public"],
    });
    assert.match(
      page.source,
      /<th role="rowheader"><a href="\/console\/apps\/1"><bdi title="Orders">Orders<\/bdi><\/a>/,
    );
    assert.match(page.source, /<td class="state" role="cell"><span class="badge badge-success">Active</);
    assert.match(page.source, /<td class="brief" role="cell"><code title="Orders">Orders</);
    assert.match(page.source, /<td role="cell"><span title="Native or CLI app">Native or CLI app</);
    assert.match(page.source, /<td class="brief" role="cell">Yes</);
    assert.match(page.source, /badge-caution">Expired</);
    const heads = [...page.source.matchAll(/scope="col">([^<]*)</g)].map(([, name]) => name);
    assert.deepEqual(heads, ["App", "State", "Client ID", "Kind of app", "Public app"]);
    assert.equal(page.withName("td").length, 8);
  });

  test("has no state column if no listed record has a state", () => {
    const page = list({ resourceType: "memberships", records: [{ name: "Ada", fields: [] }], columns: [] });
    assert.equal(page.withName("td").length, 0);
    assert.equal(page.attribute("scope", "col").length, 1);
  });

  test("without records says how to create the first one, or that nothing matches", () => {
    const first = list({ create_href: "/console/apps/new", filters: filterFields("") });
    assert.match(first.text, /No apps yet Create the first/);
    assert.equal(first.attribute("href", "/console/apps/new").length, 1);
    assert.equal(first.attribute("role", "search").length, 0);
    const others = list({ resourceType: "tokens" });
    assert.match(others.text, /No tokens yet They appear here as soon as/);
    const narrowed = list({ narrowed: true, create_href: "/console/apps/new", filters: filterFields("x") });
    assert.match(narrowed.text, /No results/);
    assert.equal(narrowed.attribute("role", "search").length, 1);
    assert.doesNotMatch(narrowed.text, /No apps yet/);
  });

  test("writes resource types within a sentence as each language does", () => {
    assert.match(list({ resourceType: "api_keys", create_href: "/n" }).text, /No API keys yet.*New API key/);
    assert.match(list({ create_href: "/n" }, "es").text, /Aún no hay aplicaciones.*Crear aplicación/);
    assert.match(list({ create_href: "/n" }, "zh").text, /暂无应用.*新建应用/);
  });

  test("shows the search first, and hides other filters until one is set", () => {
    const records = listedRecords("x", "/");
    const filters = filterFields("");
    const closed = filters.map((filter) => ({ ...filter, value: "" }));
    const folded = listPage(aList({ records, filters: closed }));
    assert.match(String(folded), /type="search"[\s\S]*<details><summary>More filters/);
    assert.doesNotMatch(String(folded), /Clear filters/);
    const open = listPage(aList({ records, filters, narrowed: true }));
    assert.match(
      String(open),
      /href="\/console\/apps">Clear filters[\s\S]*<details open><summary>More filters/,
    );
    assert.match(
      String(listPage(aList({ records, filters: closed.slice(0, 3) }))),
      /role="search"(?:(?!<details).)*<\/form>/s,
    );
  });

  test("shows the error of a filter at that filter, and keeps the typed text", () => {
    const page = list({
      narrowed: true,
      filters: filterFields("ada", reason("not_boolean")),
      errors: [detail("wrong_filter")],
    });
    const [invalid] = page.attribute("aria-invalid", "true");
    assert.equal(invalid?.attributes.get("name"), "active");
    assert.equal(invalid?.attributes.get("aria-describedby"), "field-active-error");
    assert.ok(invalid?.attributes.has("autofocus"));
    assert.equal(page.attribute("id", "field-q")[0]?.attributes.get("value"), "ada");
    assert.match(page.text, /must be true or false/);
    assert.match(page.source, /role="alert"><p>a query parameter of the list is not valid</);
  });

  test("shows the position in the list, and links the next, the previous and longer pages", () => {
    const place = {
      from: 51,
      count: 50,
      total: 1204,
      previous_href: "/console/apps?cursor=p",
      next_href: "/console/apps?cursor=n",
      lengths: [
        { length: 25, href: "/console/apps?limit=25", current: false },
        { length: 50, href: "/console/apps?limit=50", current: true },
      ],
    };
    const page = list({ records: listedRecords("x", "/"), place });
    assert.equal(page.attribute("rel", "next")[0]?.attributes.get("href"), "/console/apps?cursor=n");
    assert.equal(page.attribute("rel", "prev")[0]?.attributes.get("href"), "/console/apps?cursor=p");
    assert.match(page.text, /51–100 of 1,204 Previous ?Next Per page 25 ?50/);
    assert.match(page.source, /<a href="[^"]*limit=50" aria-current="page">50</);
    const more = { ...place, total: 10_000, total_is_more: true };
    assert.match(list({ records: listedRecords("x", "/"), place: more }).text, /51–100 of more than 10,000/);
    assert.equal(list({ records: listedRecords("x", "/") }).attribute("aria-label", "Pages").length, 0);
  });

  test("with 50 apps and six columns stays within its part of the limit of 60 kB", () => {
    const fields = shownFields(
      "Acme Orders 42",
      "/console/organizations/018f2b6a-0000-7000-8000-000000000000",
    );
    const columns = ["client_id", "app_type", "owner_id", "organization_id", "public", "created_at"];
    const [record] = listedRecords(
      "Acme Orders 42",
      "/console/apps/018f2b6a-0000-7000-8000-000000000000",
      fields,
    );
    assert.ok(record);
    const page = String(
      listPage(aList({ records: Array(50).fill(record), columns, filters: filterFields("") })),
    );
    assert.ok(Buffer.byteLength(page) < 50_500, String(Buffer.byteLength(page)));
  });
});

describe("a record's page in the console", () => {
  test("shows its type, its state and its actions", () => {
    const page = record({
      state: "inactive",
      edit_href: "/e",
      revoke_href: "/r",
      delete_href: "/d",
      more: [{ href: "/m", label: "Rotate" }],
      done: "created",
    });
    assert.match(
      page.source,
      /<h1>Orders<\/h1><p class="lead">App <span class="badge badge-quiet">Inactive</,
    );
    assert.match(page.source, /<a class="button primary" href="\/e">Edit</);
    for (const [href, label] of [
      ["/r", "Revoke"],
      ["/d", "Delete"],
    ])
      assert.match(page.source, new RegExp(`<a class="button danger" href="${href}">${label}<`));
    assert.match(page.source, /role="status">App created\./);
    assert.match(page.source, /<ol class="crumbs"><li><a href="\/console\/apps">Apps<\/a><\/li>/);
  });

  test("offers only the actions that the user may perform", () => {
    const page = record();
    assert.equal(page.source.match(/class="button/g), null);
    assert.equal(page.attribute("role", "status").length, 0);
    assert.equal(
      page.withName("nav").filter(({ attributes }) => attributes.get("class") === "tabs").length,
      0,
    );
  });

  test("labels each field in plain words and, on request, with its technical name", () => {
    const { source } = record({ fields: shownFields("x", "/") });
    assert.match(source, /<dt>Redirect URIs <code class="api-name quiet">redirect_uris<\/code><\/dt>/);
    const titles = [...source.matchAll(/<section class="card"><h2>([^<]*)</g)].map(([, title]) => title);
    assert.deepEqual(titles, ["About", "Sign-in", "Tokens", "Facts", "Advanced"]);
    assert.equal(source.match(/<dt>/g)?.length, shownFields("x", "/").length);
  });

  test("lists dependent records, with links to all of them and to create one", () => {
    const related = {
      resourceType: "app_secrets",
      columns: ["created_at"],
      records: listedRecords("s_1", "/s"),
      all_href: "/console/app-secrets?app_id=1",
      create_href: "/console/app-secrets/new?app_id=1",
    } as const;
    const page = record({
      related: [related, { ...related, resourceType: "tokens", records: [], create_href: undefined }],
    });
    assert.match(page.source, /<h2 id="related-app_secrets">App secrets</);
    assert.match(
      page.source,
      /href="\/console\/app-secrets\?app_id=1" aria-label="Show all: app secrets">Show all</,
    );
    assert.match(page.source, /href="\/console\/app-secrets\/new\?app_id=1">New app secret</);
    assert.match(page.text, /Nothing here yet Tokens/);
    assert.equal(page.withName("table").length, 1);
  });
});

describe("the console page that shows a secret once", () => {
  const page = read(
    madePage({
      ...aConsoleReader(),
      resourceType: "app_secrets",
      name: "pst_abc",
      href: "/console/app-secrets/1",
      once: [
        { name: "secret", value: "pst_abcdef" },
        { name: "private_key_pem", value: "a\nb" },
      ],
    }),
  );

  test("offers to copy the secret, and says that it is shown only once", () => {
    assert.match(page.source, /<h2>Secret<\/h2>\s*<div class="secret"><code>pst_abcdef<\/code><\/div>/);
    assert.match(page.source, /<h2>Private key<\/h2>\s*<div class="secret"><code>a\nb<\/code><\/div>/);
    assert.match(page.text, /App secret created.*Copy it now/);
  });

  test("continues to the record", () => {
    assert.match(
      page.source,
      /<a class="button primary" href="\/console\/app-secrets\/1">Continue to pst_abc</,
    );
  });
});
