/** `postern app test-logout` shows the result of the notice that the server sends. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createPostern } from "../../src/server/embedded.ts";
import { commandLine } from "./terminal.ts";

test("app test-logout prints the delivery, and exits with 1 unless the client accepted the logout token", async () => {
  const extra = { POSTERN_EXTRA_FEATURES: "logout_notices" };
  const cli = commandLine(extra);
  await cli.json("user create --email root@example.com --name Root --is-platform-admin");
  const receiver = createServer((request, response) => {
    response.writeHead(request.url === "/yes" ? 204 : 500).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  for (const path of ["yes", "no"]) {
    const address = `--backchannel-logout-internal --backchannel-logout-uri http://127.0.0.1:${port}/${path}`;
    await cli.json(`app create --client-id ${path} --name ${path} --owner root@example.com ${address}`);
  }
  const postern = await createPostern({
    ...{ database_url: cli.env.POSTERN_DATABASE_URL ?? "", extra_features: "logout_notices", port: 0 },
    outbound_allow: "127.0.0.1",
  });
  try {
    const [done, failed] = [await cli.run("app test-logout yes"), await cli.run("app test-logout no --json")];
    assert.deepEqual([done.code, failed.code], [0, 1], done.err + failed.err);
    assert.match(done.out, /^state +done$/m);
    assert.match(done.out, /^last_status +204$/m);
    const { state, last_status, attempt } = JSON.parse(failed.out);
    assert.deepEqual([state, last_status, attempt], ["waiting", 500, 1]);
  } finally {
    receiver.close();
    await postern.close();
  }
});
