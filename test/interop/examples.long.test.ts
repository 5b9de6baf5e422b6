/** The samples of `examples/`, which the console shows too. The sample for a browser runs in a browser. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { allExamples, person } from "../../examples/all_examples.ts";
import { browser } from "../support/browser.ts";
import { runningExample } from "./example_sign_in.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(project, path), "utf8");

describe("the samples of examples/", () => {
  test("have consistent names and addresses, and pin the tested package versions", () => {
    const { packages } = JSON.parse(read("package-lock.json"));
    for (const { name, runtime, address, callback } of allExamples) {
      assert.match(read(`examples/${name}/README.md`), new RegExp(`npm run examples -- ${name}\``));
      if (runtime === "node") {
        const { dependencies } = JSON.parse(read(`examples/${name}/package.json`));
        for (const [library, version] of Object.entries(dependencies))
          assert.equal(version, packages[`node_modules/${library}`]?.version, `${name}: ${library}`);
      }
      if (callback === undefined) continue;
      const [app] = parse(read(`examples/${name}/postern.yaml`)).apps;
      assert.equal(app.client_id, `${name}-example`);
      assert.deepEqual(app.redirect_uris, [`${address}${callback}`]);
      const [returns_to = ""] = app.post_logout_redirect_uris;
      assert.equal(new URL(returns_to).origin, address);
    }
  });

  test("in a browser: a user signs in, stays signed in over a reload, and signs out", async () => {
    const sample = await runningExample("browser");
    after(() => sample.stop());
    const page = await (await browser()).newPage();
    await page.goto(sample.address);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText(`Signed in as ${person.name}`).waitFor();
    assert.equal(page.url(), `${sample.address}/`);
    await page.reload();
    await page.getByText(`Signed in as ${person.name}`).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(`${sample.address}/index.html`);
    await page.getByText("Signed out").waitFor();
    await page.close();
  });
});
