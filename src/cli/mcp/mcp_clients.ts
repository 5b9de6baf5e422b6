/**
 * Clients of the Model Context Protocol as they come to an authorization server: what they send to register
 * themselves, the address of their document, and where their people return to.
 */

/** How a client becomes known to a server. */
export type Identity = "metadata_document" | "registration" | "registered_before";

export interface McpClient {
  readonly name: string;
  /** In the order in which the client tries them. */
  readonly identities: readonly Identity[];
  /** The address of its document, which is its `client_id`. */
  readonly document?: string;
  /** What its document says, as far as this server reads it. */
  readonly document_says?: Readonly<Record<string, unknown>>;
  /** The body of its registration (RFC 7591 3.1). */
  readonly registration?: Readonly<Record<string, unknown>>;
  /** The redirect URI of an authorization request: the port is one that was free. */
  readonly redirect_uri: string;
  /** It runs in a browser, so that every endpoint has to answer pages of other origins. */
  readonly in_browser?: true;
  /** It does not register unless the server names this method. */
  readonly needs_method?: "none";
  /** Headers that it sends along. */
  readonly headers?: Readonly<Record<string, string>>;
}

const codeAndRefresh = ["authorization_code", "refresh_token"];

export const mcpClients: readonly McpClient[] = [
  {
    name: "Claude Code",
    identities: ["metadata_document", "registration"],
    document: "https://claude.ai/oauth/claude-code-client-metadata",
    document_says: {
      client_name: "Claude Code",
      redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
      grant_types: codeAndRefresh,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    registration: {
      client_name: "Claude Code (orders)",
      redirect_uris: ["http://localhost:51703/callback"],
      grant_types: codeAndRefresh,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    redirect_uri: "http://localhost:51703/callback",
  },
  {
    name: "Claude",
    identities: ["metadata_document", "registration", "registered_before"],
    registration: {
      client_name: "Claude",
      client_uri: "https://claude.ai",
      logo_uri: "https://claude.ai/favicon.ico",
      redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
      grant_types: codeAndRefresh,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "openid offline_access",
    },
    redirect_uri: "https://claude.ai/api/mcp/auth_callback",
  },
  {
    name: "ChatGPT",
    identities: ["metadata_document", "registration", "registered_before"],
    registration: {
      client_name: "ChatGPT",
      redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
      grant_types: codeAndRefresh,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    redirect_uri: "https://chatgpt.com/connector_platform_oauth_redirect",
  },
  {
    name: "Codex",
    identities: ["metadata_document", "registration"],
    registration: {
      client_name: "Codex",
      redirect_uris: ["http://127.0.0.1:41923/callback/Lw3kQ"],
      grant_types: codeAndRefresh,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    redirect_uri: "http://127.0.0.1:41923/callback/Lw3kQ",
  },
  {
    name: "VS Code",
    identities: ["metadata_document", "registration"],
    registration: {
      client_name: "Visual Studio Code",
      client_uri: "https://code.visualstudio.com",
      grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
      response_types: ["code"],
      redirect_uris: [
        "https://insiders.vscode.dev/redirect",
        "https://vscode.dev/redirect",
        "http://127.0.0.1/",
        "http://127.0.0.1:33418/",
      ],
      token_endpoint_auth_method: "none",
      application_type: "native",
    },
    redirect_uri: "http://127.0.0.1:53011/",
  },
  {
    name: "Cursor",
    identities: ["registration"],
    registration: {
      client_name: "Cursor",
      redirect_uris: [
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback",
      ],
      grant_types: codeAndRefresh,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "web",
    },
    redirect_uri: "cursor://anysphere.cursor-mcp/oauth/callback",
  },
  {
    name: "OpenCode",
    identities: ["metadata_document", "registration"],
    document: "https://opencode.ai/oauth/opencode/client.json",
    document_says: {
      client_name: "OpenCode",
      client_uri: "https://opencode.ai",
      redirect_uris: ["http://127.0.0.1:19876/mcp/oauth/callback"],
      grant_types: codeAndRefresh,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    registration: {
      client_name: "OpenCode",
      client_uri: "https://opencode.ai",
      redirect_uris: ["http://127.0.0.1:19876/mcp/oauth/callback"],
      grant_types: codeAndRefresh,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    needs_method: "none",
    redirect_uri: "http://127.0.0.1:19876/mcp/oauth/callback",
  },
  {
    name: "Gemini CLI",
    identities: ["registration"],
    registration: {
      client_name: "Gemini CLI MCP Client",
      redirect_uris: ["http://localhost:7777/oauth/callback"],
      grant_types: codeAndRefresh,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "",
    },
    redirect_uri: "http://localhost:7777/oauth/callback",
  },
  {
    name: "MCP Inspector",
    identities: ["registration"],
    registration: {
      client_name: "MCP Inspector",
      client_uri: "https://github.com/modelcontextprotocol/inspector",
      redirect_uris: ["http://localhost:6274/oauth/callback"],
      grant_types: codeAndRefresh,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "",
    },
    in_browser: true,
    headers: { "mcp-protocol-version": "2025-11-25" },
    redirect_uri: "http://localhost:6274/oauth/callback",
  },
  {
    name: "TypeScript SDK",
    identities: ["metadata_document", "registration"],
    registration: {
      client_name: "Simple OAuth MCP Client",
      redirect_uris: ["http://localhost:8090/callback"],
      grant_types: codeAndRefresh,
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_post",
    },
    headers: { "mcp-protocol-version": "2025-11-25", accept: "application/json" },
    redirect_uri: "http://localhost:8090/callback",
  },
  {
    name: "Python SDK",
    identities: ["metadata_document", "registration"],
    registration: {
      client_name: "Simple Auth Client",
      redirect_uris: ["http://localhost:3030/callback"],
      grant_types: codeAndRefresh,
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
    },
    headers: { "mcp-protocol-version": "2025-11-25" },
    redirect_uri: "http://localhost:3030/callback",
  },
];
