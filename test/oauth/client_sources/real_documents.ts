/** Documents as clients in use publish them, by their addresses, and where each then asks to be sent. */
import type { JsonObject } from "../../../src/records/field.ts";

export const realDocuments: readonly {
  readonly client: string;
  readonly document: JsonObject & { readonly client_id: string };
  readonly asks_for: string;
}[] = [
  {
    client: "Claude Code",
    document: {
      client_id: "https://claude.ai/oauth/claude-code-client-metadata",
      client_name: "Claude Code",
      client_uri: "https://claude.ai",
      redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    asks_for: "http://localhost:49813/callback",
  },
  {
    client: "Claude",
    document: {
      client_id: "https://claude.ai/oauth/mcp-oauth-client-metadata",
      client_name: "Claude",
      client_uri: "https://claude.ai",
      redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    asks_for: "https://claude.ai/api/mcp/auth_callback",
  },
  {
    client: "VS Code",
    document: {
      client_name: "Visual Studio Code",
      logo_uri: "https://code.visualstudio.com/assets/branding/code-stable.png",
      grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
      client_id: "https://vscode.dev/oauth/client-metadata.json",
      client_uri: "https://vscode.dev/product",
      redirect_uris: ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
    },
    asks_for: "http://127.0.0.1:54021/",
  },
  {
    client: "ChatGPT",
    document: {
      client_id: "https://chatgpt.com/oauth/client.json",
      client_uri: "https://chatgpt.com/",
      redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      client_name: "ChatGPT",
      logo_uri: "https://persistent.oaistatic.com/sonic/misc/openai-logo.png",
      token_endpoint_auth_signing_alg: "RS256",
      jwks_uri: "https://chatgpt.com/oauth/jwks.json",
    },
    asks_for: "https://chatgpt.com/connector_platform_oauth_redirect",
  },
  {
    client: "Codex",
    document: {
      client_id: "https://chatgpt.com/oauth/codex/client.json?callback_id=tUFh3K2q",
      client_name: "Codex",
      client_uri: "https://chatgpt.com/codex",
      redirect_uris: ["http://127.0.0.1/callback/tUFh3K2q", "http://localhost/callback/tUFh3K2q"],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      application_type: "native",
    },
    asks_for: "http://127.0.0.1:1455/callback/tUFh3K2q",
  },
  {
    client: "OpenCode",
    document: {
      client_id: "https://opencode.ai/oauth/opencode/client.json",
      client_name: "opencode",
      client_uri: "https://opencode.ai",
      logo_uri: "https://opencode.ai/web-app-manifest-512x512.png",
      application_type: "native",
      redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      token_endpoint_auth_methods_supported: ["none"],
    },
    asks_for: "http://127.0.0.1:19876/callback",
  },
];
