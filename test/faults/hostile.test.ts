import assert from "node:assert/strict";
import { test } from "node:test";
import { hostileFixture } from "../../tools/hostile/fixture.ts";
import { hostile } from "../../tools/hostile/hostile.ts";

/** Primes, so that one request in so many comes to every text of every place at some route. */
const oneOf = { public: 41, signedIn: 211 };

// `npm run hostile` sends all of it.
test("H-61: 60 kB of hostile text in any header or parameter of any route costs at most 20 ordinary requests", async () => {
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
