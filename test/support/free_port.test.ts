import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { freePort } from "./free_port.ts";

const program = `
  const [, address, wanted] = process.argv;
  const { freePort } = await import(address);
  console.log(await freePort(Number(wanted)));
  process.stdin.resume();
`;

test("a port given to a test process is given to no other process until that one ends", async () => {
  const own = await freePort();
  assert.notEqual(await freePort(own), own, "not given twice to one process");
  const address = new URL("free_port.ts", import.meta.url).href;
  const other = spawn(process.execPath, ["--input-type=module", "-e", program, address, `${own}`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(other.stdout), "line");
  const theirs = Number(line);
  assert.notEqual(theirs, own, "nobody listens on the port of this process, and yet it is not free");
  assert.notEqual(await freePort(theirs), theirs, "nor is that of the other one");
  const ended = once(other, "close");
  other.stdin.end();
  await ended;
  assert.equal(await freePort(theirs), theirs, "free again with the end of its process");
});
