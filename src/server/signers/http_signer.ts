/** A signer that is reached over HTTP, such as a service in front of a KMS (docs/signers.md). */
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { OutsideSigner } from "../../crypto/outside_signer.ts";
import type { SigningPublicJwk } from "../../crypto/signing_algorithms.ts";
import { generationFactor, usualBounds } from "./bounded_signer.ts";

export interface HttpSignerSettings {
  readonly url: string;
  readonly token?: string | undefined;
  /** In PEM, with the private key. */
  readonly certificate?: string | undefined;
  /** In PEM. */
  readonly ca?: string | undefined;
}

/** In bytes. A 4096-bit RSA key needs less than 2,000. */
const mostBytes = 65_536;

/** In milliseconds, equal to the timeouts of `boundedSigner`, which waits no longer. */
const longest = { "/keys": usualBounds.time * generationFactor, "/sign": usualBounds.time } as const;

export function httpSigner({ url, token, certificate, ca }: HttpSignerSettings): OutsideSigner {
  const isTls = url.startsWith("https:");
  const tls = {
    ...(certificate !== undefined && { cert: certificate, key: certificate }),
    ...(ca !== undefined && { ca }),
  };
  const send = isTls ? httpsRequest : httpRequest;

  function post(path: keyof typeof longest, body: object): Promise<Record<string, unknown>> {
    const text = JSON.stringify(body);
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const signal = AbortSignal.timeout(longest[path]);
    const request = send(`${url}${path}`, { method: "POST", headers, signal, ...tls }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > mostBytes) request.destroy(new Error("the response is too long"));
        else chunks.push(chunk);
      });
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode !== 200) return reject(new Error(`it returned ${response.statusCode}`));
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
        } catch {
          reject(new Error("its response is not JSON"));
        }
      });
    });
    // Without this listener, an unexpected status 101 would cause neither a response nor an error event.
    request.once("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new Error("it switched protocols"));
    });
    request.on("error", reject);
    request.end(text);
    return promise;
  }

  return {
    async generate(algorithm) {
      const { key_id, public_jwk } = await post("/keys", { algorithm });
      if (
        typeof key_id !== "string" ||
        key_id === "" ||
        key_id.length > 512 ||
        typeof public_jwk !== "object"
      )
        throw new Error("its response lacks key_id or public_jwk");
      return { reference: key_id, public_jwk: public_jwk as SigningPublicJwk };
    },
    async sign(key_id, algorithm, input) {
      const { signature } = await post("/sign", { key_id, algorithm, input: input.toString("base64url") });
      if (typeof signature !== "string") throw new Error("its response lacks the signature");
      return Buffer.from(signature, "base64url");
    },
    // Nothing to close: idle connections of the Node.js agent do not keep the process running.
    async close() {},
  };
}
