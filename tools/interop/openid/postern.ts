/** Postern for the suite: with https, registered clients, and a user who signs in. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createProxy, request as overHttp } from "node:http";
import { createServer, request as overHttps } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { bearer, call, expectStatus, operatorsKey } from "../../../test/interop/management.ts";
import { servedProcess } from "../../../test/support/process.ts";
import { temporaryFolder } from "../../../test/support/temp.ts";

const root = { email: "root@example.com", name: "Root", password: "the password of an operator" } as const;
/** The user who signs in. Each of her standard claims has a value. */
export const ada = { email: "ada@example.com", password: "correct horse battery staple" } as const;
const attributes = {
  given_name: "Ada",
  middle_name: "Augusta",
  family_name: "Lovelace",
  nickname: "Ada",
  preferred_username: "ada",
  profile: "https://example.com/ada",
  website: "https://example.com",
  gender: "female",
  birthdate: "0000-12-10",
  zoneinfo: "Europe/London",
  locale: "en",
};
/** Claims for which the operator has to define an attribute. */
const definedClaims = ["middle_name", "nickname", "profile", "website", "gender", "birthdate"];

export const client = { client_id: "conformance", secret: "the secret of the suite's first client" } as const;
/** A client that is registered for logout tokens. The suite's other clients do not expect them. */
export const notified = { client_id: "notified", secret: "the secret of a client that is notified" } as const;
export const second = { client_id: "second", secret: "the secret of the suite's second client" } as const;
export const machine = { client_id: "receiver", secret: "the secret of the suite's receiver" } as const;

/** A public name for the suite, because Postern sends no logout tokens or events to private addresses. */
const publicHost = "suite.example";
export const publicSuite = `https://${publicHost}`;

/** Returns a self-signed certificate with its key. Requires `openssl` on the PATH. */
function selfSigned() {
  const folder = temporaryFolder();
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", `subjectAltName=DNS:localhost,DNS:${publicHost}`];
  const key = ["-newkey", "rsa:2048", "-nodes", "-keyout", keyFile];
  execFileSync("openssl", ["req", "-x509", ...key, "-out", certFile, "-days", "2", ...names], {
    stdio: "ignore",
  });
  return { key: readFileSync(keyFile), cert: readFileSync(certFile) };
}

/**
 * Starts an https server that forwards requests to Postern, as an operator's proxy does, or to the suite
 * if their host is `publicHost`. Also starts the forward proxy through which Postern reaches that host.
 */
async function startFront(suite: URL, postern: { port: number }) {
  const pair = selfSigned();
  const server = createServer(pair, (request, response) => {
    const { method = "GET", url: path = "/", headers } = request;
    const onward =
      headers.host === publicHost
        ? overHttps(new URL(path, suite), {
            method,
            headers: { ...headers, host: suite.host },
            rejectUnauthorized: false,
          })
        : overHttp({
            port: postern.port,
            method,
            path,
            headers: { ...headers, "x-forwarded-proto": "https", "x-forwarded-for": "127.0.0.1" },
          });
    onward.once("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once("error", () => response.destroy());
    response.once("close", () => onward.destroy());
    request.pipe(onward);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const proxy = createProxy().on("connect", (_request, socket: Socket) => {
    const onward = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.once("error", () => socket.destroy());
    socket.once("error", () => onward.destroy());
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  return {
    issuer: `https://localhost:${port}`,
    proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    certificate: pair.cert.toString(),
    stop() {
      proxy.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

export type Postern = Awaited<ReturnType<typeof startPostern>>;

/** Starts Postern with the suite's clients, whose redirect URIs and other URLs are below `path`. */
export async function startPostern(suite: URL, path: string) {
  const listening = { port: 0 };
  const { issuer, proxy, certificate, stop } = await startFront(suite, listening);
  const base = new URL(path, suite).href;
  const website = {
    owner: root.email,
    allowed_scopes: ["openid"],
    redirect_uris: [`${base}/callback`],
    post_logout_redirect_uris: [`${base}/post_logout_redirect`],
  };
  const served = await servedProcess({
    environment: {
      POSTERN_BASE_URL: issuer,
      POSTERN_TRUST_PROXY: "127.0.0.1",
      POSTERN_EXTRA_FEATURES: "form_post,logout_notices,ssf",
      POSTERN_OUTBOUND_PROXY: proxy,
      POSTERN_OUTBOUND_CA: certificate,
    },
    manifest: {
      attributes: definedClaims.map((name) => ({
        record_type: "users",
        name,
        claim: name,
        scopes: ["profile"],
      })),
      users: [{ ...root, is_platform_admin: true }],
      apps: [
        {
          ...website,
          client_id: client.client_id,
          name: "Conformance suite",
          secrets: [client.secret],
          allowed_scopes: ["openid", "profile", "email", "offline_access"],
          claims_in_id_token: false,
          claims: Object.fromEntries(Object.keys(attributes).map((name) => [name, ["userinfo"]])),
        },
        {
          ...website,
          client_id: notified.client_id,
          name: "Notified",
          secrets: [notified.secret],
          backchannel_logout_uri: new URL(`${path}/backchannel_logout`, publicSuite).href,
        },
        { ...website, client_id: second.client_id, name: "Second", secrets: [second.secret] },
        {
          owner: root.email,
          client_id: machine.client_id,
          name: "Receiver",
          app_type: "machine",
          secrets: [machine.secret],
          allowed_grants: ["client_credentials"],
          allowed_scopes: ["ssf.manage"],
        },
      ],
    },
  });
  listening.port = served.port;
  const proof = bearer(await operatorsKey(served, root.email, "postern:manage postern:import"));
  const manage = async (method: string, to: string, body?: object) =>
    expectStatus(await call(served.url, method, `/api/v1${to}`, { proof, body }), 200, 201, 204).json;
  // Only an import can mark an address as verified.
  const person = {
    external_id: "ada",
    email: ada.email,
    name: "Ada Lovelace",
    avatar_url: "https://example.com/ada.png",
    email_verified_at: new Date().toISOString(),
    attributes,
  };
  const { results } = await manage("POST", "/import/people", { source: "interop", people: [person] });
  const [imported] = results as { id: string }[];
  const setPassword = async () => {
    await manage("PATCH", `/users/${imported?.id}`, { password: ada.password });
  };
  await setPassword();

  return {
    issuer,
    /** Sets Ada's password again, which changes her credential and ends her sessions. */
    setPassword,
    async stop(): Promise<void> {
      stop();
      await served.stop();
    },
  };
}
