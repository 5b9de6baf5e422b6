/** The code that the console shows verifies what the server signs, in each language. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { newWebhookSecret, webhookHeaders } from "../../src/crypto/standard_webhooks.ts";
import { inForm } from "../support/form.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-webhooks-"));
after(() => rmSync(folder, { recursive: true }));
const shown = new URL("../../src/console/quickstarts/", import.meta.url);

const [secret, former] = [newWebhookSecret(), newWebhookSecret()];
const body = JSON.stringify({ type: "user.created", data: { note: "Zoë ✓" } });
const id = "01b8dac5-b400-71b4-87c7-48f448ce5396";
const signed = (at: Date, ...secrets: string[]) => webhookHeaders({ id, at, body }, ...secrets);
const expected = [true, true, false, false, false, false, false];

/**
 * The requests to verify, in the order of `expected`; signed at run time, because a verifier accepts five
 * minutes.
 */
function requests() {
  const headers = signed(new Date(), secret);
  const old = signed(new Date(Date.now() - 400_000), secret);
  return [
    { name: "signed now", headers, body },
    { name: "signed by two secrets", headers: signed(new Date(), former, secret), body },
    { name: "another body", headers, body: `${body} ` },
    { name: "another id", headers: { ...headers, "webhook-id": "x" }, body },
    { name: "signed by another secret", headers: signed(new Date(), former), body },
    { name: "sent long ago", headers: old, body },
    {
      name: "an old signature with a new time",
      headers: { ...old, "webhook-timestamp": headers["webhook-timestamp"] },
      body,
    },
  ];
}

/** Runs a program that reads the cases, and returns which of them it accepted as genuine. */
function run(command: string, args: readonly string[]): boolean[] {
  const input = JSON.stringify({ secret, cases: requests() });
  const { status, stdout, stderr } = spawnSync(command, args, {
    ...{ cwd: folder, input, encoding: "utf8", timeout: 240_000 },
    env: { ...process.env, GO111MODULE: "on" },
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as boolean[];
}

const missing = (command: string, arg: string): string | false =>
  spawnSync(command, [arg]).status === 0 ? false : `${command} is not on this machine`;

describe("the console's code examples for verifying webhooks", () => {
  test("EV-7: an independent verifier accepts the same requests as genuine", () => {
    const found = requests().map((each) => {
      try {
        new Webhook(secret).verify(each.body, { ...each.headers });
        return true;
      } catch {
        return false;
      }
    });
    assert.deepEqual(found, expected);
  });

  test("EV-7: verify signed requests in Node", () => {
    copyFileSync(new URL("webhook_node.js", shown), join(folder, "webhook.mjs"));
    const program = `import { readFileSync } from "node:fs";
import { verifyWebhook } from "./webhook.mjs";
const { secret, cases } = JSON.parse(readFileSync(0, "utf8"));
const genuine = ({ headers, body }) => {
  try {
    return verifyWebhook(headers, Buffer.from(body), secret).type === "user.created";
  } catch {
    return false;
  }
};
console.log(JSON.stringify(cases.map(genuine)));
`;
    writeFileSync(join(folder, "run.mjs"), program);
    assert.deepEqual(run(process.execPath, ["run.mjs"]), expected);
  });

  test("EV-7: verify signed requests in Python", { skip: missing("python3", "--version") }, () => {
    copyFileSync(new URL("webhook_python.py", shown), join(folder, "webhook.py"));
    const program = `import json
import sys

from webhook import verify_webhook

given = json.load(sys.stdin)


def genuine(case):
    try:
        event = verify_webhook(case["headers"], case["body"].encode(), given["secret"])
        return event["type"] == "user.created"
    except ValueError:
        return False


print(json.dumps([genuine(case) for case in given["cases"]]))
`;
    writeFileSync(join(folder, "run.py"), program);
    assert.deepEqual(run("python3", ["run.py"]), expected);
  });

  test("EV-7: verify signed requests in Go", {
    skip: inForm("compiles for twenty seconds", missing("go", "version")),
  }, () => {
    copyFileSync(new URL("webhook_go.go", shown), join(folder, "webhook.go"));
    writeFileSync(join(folder, "go.mod"), "module webhook\n\ngo 1.21\n");
    const program = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	var given struct {
		Secret string
		Cases  []struct {
			Headers map[string]string
			Body    string
		}
	}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	genuine := []bool{}
	for _, each := range given.Cases {
		headers := http.Header{}
		for name, value := range each.Headers {
			headers.Set(name, value)
		}
		genuine = append(genuine, VerifyWebhook(headers, []byte(each.Body), given.Secret) == nil)
	}
	text, _ := json.Marshal(genuine)
	fmt.Println(string(text))
}
`;
    writeFileSync(join(folder, "main.go"), program);
    assert.deepEqual(run("go", ["run", "."]), expected);
  });
});
