/** Starts a server for MCP clients, with a resource that any client may request. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { certificate, loopbackServer } from "../../outbound/tls_server.ts";
import { freePort } from "../../support/free_port.ts";
import { type ServedProcess, servedProcess } from "../../support/process.ts";
import { temporaryFolder } from "../../support/temp.ts";
import { ada, manifest } from "../registrations.ts";
import { exampleServer, exampleUrl } from "./example_server.ts";

export interface McpScenario {
  readonly served: ServedProcess;
  /** The address and identifier of the MCP server. */
  readonly resource: string;
  /** A free port for the callback of every client in the test. */
  readonly port: number;
  readonly redirect_uri: string;
  /** The methods by which a client identifies itself, by name, with the metadata that each requires. */
  readonly identities: {
    readonly "registered before": { readonly client_id: string };
    readonly "by its document": { readonly document: string };
    readonly "by registration": Readonly<Record<string, never>>;
  };
  /** Registers a client by RFC 7591, and returns its identifier. */
  register(): Promise<string>;
  close(): Promise<void>;
}

const scopes = { "tools:read": "Use the tools", "tools:write": "Change data with the tools" };

export async function mcpScenario(): Promise<McpScenario> {
  const resourcePort = await freePort();
  const resource = exampleUrl(resourcePort);
  const port = await freePort();
  const redirect_uri = `http://127.0.0.1:${port}/callback`;
  const usual = {
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  const documents = await loopbackServer((request, response) => {
    const client_id = `https://127.0.0.1:${documents.port}${request.url}`;
    const redirect_uris = ["http://127.0.0.1/callback", "http://localhost/callback"];
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ ...usual, client_id, client_name: "Tools", redirect_uris }));
  });
  const authorities = join(temporaryFolder(), "authorities.pem");
  writeFileSync(authorities, certificate);
  const tools = {
    client_id: "tools",
    name: "Tools",
    app_type: "native",
    public: true,
    owner: ada.email,
    redirect_uris: [redirect_uri],
    allowed_scopes: [...Object.keys(scopes), "offline_access"],
    default_scopes: ["tools:read"],
  };
  const orders = {
    identifier: resource,
    name: "Orders",
    scopes,
    default_scopes: ["tools:read"],
    who_may_ask: "any",
  };
  const served = await servedProcess({
    manifest: { ...manifest, apps: [...manifest.apps, tools], resources: [orders] },
    environment: {
      POSTERN_PROFILES: "mcp",
      POSTERN_REGISTRATION: "open",
      POSTERN_OUTBOUND_ALLOW: "127.0.0.1",
      NODE_EXTRA_CA_CERTS: authorities,
    },
  }).catch(async (error: unknown) => {
    await documents.close();
    throw error;
  });
  const example = await exampleServer(resourcePort, served.url);
  return {
    served,
    resource,
    port,
    redirect_uri,
    identities: {
      "registered before": { client_id: "tools" },
      "by its document": { document: `https://127.0.0.1:${documents.port}/tools.json` },
      "by registration": {},
    },
    async register() {
      const body = JSON.stringify({ ...usual, client_name: "Tools", redirect_uris: [redirect_uri] });
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${served.url}/oauth/register`, { method: "POST", headers, body });
      const { client_id } = (await answer.json()) as { client_id?: unknown };
      if (answer.status !== 201) throw new Error(`the client was not registered: ${answer.status}`);
      return String(client_id);
    },
    async close() {
      await Promise.all([served.stop(), example.stop(), documents.close()]);
    },
  };
}
