import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { devPage } from "../../src/web/pages/dev_page.ts";
import { readHtml } from "./read_html.ts";
import { aReader } from "./reader.ts";

describe("the page of postern dev", () => {
  const nothing = { ...aReader(), steps: [], clients: [], users: [], actions: [] };

  test("prints one parameter per line and indents JSON, without losing anything", () => {
    const page = String(
      devPage({
        ...nothing,
        steps: [
          {
            kind: "token",
            request: { method: "POST", url: "https://a.example/p?x=1&y=2?", body: "code=c&state=%26" },
            response: {
              status: 302,
              headers: { location: "https://b.example/cb?code=c&state=s", "x-other": "a=1&b=2" },
              body: '{"error":"invalid_grant"}',
            },
            decoded: { access_token: '{"sub":"u"}' },
          },
        ],
      }),
    );
    for (const words of [
      "https://a.example/p\n?x=1\n&amp;y=2?\n\ncode=c\n&amp;state=%26</pre>",
      "https://b.example/cb\n?code=c\n&amp;state=s\n",
      "a=1&amp;b=2\n\n{\n  &quot;error&quot;: &quot;invalid_grant&quot;\n}</pre>",
      "{\n  &quot;sub&quot;: &quot;u&quot;\n}</pre>",
    ]) {
      assert.ok(page.includes(words), words);
    }
  });

  test("prints a body unchanged that is neither a form nor complete JSON", () => {
    const step = { kind: "revoke" } as const;
    for (const body of ["{broken", "two words & more", "<p>&</p>"]) {
      const page = String(devPage({ ...nothing, steps: [{ ...step, response: { status: 500, body } }] }));
      assert.ok(readHtml(page).text.includes(`HTTP 500 ${body}`), body);
    }
  });

  test("offers each action by a link or a form, and never links to an unsafe URL", () => {
    const page = String(
      devPage({
        ...nothing,
        actions: [
          { label: "Start", href: "/dev/start" },
          { label: "Reset", post: { action: "/dev/reset", fields: { csrf_token: "t" } } },
          { label: "Never", href: "javascript:alert(1)" },
        ],
      }),
    );
    assert.match(page, /<a class="button primary" href="\/dev\/start">Start<\/a>/);
    assert.match(page, /action="\/dev\/reset"><input type="hidden" name="csrf_token" value="t"><button/);
    assert.doesNotMatch(page, /Never/);
  });
});
