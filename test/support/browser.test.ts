import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { browser } from "./browser.ts";

test("the test browser draws text with a real font, in regular and bold", async () => {
  const page = await (await browser()).newPage();
  await page.setContent("<span id=a>Willow</span> <b id=b>Willow</b> <span id=c>iiiiii</span>");
  const width = async (id: string) => (await page.locator(id).boundingBox())?.width ?? 0;
  const [regular, bold, narrow] = [await width("#a"), await width("#b"), await width("#c")];
  assert.ok(narrow > 0 && regular > 1.5 * narrow, `proportional: ${regular} against ${narrow}`);
  assert.ok(bold > regular, `bold: ${bold} against ${regular}`);
  await page.close();
});

async function originAnswering(t: TestContext, text: string): Promise<string> {
  const server = createServer((_request, response) => response.end(text)).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("the test browser isolates origins from each other", async (t) => {
  const [own, foreign] = [await originAnswering(t, "own"), await originAnswering(t, "foreign")];
  const page = await (await browser()).newPage();
  const read = (address: string) =>
    page.evaluate(async (url) => {
      try {
        return await (await fetch(url)).text();
      } catch {
        return "refused";
      }
    }, address);
  await page.goto(own);
  assert.equal(await read(own), "own");
  assert.equal(await read(foreign), "refused");
  await page.goto(foreign);
  assert.equal(await read(foreign), "foreign");
  await page.close();
});
