/** The programs that pages show; each is parsed by its own language if that is installed. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { parse } from "yaml";
import { filledQuickstart, isOfSample } from "../../src/console/apps/quickstart_text.view.ts";
import {
  environmentFile,
  machineQuickstarts,
  programsOfSamples,
  signInQuickstarts,
} from "../../src/console/apps/quickstarts.view.ts";
import type { SnippetApp } from "../../src/console/apps/snippet_parts.view.ts";
import { type SnippetApi, verifyPrograms } from "../../src/console/apps/verify_snippets.view.ts";
import { temporaryFolder } from "../support/temp.ts";
import { readHtml } from "./read_html.ts";

const folderOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** The programs on the page of an endpoint run in `test/interop/webhook_code.test.ts`. */
const ofEndpoints = /^webhook_/;
const files = [...readdirSync(folderOf("src/console/quickstarts")), ...programsOfSamples].filter(
  (file) => !ofEndpoints.test(file),
);
const read = (file: string) =>
  readFileSync(join(folderOf(isOfSample(file) ? "examples" : "src/console/quickstarts"), file), "utf8");

const app: SnippetApp = {
  issuer: "https://id.example",
  client_id: 'quoted "id"',
  public: false,
  proves_keys: false,
  in_browser: false,
  on_device: false,
  rsa_id_tokens: true,
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
const comments = { open: "Open:", back: "Back:", paste: "paste-it", unregistered: "register it first" };

/**
 * Parses a program from standard input without running it; returns undefined if the command is not installed.
 */
function errorsBy(command: string, args: readonly string[], text: string): string | undefined {
  const { status, error, stderr, stdout } = spawnSync(command, args, { input: text, encoding: "utf8" });
  if (error !== undefined) return undefined;
  return status === 0 ? "" : `${stderr}${stdout}`;
}

test("A-32: an environment file has the same values in a shell and in Node, and executes nothing", () => {
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

/** Returns a value as Spring reads it, including nested placeholders and their defaults. */
function resolvedBySpring(text: string, environment: Readonly<Record<string, string>>): string {
  const begin = text.indexOf("${");
  if (begin < 0) return text;
  let end = begin + 2;
  for (let open = 1; open > 0 && end < text.length; end += 1) {
    if (text.startsWith("${", end)) open += 1;
    if (text[end] === "}") open -= 1;
  }
  const [name = "", ...defaults] = text.slice(begin + 2, end - 1).split(":");
  const value = resolvedBySpring(environment[name] ?? defaults.join(":"), environment);
  return text.slice(0, begin) + value + resolvedBySpring(text.slice(end), environment);
}

test("A-32: Spring reads an app's values unchanged, even if they contain placeholders", () => {
  const held = (inside: string) => `\${${inside}}`;
  const client_id = `${held("OAUTH_CLIENT_SECRET")}:${held("HOME:x")}`;
  const identifier = `https://api.example/${held("HOME")}`;
  const hostile = {
    ...app,
    client_id,
    sign_in: { redirect_uri: identifier, scope: `openid ${held("HOME")} a${held(`b:${held("HOME")}`)}` },
  };
  const environment = {
    HOME: "/home/ada",
    OAUTH_ISSUER: app.issuer,
    OAUTH_CLIENT_ID: client_id,
    OAUTH_CLIENT_SECRET: "secret",
    OAUTH_REDIRECT_URI: hostile.sign_in.redirect_uri,
  };
  const files = signInQuickstarts(hostile, comments).flatMap((quickstart) => quickstart.files);
  const file = files.find(({ path }) => path?.endsWith("application.yaml"));
  const { registration, provider } = parse(file?.text ?? "").spring.security.oauth2.client;
  const read = (text: string) => resolvedBySpring(text, environment);
  assert.equal(read(registration.postern["client-id"]), client_id);
  assert.equal(read(registration.postern["client-secret"]), "secret");
  assert.equal(read(registration.postern["redirect-uri"]), hostile.sign_in.redirect_uri);
  assert.equal(read(registration.postern.scope), hostile.sign_in.scope.replaceAll(" ", ","));
  assert.equal(read(provider.postern["issuer-uri"]), app.issuer);
  const verify = verifyPrograms({ ...api, identifier }).find(({ stack }) => stack === "spring");
  // A literal in Java, which Spring does not read.
  assert.ok(verify?.text.includes(`.audience(${JSON.stringify(identifier)})`));
});

/** Returns brackets that do not match, outside of strings and comments; empty if all match. */
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

const errorsOf: Readonly<Record<string, (text: string) => string | undefined>> = {
  js: (text) => errorsBy(process.execPath, ["--input-type=module", "--check"], text),
  // The linter parses these.
  jsx: unmatched,
  html: (text) => (readHtml(text).tags.length > 3 ? "" : "no tags"),
  py: (text) => errorsBy("python3", ["-c", parseOnly], text),
  go: (text) => errorsBy("gofmt", ["-l"], text),
  yaml: (text) => (typeof parse(text) === "object" ? "" : "no mapping"),
  java: unmatched,
  cs: unmatched,
  php: unmatched,
};

describe("quickstarts for apps", () => {
  test("each is valid in its language, and contains no secret", () => {
    for (const file of files) {
      const extension = file.split(".").at(-1) ?? "";
      const errors = errorsOf[extension];
      assert.ok(errors, file);
      // If the language is not installed, only the brackets are checked.
      assert.equal(errors(read(file)) ?? unmatched(read(file)), "", file);
      assert.doesNotMatch(read(file), /secret["']?\s*[:=]\s*["'](?!\$\{)/i, file);
    }
  });

  test("each is offered for suitable apps, and stays valid with their values", () => {
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
      const errors = errorsOf[path.split(".").at(-1)?.replace("mjs", "js") ?? ""];
      if (errors !== undefined) assert.equal(errors(text) ?? "", "", path);
    }
    const [fastapi, go, spring, dotnet] = programs.map(({ text }) => text);
    assert.match(fastapi ?? "", /algorithms=\["PS256", "ES256"\]/);
    assert.match(go ?? "", /SupportedSigningAlgs: \[\]string\{"PS256", "ES256"\}/);
    assert.match(spring ?? "", /\.audience\("https:\/\/orders\.example\/\?a=1"\)/);
    assert.match(spring ?? "", /Stream\.of\("PS256", "ES256"\)/);
    assert.match(spring ?? "", /hasAuthority\("SCOPE_orders:read"\)/);
    assert.match(dotnet ?? "", /Contains\("orders:read"\)/);
    for (const text of texts) assert.doesNotMatch(text, /localhost:3000|api\.example\.com|browser-example/);
    assert.deepEqual(verifyPrograms({ ...api, bound: true }), []);
    const stacks = verifyPrograms({ ...api, algorithms: ["EdDSA"] }).map(({ stack }) => stack);
    assert.deepEqual(stacks, ["fastapi", "go", "dotnet"]);
    const lost = signInQuickstarts({ ...app, rsa_id_tokens: false }, comments).map(({ stack }) => stack);
    const all = signInQuickstarts(app, comments).map(({ stack }) => stack);
    assert.deepEqual(
      all.filter((stack) => !lost.includes(stack)),
      ["php"],
    );
  });

  test("each example website ends the session at the server when the user signs out", () => {
    const lacking = signInQuickstarts(app, comments).filter(
      ({ files }) => !files.some(({ text }) => text.includes("OAUTH_POST_LOGOUT_REDIRECT_URI")),
    );
    // The PHP program has no sign-out, and the curl program is no website.
    assert.deepEqual(
      lacking.map(({ stack }) => stack),
      ["php", "curl"],
    );
  });

  test("users return to the app after signing out only if it has registered a URL for that", () => {
    const name = "OAUTH_POST_LOGOUT_REDIRECT_URI";
    const post_logout_redirect_uri = "https://app.example/bye";
    const sign_in = { redirect_uri: "http://127.0.0.1/cb", scope: "openid", post_logout_redirect_uri };
    const returning = { ...app, sign_in };
    assert.match(
      environmentFile(returning, comments),
      new RegExp(`^${name}=${post_logout_redirect_uri}$`, "m"),
    );
    assert.match(environmentFile(app, comments), new RegExp(`^# ${name}= \\(register it first\\)$`, "m"));
    assert.ok(!(name in parseEnv(environmentFile(app, comments))));
    // The program for a terminal does not read the variable.
    assert.doesNotMatch(environmentFile({ ...app, on_device: true }, comments), new RegExp(name));
    const returnsTo = (shown: SnippetApp) =>
      signInQuickstarts({ ...shown, in_browser: true, public: true }, comments)
        .flatMap((quickstart) => quickstart.files)
        .flatMap(({ text }) => /post_logout_redirect_uri: "(.*)"/.exec(text)?.slice(1) ?? []);
    assert.deepEqual(returnsTo(returning), [post_logout_redirect_uri, post_logout_redirect_uri]);
    assert.deepEqual(returnsTo(app), ["", ""]);
  });

  test("each is served at its redirect URI, or at port 8080 if that names another host", () => {
    const served = (redirect_uri: string) => {
      const shown = { ...app, sign_in: { redirect_uri, scope: "openid" } };
      const all = [shown, { ...shown, in_browser: true, public: true }].flatMap((each) =>
        signInQuickstarts(each, comments),
      );
      const of = (wanted: string) => all.find(({ stack }) => stack === wanted);
      const lastLine = (wanted: string) => of(wanted)?.run?.split("\n").at(-1);
      assert.equal(lastLine("react"), lastLine("browser"));
      return [lastLine("browser"), of("browser")?.served_at, lastLine("php"), of("php")?.served_at].concat(
        lastLine("spring"),
      );
    };
    assert.deepEqual(served("http://localhost:5173/"), [
      "npx vite --host localhost --port 5173 --strictPort",
      "http://localhost:5173/",
      "php -S localhost:5173 index.php",
      "http://localhost:5173/",
      "PORT=5173 ./mvnw spring-boot:run",
    ]);
    assert.equal(served("http://127.0.0.1:4000/cb")[1], "http://127.0.0.1:4000/");
    assert.equal(served("http://localhost/cb")[2], "php -S localhost:80 index.php");
    assert.equal(served("https://shop.example/cb")[1], "http://localhost:8080/");
  });

  test("a value with quotes and line breaks stays one string of the program", () => {
    const text = filledQuickstart("browser/main.js", { "browser-example": 'quoted "id"\n\\' });
    assert.match(text, /client_id: "quoted \\"id\\"\\n\\\\",/);
  });
});
