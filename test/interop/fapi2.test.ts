/**
 * The FAPI 2.0 profile from the view of a client library: the code of docs/fapi2.md against a server process.
 */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as openid from "openid-client";
import { formBrowser } from "../support/form_browser.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { temporaryFolder } from "../support/temp.ts";
import { ada } from "./registrations.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const redirect_uri = "https://bank.example/callback";
const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = pair.privateKey.export({ format: "pem", type: "pkcs8" }).toString();

const bank = {
  client_id: "bank",
  name: "Bank",
  owner: ada.email,
  profile: "fapi2",
  token_endpoint_auth_method: "private_key_jwt",
  jwks: { keys: [{ ...pair.publicKey.export({ format: "jwk" }), kid: "one" }] },
  redirect_uris: [redirect_uri],
  allowed_scopes: ["openid", "profile", "offline_access"],
};

interface Outcome {
  readonly address: URL;
  readonly tokens: openid.TokenEndpointResponse;
  readonly person: openid.UserInfoResponse;
  readonly refreshed: openid.TokenEndpointResponse;
}

/** Returns the function in the document, as a reader would copy it into a file. */
async function documentedSignIn(): Promise<(input: object) => Promise<Outcome>> {
  const text = readFileSync(join(repository, "docs/fapi2.md"), "utf8");
  const [, code = ""] = /```js\n(.*?)```/s.exec(text) ?? [];
  const folder = temporaryFolder();
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  const file = join(folder, "sign_in.mjs");
  writeFileSync(file, code);
  const { signIn } = (await import(pathToFileURL(file).href)) as {
    signIn: (input: object) => Promise<Outcome>;
  };
  return signIn;
}

const settings: Record<string, Record<string, string>> = {
  "the server": { POSTERN_PROFILES: "fapi2" },
  "the app": { POSTERN_EXTRA_FEATURES: "par,dpop", POSTERN_EXTRA_CLIENT_AUTH: "private_key_jwt" },
};

for (const [whose, environment] of Object.entries(settings))
  describe(`the FAPI 2.0 profile of ${whose}`, () => {
    let served: ServedProcess;
    before(async () => {
      served = await servedProcess({ manifest: { users: [ada], apps: [bank] }, environment });
    });
    after(() => served.stop());

    /** Signs in, allows, and returns the address of the redirect. */
    async function browse(address: URL): Promise<URL> {
      const browser = formBrowser();
      const login = await browser.follow(await browser.get(address.href));
      const consent = await browser.follow(
        await browser.submit(login, { email: ada.email, password: ada.password }),
      );
      const answer = await browser.submit(consent, { decision: "allow" });
      return new URL(String(answer.location));
    }

    test("PR-57, PR-58: a user signs in through openid-client with the code of docs/fapi2.md", async () => {
      const signIn = await documentedSignIn();
      const options = { execute: [openid.allowInsecureRequests] };
      const input = { issuer: served.url, client_id: "bank", pem, kid: "one", redirect_uri, browse, options };
      const { address, tokens, person, refreshed } = await signIn(input);
      assert.deepEqual([...address.searchParams.keys()].sort(), ["client_id", "request_uri"]);
      assert.equal(tokens.token_type, "dpop");
      assert.equal(person.name, ada.name);
      assert.equal(refreshed.refresh_token, undefined);
      assert.notEqual(refreshed.access_token, tokens.access_token);
      for (const jwt of [tokens.access_token, String(tokens.id_token), refreshed.access_token]) {
        const [header = ""] = jwt.split(".");
        assert.equal(JSON.parse(Buffer.from(header, "base64url").toString()).alg, "ES256");
      }
    });
  });
