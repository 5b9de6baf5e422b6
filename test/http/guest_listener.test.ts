import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { test } from "node:test";
import fastify from "fastify";
import { guestListener } from "../../src/http/serving/guest_listener.ts";
import { testApp } from "../support/app.ts";

test("F-37: a client that never finishes its request does not keep the host application from closing", async () => {
  const host = fastify();
  const { app } = await testApp();
  await guestListener(host, "https://id.example", "host", 1).answerWith(app);
  await host.listen({ port: 0, host: "127.0.0.1" });
  const client = connect((host.server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => {});
  client.write(
    "POST /oauth/token HTTP/1.1\r\nHost: id.example\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n",
  );
  const [begun] = await once(client, "data");
  assert.match(String(begun), /^HTTP\/1\.1 100 /);
  await Promise.all([host.close(), once(client, "close")]);
});
