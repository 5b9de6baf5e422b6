import assert from "node:assert/strict";
import { test } from "node:test";
import { requestObject } from "../../src/providers/request_provider.ts";

const answered = (body: Buffer) =>
  requestObject(
    { outbound: { send: async () => ({ status: 200, headers: {}, body }) }, timeout: 1000 },
    { method: "GET", url: "https://provider.example/userinfo" },
  );
const subject = (...bytes: number[]) =>
  Buffer.concat([Buffer.from('{"sub":"'), Buffer.from(bytes), Buffer.from('"}')]);

test("EP-7: a response that is not UTF-8 is refused, so that no two subjects become the same", async () => {
  assert.deepEqual(await answered(subject(0xc3, 0xa4)), { sub: "ä" });
  for (const bytes of [[0xe4], [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80]])
    await assert.rejects(answered(subject(...bytes)), { kind: "not_json" });
});
