/** `postern perform`: a real client of any authorization server, to try a flow from the terminal. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Command } from "commander";
import type { Terminal } from "./terminal.ts";
import { secretOption, typedSecret } from "./typed_text.ts";

interface ClientOptions {
  issuer: string;
  clientId: string;
  clientSecret?: string;
  scope?: string;
  resource?: string;
}

interface CodeOptions extends ClientOptions {
  port: string;
  path: string;
  timeout: string;
}

/** Loaded when a flow is performed, so that no other command pays for it. */
async function discover({ issuer, clientId, clientSecret }: ClientOptions) {
  const oauth = await import("oauth4webapi");
  const address = new URL(issuer);
  const loopback = address.protocol === "http:";
  // Plain http is for loopback alone; the library asks for it by name.
  const http = loopback ? { [oauth.allowInsecureRequests]: true } : {};
  const discovery = await oauth.discoveryRequest(address, { algorithm: "oidc", ...http });
  const as = await oauth.processDiscoveryResponse(address, discovery);
  const client = { client_id: clientId };
  const authentication = clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret);
  return { oauth, as, client, authentication, http };
}

/** Waits for the browser to come back to the redirect URI; answers the address it came with. */
function callback(
  port: number,
  path: string,
  seconds: number,
): Promise<{ redirect_uri: string; came: Promise<URL> }> {
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      if (url.pathname !== path) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8", connection: "close" });
      response.end("Done. You can close this window and go back to the terminal.\n");
      arrive(url);
    });
    let arrive: (url: URL) => void = () => {};
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const redirect_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
      const came = new Promise<URL>((resolveUrl, rejectUrl) => {
        const timer = setTimeout(() => {
          server.close();
          rejectUrl(new Error(`nobody came back to ${redirect_uri} within ${seconds} seconds`));
        }, seconds * 1000);
        arrive = (url) => {
          clearTimeout(timer);
          server.close();
          resolveUrl(url);
        };
      });
      resolve({ redirect_uri, came });
    });
  });
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

async function performCode(options: CodeOptions): Promise<void> {
  const { oauth, as, client, authentication, http } = await discover(options);
  const { redirect_uri, came } = await callback(Number(options.port), options.path, Number(options.timeout));
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const url = new URL(as.authorization_endpoint ?? "");
  const parameters = {
    client_id: client.client_id,
    redirect_uri,
    response_type: "code",
    scope: options.scope ?? "openid",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
    ...(options.resource !== undefined && { resource: options.resource }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  process.stderr.write(
    `Open this address in a browser; its answer is awaited at ${redirect_uri}\n\n${url}\n\n`,
  );
  const answer = oauth.validateAuthResponse(as, client, await came, state);
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    authentication,
    answer,
    redirect_uri,
    verifier,
    http,
  );
  const expected = parameters.scope.split(" ").includes("openid") ? { expectedNonce: nonce } : {};
  print(await oauth.processAuthorizationCodeResponse(as, client, response, expected));
}

async function performClientCredentials(options: ClientOptions): Promise<void> {
  const { oauth, as, client, authentication, http } = await discover(options);
  const parameters = new URLSearchParams({
    ...(options.scope !== undefined && { scope: options.scope }),
    ...(options.resource !== undefined && { resource: options.resource }),
  });
  const response = await oauth.clientCredentialsGrantRequest(as, client, authentication, parameters, http);
  print(await oauth.processClientCredentialsResponse(as, client, response));
}

async function performRefresh(options: ClientOptions & { refreshToken: string }): Promise<void> {
  const { oauth, as, client, authentication, http } = await discover(options);
  const additionalParameters = new URLSearchParams(
    options.scope === undefined ? {} : { scope: options.scope },
  );
  const response = await oauth.refreshTokenGrantRequest(as, client, authentication, options.refreshToken, {
    ...http,
    additionalParameters,
  });
  print(await oauth.processRefreshTokenResponse(as, client, response));
}

/**
 * Runs the grant; what it throws says which server answered what, which the library's own messages leave out.
 */
function told<O extends ClientOptions & { refreshToken?: string }>(
  terminal: Terminal,
  performGrant: (options: O) => Promise<void>,
) {
  return async (options: O): Promise<void> => {
    const { clientSecret, refreshToken } = options;
    const secrets = {
      ...(clientSecret !== undefined && { clientSecret: await typedSecret(clientSecret, terminal) }),
      ...(refreshToken !== undefined && { refreshToken: await typedSecret(refreshToken, terminal) }),
    };
    try {
      await performGrant({ ...options, ...secrets });
    } catch (error) {
      throw new Error(reasonOf(error, options.issuer), { cause: error });
    }
  };
}

function reasonOf(error: unknown, issuer: string): string {
  if (!(error instanceof Error)) return String(error);
  const { error: code, error_description, status } = error as Readonly<Record<string, unknown>> & Error;
  if (typeof code === "string") {
    return `${issuer} answered ${code}${typeof error_description === "string" ? `: ${error_description}` : ""}`;
  }
  if (status === 401) return `${issuer} answered 401: it does not know this client_id with this secret`;
  if (error.message === "fetch failed" && error.cause instanceof Error) {
    const { code: system_code } = error.cause as NodeJS.ErrnoException;
    return `${issuer} cannot be reached: ${error.cause.message || system_code}`;
  }
  return `${issuer}: ${error.message}`;
}

/** Adds `postern perform` with its three grants. */
export function performCommand(program: Command, terminal: Terminal): void {
  const perform = program
    .command("perform")
    .description("go through a grant as a client would, and print the answer");
  const grant = (name: string, description: string) =>
    perform
      .command(name)
      .description(description)
      .requiredOption("--issuer <url>", "the authorization server", "http://localhost:3000")
      .requiredOption("--client-id <client_id>", "the client")
      .option("--client-secret <secret>", `its secret, none for a public client; ${secretOption}`)
      .option("--scope <scopes>", "space-separated scopes to ask for");
  grant("authorization-code", "the authorization code grant with PKCE, through a browser")
    .option("--resource <uri>", "the resource the token is for (RFC 8707)")
    .option("--port <port>", "where to listen for the redirect; 0 picks a free port", "0")
    .option("--path <path>", "path of the redirect URI http://127.0.0.1:<port>", "/cb")
    .option("--timeout <seconds>", "how long to wait for the browser", "300")
    .action(told(terminal, performCode));
  grant("client-credentials", "the client credentials grant")
    .option("--resource <uri>", "the resource the token is for (RFC 8707)")
    .action(told(terminal, performClientCredentials));
  grant("refresh", "the refresh token grant")
    .requiredOption("--refresh-token <token>", `the refresh token; ${secretOption}`)
    .action(told(terminal, performRefresh));
}
