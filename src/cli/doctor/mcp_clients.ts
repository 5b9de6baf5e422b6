/** How known clients of the Model Context Protocol identify themselves to a server. */

export type Identity = "metadata_document" | "registration" | "registered_before";

/** The fields of a client ID metadata document (draft-ietf-oauth-client-id-metadata-document 4). */
interface ClientDocument {
  readonly client_id: string;
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: string;
  readonly [member: string]: unknown;
}

export interface McpClient {
  readonly name: string;
  /** The kinds of identity in the order in which the client tries them. */
  readonly identities: readonly Identity[];
  readonly document?: {
    readonly says: ClientDocument;
    readonly redirect_uri: string;
  };
  /** The body of the client's registration request (RFC 7591 3.1). */
  readonly registration?: Readonly<Record<string, unknown>>;
  /**
   * Further parameters of the client's authorization requests; this `scope` is used only if the server names
   * no scopes.
   */
  readonly asks?: Readonly<Record<string, string>>;
  readonly redirect_uri: string;
  /** The endpoints that a client in a browser calls must support cross-origin requests. */
  readonly in_browser?: true;
  readonly needs_method?: "none";
  /** Whether the client normalizes `resource` as a URL parser does: an origin gets a trailing slash. */
  readonly resource_with_slash?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

const codeAndRefresh = ["authorization_code", "refresh_token"];
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

export const mcpClients: readonly McpClient[] = [
  {
    name: "Claude Code",
    identities: ["metadata_document", "registration", "registered_before"],
    document: {
      says: {
        client_id: "https://claude.ai/oauth/claude-code-client-metadata",
        client_name: "Claude Code",
        client_uri: "https://claude.ai",
        redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
        grant_types: codeAndRefresh,
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
      redirect_uri: "http://localhost:51703/callback",
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
    document: {
      says: {
        client_id: "https://claude.ai/oauth/mcp-oauth-client-metadata",
        client_name: "Claude",
        client_uri: "https://claude.ai",
        redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
        grant_types: codeAndRefresh,
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
      redirect_uri: "https://claude.ai/api/mcp/auth_callback",
    },
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
    document: {
      says: {
        client_id: "https://chatgpt.com/oauth/client.json",
        client_uri: "https://chatgpt.com/",
        redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
        grant_types: codeAndRefresh,
        response_types: ["code"],
        client_name: "ChatGPT",
        logo_uri: "https://persistent.oaistatic.com/sonic/misc/openai-logo.png",
        token_endpoint_auth_signing_alg: "RS256",
        jwks_uri: "https://chatgpt.com/oauth/jwks.json",
      },
      redirect_uri: "https://chatgpt.com/connector_platform_oauth_redirect",
    },
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
    // The URL has a query that differs for each server (openai/codex#22531).
    document: {
      says: {
        client_id: "https://chatgpt.com/oauth/codex/client.json?callback_id=tUFh3K2q",
        client_name: "Codex",
        client_uri: "https://chatgpt.com/codex",
        redirect_uris: ["http://127.0.0.1/callback/tUFh3K2q", "http://localhost/callback/tUFh3K2q"],
        token_endpoint_auth_method: "none",
        grant_types: codeAndRefresh,
        response_types: ["code"],
        application_type: "native",
      },
      redirect_uri: "http://127.0.0.1:1455/callback/tUFh3K2q",
    },
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
    identities: ["metadata_document", "registration", "registered_before"],
    document: {
      says: {
        client_name: "Visual Studio Code",
        logo_uri: "https://code.visualstudio.com/assets/branding/code-stable.png",
        grant_types: [...codeAndRefresh, deviceGrant],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        application_type: "native",
        client_id: "https://vscode.dev/oauth/client-metadata.json",
        client_uri: "https://vscode.dev/product",
        redirect_uris: ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
      },
      redirect_uri: "http://127.0.0.1:54021/",
    },
    registration: {
      client_name: "Visual Studio Code",
      client_uri: "https://code.visualstudio.com",
      grant_types: [...codeAndRefresh, deviceGrant],
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
    identities: ["metadata_document", "registration", "registered_before"],
    // OpenCode's document and its registration list different redirect paths (anomalyco/opencode#50510).
    document: {
      says: {
        client_id: "https://opencode.ai/oauth/opencode/client.json",
        client_name: "opencode",
        client_uri: "https://opencode.ai",
        logo_uri: "https://opencode.ai/web-app-manifest-512x512.png",
        application_type: "native",
        redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
        grant_types: codeAndRefresh,
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        token_endpoint_auth_methods_supported: ["none"],
      },
      redirect_uri: "http://127.0.0.1:19876/callback",
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
    identities: ["registration", "registered_before"],
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
    identities: ["registration", "registered_before"],
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
    identities: ["metadata_document", "registration", "registered_before"],
    registration: {
      client_name: "Simple OAuth MCP Client",
      redirect_uris: ["http://localhost:8090/callback"],
      grant_types: codeAndRefresh,
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_post",
    },
    headers: { "mcp-protocol-version": "2025-11-25", accept: "application/json" },
    asks: { scope: "tools:read offline_access", prompt: "consent" },
    resource_with_slash: true,
    redirect_uri: "http://localhost:8090/callback",
  },
  {
    name: "Python SDK",
    identities: ["metadata_document", "registration", "registered_before"],
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
