import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, describe, test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { generatedFiles } from "../../../packages/client/generated_files.ts";
import { resources } from "../../../src/admin/resources/resources.ts";
import type { OpenApiDocument } from "../../../src/api/openapi.ts";
import { problemKinds } from "../../../src/http/problems.ts";
import { fieldsOf } from "../../../src/records/definition/definition.ts";
import { type TestApp, testApp } from "../../support/app.ts";

describe("the OpenAPI document of the management API", () => {
  let it: TestApp;
  let document: OpenApiDocument;
  before(async () => {
    it = await testApp();
    document = (await it.app.inject("/api/openapi.json")).json();
  });

  const operations = () =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    );

  test("the document passes a public linter, even under its strictest rules", async () => {
    const config = await createConfig({ extends: ["recommended-strict"] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    // Ids are UUIDs, so `by-email` is not an id: /users/{id}/sessions and /users/by-email/{email} cannot be
    // confused.
    const isExpected = (message: string) => /ambiguous paths: .*\/by-[a-z-]+\/\{/.test(message);
    assert.deepEqual(
      problems
        .filter(({ message }) => !isExpected(message))
        .map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
      [],
    );
    const broken = { ...document, paths: { "/x": { get: { responses: {} } } } };
    assert.notDeepEqual(await lintFromString({ source: JSON.stringify(broken), config }), []);
  });

  test("the typed client in the repository equals the one generated from the document", async () => {
    for (const [path, text] of await generatedFiles(document))
      assert.ok((await readFile(path, "utf8")) === text, `${path} is not of this document`);
  });

  test("every operation has a unique name, a summary, and every status that it may return", () => {
    const names = operations().map(({ operation }) => operation.operationId);
    assert.equal(new Set(names).size, names.length);
    for (const { operation, method } of operations()) {
      assert.match(operation.summary, /^[A-Z]/);
      for (const status of ["401", "500", "503"])
        assert.ok(operation.responses[status], operation.operationId);
      if (method === "PATCH" || method === "DELETE") assert.ok(operation.responses["412"]);
      if (method === "POST" || method === "PATCH") assert.ok(operation.responses["413"]);
    }
  });

  test("the description of resetting factors states the enforced age of the second factor", () => {
    const reset = operations().find(({ operation }) => operation.operationId === "resetFactorsOfUser");
    assert.match(String(reset?.operation.description), /within the last 5 minutes/);
  });

  test("the schemas of records have no sensitive or internal field, and every other field", () => {
    for (const { table, noun } of resources) {
      const name = operations().find(({ operation }) => operation.summary === `Get ${article(noun)} ${noun}`);
      const reference = JSON.stringify(name?.operation.responses["200"]);
      const schema = /schemas\/(\w+)/.exec(reference)?.[1] ?? "";
      const shown = Object.keys(document.components.schemas[schema]?.properties as object);
      // `included` is in the same object as the fields of the record, but is not a field of the record.
      const properties = shown.filter((name) => name !== "included");
      const expected = Object.entries(fieldsOf(table))
        .filter(([, field]) => !field.sensitive && !field.internal && field.kind !== "signature")
        .map(([field]) => field);
      assert.deepEqual(properties, expected, noun);
    }
  });

  test("the document is public, cached for a while, and revalidated", async () => {
    const first = await it.app.inject("/api/openapi.json");
    assert.equal(first.headers["cache-control"], "public, max-age=300");
    const etag = String(first.headers.etag);
    const again = await it.app.inject({ url: "/api/openapi.json", headers: { "if-none-match": etag } });
    assert.equal(again.statusCode, 304);
    assert.equal((await it.app.inject({ method: "HEAD", url: "/api/openapi.json" })).body, "");
    assert.equal(first.headers["access-control-allow-origin"], undefined);
  });

  test("the reference page shows every operation and every error code, and needs no script", async () => {
    const page = await it.app.inject({ url: "/api/docs", headers: { accept: "text/html" } });
    assert.equal(page.statusCode, 200);
    assert.doesNotMatch(
      page.body,
      /<script(?! src="\/assets\/enhancements\.js" defer>)|\son[a-z]+=|src="http/,
    );
    for (const { operation, path } of operations()) {
      assert.ok(page.body.includes(`id="${operation.operationId}"`), operation.operationId);
      assert.ok(page.body.includes(`<code>${path}</code>`), path);
    }
    // The `type` URL of a problem links to the code on this page.
    for (const code of Object.keys(problemKinds)) assert.ok(page.body.includes(`id="${code}"`), code);
    const ids = [...page.body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, "an id stands twice");
    for (const [, target = ""] of page.body.matchAll(/href="#([^"]+)"/g))
      assert.ok(ids.includes(target), target);
  });

  test("docs/api.md names every resource and every error code", async () => {
    const text = await readFile(new URL("../../../docs/api.md", import.meta.url), "utf8");
    for (const name of [...resources.map(({ path }) => path), ...Object.keys(problemKinds)]) {
      assert.ok(text.includes(`\`${name}\``), name);
    }
  });
});

const article = (noun: string) => (/^[aeio]/i.test(noun) ? "an" : "a");
