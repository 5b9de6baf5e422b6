import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setupPage } from "../../src/web/setup_page.ts";
import { readHtml } from "./read_html.ts";

describe("the set-up page", () => {
  const data = { token: "one-time", csrf_token: "t", name: "Ada", email: "ada@example.com" };

  test("tells each fault at its field, starts there, and keeps what was typed except the password", () => {
    const page = String(setupPage({ ...data, errors: [{ field: "password", message: "Too short." }] }));
    const inputs = readHtml(page).tags.filter((tag) => tag.name === "input");
    const input = (name: string) => inputs.find((tag) => tag.attributes.get("name") === name)?.attributes;
    assert.equal(input("name")?.get("value"), "Ada");
    assert.equal(input("email")?.get("value"), "ada@example.com");
    assert.equal(input("password")?.get("value"), "");
    assert.equal(input("password")?.get("autocomplete"), "new-password");
    assert.equal(input("password")?.get("aria-invalid"), "true");
    assert.ok(input("password")?.has("autofocus"));
    assert.ok(!input("email")?.has("aria-invalid"));
    assert.match(page, /id="password-error">Too short\.</);
    assert.doesNotMatch(page, /role="alert"/);
  });

  test("tells a fault of no field above the form, as an alert", () => {
    const page = String(
      setupPage({ ...data, errors: [{ field: "token", message: "The link has expired." }] }),
    );
    assert.match(page, /role="alert"><p>The link has expired\.<\/p>/);
  });

  test("gives way to the way in once there is an administrator, and forgets the token", () => {
    const page = String(setupPage({ ...data, errors: [], done: true }));
    assert.doesNotMatch(page, /<form|one-time/);
    assert.match(page, /href="\/login"/);
  });
});
