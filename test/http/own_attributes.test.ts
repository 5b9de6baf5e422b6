/** Attributes on the user's own page (OC-7). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { languages } from "../../src/web/words/language.ts";
import { landed, setUp, submit } from "../support/account.ts";
import { anApp, anAttribute } from "../support/builders.ts";
import type { Parameters } from "../support/flows.ts";

describe("OC-7: the user's own attributes on the profile page", () => {
  async function scene() {
    const it = await setUp({
      attributes: { grade: "B2", risk: "high", undefined_one: "kept", zoneinfo: "Europe/London" },
    });
    const writers = ["user", "admin"] as const;
    await anAttribute(it.store, { name: "desk", label: "Desk", writers, pattern: "[A-Z]-[0-9]+" });
    await anAttribute(it.store, { name: "age", label: "Age", writers, value_type: "number", max: 150 });
    await anAttribute(it.store, { name: "remote", label: "Remote", writers, value_type: "boolean" });
    await anAttribute(it.store, { name: "started", label: "Start", writers, value_type: "date" });
    await anAttribute(it.store, { name: "teams", label: "Teams", writers, value_type: "list", max: 2 });
    await anAttribute(it.store, { name: "grade", label: "Grade" });
    await anAttribute(it.store, { name: "risk", label: "Risk", readers: ["admin"] });
    const stored = async () => (await it.store.find("users", { id: it.user.id }))?.attributes;
    const save = (fields: Parameters) =>
      submit(it.browser, "/account", undefined, { name: "Ada", email: it.user.email, ...fields });
    return { ...it, stored, save };
  }

  test("the page has typed fields; those that only administrators may write are read-only, and hidden ones absent", async () => {
    const { browser } = await scene();
    const { body } = await browser.get("/account");
    assert.match(body, /<label for="attributes\.desk">Desk<[\s\S]*?name="attributes\.desk" type="text"/);
    assert.match(body, /name="attributes\.age" type="number" value="" step="any"/);
    assert.match(body, /type="checkbox" id="attributes\.remote"[^>]* value="true">/);
    assert.match(body, /name="attributes\.started" type="date"/);
    assert.match(body, /<textarea id="attributes\.teams"[\s\S]*?One per line/);
    assert.match(body, /<dt>Grade<\/dt><dd><bdi>B2</);
    assert.doesNotMatch(body, /attributes\.grade|Risk|high|undefined_one|kept/);
  });

  test("attributes are saved with their types and can be cleared, and others stay unchanged", async () => {
    const { browser, stored, save } = await scene();
    const kept = { grade: "B2", risk: "high", undefined_one: "kept" };
    const fields = {
      "attributes.desk": "A-12",
      "attributes.age": "36.5",
      "attributes.remote": "true",
      "attributes.started": "2026-11-28",
      "attributes.teams": "red\r\n\r\nblue ",
      "attributes.zoneinfo": "",
      "attributes.grade": "A1",
      "attributes.risk": "low",
    };
    assert.match(await landed(browser, await save(fields)), /Profile saved/);
    const typed = { desk: "A-12", age: 36.5, remote: true, started: "2026-11-28", teams: ["red", "blue"] };
    assert.deepEqual(await stored(), { ...kept, ...typed });
    const body = await landed(browser, await save({ "attributes.remote": "false" }));
    assert.match(body, /name="attributes\.age" type="number" value="36\.5"/);
    assert.deepEqual(await stored(), { ...kept, ...typed, remote: false });
  });

  test("an invalid attribute shows its error at the field, and the form keeps what was typed", async () => {
    const { stored, save } = await scene();
    const before = await stored();
    const answer = await save({
      "attributes.desk": "12",
      "attributes.age": "151",
      "attributes.started": "yesterday",
      "attributes.teams": "a\r\nb\r\nc",
    });
    assert.equal(answer.statusCode, 422);
    const errorOf = (name: string) =>
      new RegExp(`id="attributes\\.${name}-error">([^<]*)<`).exec(answer.body)?.[1];
    assert.deepEqual(["desk", "age", "started", "teams"].map(errorOf), [
      "Check the format.",
      "At most 150.",
      "Enter a date.",
      "At most 2 lines.",
    ]);
    assert.match(answer.body, /name="attributes\.desk" type="text" value="12"[^>]* aria-invalid="true"/);
    assert.equal(answer.body.match(/ autofocus[ >]/g)?.length, 1);
    assert.match(answer.body, /aria-invalid="true"[^>]*>\na\nb\nc<\/textarea>/);
    assert.deepEqual(await stored(), before);
  });

  test("a platform administrator's profile has the attributes that users may read and write", async () => {
    const { browser, store, user, stored, save } = await scene();
    await store.update("users", { id: user.id }, { is_platform_admin: true });
    assert.doesNotMatch((await browser.get("/account")).body, /Risk|attributes\.grade/);
    await landed(browser, await save({ "attributes.grade": "A1", "attributes.desk": "A-1" }));
    const { grade, risk, desk } = (await stored()) ?? {};
    assert.deepEqual({ grade, risk, desk }, { grade: "B2", risk: "high", desk: "A-1" });
  });

  test("details that an app receives are asked for in every language, even without a definition", async () => {
    const { browser, store } = await setUp();
    assert.doesNotMatch((await browser.get("/account")).body, /attributes\./);
    await anApp(store, { claims: { given_name: ["id_token"] } });
    const labels = new Set<string | undefined>();
    for (const language of languages) {
      const { body } = await browser.get("/account", { "accept-language": language });
      assert.doesNotMatch(body, /attributes\.family_name/);
      labels.add(/<label for="attributes\.given_name">([^<]*)</.exec(body)?.[1]);
    }
    assert.equal(labels.size, languages.length);
    assert.ok(labels.has("Prénom"));
  });
});
