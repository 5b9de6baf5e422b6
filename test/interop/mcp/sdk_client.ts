/** A client with the TypeScript SDK of the Model Context Protocol, and the user who uses it. */
import type {
  ClientInformation,
  OAuthClientProvider,
  Tokens,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type FormBrowser, formBrowser, goThrough, type Person } from "../../support/form_browser.ts";

export interface SdkClient {
  /** The client's stored state, which a real program would keep in a file. A test may change it. */
  readonly kept: {
    information: ClientInformation | undefined;
    tokens: Tokens | undefined;
    verifier: string;
  };
  /** Every address to which the user was redirected. */
  readonly opened: readonly URL[];
  /** Connects, and calls the tool. Signs in if necessary, and again if the tool needs more scopes. */
  call(tool: string): Promise<string>;
}

interface Given {
  readonly redirect_uri: string;
  readonly person: Person;
  readonly browser?: FormBrowser;
  /** The data of a client that was registered before. */
  readonly information?: ClientInformation;
  /** The URL of the client's metadata document, which is its client_id. */
  readonly document?: string;
}

export function sdkClient(
  server: string,
  { redirect_uri, person, browser = formBrowser(), information, document }: Given,
): SdkClient {
  const kept: SdkClient["kept"] = { information, tokens: undefined, verifier: "" };
  const opened: URL[] = [];
  const state = () => "the state of the client";
  const provider: OAuthClientProvider = {
    redirectUrl: redirect_uri,
    ...(document !== undefined && { clientMetadataUrl: document }),
    clientMetadata: {
      client_name: "Tools",
      redirect_uris: [redirect_uri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    state,
    clientInformation: () => kept.information,
    saveClientInformation(input) {
      kept.information = input;
    },
    tokens: () => kept.tokens,
    saveTokens(input) {
      kept.tokens = input;
    },
    redirectToAuthorization(url) {
      opened.push(url);
    },
    saveCodeVerifier(verifier) {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier,
    invalidateCredentials(scope) {
      if (scope === "all" || scope === "client") kept.information = information;
      if (scope === "all" || scope === "tokens") kept.tokens = undefined;
    },
  };

  /** Runs `work` with a connection, and repeats it if the user had to sign in first. */
  async function connected(work: (client: Client) => Promise<string>, sendings = 2): Promise<string> {
    const client = new Client({ name: "tools", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL(server), { authProvider: provider });
    const before = opened.length;
    try {
      await client.connect(transport);
      return await work(client);
    } catch (error) {
      const url = opened.at(-1);
      if (!(error instanceof UnauthorizedError) || url === undefined || opened.length === before) throw error;
      if (sendings === 0) throw new Error("the person is sent to sign in for ever", { cause: error });
      const back = await goThrough(browser, url, person);
      const { searchParams } = back;
      if (searchParams.get("error") !== null) throw new Error(`refused: ${searchParams}`, { cause: error });
      if (searchParams.get("state") !== state()) throw new Error("another state came back", { cause: error });
      await transport.finishAuth(searchParams.get("code") ?? "");
    } finally {
      await client.close();
    }
    return connected(work, sendings - 1);
  }

  return {
    kept,
    opened,
    call: (tool) =>
      connected(async (client) => {
        const { content } = await client.callTool({ name: tool, arguments: {} });
        return content.map(({ text }) => text).join("");
      }),
  };
}
