import assert from "node:assert/strict";
import { test } from "node:test";
import { withAccountChoice } from "../../src/people/entry/authorize.routes.ts";

for (const [url, expected] of [
  ["/oauth/authorize?a=b+c&d=%2F", "/oauth/authorize?a=b+c&d=%2F&prompt=select_account"],
  ["/oauth/authorize?prompt=consent&a=b", "/oauth/authorize?a=b&prompt=consent+select_account"],
  ["/oauth/authorize?a=b&%70rompt=select_account", "/oauth/authorize?a=b&prompt=select_account"],
  ["/oauth/authorize?prompt=consent%20login&", "/oauth/authorize?prompt=consent+login+select_account"],
  ["/oauth/authorize", "/oauth/authorize?prompt=select_account"],
] as const) {
  test(`"Use another account" on the page of ${url} asks for an account, and changes nothing else in the request`, () => {
    assert.equal(withAccountChoice(url), expected);
  });
}
