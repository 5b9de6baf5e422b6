/**
 * The part of the TypeScript SDK of the Model Context Protocol that the tests use. Its own types do not
 * compile under `exactOptionalPropertyTypes`.
 */

declare module "@modelcontextprotocol/sdk/client/index.js" {
  export class Client {
    constructor(info: { readonly name: string; readonly version: string });
    connect(transport: object): Promise<void>;
    callTool(call: {
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    }): Promise<{ readonly content: readonly { readonly type: string; readonly text: string }[] }>;
    close(): Promise<void>;
  }
}

declare module "@modelcontextprotocol/sdk/client/auth.js" {
  export interface Tokens {
    readonly access_token: string;
    readonly refresh_token?: string;
    readonly scope?: string;
  }
  export interface ClientInformation {
    readonly client_id: string;
    readonly client_secret?: string;
  }
  export interface OAuthClientProvider {
    readonly redirectUrl: string;
    readonly clientMetadataUrl?: string;
    readonly clientMetadata: Readonly<Record<string, unknown>>;
    state(): string;
    clientInformation(): ClientInformation | undefined;
    saveClientInformation(information: ClientInformation): void;
    tokens(): Tokens | undefined;
    saveTokens(tokens: Tokens): void;
    redirectToAuthorization(url: URL): void;
    saveCodeVerifier(verifier: string): void;
    codeVerifier(): string;
    invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void;
  }
  export class UnauthorizedError extends Error {}
}

declare module "@modelcontextprotocol/sdk/client/streamableHttp.js" {
  import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";

  export class StreamableHTTPClientTransport {
    constructor(url: URL, options: { readonly authProvider: OAuthClientProvider });
    finishAuth(code: string): Promise<void>;
    close(): Promise<void>;
  }
}
