/** The preview of a brand changes with the input, under the Content-Security-Policy of the server. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browser } from "../support/browser.ts";
import { complaintsOf } from "../support/complaints.ts";
import { servedProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

const admin = { email: "root@example.com", password: "a password for a trial of colours" };
const environment = { POSTERN_ADMIN_EMAIL: admin.email, POSTERN_ADMIN_PASSWORD: admin.password };

describe("the organization form in a browser", () => {
  test("previews the brand while it is typed, and accepts a logo from the user's device", async () => {
    const served = await servedProcess({
      environment,
      manifest: { organizations: [{ slug: "acme", name: "Acme" }] },
    });
    const page = await (await browser()).newPage();
    page.setDefaultTimeout(60_000);
    const complaints = complaintsOf(page);
    await page.goto(
      `${served.url}/login?redirect=${encodeURIComponent(`${served.url}/console/organizations`)}`,
    );
    await page.getByLabel("Email").fill(admin.email);
    await page.getByLabel("Password", { exact: true }).fill(admin.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("link", { name: "Acme", exact: true }).click();
    await page.getByRole("link", { name: "Edit", exact: true }).click();

    const preview = page.locator(".brand-preview");
    const colour = () =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector(".brand-preview .primary")).backgroundColor`,
      );
    const before = await colour();
    const picker = page.locator("input[type=color]");
    const hex = (text: string) =>
      `#${(text.match(/\d+/g) ?? []).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
    assert.equal(
      await picker.inputValue(),
      hex(before),
      "the usual colour, and not black, where none is chosen",
    );
    await page.getByLabel("Name on sign-in pages").fill("Globex");
    assert.equal(await preview.locator(".brand-name").textContent(), "Globex");
    assert.equal(await preview.locator(".portrait").textContent(), "G");
    const accent = page.locator("#field-settings\\.brand\\.accent");
    await accent.fill("#7a1fa2");
    await until(async () => (await colour()) === "rgb(122, 31, 162)", "the button has the colour");
    assert.equal(await picker.inputValue(), "#7a1fa2");
    await picker.fill("#0e6655");
    assert.equal(await accent.inputValue(), "#0e6655");
    await accent.fill("none");
    await until(async () => (await colour()) === before, "the button has its own colour again");
    await accent.fill("#7a1fa2");

    // A picture that is far too large for a record is scaled down.
    const data = await page.evaluate<string>(`(() => {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 600;
      const brush = canvas.getContext("2d");
      for (let y = 0; y < 600; y += 4) for (let x = 0; x < 600; x += 4) {
        brush.fillStyle = "rgb(" + [x % 256, y % 256, (x * y) % 256] + ")";
        brush.fillRect(x, y, 4, 4);
      }
      return canvas.toDataURL("image/png").split(",")[1];
    })()`);
    await page.locator("input[type=file]").setInputFiles({
      name: "logo.png",
      mimeType: "image/png",
      buffer: Buffer.from(data, "base64"),
    });
    const logo = page.locator("#field-settings\\.brand\\.logo_url");
    await until(async () => /^data:image\//.test(await logo.inputValue()), "the picture is in the field");
    assert.ok((await logo.inputValue()).length <= 8192);
    await preview.locator("img").waitFor();
    assert.deepEqual(complaints, []);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Changes saved.").waitFor();
    await page.close();
  });
});
