import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { loginPage } from "../../src/people/entry/login.page.ts";
import { logoutPage } from "../../src/people/entry/logout.page.ts";
import { selectAccountPage } from "../../src/people/entry/select_account.page.ts";
import { signedOutPage } from "../../src/people/entry/signed_out.page.ts";
import { consentPage } from "../../src/web/pages/consent_page.ts";
import { codePoint } from "../support/code_point.ts";
import { inForm, someOf } from "../support/form.ts";
import { everyPage } from "./every_page.ts";
import { readHtml, type Tag } from "./read_html.ts";
import { aReader } from "./reader.ts";

const locale = aReader();
const plain = Object.entries(everyPage("plain", "https://client.example/logo.png"));

/** The script of every page, and the script of pages with passkey prompts or signals. */
const enhancements = '<script src="/assets/enhancements.js" defer></script>';
const passkeys = '<script type="module" src="/assets/passkeys.js"></script>';
/** The script of the page that posts an answer to a client. */
const submitting = "<script>document.forms[0].submit()</script>";

function controls(tags: readonly Tag[]): Tag[] {
  return tags.filter(
    ({ name, attributes }) =>
      name === "input" && attributes.get("type") !== "hidden" && !attributes.has("hidden"),
  );
}

function hidden(page: string): Record<string, string> {
  // The footer contains a form as well.
  const inputs = readHtml(page.split("<footer")[0] ?? "").tags.filter(
    (tag) => tag.attributes.get("type") === "hidden",
  );
  return Object.fromEntries(
    inputs.map((tag) => [tag.attributes.get("name") ?? "", tag.attributes.get("value") ?? ""]),
  );
}

function skeleton(page: string): string[] {
  return readHtml(page).tags.map((tag) => [tag.name, ...tag.attributes.keys()].join(" "));
}

describe("keyboard use of forms", () => {
  test("Enter in a text field presses the main button, because no cancel button precedes it", () => {
    const forms = plain.flatMap(([name, page]) =>
      [...page.matchAll(/<form\b[^>]*>([\s\S]*?)<\/form>/g)].map(([, form = ""]) => [name, form] as const),
    );
    const typed = forms.filter(([, form]) => /<input (?![^>]*type="(?:hidden|checkbox|radio)")/.test(form));
    assert.ok(typed.length > 50);
    const cancelling = typed.filter(([, form]) => {
      const own = [...form.matchAll(/<button\b[^>]*type="submit"[^>]*>/g)].map(([button]) => button);
      const first = own.find((button) => !/ form="/.test(button)) ?? "";
      return /formnovalidate|name="cancel"/.test(first);
    });
    assert.deepEqual(
      cancelling.map(([name]) => name),
      [],
    );
  });
});

describe("markup in text that users or clients provide", () => {
  const markups = [
    ...[`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onfocus='alert(1)' autofocus='`],
    ...[`</title></pre><iframe src="//evil.example">`, `" style="position:fixed`, `<!--`],
    ...[`]]><svg/onload=alert(1)>`, `{"a":"</pre><script>"}`, `a=<b>&c="d"`],
  ];
  const markup = fc.constantFrom(...markups);
  /** The skeleton of every page, by its name. */
  const expected = Object.fromEntries(
    Object.entries(everyPage("plain", "/")).map(([name, page]) => [name, skeleton(page)]),
  );

  test("A-28: no text in any field of any page is printed as markup", () => {
    for (const text of someOf(markups, 3)) {
      for (const [name, page] of Object.entries(everyPage(text, "/"))) {
        assert.ok(!page.includes(text), `${name} echoes ${text}`);
      }
    }
  });

  test("A-28: no text in any field changes the tags or attributes of any page", () => {
    const text = fc.oneof(
      markup,
      fc.tuple(fc.string({ unit: codePoint }), markup).map((parts) => parts.join("")),
      fc.string({ unit: codePoint, minLength: 1 }),
    );
    fc.assert(
      fc.property(
        // A single word is no markup, and may be the name of the server, of a field or of a measure, which
        // are displayed differently. Some pages treat a blank as no text.
        text.filter((words) => !/^(?:[A-Za-z_]+|\s*)$/.test(words)),
        (words) => {
          for (const [name, page] of Object.entries(everyPage(words, "/"))) {
            assert.deepEqual(skeleton(page), expected[name], name);
          }
        },
      ),
      { numRuns: inForm(12, 60) },
    );
  });

  test("A-28: a text that is a name inherited by JavaScript objects is printed like any other", () => {
    for (const words of someOf(Object.getOwnPropertyNames(Object.prototype), 6)) {
      for (const [name, page] of Object.entries(everyPage(words, "/"))) {
        assert.deepEqual(skeleton(page), expected[name], `${words}: ${name}`);
      }
    }
  });

  test("A-28: a URL that could run code or leave the site unexpectedly is not linked, framed or shown", () => {
    const addresses = [
      ...["javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)"],
      ...["data:text/html,<script>alert(1)</script>", "vbscript:x", "//evil.example", "/\\evil.example"],
      ...["/\t/evil.example", "\\\\evil.example", "blob:https://evil.example/1"],
    ];
    for (const address of addresses) {
      for (const [name, page] of Object.entries(everyPage("plain", address))) {
        for (const tag of readHtml(page).tags) {
          for (const key of ["href", "action"]) {
            const value = tag.attributes.get(key);
            if (value === undefined) continue;
            // The link with the key that this server created for an authenticator app.
            if (value === "otpauth://totp/a") continue;
            assert.match(value, /^(\/(?![/\\])[!-~]*|#[\w-]+)$/, `${name} links ${address}`);
          }
          if (tag.name === "img")
            assert.match(tag.attributes.get("src") ?? "", /^(https:\/\/|data:image\/|\/[^/\\])/);
        }
      }
    }
  });

  test("a client's URL is linked unchanged: https, loopback http, a private-use scheme, a path", () => {
    for (const return_href of [
      ...["https://client.example/bye?a=1&b=%20", "http://127.0.0.1:9000/cb", "com.example.app:/bye"],
      ...["/account?x=1"],
    ]) {
      const { tags } = readHtml(String(signedOutPage({ ...locale, return_href, client_name: "Client" })));
      assert.ok(
        tags.some((tag) => tag.name === "a" && tag.attributes.get("href") === return_href),
        return_href,
      );
    }
  });
});

describe("every page", () => {
  for (const [name, page] of plain) {
    const { tags } = readHtml(page);

    test(`${name} has no inline script, style or event handler, as the content security policy requires`, () => {
      const scripts = new Set(page.match(/<script[\s\S]*?<\/script>/g));
      const asks = /<div data-(?:passkey|signal)="/.test(page);
      // The policy of that page allows only its own script, by its hash.
      const expected = page.includes(submitting) ? [submitting] : [enhancements, ...(asks ? [passkeys] : [])];
      assert.deepEqual([...scripts], expected);
      for (const tag of tags) {
        assert.ok(!["style", "iframe", "object", "embed", "base"].includes(tag.name), tag.name);
        for (const key of tag.attributes.keys()) assert.doesNotMatch(key, /^(on|style$|srcdoc$)/, tag.name);
      }
    });

    test(`${name} is a complete document with one heading, landmarks and a skip link`, () => {
      assert.match(page, /^<!doctype html>\n<html lang="en" dir="ltr">/);
      for (const landmark of ["h1", "header", "main", "footer", "title"]) {
        assert.equal(tags.filter((tag) => tag.name === landmark).length, 1, landmark);
      }
      const ids = tags.flatMap((tag) => tag.attributes.get("id") ?? []);
      assert.equal(new Set(ids).size, ids.length, "an id occurs twice");
      assert.ok(tags.some((tag) => tag.attributes.get("href") === "#main") && ids.includes("main"));
    });

    test(`${name} makes browsers send an email as it is typed (P-9)`, () => {
      assert.ok(!controls(tags).some((tag) => tag.attributes.get("type") === "email"));
    });

    test(`${name} describes controls only by elements that exist, and focuses one of them`, () => {
      const ids = tags.flatMap((tag) => tag.attributes.get("id") ?? []);
      for (const { attributes } of tags)
        for (const id of attributes.get("aria-describedby")?.split(" ") ?? [])
          assert.ok(ids.includes(id), id);
      assert.ok(tags.filter((tag) => tag.attributes.has("autofocus")).length <= 1);
    });

    test(`${name} posts only to this origin, and a GET form contains no CSRF token`, () => {
      for (const form of page.match(/<form[\s\S]*?<\/form>/g) ?? []) {
        const method = readHtml(form).tags[0]?.attributes.get("method");
        if (method === "get") assert.doesNotMatch(form, /csrf_token/);
        else assert.equal(method, "post");
      }
    });
  }
});

describe("the login page", () => {
  test("L-1: is a form that posts email, password, redirect and csrf_token to /login without JavaScript", () => {
    const page = String(loginPage({ ...locale, redirect: "/next", csrf_token: "token" }));
    const { tags } = readHtml(page);
    const form = tags.find((tag) => tag.name === "form");
    assert.equal(form?.attributes.get("method"), "post");
    assert.equal(form?.attributes.get("action"), "/login");
    const seen = controls(tags).map((tag) => [
      tag.attributes.get("name"),
      tag.attributes.get("type"),
      tag.attributes.get("autocomplete"),
    ]);
    assert.deepEqual(seen, [
      ["email", "text", "username"],
      ["password", "password", "current-password"],
    ]);
    assert.deepEqual(hidden(page), { redirect: "/next", csrf_token: "token" });
  });

  test("preserves redirect and csrf_token exactly, whatever characters they contain", () => {
    const awkward = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.constant(`/a?state="'<&amp;>%22+ ü 🚪&quot;#\\`),
    );
    fc.assert(
      fc.property(awkward, awkward, (redirect, csrf_token) => {
        assert.deepEqual(hidden(String(loginPage({ ...locale, redirect, csrf_token }))), {
          redirect,
          csrf_token,
        });
      }),
    );
  });

  test("focuses the email field, or the password field if the email is known", () => {
    const focused = (email?: string) =>
      readHtml(String(loginPage({ ...locale, redirect: "/", csrf_token: "t", email })))
        .tags.find((tag) => tag.attributes.has("autofocus"))
        ?.attributes.get("name");
    assert.equal(focused(), "email");
    assert.equal(focused("ada@example.com"), "password");
  });

  test("shows a failed sign-in as an alert, with the waiting time in suitable units", () => {
    const alert = (retry_after?: number) =>
      readHtml(
        String(loginPage({ ...locale, redirect: "/", csrf_token: "t", failure: "throttled", retry_after })),
      );
    assert.ok(alert().tags.some((tag) => tag.attributes.get("role") === "alert"));
    assert.match(alert().text, /Too many attempts\. (?!You can try)/);
    assert.match(alert(1).text, /try again in 1 second\./);
    assert.match(alert(90).text, /try again in 90 seconds\./);
    assert.match(alert(91).text, /try again in 2 minutes\./);
    const calm = readHtml(String(loginPage({ ...locale, redirect: "/", csrf_token: "t" })));
    assert.ok(!calm.tags.some((tag) => tag.attributes.get("role") === "alert"));
  });

  test("names the client to which the sign-in leads, if it is known", () => {
    const page = loginPage({ ...locale, redirect: "/", csrf_token: "t", client_name: "Harbour" });
    assert.match(readHtml(String(page)).text, /continue to Harbour/);
  });
});

describe("the consent page", () => {
  const data = {
    ...locale,
    client: { name: "Harbour", owner_name: "Acme", first_time: false, unverified: false },
    user: { name: "Ada", email: "ada@example.com" },
    scopes: [
      { name: "profile", description: "See your name", already_granted: true },
      { name: "orders:read", already_granted: false },
    ],
    redirect_to: "https://harbour.example",
    csrf_token: "token",
    request: `sealed"'<ü>`,
    switch_account_href: "/login?redirect=%2F",
  };
  const page = String(consentPage(data));

  test("A-20: shows the client, the scopes, the user, and the redirect target", () => {
    const { text } = readHtml(page);
    for (const words of [
      ...["Harbour", "Acme", "Ada", "ada@example.com", "See your name", "profile", "orders:read"],
    ]) {
      assert.ok(text.includes(words), words);
    }
    assert.ok(text.includes("https://harbour.example"));
    assert.equal(text.split("Allowed before").length, 2);
  });

  test("offers deny and allow as equal buttons of one form", () => {
    const { tags } = readHtml(page);
    const form = tags.find((tag) => tag.name === "form");
    assert.equal(form?.attributes.get("action"), "/consent");
    assert.equal(form?.attributes.get("method"), "post");
    const decisions = tags.filter((tag) => tag.attributes.get("name") === "decision");
    assert.deepEqual(decisions.map((tag) => tag.attributes.get("value")).sort(), ["allow", "deny"]);
    for (const decision of decisions) {
      assert.equal(decision.name, "button");
      assert.equal(decision.attributes.get("type"), "submit");
      assert.match(decision.attributes.get("class") ?? "", /^button\b/);
    }
  });

  test("A-21: contains the encrypted request and csrf_token unchanged", () => {
    assert.deepEqual(hidden(page), { request: data.request, csrf_token: "token" });
  });

  test("warns only of clients whose identity cannot be verified, and of clients that no user has used before", () => {
    const said = (client: object) =>
      readHtml(String(consentPage({ ...data, client: { ...data.client, ...client } }))).text;
    assert.match(said({ unverified: true }), /identity cannot be checked/);
    assert.doesNotMatch(said({}), /identity cannot be checked/);
    assert.match(said({ first_time: true }), /Never with this account/);
    assert.doesNotMatch(said({}), /Never with this account/);
  });
});

describe("the account selection and sign-out forms", () => {
  test("the account selection posts account=continue or account=another, with the request as redirect", () => {
    const page = String(
      selectAccountPage({
        ...locale,
        user: { name: "Ada", email: "a@b.example" },
        csrf_token: "t",
        request: "/oauth?a=1&b=2",
      }),
    );
    const accounts = readHtml(page).tags.filter((tag) => tag.attributes.get("name") === "account");
    assert.deepEqual(
      accounts.map((tag) => tag.attributes.get("value")),
      ["continue", "another"],
    );
    assert.deepEqual(hidden(page), { redirect: "/oauth?a=1&b=2", csrf_token: "t" });
  });

  test("the sign-out form preserves its parameters exactly, and none of them replaces csrf_token", () => {
    const fields = {
      state: `a"b'c<d>&amp; ü`,
      post_logout_redirect_uri: "https://a.example/?x=1&y=2",
      csrf_token: "evil",
    };
    const page = String(
      logoutPage({ ...locale, csrf_token: "ours", fields, action: "/oauth/logout", keeping: [] }),
    );
    assert.deepEqual(hidden(page), { ...fields, csrf_token: "ours" });
    assert.equal(page.split('name="csrf_token"').length, 2);
  });
});
