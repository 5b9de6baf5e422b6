/**
 * `npm run interop:softhsm`: tests signing keys that are stored in a PKCS #11 token. Requires
 * `softhsm2-util`, and a compiler for the package `pkcs11js`, which it installs into `node_modules/.cache`.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { Module } from "node:module";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { signJwt, verifyJwt } from "../../../src/crypto/jwt.ts";
import { sealer } from "../../../src/crypto/sealing.ts";
import { signingAlgorithms } from "../../../src/crypto/signing_algorithms.ts";
import { generateSigningKey, openKeyRing } from "../../../src/crypto/signing_keys.ts";
import { createPostern } from "../../../src/server/embedded.ts";
import { openSigner } from "../../../src/server/signers/open_signer.ts";
import { temporaryFolder } from "../../../test/support/temp.ts";
import { cache } from "../cache.ts";

const folder = join(cache, "pkcs11js");
const library = ["/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so"].find(
  (path) => existsSync(path),
);

function installPackage(): void {
  if (!existsSync(join(folder, "node_modules", "pkcs11js", "build", "Release", "pkcs11.node"))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), "{}");
    execFileSync("npm", ["install", "pkcs11js@2.1.7"], { cwd: folder, stdio: "inherit" });
  }
  process.env.NODE_PATH = join(folder, "node_modules");
  (Module as unknown as { _initPaths(): void })._initPaths();
}

/** Creates an empty token whose PIN is in a file. */
function makeToken(): { readonly module_path: string; readonly token: string; readonly pin_file: string } {
  assert.ok(library, "SoftHSM is not installed: apt-get install softhsm2");
  const folder = temporaryFolder();
  const pin_file = join(folder, "pin");
  mkdirSync(join(folder, "tokens"));
  writeFileSync(join(folder, "softhsm2.conf"), `directories.tokendir = ${join(folder, "tokens")}\n`);
  writeFileSync(pin_file, "12345678\n", { mode: 0o600 });
  process.env.SOFTHSM2_CONF = join(folder, "softhsm2.conf");
  const pins = ["--so-pin", "87654321", "--pin", "12345678"];
  execFileSync("softhsm2-util", ["--init-token", "--free", "--label", "postern", ...pins]);
  return { module_path: library, token: "postern", pin_file };
}

describe("keys in a token of SoftHSM", () => {
  let token: ReturnType<typeof makeToken>;
  before(() => {
    installPackage();
    token = makeToken();
  });

  for (const algorithm of signingAlgorithms)
    test(`${algorithm}: created in the token, found again, and 200 concurrent signatures`, async () => {
      const outside = await openSigner({ signer: { kind: "pkcs11", ...token } });
      const sealing = sealer([randomBytes(32)], outside);
      const now = new Date();
      const made = await generateSigningKey(sealing, "id", { algorithm });
      const moments = { activates_at: now, created_at: now, retires_at: null, expires_at: null };
      const ring = await openKeyRing([{ id: "id", ...made, ...moments }], sealing);
      const key = ring.signingKey(now, algorithm);
      const issuer = "https://id.example";
      const claims = { iss: issuer, exp: Math.floor(now.getTime() / 1000) + 60 };
      const began = performance.now();
      const tokens = await Promise.all(Array.from({ length: 200 }, () => signJwt(key, "JWT", claims)));
      const took = performance.now() - began;
      for (const each of tokens)
        assert.deepEqual(await verifyJwt(each, ring, { typ: "JWT", issuer, now }), claims);
      process.stderr.write(`${algorithm}: ${Math.round(200 / (took / 1000))} signatures a second\n`);
      await outside?.close();
    });

  test("a server creates its first key in the token, and publishes the public half", async () => {
    const { module_path, token: label, pin_file } = token;
    const postern = await createPostern({
      port: 0,
      database_url: `sqlite:${join(temporaryFolder(), "postern.db")}`,
      signer: `pkcs11:token=${label}?module-path=${module_path}&pin-source=file:${pin_file}`,
    });
    try {
      const answer = await fetch(`${postern.url}/.well-known/jwks.json`);
      const { keys } = (await answer.json()) as { keys: { kty: string }[] };
      assert.deepEqual(
        keys.map(({ kty }) => kty),
        ["RSA"],
      );
    } finally {
      await postern.close();
    }
  });
});
