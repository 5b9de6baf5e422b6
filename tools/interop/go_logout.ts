/** `npm run interop:examples`: go-oidc verifies logout tokens as an application in Go would. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as client from "openid-client";
import { ada } from "../../test/interop/registrations.ts";
import { formBrowser, goThrough } from "../../test/support/form_browser.ts";
import { servedProcess } from "../../test/support/process.ts";
import { temporaryFolder } from "../../test/support/temp.ts";
import { until } from "../../test/support/until.ts";

const sample = fileURLToPath(new URL("../../examples/go/", import.meta.url));

/** Prints the user and the session of each logout token, or "refused". */
const program = `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), os.Args[1])
	if err != nil {
		panic(err)
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: os.Args[2]})
	for _, raw := range os.Args[3:] {
		token, err := verifier.VerifyLogout(context.Background(), raw)
		if err != nil {
			fmt.Println("refused")
		} else {
			fmt.Println(token.Subject, token.SessionID)
		}
	}
}
`;

test("BL-1: go-oidc verifies a logout token, and refuses an altered one and an ID token", async () => {
  const notices: string[] = [];
  const app = createServer(async (request, response) => {
    notices.push(new URLSearchParams(await text(request)).get("logout_token") ?? "");
    response.writeHead(200).end();
  }).listen(0, "127.0.0.1");
  after(() => app.close());
  await once(app, "listening");
  const address = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  const served = await servedProcess({
    manifest: {
      users: [{ ...ada, is_platform_admin: true }],
      apps: [
        {
          ...{
            client_id: "web",
            name: "Web",
            owner: ada.email,
            secrets: ["a website's secret, long enough"],
          },
          ...{ first_party: true, redirect_uris: [`${address}/callback`], allowed_scopes: ["openid"] },
          ...{ backchannel_logout_uri: `${address}/logout`, backchannel_logout_internal: true },
        },
      ],
    },
    environment: { POSTERN_EXTRA_FEATURES: "logout_notices", POSTERN_OUTBOUND_ALLOW: "127.0.0.1" },
  });
  after(() => served.stop());
  const config = await client.discovery(
    new URL(served.url),
    "web",
    undefined,
    client.ClientSecretBasic("a website's secret, long enough"),
    { execute: [client.allowInsecureRequests] },
  );
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const browser = formBrowser();
  const callback = await goThrough(
    browser,
    client.buildAuthorizationUrl(config, {
      ...{ redirect_uri: `${address}/callback`, scope: "openid", code_challenge_method: "S256" },
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    }),
    ada,
  );
  const tokens = await client.authorizationCodeGrant(config, callback, { pkceCodeVerifier });
  const { id_token = "" } = tokens;
  const { sub = "", sid } = (tokens.claims() ?? {}) as { sub?: string; sid?: unknown };
  await browser.get(client.buildEndSessionUrl(config, { id_token_hint: id_token }).href);
  await until(() => notices.length > 0, "the notice arrives");

  const [notice = ""] = notices;
  const [head = "", payload = "", signature = ""] = notice.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const altered = Buffer.from(JSON.stringify({ ...claims, sub: "eve" })).toString("base64url");
  const folder = temporaryFolder();
  for (const file of ["go.mod", "go.sum"]) copyFileSync(join(sample, file), join(folder, file));
  writeFileSync(join(folder, "main.go"), program);
  const verify = async (client_id: string) => {
    const raw = [notice, [head, altered, signature].join("."), id_token];
    const { stdout } = await promisify(execFile)("go", ["run", ".", served.url, client_id, ...raw], {
      cwd: folder,
    });
    return stdout.trimEnd().split("\n");
  };
  assert.deepEqual(await verify("web"), [`${sub} ${sid}`, "refused", "refused"]);
  assert.deepEqual(await verify("another"), ["refused", "refused", "refused"]);
});
