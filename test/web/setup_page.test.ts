import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setupPage } from "../../src/people/entry/setup.page.ts";
import { readHtml } from "./read_html.ts";
import { aReader } from "./reader.ts";

describe("the set-up page", () => {
  const typed = { name: "Ada", email: "ada@example.com" };
  const data = {
    ...aReader(),
    token: "one-time",
    csrf_token: "t",
    ...typed,
    longest_name: 255,
    shortest_password: 12,
  };

  test("shows each error at its field, focuses it, and keeps typed text except the password", () => {
    const page = String(setupPage({ ...data, errors: ["password_short"] }));
    const inputs = readHtml(page).tags.filter((tag) => tag.name === "input");
    const input = (name: string) => inputs.find((tag) => tag.attributes.get("name") === name)?.attributes;
    assert.equal(input("name")?.get("value"), "Ada");
    assert.equal(input("email")?.get("value"), "ada@example.com");
    assert.equal(input("password")?.get("value"), "");
    assert.equal(input("password")?.get("autocomplete"), "new-password");
    assert.equal(input("password")?.get("aria-invalid"), "true");
    assert.ok(input("password")?.has("autofocus"));
    assert.ok(!input("email")?.has("aria-invalid"));
    assert.match(page, /id="password-error">This password is too short/);
    assert.match(page, /id="password-hint">At least 12 characters\./);
    assert.doesNotMatch(page, /role="alert"/);
  });

  test("shows every error at its own field", () => {
    const page = String(
      setupPage({ ...data, errors: ["name", "email", "email_taken", "password_long", "password_common"] }),
    );
    const said = (field: string) => new RegExp(`id="${field}-error">([^<]*)<`).exec(page)?.[1] ?? "";
    assert.match(said("name"), /^Enter a name/);
    assert.match(said("email"), /^Enter a valid email address\. .*is already in use\.$/);
    assert.match(said("password"), /too long\. .*too common\.$/);
  });

  test("offers only a link to sign in, and no token, once there is an administrator", () => {
    const page = String(setupPage({ ...data, errors: [], done: true }));
    assert.doesNotMatch(page, /action="\/setup"|one-time/);
    assert.match(page, /href="\/login\?redirect=%2Fconsole"/);
  });
});
