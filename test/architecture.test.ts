import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, test } from "node:test";
import { architectureFaults } from "./support/architecture.ts";

const source = join(import.meta.dirname, "..", "src");

function readSources(): Map<string, string> {
  const paths = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".ts"),
  );
  return new Map(paths.map((path) => [path.split(sep).join("/"), readFileSync(join(source, path), "utf8")]));
}

test("every file of src keeps to its room, and imports go down only (design, section 3)", async () => {
  const sources = readSources();
  assert.ok(sources.size > 0);
  assert.deepEqual(await architectureFaults(sources), []);
});

describe("the architecture test sees", () => {
  const leaf = "export const x = 1;\nexport type X = number;\n";
  const value = (from: string) => `import { x } from "${from}";\nexport const y = x;\n`;
  const type = (from: string) => `import type { X } from "${from}";\nexport const y: X = 1;\n`;

  const cases: { what: string; files: Record<string, string>; faults: string[] }[] = [
    {
      what: "nothing wrong in rooms that keep to the table",
      files: {
        "main.ts": `import { run } from "./server/run.ts";\nprocess.exitCode = await run(process.env);\n`,
        "server/run.ts": `import { app } from "../http/app.ts";\nexport const run = async (env: NodeJS.ProcessEnv) => (app(env), process.exit(1));\n`,
        "http/app.ts": `import fastify from "fastify";\nimport cookie from "@fastify/cookie";\nimport { token } from "../oauth/token.ts";\nexport const app = (e: object) => [fastify, cookie, token, e];\n`,
        "oauth/token.ts": `import type { X } from "../storage/store.ts";\nexport const token: X = 1;\n`,
        "storage/store.ts": `import { DatabaseSync } from "node:sqlite";\nexport type X = number;\nexport const open = () => new DatabaseSync(":memory:");\n`,
        "crypto/hash.ts": `import { createHash } from "node:crypto";\n// process.env and import "fastify" in a comment mean nothing\nexport const hash = () => createHash("sha256").update('import { x } from "pg"');\n`,
        "config.ts": leaf,
        "config/parsers.ts": leaf,
        "records/user.ts": `export { x } from "../errors.ts";\nexport const user = (x: number) => { switch (x) { default: return x; } };\n`,
        "errors.ts": leaf,
      },
      faults: [],
    },
    {
      what: "an import that goes up",
      files: { "storage/a.ts": value("../oauth/b.ts"), "oauth/b.ts": leaf },
      faults: ["storage/a.ts: the room storage may not import oauth/b.ts"],
    },
    {
      what: "a type import that goes up",
      files: { "records/a.ts": type("../storage/b.ts"), "storage/b.ts": leaf },
      faults: ["records/a.ts: the room records may not import storage/b.ts"],
    },
    {
      what: "an import type expression, a re-export and a dynamic import that go up",
      files: {
        "crypto/a.ts": `export type Y = import("../oauth/b.ts").X;\n`,
        "crypto/c.ts": `export { x } from "../oauth/b.ts";\nexport const y = 1;\n`,
        "crypto/d.ts": `export const y = () => import("../oauth/b.ts");\n`,
        "oauth/b.ts": leaf,
      },
      faults: ["a", "c", "d"].map((name) => `crypto/${name}.ts: the room crypto may not import oauth/b.ts`),
    },
    {
      what: "oauth, identity and admin importing each other",
      files: {
        "oauth/a.ts": type("../identity/b.ts"),
        "identity/b.ts": type("../admin/c.ts"),
        "admin/c.ts": leaf,
      },
      faults: [
        "oauth/a.ts: the room oauth may not import identity/b.ts",
        "identity/b.ts: the room identity may not import admin/c.ts",
      ],
    },
    {
      what: "a value where only types may pass",
      files: {
        "oauth/a.ts": value("../storage/b.ts"),
        "identity/c.ts": `import { type X } from "../storage/b.ts";\nexport const y: X = 1;\n`,
        "web/d.ts": value("../records/e.ts"),
        "http/f.ts": value("../crypto/g.ts"),
        "http/h.ts": type("../crypto/g.ts"),
        "storage/b.ts": leaf,
        "records/e.ts": leaf,
        "crypto/g.ts": leaf,
      },
      faults: [
        "oauth/a.ts: the room oauth may import types alone from storage/b.ts",
        "identity/c.ts: the room identity may import types alone from storage/b.ts",
        "web/d.ts: the room web may import types alone from records/e.ts",
        "http/f.ts: the room http may import types alone from crypto/g.ts",
      ],
    },
    {
      what: "http reaching past the rooms below it, and cli reaching inside http",
      files: {
        "http/a.ts": type("../storage/b.ts"),
        "cli/c.ts": value("../http/d.ts"),
        "storage/b.ts": leaf,
        "http/d.ts": leaf,
      },
      faults: [
        "http/a.ts: the room http may not import storage/b.ts",
        "cli/c.ts: the room cli may not import http/d.ts",
      ],
    },
    {
      what: "a package outside its room",
      files: {
        "oauth/a.ts": `import fastify from "fastify";\nexport const y = fastify;\n`,
        "http/b.ts": `import type { Kysely } from "kysely";\nexport type Y = Kysely<object>;\n`,
        "oauth/c.ts": `import { SignJWT } from "jose/jwt/sign";\nexport const y = SignJWT;\n`,
        "errors.ts": `import { x } from "@fastify/cookie/plugin";\nexport const y = x;\n`,
      },
      faults: [
        "oauth/a.ts: the room oauth may not import the package fastify",
        "http/b.ts: the room http may not import the package kysely",
        "oauth/c.ts: the room oauth may not import the package jose",
        "errors.ts: the room errors may not import the package @fastify/cookie",
      ],
    },
    {
      what: "a builtin of Node outside its room",
      files: {
        "oauth/a.ts": `import { randomBytes } from "node:crypto";\nexport const y = randomBytes;\n`,
        "http/b.ts": `import { DatabaseSync } from "node:sqlite";\nexport const y = DatabaseSync;\n`,
        "admin/c.ts": `import { readFileSync } from "node:fs";\nexport const y = readFileSync;\n`,
        "ops/d.ts": `import { env } from "node:process";\nexport const y = env;\n`,
        "web/e.ts": `import { x } from "crypto";\nexport const y = x;\n`,
      },
      faults: [
        "oauth/a.ts: the room oauth may not import node:crypto",
        "http/b.ts: the room http may not import node:sqlite",
        "admin/c.ts: the room admin may not import node:fs",
        "ops/d.ts: the room ops may not import node:process",
        "web/e.ts: the room web may not import the package crypto",
      ],
    },
    {
      what: "an import cycle, type imports included",
      files: {
        "oauth/a.ts": value("./b.ts"),
        "oauth/b.ts": type("./c.ts"),
        "oauth/c.ts": `${type("./a.ts")}${leaf}`,
      },
      faults: ["import cycle: oauth/a.ts → oauth/b.ts → oauth/c.ts → oauth/a.ts"],
    },
    {
      what: "default exports in each of their spellings",
      files: {
        "oauth/a.ts": "export default 1;\n",
        "oauth/b.ts": "export default function b() {}\n",
        "oauth/c.ts": "export default class C {}\n",
        "oauth/d.ts": "const d = 1;\nexport { d as default };\n",
      },
      faults: ["a", "b", "c", "d"].map((name) => `oauth/${name}.ts: has a default export`),
    },
    {
      what: "a barrel",
      files: {
        "oauth/a.ts": `export * from "./c.ts";\n`,
        "oauth/b.ts": `import { x } from "./c.ts";\nexport { x };\n`,
        "oauth/c.ts": leaf,
        "oauth/d.ts": `export { x as y, x } from "./c.ts";\n`,
      },
      faults: ["a", "b", "d"].map((name) => `oauth/${name}.ts: only re-exports`),
    },
    {
      what: "no barrel in a table that gives new names",
      files: { "web/a.ts": `export { x as y } from "./c.ts";\n`, "web/c.ts": leaf },
      faults: [],
    },
    {
      what: "the environment read in each spelling, and the process ended",
      files: {
        "config.ts": "export const y = () => process.env.PATH;\n",
        "ops/a.ts": `export const y = () => process["env"];\n`,
        "ops/b.ts": "export const y = () => { const { env: e } = process; return e; };\n",
        "ops/c.ts": "export const y = () => globalThis.process.env;\n",
        "ops/d.ts": "export const y = () => { const p = process; return p; };\n",
        "ops/e.ts": "export const y = () => process.exit(1);\n",
        "ops/f.ts": "export const y = () => process.memoryUsage();\n",
      },
      faults: [
        "config.ts: reads process.env",
        ...["a", "b", "c", "d"].map((name) => `ops/${name}.ts: reads process.env`),
        "ops/e.ts: calls process.exit",
      ],
    },
    {
      what: "PR-21: a request that leaves past the room outbound",
      files: {
        "ops/a.ts": `import { request } from "node:https";\nexport const y = request;\n`,
        "ops/b.ts": `import * as net from "node:net";\nexport const y = net;\n`,
        "ops/c.ts": `import { connect as c } from "node:net";\nexport const y = c;\n`,
        "ops/d.ts": `import { createServer, type Socket } from "node:net";\nexport const y = (s: Socket) => createServer(() => s);\n`,
        "oauth/e.ts": "export const y = () => fetch(location.href);\n",
        "oauth/f.ts": "export const y = () => globalThis.fetch(location.href);\n",
        "oauth/g.ts": "export const y = () => new WebSocket(location.href);\n",
        "oauth/h.ts": "export const y = (outbound: { fetch(): void }) => outbound.fetch();\n",
        "outbound/outbound.ts": `import { request } from "node:https";\nexport const y = request;\n`,
      },
      faults: [
        "ops/a.ts: imports request of node:https",
        "ops/b.ts: imports all of node:net",
        "ops/c.ts: imports connect of node:net",
        "oauth/e.ts: calls fetch past outbound/",
        "oauth/f.ts: calls fetch past outbound/",
        "oauth/g.ts: calls WebSocket past outbound/",
      ],
    },
    {
      what: "work done on import",
      files: {
        "http/a.ts": `console.log("hello");\nexport const y = 1;\n`,
        "http/b.ts": "export const y = [1];\nfor (const z of y) y.push(z);\n",
        "main.ts": `console.log("hello");\n`,
      },
      faults: ["http/a.ts: does work when it is imported", "http/b.ts: does work when it is imported"],
    },
    {
      what: "a file that is too long",
      files: {
        "oauth/a.ts": "export const y = 1;\n//\n".repeat(225),
        "oauth/b.ts": `${"//\n".repeat(450)}export const y = 1;\n`,
      },
      faults: ["oauth/b.ts: has 451 lines, more than 450"],
    },
    {
      what: "a room that is in no plan, an import from outside and one that hides its name",
      files: {
        "services/a.ts": leaf,
        "oauth/b.ts": `import { x } from "../../test/support/temp.ts";\nexport const y = x;\n`,
        "oauth/c.ts": `import { x } from "./gone.ts";\nexport const y = x;\n`,
        "oauth/d.ts": "export const y = (name: string) => import(name);\n",
      },
      faults: [
        "services/a.ts: no room is called services",
        "oauth/b.ts: imports ../../test/support/temp.ts, which is outside src",
        "oauth/c.ts: imports ./gone.ts, which does not exist",
        "oauth/d.ts: imports something whose name is not a literal",
      ],
    },
  ];

  for (const { what, files, faults } of cases) {
    test(what, async () => {
      assert.deepEqual(await architectureFaults(new Map(Object.entries(files))), faults);
    });
  }
});
