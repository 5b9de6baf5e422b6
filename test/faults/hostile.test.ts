import assert from "node:assert/strict";
import { test } from "node:test";
import { hostileFixture } from "../../tools/hostile/fixture.ts";
import { hostile } from "../../tools/hostile/hostile.ts";

/**
 * One of this many requests is sent. Each number is a prime, so every text is sent in every parameter of some
 * route.
 */
const oneOf = { public: 41, signedIn: 211 };

// `npm run hostile` sends all requests.
test("H-61: 60 kB of hostile text in any header or parameter costs at most 20 ordinary requests", async () => {
  const it = await hostileFixture();
  const needsSignIn = ({ path }: { readonly path: string }) => /^\/(?:api|console|account)\//.test(path);
  const open = await hostile(it, {
    routes: (route) => !needsSignIn(route),
    chosen: (at) => at % oneOf.public === 0,
  });
  const shut = await hostile(it, { routes: needsSignIn, chosen: (at) => at % oneOf.signedIn === 0 });
  for (const { excesses, failed } of [open, shut]) {
    assert.deepEqual(excesses, []);
    assert.deepEqual(failed, []);
  }
  assert.ok(open.requests > 2000 && shut.requests > 2000, `${open.requests}, ${shut.requests}`);
  await it.app.close();
});
