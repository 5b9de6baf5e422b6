import assert from "node:assert/strict";
import { test } from "node:test";
import { openApiDocument } from "../../src/api/openapi.ts";
import { createClient } from "../../src/client/client.ts";
import { everyOperation } from "./every_operation.ts";

const { paths } = openApiDocument({ issuer: "https://id.example", session_cookie: "session" });

/**
 * Returns the path template of the document that matches an address. A template without parameters takes
 * precedence.
 */
function templateOf(pathname: string): string | undefined {
  const fits = (template: string) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(decodeURI(pathname));
  return Object.hasOwn(paths, pathname) ? pathname : Object.keys(paths).find(fits);
}

test("a typed script calls every operation of the OpenAPI document with its parameters", async () => {
  const requested: string[] = [];
  const sent: [string, ...(boolean | string | null)[]][] = [];
  const expected: typeof sent = [];
  const takeDown = async (request: Request) => {
    const template = templateOf(new URL(request.url).pathname);
    requested.push(`${request.method} ${template}`);
    const operation = Object.entries(paths[template ?? ""] ?? {}).find(
      ([method]) => method.toUpperCase() === request.method,
    )?.[1];
    const takesKey = JSON.stringify(operation?.parameters ?? []).includes("parameters/IdempotencyKey");
    const { headers, body, url } = request;
    expected.push([url, takesKey, operation?.requestBody !== undefined, "Bearer pak_test"]);
    sent.push([url, headers.has("idempotency-key"), body !== null, headers.get("authorization")]);
    return Response.json({ data: [], next_cursor: null });
  };
  const client = createClient({ url: "https://id.example", credential: "pak_test", fetch: takeDown });
  for (const call of everyOperation(client)) await call();
  const documented = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(sent, expected);
  assert.deepEqual(requested.toSorted(), documented.toSorted());
});
