/** The programs that pages show: each is read by its own language where that is at hand. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { parse } from "yaml";
import { filledQuickstart } from "../../src/web/console/quickstart_text.ts";
import { environmentFile, machineQuickstarts, signInQuickstarts } from "../../src/web/console/quickstarts.ts";
import type { SnippetApp } from "../../src/web/console/snippet_parts.ts";
import { type SnippetApi, verifyPrograms } from "../../src/web/console/verify_snippets.ts";
import { temporaryFolder } from "../support/temp.ts";
import { readHtml } from "./read_html.ts";

const folder = fileURLToPath(new URL("../../src/web/quickstarts", import.meta.url));
const files = readdirSync(folder);
const read = (file: string) => readFileSync(join(folder, file), "utf8");

const app: SnippetApp = {
  issuer: "https://id.example",
  client_id: 'quoted "id"',
  public: false,
  proves_keys: false,
  in_browser: false,
  on_device: false,
  sign_in: { redirect_uri: "http://127.0.0.1/cb", scope: "openid profile" },
  machine: { scope: "orders:read" },
};
const api: SnippetApi = {
  issuer: "https://id.example",
  jwks_uri: "https://id.example/keys",
  introspection_endpoint: "https://id.example/introspect",
  identifier: "https://orders.example/?a=1",
  algorithms: ["PS256", "ES256"],
  scope: "orders:read",
  bound: false,
  client_id: "orders",
};
const comments = { open: "Open:", back: "Back:", paste: "paste-it" };

/** Reads a program of standard input without running it; undefined where what reads it is not at hand. */
function faultsBy(command: string, args: readonly string[], text: string): string | undefined {
  const { status, error, stderr, stdout } = spawnSync(command, args, { input: text, encoding: "utf8" });
  if (error !== undefined) return undefined;
  return status === 0 ? "" : `${stderr}${stdout}`;
}

test("A-32: an environment file says the same to a shell and to Node, and runs nothing that others chose", () => {
  const ran = join(temporaryFolder(), "ran");
  const hostile = [
    "plain",
    "O'Brien",
    'say "hi"',
    `touch\${IFS}${ran};:'$x'`,
    `\`touch ${ran}\``,
    `$(touch ${ran})`,
    `'; touch ${ran}; '`,
    `x' \`touch ${ran}\` "`,
    "back\\slash's",
    "a # b",
  ];
  for (const client_id of hostile) {
    const text = environmentFile({ ...app, client_id, sign_in: undefined }, comments);
    const shell = `set -a\n${text}\nset +a\nprintf %s "$OAUTH_CLIENT_ID"`;
    const { status, stdout, stderr } = spawnSync("sh", ["-c", shell], { encoding: "utf8", env: {} });
    assert.equal(status, 0, stderr);
    const { OAUTH_CLIENT_ID } = parseEnv(text);
    if (/'/.test(client_id) && /["$`\\!]/.test(client_id))
      assert.deepEqual([stdout, OAUTH_CLIENT_ID], ["", undefined]);
    else assert.deepEqual([stdout, OAUTH_CLIENT_ID], [client_id, client_id]);
    assert.ok(!existsSync(ran), client_id);
  }
});

/** Brackets that do not match, outside of strings and comments; empty where all do. */
function unmatched(text: string): string {
  const bare = text.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/.*|\/\*[\s\S]*?\*\//g, "");
  const pairs: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
  const open: string[] = [];
  for (const [bracket] of bare.matchAll(/[()[\]{}]/g)) {
    const opening = pairs[bracket];
    if (opening === undefined) open.push(bracket);
    else if (open.pop() !== opening) return bracket;
  }
  return open.join("");
}

const parseOnly = "import ast, sys; ast.parse(sys.stdin.read())";

const faultsOf: Readonly<Record<string, (text: string) => string | undefined>> = {
  js: (text) => faultsBy(process.execPath, ["--input-type=module", "--check"], text),
  // The linter reads these.
  jsx: unmatched,
  html: (text) => (readHtml(text).tags.length > 3 ? "" : "no tags"),
  py: (text) => faultsBy("python3", ["-c", parseOnly], text),
  go: (text) => faultsBy("gofmt", ["-l"], text),
  yaml: (text) => (typeof parse(text) === "object" ? "" : "no mapping"),
  java: unmatched,
  cs: unmatched,
  php: unmatched,
};

describe("quickstarts", () => {
  test("each is good in its language, and holds no secret", () => {
    for (const file of files) {
      const extension = file.split(".").at(-1) ?? "";
      const faults = faultsOf[extension];
      assert.ok(faults, file);
      // Where the language is not at hand its brackets are.
      assert.equal(faults(read(file)) ?? unmatched(read(file)), "", file);
      assert.doesNotMatch(read(file), /secret["']?\s*[:=]\s*["'](?!\$\{)/i, file);
    }
  });

  test("each is shown to the apps that it fits, and is as good with their values", () => {
    const kinds = [{}, { in_browser: true, public: true }, { on_device: true, public: true }];
    const shown = [
      ...kinds.flatMap((kind) => signInQuickstarts({ ...app, ...kind }, comments)),
      ...machineQuickstarts(app),
    ].flatMap((quickstart) => quickstart.files);
    const programs = verifyPrograms(api);
    const texts = [...shown, ...programs].map(({ text }) => text);
    const withoutLiterals = (text: string) =>
      text.trimEnd().replace(/"(?:\\.|[^"\\\n])*"(?:, "(?:\\.|[^"\\\n])*")*/g, '""');
    const bare = new Set(texts.map(withoutLiterals));
    assert.deepEqual(
      files.filter((file) => !bare.has(withoutLiterals(read(file)))),
      [],
    );
    for (const { path = "", text } of shown) {
      const faults = faultsOf[path.split(".").at(-1)?.replace("mjs", "js") ?? ""];
      if (faults !== undefined) assert.equal(faults(text) ?? "", "", path);
    }
    const [fastapi, go, spring, dotnet] = programs.map(({ text }) => text);
    assert.match(fastapi ?? "", /algorithms=\["PS256", "ES256"\]/);
    assert.match(go ?? "", /SupportedSigningAlgs: \[\]string\{"PS256", "ES256"\}/);
    assert.equal(
      parse(spring ?? "").spring.security.oauth2.resourceserver.jwt.audiences,
      "https://orders.example/?a=1",
    );
    assert.match(dotnet ?? "", /Contains\("orders:read"\)/);
    for (const text of texts) assert.doesNotMatch(text, /localhost:3000|api\.example\.com|browser-example/);
    assert.deepEqual(verifyPrograms({ ...api, bound: true }), []);
  });

  test("a value that is not text of a literal stays one string", () => {
    const text = filledQuickstart("browser.js", { "browser-example": 'quoted "id"\n\\' });
    assert.match(text, /client_id: "quoted \\"id\\"\\n\\\\",/);
  });
});
