import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { createListener } from "../../src/http/listener.ts";
import { testApp } from "../support/app.ts";

const asked = "GET /healthz HTTP/1.1\r\nHost: id.example\r\n\r\n";
const last = asked.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");

describe("a connection", () => {
  const listener = createListener({ host: "127.0.0.1", port: 0 });
  let port: number;

  before(async () => {
    const { app } = await testApp();
    port = await listener.port();
    await listener.answerWith(app);
  });
  after(() => listener.close());

  /** The answers to what is sent at once, until the connection ends. */
  async function answersTo(text: string): Promise<number> {
    const socket = connect(port, "127.0.0.1");
    let got = "";
    socket.on("data", (chunk) => {
      got += chunk;
    });
    socket.on("error", () => {});
    socket.write(text);
    await once(socket, "close");
    return got.split("HTTP/1.1 200 OK").length - 1;
  }

  test("H-3: gets its answers to some requests that it sends at once, and is broken off for many", async () => {
    assert.equal(await answersTo(asked.repeat(7) + last), 8);
    assert.equal(await answersTo(asked.repeat(1000)), 0);
    assert.equal(await answersTo(last), 1, "others are served");
  });

  test("H-3: sends as many as it likes one after the other", async () => {
    const socket = connect(port, "127.0.0.1");
    for (let count = 0; count < 30; count++) {
      socket.write(asked);
      const [answer] = await once(socket, "data");
      assert.match(String(answer), /^HTTP\/1\.1 200/);
    }
    socket.destroy();
  });
});
