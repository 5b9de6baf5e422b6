/** Signing keys outside of the database: a signer over HTTP, its errors, and keys printed by a command. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createLocalJWKSet, jwtVerify } from "jose";
import { rotateKeys } from "../../src/admin/records/signing_keys.ts";
import { readConfig } from "../../src/config.ts";
import { signJwt, verifyJwt } from "../../src/crypto/jwt.ts";
import { sealer } from "../../src/crypto/sealing.ts";
import { signingAlgorithms } from "../../src/crypto/signing_algorithms.ts";
import { generateSigningKey, openKeyRing } from "../../src/crypto/signing_keys.ts";
import { OverloadedError } from "../../src/errors.ts";
import { createPostern } from "../../src/server/embedded.ts";
import { openEnvironment } from "../../src/server/environment.ts";
import { givenKeys } from "../../src/server/given_keys.ts";
import { boundedSigner } from "../../src/server/signers/bounded_signer.ts";
import { httpSigner } from "../../src/server/signers/http_signer.ts";
import { issuer, secretKey } from "../storage/released/releases.ts";
import { restoreDump } from "../storage/released/restore_dump.ts";
import { databasesInForm } from "../support/databases.ts";
import { type SignerService, signerService } from "../support/http_signer_service.ts";
import { temporaryFolder } from "../support/temp.ts";

let service: SignerService;
before(async () => {
  service = await signerService();
});
after(() => service.close());

const now = new Date("2030-01-01T00:00:00Z");
const claims = { iss: issuer, exp: now.getTime() / 1000 + 60 };

describe("an external signer over HTTP", () => {
  for (const algorithm of signingAlgorithms)
    test(`creates a key for ${algorithm} and signs with it, and the database contains only a reference`, async () => {
      const sealing = sealer([randomBytes(32)], boundedSigner(httpSigner(service)));
      const made = await generateSigningKey(sealing, "id", { algorithm });
      assert.match(sealing.open("signing_key", made.private_key_sealed, "id"), /^outside:[0-9a-f-]{36}$/);
      const record = {
        id: "id",
        ...made,
        activates_at: now,
        created_at: now,
        retires_at: null,
        expires_at: null,
      };
      const ring = await openKeyRing([record], sealing);
      const token = await signJwt(ring.signingKey(now, algorithm), "JWT", claims);
      assert.deepEqual(await verifyJwt(token, ring, { typ: "JWT", issuer, now }), claims);
      const options = { issuer, currentDate: now };
      await jwtVerify(token, createLocalJWKSet(ring.jwks(now)), options);
      await assert.rejects(openKeyRing([record], sealer([randomBytes(32)])), /signing_key/);
      await sealing.outside?.close();
    });

  test("G-11: must not return a key of an unsupported type or an invalid response", async () => {
    const wrong = { ...httpSigner(service), generate: () => httpSigner(service).generate("ES256") };
    await assert.rejects(generateSigningKey(sealer([randomBytes(32)], wrong), "id"), /is not an RSA key/);
    // With the exponent 1 each text is its own signature, so anyone can sign.
    const own = await httpSigner(service).generate("PS256");
    for (const e of ["AQ", "Aw", "AQAA"]) {
      const weak = { ...own, public_jwk: { ...own.public_jwk, e } };
      const signer = { ...httpSigner(service), generate: async () => weak };
      await assert.rejects(generateSigningKey(sealer([randomBytes(32)], signer), "id"), /public exponent/);
    }
    const unknown = httpSigner({ ...service, token: "another" });
    await assert.rejects(unknown.generate("ES256"), /returned 401/);
  });
});

test("G-12: must sign once correctly before its key is stored", async () => {
  service.mode = "lies";
  try {
    for (const algorithm of signingAlgorithms) {
      const sealing = sealer([randomBytes(32)], httpSigner(service));
      await assert.rejects(generateSigningKey(sealing, "id", { algorithm }), /does not match the key id/);
    }
  } finally {
    service.mode = "works";
  }
});

test("an external signer that switches protocols fails, and frees its slot", async () => {
  const server = createServer((socket) => {
    socket.once("data", () =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
    );
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bounds = { at_once: 1, waiting: 1, time: 10_000 };
  const signer = boundedSigner(httpSigner({ url }), bounds);
  for (let calls = 0; calls < 3; calls++)
    await assert.rejects(signer.sign("key", "RS256", Buffer.from("x")), /it switched protocols/);
  server.close();
});

test("an external signer has limits on concurrent calls, waiting calls and time", async () => {
  const hanging = Promise.withResolvers<Buffer>();
  let running = 0;
  const signer = {
    generate: () => Promise.reject(new Error("none")),
    sign() {
      running += 1;
      return hanging.promise;
    },
    close: async () => {},
  };
  const bounded = boundedSigner(signer, { at_once: 2, waiting: 1, time: 60_000 });
  const sign = () => bounded.sign("key", "ES256", Buffer.alloc(1));
  const calls = [sign(), sign(), sign()];
  await assert.rejects(sign(), OverloadedError);
  assert.equal(running, 2);
  hanging.resolve(Buffer.from("signed"));
  assert.equal((await Promise.all(calls)).length, 3);
  const never = boundedSigner(
    { ...signer, sign: () => new Promise(() => {}) },
    { at_once: 1, waiting: 1, time: 1 },
  );
  const requested = [0, 1].map(() => never.sign("key", "ES256", Buffer.alloc(1)));
  // The second call queues, and the time in the queue counts: no call exceeds its time limit.
  for (const each of requested) await assert.rejects(each, /failed to sign: no response within 1 ms/);
});

for (const database of databasesInForm)
  test(`if the external signer fails, requests get 503 and no token is stored, on ${database.name}`, async () => {
    const address = await database.address();
    const dump = await restoreDump("0.3.0-40", address);
    const database_url = address.kind === "sqlite" ? `sqlite:${address.path}` : address.url;
    const settings = {
      base_url: issuer,
      secret_key: secretKey,
      signer: service.url,
      signer_token: service.token,
    };
    const moment = () => new Date(dump.moment);
    // A key of the signer replaces the one in the database.
    const environment = await openEnvironment(
      readConfig({
        POSTERN_DATABASE_URL: database_url,
        POSTERN_SECRET_KEY: secretKey,
        POSTERN_SIGNER: service.url,
        POSTERN_SIGNER_TOKEN: service.token,
      }),
      { now: moment },
    );
    const actor = { kind: "system", label: "test" } as const;
    const { kid } = await rotateKeys(
      { ...environment, now: moment, actor, switches: {} },
      { lead_seconds: 0 },
    );
    const rows = async () => (await environment.store.list("oauth_tokens")).map(({ id }) => id);
    const postern = await createPostern({ ...settings, port: 0, database_url }, { now: moment });
    try {
      const refresh = () =>
        fetch(`${postern.url}/oauth/token`, {
          method: "POST",
          headers: {
            authorization: `Basic ${Buffer.from(`${dump.client_id}:${dump.client_secret}`).toString("base64")}`,
          },
          body: new URLSearchParams({
            grant_type: "refresh_token",
            refresh_token: dump.tokens.live.refresh_token,
          }),
        });
      const before = new Set(await rows());
      for (const mode of ["fails", "lies"] as const) {
        service.mode = mode;
        const answer = await refresh();
        assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "2"], mode);
        assert.equal(((await answer.json()) as { error: string }).error, "temporarily_unavailable");
      }
      // The sweep may delete expired rows of the dump meanwhile.
      assert.deepEqual(
        (await rows()).filter((id) => !before.has(id)),
        [],
      );
      service.mode = "works";
      const { access_token = "" } = (await (await refresh()).json()) as { access_token?: string };
      const header = JSON.parse(Buffer.from(access_token.split(".")[0] ?? "", "base64url").toString());
      assert.equal(header.kid, kid);
    } finally {
      service.mode = "works";
      await postern.close();
      await environment.close();
    }
    await assert.rejects(
      createPostern({ port: 0, base_url: issuer, secret_key: secretKey, database_url }, { now: moment }),
      /held by a signer, and POSTERN_SIGNER names none/,
    );
  });

test("the secret key can be printed by a command, whose output is never logged", async () => {
  const key = randomBytes(32).toString("base64");
  const script = (text: string) => {
    const path = join(temporaryFolder(), "print_key.js");
    writeFileSync(path, text);
    return { secret_keys: undefined, secret_key_command: [process.execPath, path] as const };
  };
  const printed = await givenKeys(script(`console.log(${JSON.stringify(key)})`));
  assert.deepEqual(printed, [Buffer.from(key, "base64")]);
  for (const [text, reason] of [
    [`console.log("secret-but-no-key"); process.exit(3)`, /the command exited with code 3/],
    [`console.log("secret-but-no-key")`, /expected base64/],
    [`console.log("")`, /: the command printed nothing$/],
    [`console.log("secret-but-no-key"); process.kill(process.pid, "SIGKILL")`, /was ended by SIGKILL/],
  ] as const)
    await assert.rejects(givenKeys(script(text)), (error: Error) => {
      assert.match(error.message, reason);
      assert.doesNotMatch(error.message, /secret-but/);
      return true;
    });
  const chatty = `process.stdout.write("secret-but-no-key".repeat(2000)); setInterval(() => {}, 1000)`;
  await assert.rejects(
    givenKeys(script(chatty), 60_000),
    /POSTERN_SECRET_KEY_COMMAND: more than 16384 bytes of output$/,
  );
  const deaf = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("secret-but-no-key")`;
  await assert.rejects(givenKeys(script(deaf), 500), /POSTERN_SECRET_KEY_COMMAND: no output within/);
  // A process left behind by the command holds its output open for longer than the command's time limit.
  const left = join(temporaryFolder(), "left.pid");
  const leaving = `const left = require("node:child_process").spawn(process.execPath,
    ["-e", "setTimeout(() => {}, 120000)"], { stdio: "inherit", detached: true });
    require("node:fs").writeFileSync(${JSON.stringify(left)}, String(left.pid));
    left.unref(); console.log(${JSON.stringify(key)})`;
  try {
    assert.deepEqual(await givenKeys(script(leaving), 15_000), [Buffer.from(key, "base64")]);
  } finally {
    if (existsSync(left)) process.kill(Number(readFileSync(left, "utf8")));
  }
  const missing = { secret_keys: undefined, secret_key_command: ["/no/such/program"] as const };
  await assert.rejects(
    givenKeys(missing),
    /POSTERN_SECRET_KEY_COMMAND: the command cannot be run \(ENOENT\)/,
  );
});
