/** The sample for several organizations, in a browser and as a caller of its API. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { person } from "../../examples/all_examples.ts";
import { browser } from "../support/browser.ts";
import { type RunningExample, runningExample } from "./example_sign_in.ts";

const bob = { email: "bob@example.com", password: person.password };

/** Opens a new browser at the login page of the sample. */
async function atLogin({ address }: RunningExample): Promise<Page> {
  const page = await (await (await browser()).newContext()).newPage();
  await page.goto(address);
  await page.getByRole("link", { name: "Sign in" }).click();
  return page;
}

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor();
const lines = (page: Page) => page.locator("li").allInnerTexts();

describe("examples/b2b", () => {
  test("a user of two organizations chooses one, sees its orders, and approves only with an app role", async () => {
    const sample = await runningExample("b2b");
    after(() => sample.stop());

    const page = await atLogin(sample);
    await signIn(page, person);
    await page.getByRole("button", { name: "Acme" }).click();
    await heading(page, "Acme");
    await page.getByText(`Signed in as ${person.name}, admin`).waitFor();
    assert.match((await lines(page)).join(), /anvils.*sledge/s);
    await page.locator("li", { hasText: "anvils" }).getByRole("button", { name: "Approve" }).click();
    await page.getByText("20 anvils: approved", { exact: true }).waitFor();

    // The token for Acme permits approvals, but not of an order of Globex, which stays unchanged.
    const foreign = await page.request.post(`${sample.address}/orders/3/approval`, { maxRedirects: 0 });
    assert.equal(foreign.status(), 303);

    await page.getByRole("link", { name: "Switch organization" }).click();
    await page.getByRole("button", { name: "Globex" }).click();
    await heading(page, "Globex");
    assert.match((await lines(page)).join(), /^3 hammocks/, "the other organization's order alone");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Your roles do not include approving.").waitFor();
    await page.goto(`${sample.address}/login?organization=acme`);
    await heading(page, "Acme");
    assert.match((await lines(page)).join(), /sledge:\s*Approve/);
    await page.getByRole("link", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();

    const theirs = await atLogin(sample);
    await signIn(theirs, bob);
    await heading(theirs, "Acme");
    await theirs.getByText("Signed in as Bob, member, auditor").waitFor();
    // A user with the custom role sees who approved an order; Ada's page did not show this.
    await theirs.getByText(/20 anvils: approved by [0-9a-f-]{36}/).waitFor();
    await theirs.getByRole("button", { name: "Approve" }).first().click();
    await theirs.getByText("Your roles do not include approving.").waitFor();
    await theirs.goto(`${sample.address}/login?organization=globex`);
    await theirs.getByRole("link", { name: "Try again" }).waitFor();
    for (const authorization of ["", "Bearer nonsense"]) {
      const refused = await fetch(`${sample.address}/api/orders`, { headers: { authorization } });
      assert.equal(refused.status, 401);
    }
    await page.context().close();
    await theirs.context().close();
  });
});
