import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type ImpactPage, impactPage } from "../../src/console/endings/impact.page.ts";
import { control, inputTime } from "../../src/console/fields/control.view.ts";
import type { FieldControl } from "../../src/console/fields/fields.view.ts";
import { presentations } from "../../src/console/presentations/presentations.http.ts";
import { type FormPage, formPage } from "../../src/console/records/form.page.ts";
import { detail } from "../../src/errors/details.ts";
import { type FieldError, fieldError } from "../../src/errors/field_errors.ts";
import { type ManagementLanguage, managementLanguages } from "../../src/web/words/language.ts";
import { wordsOf } from "../../src/web/words/words.ts";
import { aConsequence, aForm, read } from "./console_page_samples.ts";
import { aReader } from "./reader.ts";
import { fieldControls } from "./record_samples.ts";

const requested = (field: Partial<FieldControl> & Pick<FieldControl, "name" | "kind">, narrowing = false) =>
  read(control({ required: false, value: "", ...field }, { ...aReader(), narrowing }));

const form = (...input: Parameters<typeof aForm>) => read(formPage(aForm(...input)));
const consequence = (...input: Parameters<typeof aConsequence>) => read(impactPage(aConsequence(...input)));

describe("a form in the console", () => {
  test("has the input control that fits each type of field", () => {
    const type = (name: string, kind: FieldControl["kind"], more: Partial<FieldControl> = {}) => {
      const [tag] = requested({ name, kind, ...more }).attribute("name", name);
      return tag?.name === "input" ? tag.attributes.get("type") : tag?.name;
    };
    assert.equal(type("name", "string"), "text");
    assert.equal(type("email", "string", { format: "email" }), "text");
    assert.equal(type("logo_url", "string", { format: "url" }), "url");
    assert.equal(type("password", "string", { sensitive: true, format: "new_password" }), "password");
    assert.equal(type("value", "string", { sensitive: true }), "password");
    assert.equal(type("access_token_ttl", "int"), "number");
    assert.equal(type("expires_at", "time"), "datetime-local");
    assert.equal(type("public", "bool"), "checkbox");
    assert.equal(type("plan", "string", { values: ["free"] }), "select");
    assert.equal(type("redirect_uris", "json", { shape: "strings" }), "textarea");
    assert.equal(type("metadata", "json", { shape: "object" }), "textarea");
    assert.equal(type("public_key_pem", "text"), "textarea");
    assert.equal(type("description", "string", { plain: "lines" }), "textarea");
    assert.equal(type("q", "string", { format: "search" }), "search");
    assert.equal(type("allowed_grants", "json", { many_of: ["refresh"] }), "checkbox");
  });

  test("states the limits of a value for the browser, and in words for the user", () => {
    const [number] = requested({
      name: "access_token_ttl",
      kind: "int",
      min: 1,
      max: 9,
      value: "5",
      required: true,
    }).withName("input");
    assert.deepEqual(
      ["min", "max", "value"].map((name) => number?.attributes.get(name)),
      ["1", "9", "5"],
    );
    assert.ok(number?.attributes.has("required"));
    assert.equal(
      requested({ name: "name", kind: "string", max_length: 255 })
        .withName("input")[0]
        ?.attributes.get("maxlength"),
      "255",
    );
    assert.match(requested({ name: "name", kind: "string", required: true }).text, /Name name required/);
    assert.doesNotMatch(requested({ name: "name", kind: "string" }).text, /required/);
    assert.match(requested({ name: "expires_at", kind: "time" }).text, /UTC/);
  });

  test("never shows an entered password or secret again", () => {
    for (const field of [
      { name: "password", kind: "string", sensitive: true, format: "new_password" },
      { name: "value", kind: "string", sensitive: true },
      { name: "access_token", kind: "text", sensitive: true },
    ] as const) {
      assert.doesNotMatch(requested({ ...field, value: "hunter22" }).source, /hunter22/);
    }
    const autocomplete = (more: Partial<FieldControl>) =>
      requested({ name: "password", kind: "string", sensitive: true, ...more })
        .withName("input")[0]
        ?.attributes.get("autocomplete");
    assert.equal(autocomplete({ format: "new_password" }), "new-password");
    assert.equal(autocomplete({ format: "current_password" }), "current-password");
    assert.equal(autocomplete({}), "off");
  });

  test("keeps every line of a text, including an empty first line", () => {
    assert.match(
      requested({ name: "redirect_uris", kind: "json", shape: "strings", value: ["a", "b"] }).source,
      />\na\nb<\/textarea>/,
    );
    assert.match(
      requested({ name: "public_key_pem", kind: "text", value: "\nx" }).source,
      />\n\nx<\/textarea>/,
    );
  });

  test("fills in a time in the format of its control, as it was stored", () => {
    assert.equal(inputTime("2026-01-31T12:00:00.000Z"), "2026-01-31T12:00");
    assert.equal(inputTime("2026-01-31T12:00:07.000Z"), "2026-01-31T12:00:07");
    assert.equal(inputTime("2026-01-31T12:00:00.250Z"), "2026-01-31T12:00:00.250");
    assert.equal(inputTime("2026-01-31T13:00+01:00"), "2026-01-31T12:00");
    for (const text of ["", "soon", "2026-01-31T12:00", "2026-13-31T12:00:00Z"])
      assert.equal(inputTime(text), text);
  });

  test("has no empty option for a required field, and keeps a value that is no longer offered", () => {
    const options = (more: Partial<FieldControl>) =>
      requested({ name: "plan", kind: "string", values: ["free", "pro"], ...more })
        .withName("option")
        .map(({ attributes }) => `${attributes.get("value")}${attributes.has("selected") ? "*" : ""}`);
    assert.deepEqual(options({ value: "pro", required: true }), ["free", "pro*"]);
    assert.deepEqual(options({ value: "", required: true }), ["", "free", "pro"]);
    assert.deepEqual(options({ value: "free" }), ["", "free*", "pro"]);
    assert.deepEqual(options({ value: "old", required: true }), ["free", "pro", "old*"]);
  });

  test("checks the selected boxes, and shows stored values that it does not know", () => {
    const page = requested({
      name: "allowed_grants",
      kind: "json",
      many_of: ["auth_code", "refresh"],
      value: ["refresh", "odd"],
    });
    const boxes = page
      .withName("input")
      .map(({ attributes }) => [attributes.get("value"), attributes.has("checked")]);
    assert.deepEqual(boxes, [
      ["auth_code", false],
      ["refresh", true],
      ["odd", true],
    ]);
    assert.ok(
      requested({ name: "public", kind: "bool", value: true })
        .withName("input")[0]
        ?.attributes.has("checked"),
    );
    assert.ok(
      !requested({ name: "public", kind: "bool", value: false })
        .withName("input")[0]
        ?.attributes.has("checked"),
    );
  });

  test("filters a list by yes, no, or both", () => {
    const page = requested({ name: "active", kind: "bool", value: "false" }, true);
    assert.deepEqual(
      page.withName("option").map(({ attributes }) => [attributes.get("value"), attributes.has("selected")]),
      [
        ["", false],
        ["true", false],
        ["false", true],
      ],
    );
    assert.match(page.text, /Any Yes No/);
  });

  test("contains its CSRF token once, and the values for detecting concurrent changes", () => {
    const hidden = (page: FormPage) =>
      read(formPage(page))
        .attribute("type", "hidden")
        .map(({ attributes }) => [attributes.get("name"), attributes.get("value")])
        .filter(([name]) => name !== "return_to");
    assert.deepEqual(hidden(aForm({ form_id: "f" })), [
      ["csrf_token", "t"],
      ["form_id", "f"],
    ]);
    assert.deepEqual(hidden(aForm({ name: "Orders", etag: "e" })), [
      ["csrf_token", "t"],
      ["etag", "e"],
    ]);
  });

  test("with errors lists them with links, shows each at its field, and focuses the first", () => {
    const fields = fieldControls("x").map((field) =>
      ["app_type", "metadata"].includes(field.name)
        ? { ...field, error: fieldError(`/${field.name}`, "required") }
        : field,
    );
    const page = form({ fields, errors: [detail("resource_taken")] });
    assert.match(page.source, /role="alert"><p>Nothing was saved\./);
    assert.match(page.source, /<li><a href="#field-app_type">Kind of app<\/a>: is required<\/li>/);
    assert.match(page.source, /<li>another app has the same metadata\.resource<\/li>/);
    assert.deepEqual(
      page.attribute("aria-invalid", "true").map(({ attributes }) => attributes.get("name")),
      ["app_type", "metadata"],
    );
    assert.equal(page.tags.filter(({ attributes }) => attributes.has("autofocus")).length, 1);
    assert.ok(page.attribute("name", "app_type")[0]?.attributes.has("autofocus"));
    // A folded part is open if it contains an error.
    assert.match(page.source, /<details class="card" open><summary>Advanced/);
    assert.match(String(formPage(aForm())), /<details class="card"><summary>Advanced/);
  });

  test("describes each control by the help text and the error below it", () => {
    const page = requested({
      name: "redirect_uris",
      kind: "json",
      shape: "strings",
      error: fieldError("/redirect_uris", "required"),
    });
    const by = page.withName("textarea")[0]?.attributes.get("aria-describedby")?.split(" ") ?? [];
    assert.deepEqual(by, ["field-redirect_uris-help", "field-redirect_uris-error"]);
    for (const id of by) assert.equal(page.attribute("id", id).length, 1);
  });

  test("shows an error in the user's language, with the line of a list or the JSON field", () => {
    const shown = (language: ManagementLanguage, error: FieldError) =>
      String(control({ name: "name", kind: "string", required: false, value: "", error }, aReader(language)));
    assert.match(shown("es", fieldError("/name", "required")), /id="field-name-error">es obligatorio</);
    assert.match(shown("zh", fieldError("/name/1", "not_scope")), /-error">第 2 项: 必须是作用域/);
    assert.match(
      shown("en", fieldError("/name/resources/0", "not_resource")),
      /-error">resources\.1: must be/,
    );
  });

  test("reports a concurrent change, and keeps the typed text", () => {
    const page = form({ name: "Orders", changed_meanwhile: true, fields: fieldControls("typed") });
    assert.match(page.text, /This record was changed in the meantime/);
    assert.equal(page.attribute("name", "name")[0]?.attributes.get("value"), "typed");
    assert.doesNotMatch(form().text, /in the meantime/);
  });

  test("contains no control twice, and no empty group of fields", () => {
    for (const resourceType of ["apps", "users", "memberships", "consents"] as const) {
      const page = form({ resourceType, groups: presentations[resourceType].groups ?? [] });
      for (const { name } of fieldControls("x")) {
        assert.ok(page.attribute("id", `field-${name}`).length === 1, `${resourceType} ${name}`);
      }
    }
    assert.equal(form({ fields: fieldControls("x").slice(0, 1) }).withName("legend").length, 1);
  });
});

describe("the confirmation page before a deletion or revocation", () => {
  const effects = (more: Partial<ImpactPage>, language: ManagementLanguage = "en") =>
    [...String(impactPage(aConsequence(more, language))).matchAll(/<li>([^<]*)<\/li>/g)]
      .map(([, said]) => said)
      .filter((said) => /\d/.test(said ?? ""));

  test("lists what is affected with numbers, in the plural form of each number", () => {
    assert.deepEqual(effects({ impact: { tokens: 9804, people: 318, secrets: 2 } }), [
      "9,804 tokens are revoked immediately",
      "318 people are signed out of it",
      "2 secrets no longer work",
    ]);
    assert.deepEqual(effects({ impact: { tokens: 1, people: 1, secrets: 1 } }), [
      "1 token is revoked immediately",
      "1 person is signed out of it",
      "1 secret no longer works",
    ]);
    assert.deepEqual(effects({ impact: { tokens: 1, people: 2 }, signs_out: false }, "es"), [
      "1 token se revoca al instante",
      "2 personas pierden el acceso",
    ]);
    const membership = { resourceType: "memberships", impact: { members: 1, left_groups: 2 } } as const;
    assert.deepEqual(effects(membership), ["2 groups lose this member"]);
    assert.deepEqual(effects({ impact: { tokens: 1, apps: 2 } }, "zh"), [
      "1 个令牌立即失效",
      "2 个应用不再可用",
    ]);
  });

  test("says so if more records are affected than were counted", () => {
    assert.deepEqual(effects({ impact: { people: 10_000, tokens: 9999 } }), [
      "9,999 tokens are revoked immediately",
      "at least 10,000 people are signed out of it",
    ]);
    assert.deepEqual(effects({ impact: { people: 10_000 } }, "es"), [
      "al menos 10.000 personas pierden su sesión en ella",
    ]);
    assert.deepEqual(effects({ impact: { people: 10_000 } }, "zh"), ["至少 10,000 人将从该应用退出登录"]);
  });

  for (const language of managementLanguages) {
    test(`in ${language} has singular and plural words for every record that may be affected`, () => {
      const kinds = Object.keys(wordsOf(language).impact.kinds);
      for (const count of [1, 2, 20_000]) {
        const impact = Object.fromEntries(kinds.map((kind) => [kind, count]));
        assert.equal(new Set(effects({ impact, resourceType: "users" }, language)).size, kinds.length);
      }
    });
  }

  test("says so if nothing else is affected", () => {
    assert.match(consequence({ impact: { tokens: 0 } }).text, /Nothing else is affected\./);
  });

  test("requires typing the name, and offers to keep the record as prominently as to delete it", () => {
    const page = consequence({
      fields: [{ name: "successor", kind: "string", required: false, value: "ada" }],
    });
    assert.match(
      page.text,
      /Delete Orders\?.*This cannot be undone\..*Type orders to confirm.*Cancel Delete/,
    );
    const names = page.withName("input").map(({ attributes }) => attributes.get("name"));
    assert.deepEqual(
      names.filter((name) => name !== "return_to" && name !== "q"),
      ["csrf_token", "etag", "successor", "confirm"],
    );
    assert.match(
      page.source,
      /<div class="decisions"><a class="button" href="\/console\/apps\/1">Cancel<\/a><button class="button danger primary" type="submit">/,
    );
    assert.equal(page.attribute("name", "confirm")[0]?.attributes.get("value"), undefined);
  });

  test("does not ask for the name if none must be typed", () => {
    const page = consequence({ verb: "switch_off", confirm: "" });
    assert.equal(page.attribute("name", "confirm").length, 0);
    assert.match(page.text, /Switch Orders off\?.*switch it on again/);
  });

  test("reports a wrong name, and why the deletion was refused", () => {
    const page = consequence({ confirm_wrong: true, errors: [detail("self_deletion")] });
    const [field] = page.attribute("name", "confirm");
    assert.equal(field?.attributes.get("aria-invalid"), "true");
    assert.equal(page.attribute("id", field?.attributes.get("aria-describedby") ?? "").length, 1);
    assert.ok(field?.attributes.has("autofocus"));
    assert.match(page.source, /role="alert"><p>you can&#39;t delete yourself</);
  });
});
