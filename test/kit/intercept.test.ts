import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { intercepted } from "../../src/kit/intercept.ts";

test("a test sees an error of the kit itself in the response", async (t) => {
  const app = { routing: () => assert.fail(), inject: () => assert.fail() } as never;
  const failures = {
    take() {
      throw new Error("no such endpoint");
    },
  } as never;
  const server = createServer(
    intercepted(app, { recorder: {} as never, failures, server: () => assert.fail() }),
  );
  server.listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  assert.equal(answer.status, 500);
  assert.match(await answer.text(), /^the test kit failed: Error: no such endpoint/);
});
