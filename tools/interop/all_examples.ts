/**
 * `npm run interop:examples`: signs in at each website of `examples/`, and runs the console's sample
 * programs for Python and Go. Python and Go must be on the PATH.
 */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { allExamples } from "../../examples/all_examples.ts";
import { verifyPrograms } from "../../src/console/apps/verify_snippets.view.ts";
import { signInAtExample } from "../../test/interop/example_sign_in.ts";
import { ada } from "../../test/interop/registrations.ts";
import { freePort } from "../../test/support/free_port.ts";
import { type ServedProcess, servedProcess } from "../../test/support/process.ts";
import { temporaryFolder } from "../../test/support/temp.ts";
import { until } from "../../test/support/until.ts";
import { pythonWithPackages, requirementsOf } from "./python/python_environment.ts";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../..", import.meta.url));
const quickstart = (file: string) => join(project, "src", "console", "quickstarts", file);

describe("the websites of examples/", () => {
  for (const { name, callback } of allExamples)
    if (callback === "/callback") test(`${name} signs a user in and out`, () => signInAtExample(name));
});

describe("programs of the console", () => {
  const secret = "a worker's secret of decent length";
  const identifier = "https://api.example/orders";
  const other = "https://api.example/other";
  let served: ServedProcess;
  let environment: Record<string, string>;
  let python: string;
  before(async () => {
    const worker = { client_id: "worker", name: "Worker", owner: ada.email, secrets: [secret] };
    served = await servedProcess({
      manifest: {
        users: [{ ...ada, is_platform_admin: true }],
        resources: [
          { identifier, name: "Orders", scopes: { "orders:read": null, "orders:write": null } },
          { identifier: other, name: "Other", scopes: { other: null } },
        ],
        apps: [{ ...worker, kind: "machine", allowed_scopes: ["orders:read", "orders:write", "other"] }],
      },
    });
    environment = {
      PATH: process.env.PATH ?? "",
      HOME: process.env.HOME ?? "",
      OAUTH_ISSUER: served.url,
      OAUTH_CLIENT_ID: "worker",
      OAUTH_CLIENT_SECRET: secret,
      OAUTH_SCOPE: "orders:read",
      OAUTH_RESOURCE: identifier,
    };
    python = await pythonWithPackages(requirementsOf("quickstart"));
  });
  after(() => served.stop());

  const tokenIn = (out: string) => /access_token: (\S+)/.exec(out)?.[1] ?? "";
  const audienceOf = (token: string) =>
    JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).aud;

  async function pythonToken(input: Record<string, string> = {}): Promise<string> {
    const env = { ...environment, ...input };
    return tokenIn((await run(python, [quickstart("python_machine.py")], { env })).stdout);
  }

  /** Creates a folder with the module files of the Go sample. */
  function goFolder(): string {
    const folder = temporaryFolder();
    for (const file of ["go.mod", "go.sum"])
      copyFileSync(join(project, "examples", "go", file), join(folder, file));
    return folder;
  }

  function verifyProgram(stack: string): string {
    const api = {
      issuer: served.url,
      jwks_uri: `${served.url}/.well-known/jwks.json`,
      introspection_endpoint: "",
      identifier,
      algorithms: ["RS256"],
      scope: "orders:read",
      bound: false,
      client_id: undefined,
    };
    return verifyPrograms(api).find((program) => program.stack === stack)?.text ?? "";
  }

  test("for a machine in Python and in Go get a token for the API", async () => {
    assert.equal(audienceOf(await pythonToken()), identifier);
    const folder = goFolder();
    copyFileSync(quickstart("go_machine.go"), join(folder, "main.go"));
    const { stdout } = await run("go", ["run", "."], { cwd: folder, env: environment });
    assert.equal(audienceOf(tokenIn(stdout)), identifier);
  });

  /** Returns a valid token, and invalid ones by the kind of error. */
  async function tokens() {
    const all = {
      good: await pythonToken(),
      "of another scope": await pythonToken({ OAUTH_SCOPE: "orders:write" }),
      "for another API": await pythonToken({ OAUTH_RESOURCE: other, OAUTH_SCOPE: "other" }),
    };
    assert.ok(Object.values(all).every((token) => token.startsWith("ey")));
    return { ...all, nonsense: "no.token.atall" };
  }

  test("for an API in Python accept its tokens and no others", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "api.py"), verifyProgram("fastapi"));
    const port = String(await freePort());
    const child = spawn(python, ["-m", "uvicorn", "api:app", "--port", port], {
      cwd: folder,
      stdio: "ignore",
    });
    after(() => child.kill("SIGKILL"));
    const url = `http://127.0.0.1:${port}/`;
    await until(async () => (await fetch(url).catch(() => undefined)) !== undefined, "it listens");
    const status = async (token: string) =>
      (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
    const { good, ...bad } = await tokens();
    assert.equal(await status(good), 200);
    for (const [what, token] of Object.entries(bad))
      assert.ok([401, 403].includes(await status(token)), what);
    child.kill("SIGKILL");
    await once(child, "close");
  });

  test("for an API in Go accept its tokens and no others", async () => {
    const folder = goFolder();
    writeFileSync(join(folder, "verify.go"), verifyProgram("go"));
    writeFileSync(
      join(folder, "main.go"),
      `package main

import (
	"context"
	"fmt"
	"os"
)

func main() {
	for _, token := range os.Args[1:] {
		_, err := Subject(context.Background(), token, "orders:read")
		fmt.Println(err == nil)
	}
}
`,
    );
    const { good, ...bad } = await tokens();
    const input = [good, ...Object.values(bad)];
    const { stdout } = await run("go", ["run", ".", ...input], { cwd: folder, env: environment });
    assert.deepEqual(
      stdout.trim().split("\n"),
      input.map((token) => String(token === good)),
    );
  });
});
