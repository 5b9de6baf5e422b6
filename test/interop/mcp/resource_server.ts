/** A small MCP server that takes tokens of an authorization server: the resource of the tests. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from "jose";

export interface ResourceServer {
  /** Its identifier, and the address at which MCP clients connect. */
  readonly url: string;
  /** The claims of each token that it let in. */
  readonly admitted: readonly JWTPayload[];
  /** Says whose tokens count; before that nobody gets in. */
  trust(issuer: string): void;
  /** What its challenge asks for; undefined leaves the scope out. */
  askFor(scope: string | undefined): void;
  close(): Promise<void>;
}

/** `scopes` are those of its metadata; undefined leaves them out. */
export async function resourceServer(scopes?: readonly string[]): Promise<ResourceServer> {
  const admitted: JWTPayload[] = [];
  let issuer = "";
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  let wanted: string | undefined;
  const wellKnown = "/.well-known/oauth-protected-resource/mcp";

  async function claimsOf({ headers }: IncomingMessage): Promise<JWTPayload | undefined> {
    const [, token] = /^Bearer (\S+)$/i.exec(headers.authorization ?? "") ?? [];
    if (token === undefined || keys === undefined) return undefined;
    const verified = await jwtVerify(token, keys, { issuer, audience: url, typ: "at+jwt" }).catch(() => null);
    return verified?.payload;
  }

  function challenge(response: ServerResponse, status: number, error: string, scope: string | undefined) {
    const more = scope === undefined ? "" : `, scope="${scope}"`;
    const header = `Bearer error="${error}", resource_metadata="${new URL(wellKnown, url)}"${more}`;
    response.writeHead(status, { "www-authenticate": header }).end();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (body: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    const { pathname } = new URL(request.url ?? "/", url);
    if (pathname === wellKnown) {
      json({ resource: url, authorization_servers: [issuer], ...(scopes && { scopes_supported: scopes }) });
      return;
    }
    if (pathname !== "/mcp") return void response.writeHead(404).end();
    const claims = await claimsOf(request);
    if (claims === undefined) return challenge(response, 401, "invalid_token", wanted);
    const granted = String(claims.scope).split(" ");
    if (wanted?.split(" ").some((scope) => !granted.includes(scope))) {
      return challenge(response, 403, "insufficient_scope", wanted);
    }
    admitted.push(claims);
    const body = request.method === "POST" ? JSON.parse(await text(request)) : undefined;
    const server = new McpServer({ name: "orders", version: "1" });
    server.tool("whoami", async () => ({
      content: [{ type: "text", text: `${claims.sub} by ${claims.client_id} with ${claims.scope}` }],
    }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    response.on("close", () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response, body);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return {
    url,
    admitted,
    trust(base_url) {
      issuer = base_url;
      keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", base_url));
    },
    askFor(scope) {
      wanted = scope;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
