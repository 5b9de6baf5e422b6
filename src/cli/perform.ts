/** `postern perform`: runs a flow as a client of any authorization server. */
import type { Command } from "commander";
import type { Client } from "oauth4webapi";
import { hostOf, isLoopbackName } from "../config/loopback.ts";
import { readSettings } from "./core/setting_options.ts";
import { escaped, type Terminal, WrongUsage } from "./core/terminal.ts";
import { secretOption, typedSecret } from "./core/typed_text.ts";
import { readKeyFile, readOrMakeKeyFile } from "./key_files.ts";
import { listenForRedirect } from "./remote/loopback_redirect.ts";

interface GivenOptions {
  issuer?: string;
  clientSecret?: string;
  refreshToken?: string;
}

interface ClientOptions extends GivenOptions {
  issuer: string;
  clientId: string;
  clientKey?: string;
  dpopKey?: string;
  scope?: string;
  resource?: string;
}

interface CodeOptions extends ClientOptions {
  port: string;
  path: string;
  timeout: string;
}

async function discover({ issuer, clientId, clientSecret, clientKey, dpopKey }: ClientOptions) {
  const oauth = await import("oauth4webapi");
  const address = new URL(issuer);
  const isLocal = isLoopbackName(hostOf(issuer));
  // Plain http would expose secrets and tokens on a network, so it is allowed only to a server on this
  // machine.
  const http = isLocal ? { [oauth.allowInsecureRequests]: true } : {};
  const discovery = await oauth.discoveryRequest(address, { algorithm: "oidc", ...http });
  const as = await oauth.processDiscoveryResponse(address, discovery);
  const client: Client = { client_id: clientId };
  const signing = clientKey === undefined ? undefined : await readKeyFile(clientKey);
  const authentication =
    signing !== undefined
      ? oauth.PrivateKeyJwt({
          key: signing.privateKey,
          ...(signing.kid !== undefined && { kid: signing.kid }),
        })
      : clientSecret !== undefined
        ? oauth.ClientSecretBasic(clientSecret)
        : oauth.None();
  const proofKey = dpopKey === undefined ? undefined : await readOrMakeKeyFile(dpopKey);
  const options = { ...http, ...(proofKey && { DPoP: oauth.DPoP(client, proofKey) }) };
  /** Repeats the request if the response requires a nonce in the DPoP proof (RFC 9449 8). */
  const exchange = async <T>(attempt: () => Promise<T>): Promise<T> => {
    try {
      return await attempt();
    } catch (error) {
      if (!oauth.isDPoPNonceError(error)) throw error;
      return attempt();
    }
  };
  return { oauth, as, client, authentication, options, exchange };
}

function print(value: unknown): void {
  process.stdout.write(`${escaped(JSON.stringify(value, null, 2))}\n`);
}

/**
 * Returns the JSON of the response unchanged. The library, which changes `token_type` to lower case, only
 * validates the response.
 */
async function sentBy(response: Response, take: (response: Response) => Promise<unknown>): Promise<unknown> {
  const sent = response.clone();
  await take(response);
  return sent.json();
}

async function performCode(options: CodeOptions): Promise<void> {
  const performing = await discover(options);
  const { oauth, as, client, authentication, exchange } = performing;
  const { redirect_uri, came } = await listenForRedirect({
    port: Number(options.port),
    path: options.path,
    seconds: Number(options.timeout),
  });
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const scope = options.scope ?? "openid";
  const parameters = {
    client_id: client.client_id,
    redirect_uri,
    response_type: "code",
    scope,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
    ...(options.resource !== undefined && { resource: options.resource }),
  };
  const url = new URL(as.authorization_endpoint ?? "");
  url.search = (await queryOf(parameters, performing)).toString();
  process.stderr.write(
    `Open this address in a browser. Waiting for the redirect to ${redirect_uri}\n\n${url}\n\n`,
  );
  const answer = oauth.validateAuthResponse(as, client, await came, state);
  const expected = scope.split(" ").includes("openid") ? { expectedNonce: nonce } : {};
  print(
    await exchange(async () => {
      const response = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        authentication,
        answer,
        redirect_uri,
        verifier,
        performing.options,
      );
      return sentBy(response, (taken) => oauth.processAuthorizationCodeResponse(as, client, taken, expected));
    }),
  );
}

/** The parameters are pushed if the server accepts that (RFC 9126). */
async function queryOf(
  parameters: Readonly<Record<string, string>>,
  { oauth, as, client, authentication, options, exchange }: Awaited<ReturnType<typeof discover>>,
): Promise<URLSearchParams> {
  const query = new URLSearchParams(parameters);
  if (as.pushed_authorization_request_endpoint === undefined) return query;
  const { request_uri } = await exchange(async () => {
    const response = await oauth.pushedAuthorizationRequest(as, client, authentication, query, options);
    return oauth.processPushedAuthorizationResponse(as, client, response);
  });
  return new URLSearchParams({ client_id: client.client_id, request_uri });
}

async function performClientCredentials(input: ClientOptions): Promise<void> {
  const { oauth, as, client, authentication, options, exchange } = await discover(input);
  const parameters = new URLSearchParams({
    ...(input.scope !== undefined && { scope: input.scope }),
    ...(input.resource !== undefined && { resource: input.resource }),
  });
  print(
    await exchange(async () => {
      const response = await oauth.clientCredentialsGrantRequest(
        as,
        client,
        authentication,
        parameters,
        options,
      );
      return sentBy(response, (taken) => oauth.processClientCredentialsResponse(as, client, taken));
    }),
  );
}

async function performRefresh(input: ClientOptions & { refreshToken: string }): Promise<void> {
  const { oauth, as, client, authentication, options, exchange } = await discover(input);
  const additionalParameters = new URLSearchParams(input.scope === undefined ? {} : { scope: input.scope });
  print(
    await exchange(async () => {
      const response = await oauth.refreshTokenGrantRequest(as, client, authentication, input.refreshToken, {
        ...options,
        additionalParameters,
      });
      return sentBy(response, (taken) => oauth.processRefreshTokenResponse(as, client, taken));
    }),
  );
}

/** Errors include the server's response, which the library's own messages omit. */
function withContext<O extends ClientOptions>(
  terminal: Terminal,
  performGrant: (options: O) => Promise<void>,
) {
  return async (input: Omit<O, "issuer"> & GivenOptions, command: Command): Promise<void> => {
    const { clientSecret, refreshToken } = input;
    const issuer = input.issuer ?? readSettings(command.optsWithGlobals(), terminal.env).base_url;
    if (issuer === undefined) throw new WrongUsage("the port is not known: use --issuer");
    const secrets = {
      ...(clientSecret !== undefined && { clientSecret: await typedSecret(clientSecret, terminal) }),
      ...(refreshToken !== undefined && { refreshToken: await typedSecret(refreshToken, terminal) }),
    };
    try {
      await performGrant({ ...input, issuer, ...secrets } as O);
    } catch (error) {
      throw new Error(reasonOf(error, issuer), { cause: error });
    }
  };
}

function reasonOf(error: unknown, issuer: string): string {
  if (!(error instanceof Error)) return String(error);
  const { error: code, error_description, status, path } = error as Readonly<Record<string, unknown>> & Error;
  if (typeof path === "string") return `${path} cannot be read: ${error.message}`;
  if (typeof code === "string") {
    const hint = code === "invalid_dpop_proof" ? "; use --dpop-key to send DPoP proofs" : "";
    return `${issuer} returned ${code}${typeof error_description === "string" ? `: ${error_description}` : ""}${hint}`;
  }
  if (status === 401) return `${issuer} returned 401: the client_id or the secret is wrong`;
  if (error.message === "fetch failed" && error.cause instanceof Error) {
    const { code: system_code } = error.cause as NodeJS.ErrnoException;
    return `${issuer} cannot be reached: ${error.cause.message || system_code}`;
  }
  return `${issuer}: ${error.message}`;
}

export function performCommand(program: Command, terminal: Terminal): void {
  const perform = program.command("perform").description("run a grant as a client and print the response");
  const grant = (name: string, description: string) =>
    perform
      .command(name)
      .description(description)
      .option("--issuer <url>", "the authorization server (default: the one in the settings)")
      .requiredOption("--client-id <client_id>", "the client")
      .option("--client-secret <secret>", `its secret; omit it for a public client; ${secretOption}`)
      .option("--client-key <file>", "the client's private key as a JWK, for private_key_jwt (RFC 7523)")
      .option(
        "--dpop-key <file>",
        "the private key that tokens are bound to (RFC 9449), as a JWK; created if the file does not exist",
      )
      .option("--scope <scopes>", "space-separated scopes to request");
  grant("authorization-code", "the authorization code grant with PKCE, through a browser")
    .option("--resource <uri>", "the resource that the token is for (RFC 8707)")
    .option("--port <port>", "where to listen for the redirect; 0 picks a free port", "0")
    .option("--path <path>", "path of the redirect URI http://127.0.0.1:<port>", "/cb")
    .option("--timeout <seconds>", "how long to wait for the browser", "300")
    .action(withContext(terminal, performCode));
  grant("client-credentials", "the client credentials grant")
    .option("--resource <uri>", "the resource that the token is for (RFC 8707)")
    .action(withContext(terminal, performClientCredentials));
  grant("refresh", "the refresh token grant")
    .requiredOption("--refresh-token <token>", `the refresh token; ${secretOption}`)
    .action(withContext(terminal, performRefresh));
}
