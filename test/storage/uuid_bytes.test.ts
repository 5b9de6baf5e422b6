import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { bytesToUuid, hexToUuid, uuidToBytes } from "../../src/storage/database/ids.ts";

describe("UUIDs in SQLite", () => {
  test("are stored as the 16 bytes of their digits, and are read in lower case", () => {
    for (let run = 0; run < 500; run++) {
      const uuid = randomUUID();
      const bytes = Buffer.from(uuid.replaceAll("-", ""), "hex");
      assert.deepEqual(uuidToBytes(uuid), bytes);
      assert.deepEqual(uuidToBytes(uuid.toUpperCase()), bytes);
      assert.equal(bytesToUuid(bytes), uuid);
      assert.equal(hexToUuid(bytes.toString("hex").toUpperCase()), uuid);
    }
  });

  test("are refused in any other form: each place must be a hexadecimal digit or a hyphen", () => {
    const uuid = "01900000-89ab-7cde-8f01-23456789abcd";
    for (let index = 0; index < uuid.length; index++) {
      for (const wrong of ["", "g", "G", "`", "@", "/", ":", " ", "\0", "é", "０", "-", "0"]) {
        if (uuid[index] === "-" ? wrong === "-" : wrong === "0") continue;
        const text = uuid.slice(0, index) + wrong + uuid.slice(index + 1);
        assert.throws(() => uuidToBytes(text), TypeError, text);
      }
    }
    for (const text of ["", uuid.replaceAll("-", ""), `${uuid}0`, `{${uuid}}`, uuid.slice(1)]) {
      assert.throws(() => uuidToBytes(text), TypeError, text);
    }
  });
});
