/** Servers on loopback that a test reaches by name, with a certificate for `*.outbound.test`. */
import { once } from "node:events";
import { createServer as createHttp, type RequestListener } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";

/** Self-signed and valid for a hundred years, for `outbound.test`, `*.outbound.test` and 127.0.0.1. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBujCCAWCgAwIBAgIUMUyQenlYrd5EhPIl1ljBmMFwuZswCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNb3V0Ym91bmQgdGVzdDAgFw0yNjExMjIxMTExMzlaGA8yMTI2
MTAyOTExMTEzOVowGDEWMBQGA1UEAwwNb3V0Ym91bmQgdGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABJXgGEbkdyMe10IolUWjH7jveMNLtwzfNtE/R2WyDfrQ
dY66bF/o5YQQDWQOZfIb+NsaRs9PlOux7aMW/egoSrmjgYUwgYIwHQYDVR0OBBYE
FOcCyYWP6vm1UX1d/ys/tqZaCDLjMB8GA1UdIwQYMBaAFOcCyYWP6vm1UX1d/ys/
tqZaCDLjMA8GA1UdEwEB/wQFMAMBAf8wLwYDVR0RBCgwJoINb3V0Ym91bmQudGVz
dIIPKi5vdXRib3VuZC50ZXN0hwR/AAABMAoGCCqGSM49BAMCA0gAMEUCIQCRC+aI
DxndRFkJWNixZhsBJbLdr46Jrk1vASi8EFXbEAIgIj74+udTcmnFv9LaKehTCtjG
44lAOFt5cWms2YD/EHo=
-----END CERTIFICATE-----
`;

export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHGM53Sw1Oew+HEm8
2d63iNsRGglqQjWSuK94Ls2TBDuhRANCAASV4BhG5HcjHtdCKJVFox+473jDS7cM
3zbRP0dlsg360HWOumxf6OWEEA1kDmXyG/jbGkbPT5Trse2jFv3oKEq5
-----END PRIVATE KEY-----
`;

export interface LoopbackServer {
  readonly port: number;
  /** The paths of the requests received so far. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

/** Listens on an address of 127.0.0.0/8, with plain HTTP if `tls` is omitted. */
export async function loopbackServer(
  answer: RequestListener,
  { host = "127.0.0.1", port = 0, tls = true }: { host?: string; port?: number; tls?: boolean } = {},
): Promise<LoopbackServer> {
  const seen: string[] = [];
  const listener: RequestListener = (request, response) => {
    seen.push(request.url ?? "");
    return answer(request, response);
  };
  const server = tls ? createHttps({ cert: certificate, key }, listener) : createHttp(listener);
  server.listen(port, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
