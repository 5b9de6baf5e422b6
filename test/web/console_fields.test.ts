import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { resources } from "../../src/admin/resources/resources.ts";
import { eventTitle, tableTitle } from "../../src/console/fields/event_title.view.ts";
import type { ShownField } from "../../src/console/fields/fields.view.ts";
import { shownValue } from "../../src/console/fields/shown_value.view.ts";
import { formFields } from "../../src/console/forms/form_spec.http.ts";
import { offeredRoleHelp } from "../../src/console/forms/offered_roles.http.ts";
import { appKindHelp } from "../../src/console/presentations/app_presentation.http.ts";
import { presentations, presented } from "../../src/console/presentations/presentations.http.ts";
import { fieldsOf } from "../../src/records/definition/definition.ts";
import { eventTypes } from "../../src/records/definition/event_types.ts";
import { tableOfResourceType } from "../../src/records/definition/permissions.ts";
import { knownMembersOf } from "../../src/records/formats/known_members.ts";
import { feedEventTypes } from "../../src/records/names/feed_events.ts";
import { appKinds } from "../../src/records/rules/app_kinds.ts";
import { managementLanguages } from "../../src/web/words/language.ts";
import { wordsOf } from "../../src/web/words/words.ts";
import { aReader } from "./reader.ts";

const shown = (name: string, kind: ShownField["kind"], value: unknown, more: Partial<ShownField> = {}) =>
  String(shownValue({ name, kind, required: false, value, ...more }, aReader(), "record"));

const listed = (name: string, kind: ShownField["kind"], value: unknown, more: Partial<ShownField> = {}) =>
  String(shownValue({ name, kind, required: false, value, ...more }, aReader(), "list"));

describe("the labels of fields in the console", () => {
  for (const { resourceType, table, input = {}, output = {}, filters } of resources) {
    test(`name every displayed field of ${resourceType}, and every other property, filter and secret`, () => {
      const columns = Object.entries(fieldsOf(table)).filter(
        ([, { sensitive, internal, kind }]) => !sensitive && !internal && kind !== "signature",
      );
      const beside = [input.create, input.update, input.remove, output].flatMap((members) =>
        Object.keys(members ?? {}),
      );
      const labels = Object.keys(wordsOf("en").fields.label);
      for (const name of [
        ...columns.flatMap(([column]) => [column, ...Object.keys(knownMembersOf(table, column))]),
        ...beside,
        ...filters.map((filter) => filter.name),
      ]) {
        assert.ok(labels.includes(name), name);
      }
    });
  }

  test("name nothing that is never shown", () => {
    const known = resources.flatMap(({ table, input = {}, output = {}, filters }) => [
      ...Object.entries(fieldsOf(table))
        .filter(([, { sensitive, internal, kind }]) => !sensitive && !internal && kind !== "signature")
        .flatMap(([name]) => [name, ...Object.keys(knownMembersOf(table, name))]),
      ...[input.create, input.update, input.remove, output].flatMap((members) => Object.keys(members ?? {})),
      ...filters.map(({ name }) => name),
    ]);
    assert.deepEqual(
      Object.keys(wordsOf("en").fields.label).filter((name) => !known.includes(name)),
      [],
    );
  });

  test("have help texts only for fields and values that exist", () => {
    const { label, help, value } = wordsOf("en").fields;
    // A section may have its own help for a field that other sections also have.
    const ofSections = presented.flatMap(
      ([, { help: own = {}, help_of_new = {}, platform_help = {}, reserved }]) =>
        [own, help_of_new, platform_help, offeredRoleHelp, reserved?.help ?? {}].flatMap((each) =>
          Object.values(each),
        ),
    );
    const whileClosed = Object.values(presentations.organizations.help_where?.({}, undefined, {}) ?? {});
    const ofKinds = appKinds.flatMap((kind) => Object.values(appKindHelp({ app_type: "native" }, kind)));
    for (const name of [...Object.keys(help), ...Object.keys(value)]) {
      assert.ok(
        name in label || [...ofSections, ...whileClosed, ...ofKinds].some((each) => each === name),
        name,
      );
    }
  });
});

test("are in one group for each field of a form with groups", () => {
  // Attributes have a separate group, and the kind of an app precedes its form.
  const apart = ["attributes", "kind"];
  for (const resource of resources) {
    const { groups } = presentations[resource.resourceType];
    const named = [...apart, ...(groups ?? []).flatMap(({ names }) => names)];
    const without = formFields(resource, true).filter(({ name }) => !named.includes(name));
    assert.deepEqual(groups === undefined ? [] : without, [], resource.resourceType);
  }
});

test("explain what to enter for organizations, roles and claims, in every language", () => {
  const explained = {
    apps: [
      ...["organization_mode", "claims_dialect", "claims"],
      ...["who_may_sign_in", "sign_in_roles", "sign_in_groups"],
    ],
    memberships: ["role", "role_ids", "app_role_ids", "permissions"],
    groups: ["role_ids", "app_role_ids"],
    roles: ["permissions"],
    resources: ["claims"],
  } as const;
  for (const language of managementLanguages) {
    const { help } = wordsOf(language).fields;
    const own = Object.fromEntries(presented.map(([resourceType, { help: its }]) => [resourceType, its]));
    const textOf = (resourceType: string, name: string) =>
      help[(own[resourceType]?.[name] ?? name) as keyof typeof help];
    for (const [resourceType, names] of Object.entries(explained))
      for (const name of names) assert.ok(textOf(resourceType, name), name);
    assert.notEqual(textOf("roles", "permissions"), textOf("memberships", "permissions"));
    assert.notEqual(textOf("resources", "claims"), textOf("apps", "claims"));
  }
});

describe("a displayed value", () => {
  test("of a reference is the record's name, linked if the user may open it", () => {
    assert.equal(
      shown("owner_id", "uuid", "7", { label: "Ada", href: "/console/users/7" }),
      '<a href="/console/users/7"><bdi>Ada</bdi></a>',
    );
    assert.equal(shown("owner_id", "uuid", "7", { label: "Ada" }), "<bdi>Ada</bdi>");
    assert.equal(shown("owner_id", "uuid", "7"), '<span class="copied-value"><code>7</code></span>');
    assert.equal(
      shown("owner_id", "uuid", "7", { label: "Ada", href: "javascript:alert(1)" }),
      "<bdi>Ada</bdi>",
    );
  });

  test("that is missing or an empty list is a dash", () => {
    for (const value of [null, undefined, "", []])
      assert.match(shown("audience", "json", value, { shape: "strings" }), />–</);
    assert.doesNotMatch(shown("public", "bool", false), /–/);
    assert.equal(
      shown("access_token_ttl", "int", 0, { unit: "seconds" }),
      '<data value="0">0 seconds</data>',
    );
  });

  test("of a time is in UTC, given as text or Date, and an invalid time is unchanged", () => {
    const time =
      '<time datetime="2026-01-31T12:00:00.000Z" data-precision="minute">31 Jan 2026, 12:00 UTC</time>';
    assert.equal(shown("created_at", "time", "2026-01-31T12:00:00.000Z"), time);
    assert.equal(shown("created_at", "time", new Date("2026-01-31T12:00:00Z")), time);
    assert.equal(shown("created_at", "time", "soon"), "<code>soon</code>");
  });

  test("of a lifetime has the largest unit that fits, with the seconds for programs", () => {
    const whole = (seconds: number, text: string) =>
      `<data value="${seconds}">${text}</data> <code class="api-name quiet">${seconds}</code>`;
    assert.equal(shown("access_token_ttl", "int", 900, { unit: "seconds" }), whole(900, "15 minutes"));
    assert.equal(shown("refresh_token_ttl", "int", 604_800, { unit: "seconds" }), whole(604_800, "7 days"));
    assert.equal(shown("refresh_token_ttl", "int", 3600, { unit: "seconds" }), whole(3600, "1 hour"));
    assert.equal(
      shown("access_token_ttl", "int", 901, { unit: "seconds" }),
      '<data value="901">901 seconds</data>',
    );
  });

  test("of a list has at most three badges within a list page, and counts the others", () => {
    const scopes = ["a", "b", "c", "d", "e", "f", "g"];
    const cell = listed("scopes", "json", scopes, { shape: "strings" });
    assert.equal(cell.match(/class="badge"/g)?.length, 3);
    assert.match(cell, />\+4</);
    assert.doesNotMatch(listed("scopes", "json", scopes.slice(4), { shape: "strings" }), /\+/);
    assert.equal(shown("scopes", "json", scopes, { shape: "strings" }).match(/class="badge"/g)?.length, 7);
  });

  test("of a list of addresses is one per line", () => {
    const page = shown("redirect_uris", "json", ["https://a.example/cb", "https://b.example/cb"], {
      shape: "strings",
    });
    assert.equal(
      page,
      '<ul class="values"><li><code>https://a.example/cb</code></li><li><code>https://b.example/cb</code></li></ul>',
    );
  });

  test("with a label is shown by the label, and inherited JavaScript names have none", () => {
    assert.equal(shown("app_type", "string", "native"), "Native or CLI app");
    assert.match(shown("outcome", "string", "failure"), /badge-failure">Failure</);
    assert.equal(shown("app_type", "string", "constructor"), "<code>constructor</code>");
    assert.equal(shown("constructor", "string", "name"), "<code>name</code>");
    assert.match(
      shown("allowed_grants", "json", ["refresh"], { shape: "strings" }),
      /Refresh token, to stay signed in <code class="api-name quiet">refresh</,
    );
  });

  test("of JSON or long text is collapsed in a list, and open on the record's page if short", () => {
    assert.match(
      listed("metadata", "json", { a: 1 }, { shape: "object" }),
      /^<details><summary>Show as JSON<\/summary><pre>/,
    );
    assert.match(shown("metadata", "json", { a: 1 }, { shape: "object" }), /^<pre>/);
    assert.match(shown("metadata", "json", { a: "x".repeat(300) }, { shape: "object" }), /^<details>/);
    assert.match(shown("public_key_pem", "text", "a\n".repeat(200)), /^<details><summary>Show the text/);
  });

  test("of an API's scopes has one line for each scope", () => {
    const scopes = [{ scope: "a:b", text: "Do <b>" }, { scope: "c" }];
    assert.equal(
      shown("scopes", "json", { "a:b": "Do <b>", c: null }, { shape: "object", scopes }),
      '<ul class="values"><li><code>a:b</code> <bdi>Do &lt;b&gt;</bdi></li><li><code>c</code> <bdi></bdi></li></ul>',
    );
  });

  test("of an event type or resource type has a title in every language", () => {
    for (const language of managementLanguages) {
      const words = wordsOf(language);
      const types = new Set([...eventTypes, ...feedEventTypes]);
      const titles = [...types].map((type) => eventTitle(type, words) ?? `none for ${type}`);
      assert.deepEqual(
        titles.filter((title) => /^none for|undefined/.test(title)),
        [],
      );
      assert.equal(new Set(titles).size, titles.length, "no two are called alike");
      for (const table of Object.values(tableOfResourceType)) assert.ok(tableTitle(table, words), table);
      assert.equal(eventTitle("constructor.created", words), undefined);
    }
  });
});
