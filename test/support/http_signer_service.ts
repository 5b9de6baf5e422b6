/** A signer over HTTP as described in docs/signers.md, which a test can make fail. */
import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { algorithms, type SigningAlgorithm } from "../../src/crypto/signing_algorithms.ts";

export interface SignerService {
  readonly url: string;
  readonly token: string;
  /** The results of the next requests: an answer, a failure, or a signature of another text. */
  mode: "works" | "fails" | "lies";
  /** The number of signatures so far. */
  signed: number;
  close(): Promise<void>;
}

const makers: Readonly<Record<SigningAlgorithm, () => { publicKey: KeyObject; privateKey: KeyObject }>> = {
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  PS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  EdDSA: () => generateKeyPairSync("ed25519"),
};

interface Requested {
  readonly key_id: string;
  readonly algorithm: SigningAlgorithm;
  readonly input: string;
}

export async function signerService(): Promise<SignerService> {
  const token = randomUUID();
  const keys = new Map<string, KeyObject>();
  const answer = (path: string, { key_id, algorithm, input }: Requested): object | undefined => {
    if (path === "/v1/keys") {
      const { privateKey } = makers[algorithm]();
      const made = randomUUID();
      keys.set(made, privateKey);
      return { key_id: made, public_jwk: createPublicKey(privateKey).export({ format: "jwk" }) };
    }
    const key = keys.get(key_id);
    if (path !== "/v1/sign" || key === undefined) return undefined;
    service.signed += 1;
    const text = Buffer.from(service.mode === "lies" ? "something else" : input, "base64url");
    const { digest, sign: scheme } = algorithms[algorithm];
    return { signature: sign(digest, text, scheme(key)).toString("base64url") };
  };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const isKnown = request.headers.authorization === `Bearer ${token}`;
    const values =
      service.mode === "fails" || !isKnown ? undefined : answer(request.url ?? "", JSON.parse(body));
    response.writeHead(values === undefined ? (isKnown ? 500 : 401) : 200, {
      "content-type": "application/json",
    });
    response.end(JSON.stringify(values ?? {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const service: SignerService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    token,
    mode: "works",
    signed: 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return service;
}
