/**
 * An MCP server (streamable HTTP) that accepts access tokens of one authorization server, issued for this
 * MCP server. It uses only standards: JWT access tokens (RFC 9068), metadata (RFC 9728) and challenges
 * (RFC 6750).
 */
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createRemoteJWKSet, jwtVerify } from "jose";

const port = Number(process.env.PORT ?? 8080);
const issuer = process.env.ISSUER ?? "http://localhost:3000";
/**
 * The identifier of this server's record at the authorization server, and the URL that users enter in their
 * MCP client.
 */
const resource = new URL(process.env.RESOURCE ?? `http://127.0.0.1:${port}/mcp`);

// RFC 9728 3.1: the path of the resource follows the well-known one.
const metadataUrl = new URL(`/.well-known/oauth-protected-resource${resource.pathname}`, resource);
const maxBytes = 1_000_000;

/** The scope that every request needs; a tool may need one more. */
const usual = "tools:read";
const counts = new Map();
const tools = {
  whoami: {
    description: "Who is signed in, by which client, with which scopes",
    run: ({ sub, client_id, scope }) => `${sub} by ${client_id} with ${scope}`,
  },
  count: {
    description: "Raises your counter by one",
    scope: "tools:write",
    run({ sub }) {
      counts.set(sub, (counts.get(sub) ?? 0) + 1);
      return `your counter is at ${counts.get(sub)}`;
    },
  },
};

/** A response that is sent in place of the result. */
class Refusal extends Error {
  constructor(status, parameters) {
    super(`refused with ${status}`);
    this.status = status;
    this.challenge = parameters && { ...parameters, resource_metadata: metadataUrl };
  }
}

const { keys, authorization_server } = await authorizationServer();

/** RFC 8414: the metadata contains the URL of the keys. Its issuer must be the configured one. */
async function authorizationServer() {
  const answer = await fetch(`${issuer}/.well-known/oauth-authorization-server`).catch(() => undefined);
  if (answer === undefined) {
    console.error(`${issuer} does not respond: start Postern first, or set ISSUER to its URL`);
    process.exit(1);
  }
  const metadata = await answer.json();
  if (metadata.issuer !== issuer)
    throw new Error(`the metadata of ${issuer} contains another issuer, ${metadata.issuer}`);
  return { keys: createRemoteJWKSet(new URL(metadata.jwks_uri)), authorization_server: metadata.issuer };
}

/** Returns the claims of the caller's access token. Throws `Refusal` without a valid one. */
async function claimsOf({ headers }) {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  if (token === undefined) throw new Refusal(401, { scope: usual });
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: resource.href,
      typ: "at+jwt",
      algorithms: ["RS256", "PS256", "ES256", "EdDSA"],
      requiredClaims: ["exp", "sub", "client_id"],
    });
    // A token that is bound to a key (RFC 9449) must not be accepted as a bearer token.
    if (payload.cnf !== undefined) throw new Refusal(401, { error: "invalid_token", scope: usual });
    return payload;
  } catch (error) {
    // Other codes mean that the keys could not be fetched, which is not the caller's error.
    if (!/^ERR_(?:JWT_|JWS_|JWKS_NO_|JWKS_MULTIPLE_|JOSE_ALG_|JOSE_NOT_)/.test(error.code)) throw error;
    throw new Refusal(401, { error: "invalid_token", scope: usual });
  }
}

async function bodyOf(request) {
  if (Number(request.headers["content-length"]) > maxBytes) throw new Refusal(413);
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Refusal(413);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks));
  } catch {
    throw new Refusal(400);
  }
}

/** Throws `Refusal` unless the token's scopes cover every message of the body. */
function requireScopes(body, claims) {
  const needed = new Set([usual]);
  for (const message of [body].flat()) {
    const name = message?.method === "tools/call" ? message.params?.name : undefined;
    if (Object.hasOwn(tools, name) && tools[name].scope) needed.add(tools[name].scope);
  }
  const granted = String(claims.scope ?? "").split(" ");
  if ([...needed].every((scope) => granted.includes(scope))) return;
  throw new Refusal(403, { error: "insufficient_scope", scope: [...needed].join(" ") });
}

async function answer(request, response) {
  // Prevents DNS rebinding: a page whose host name resolves to this server's address sends that host
  // name.
  if (request.headers.host !== resource.host) throw new Refusal(421);
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-expose-headers", "www-authenticate");
  response.setHeader("access-control-allow-headers", "authorization, content-type, mcp-protocol-version");
  if (request.method === "OPTIONS") return response.writeHead(204).end();
  const { pathname } = new URL(request.url, resource);
  if (pathname === metadataUrl.pathname) {
    const scopes_supported = ["tools:read", "tools:write"];
    const metadata = { resource, authorization_servers: [authorization_server], scopes_supported };
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata));
  }
  if (pathname !== resource.pathname) throw new Refusal(404);
  const claims = await claimsOf(request);
  if (request.method !== "POST") throw new Refusal(405);
  const body = await bodyOf(request);
  requireScopes(body, claims);

  // A new server for each request, so that no data of one user remains for the next.
  const server = new McpServer({ name: "tools", version: "1.0.0" });
  for (const [name, { description, run }] of Object.entries(tools))
    server.registerTool(name, { description }, () => ({ content: [{ type: "text", text: run(claims) }] }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.on("close", () => server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response, body);
}

function refuse(error, response) {
  if (!(error instanceof Refusal)) console.error(error);
  if (response.headersSent) return response.destroy();
  const parameters = Object.entries(error.challenge ?? {}).map(([name, value]) => `${name}="${value}"`);
  if (parameters.length > 0) response.setHeader("www-authenticate", `Bearer ${parameters.join(", ")}`);
  response.writeHead(error.status ?? 503).end();
}

createServer((request, response) =>
  answer(request, response).catch((error) => refuse(error, response)),
).listen(port, process.env.HOST ?? "127.0.0.1", () =>
  console.log(`MCP server at ${resource}, tokens from ${issuer}`),
);
