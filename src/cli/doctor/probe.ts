/** Simulates clients of the Model Context Protocol against a server, and reports how far each one gets. */
import { newCredential } from "../../crypto/credentials.ts";
import { sha256 } from "../../crypto/digest.ts";
import type { Finding } from "./findings.ts";
import type { McpClient } from "./mcp_clients.ts";

interface Played extends Finding {
  readonly left?: string | undefined;
}

interface Probe {
  /** The issuer, without a trailing slash. */
  readonly base: string;
  readonly metadata: Metadata;
  readonly token: string | undefined;
}

type Metadata = Readonly<Record<string, unknown>>;

/** Milliseconds for one request. */
const timeout = 15_000;

const elsewhere = "http://localhost:6274";

class Failed extends Error {}

function failed(why: string): never {
  throw new Failed(why);
}

async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(timeout) });
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return failed(`${url} is not reachable: ${cause?.code ?? "no response"}`);
  }
}

async function jsonOf(answer: Response, what: string): Promise<Metadata> {
  const value: unknown = await answer.json().catch(() => undefined);
  if (typeof value !== "object" || value === null)
    return failed(`${what} returned no JSON (${answer.status})`);
  return value as Metadata;
}

function listOf(metadata: Metadata, name: string): readonly string[] {
  const value = metadata[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Simulates every client. Failures of the server become findings and are not thrown. */
export async function playClients(
  base: string,
  clients: readonly McpClient[],
  token: string | undefined,
): Promise<readonly Played[]> {
  const findings: Played[] = [];
  let metadata: Metadata = {};
  await note(findings, "metadata", async () => {
    metadata = await metadataOf(base);
    return "has everything that these clients need";
  });
  if (findings.some(({ ok }) => !ok)) return findings;
  await note(findings, "a deleted client", () => goneClient(base));
  for (const client of clients) findings.push(await play(client, { base, metadata, token }));
  return findings;
}

async function note(findings: Played[], check: string, look: () => Promise<string>): Promise<void> {
  try {
    findings.push({ check, ok: true, detail: await look() });
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    findings.push({ check, ok: false, detail: error.message });
  }
}

/** Throws `Failed` if the metadata (RFC 8414 3) lacks something that the clients require (PR-1). */
async function metadataOf(base: string): Promise<Metadata> {
  const answer = await ask(`${base}/.well-known/oauth-authorization-server`);
  if (answer.status !== 200) failed(`the metadata of ${base} returned ${answer.status}`);
  const metadata = await jsonOf(answer, "the metadata");
  if (metadata.issuer !== base) {
    failed(`the metadata names the issuer ${JSON.stringify(metadata.issuer)}: use that address`);
  }
  if (!listOf(metadata, "code_challenge_methods_supported").includes("S256")) failed("S256 is not supported");
  if (metadata.authorization_response_iss_parameter_supported !== true)
    failed("responses do not contain the issuer (iss)");
  return metadata;
}

/**
 * Checks how the server refuses an unknown client: clients register again only if they get `invalid_client`
 * as JSON (PR-14, PR-15).
 */
async function goneClient(base: string): Promise<string> {
  const answer = await ask(`${base}/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "grant_type=refresh_token&refresh_token=none&client_id=postern-doctor-nobody",
  });
  const { error } = await jsonOf(answer, "the token endpoint");
  if (answer.status !== 401 || error !== "invalid_client") {
    failed(`gets ${answer.status} ${String(error)} at the token endpoint instead of 401 invalid_client`);
  }
  return "gets invalid_client and registers again";
}

async function play(client: McpClient, probe: Probe): Promise<Played> {
  const check = client.name;
  let left: string | undefined;
  try {
    const { metadata } = probe;
    const methods = listOf(metadata, "token_endpoint_auth_methods_supported");
    if (client.needs_method !== undefined && !methods.includes(client.needs_method)) {
      failed(`needs a server that supports the authentication method ${client.needs_method}`);
    }
    const takesDocuments = metadata.client_id_metadata_document_supported === true;
    const registers = typeof metadata.registration_endpoint === "string";
    for (const identity of client.identities) {
      if (identity === "metadata_document" && takesDocuments) {
        if (client.document !== undefined) {
          const { says, redirect_uri } = client.document;
          await reachSignIn(says.client_id, redirect_uri, probe);
          return { check, ok: true, detail: `identifies itself by its document ${says.client_id}` };
        }
        if (!registers)
          return { check, ok: true, detail: "identifies itself by its own document; not tried" };
      }
      if (identity === "registration" && registers && client.registration !== undefined) {
        left = await register(client, probe);
        await reachSignIn(left, client.redirect_uri, probe);
        return { check, ok: true, detail: `registers itself; created the client ${left}`, left };
      }
    }
    return failed(
      client.identities.includes("registered_before")
        ? "must be registered in advance: the server accepts neither documents nor registrations"
        : "cannot connect: the server accepts neither documents nor registrations (set POSTERN_PROFILES=mcp and open an API to any client)",
    );
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const detail = left === undefined ? error.message : `${error.message}; created the client ${left}`;
    return { check, ok: false, detail, left };
  }
}

async function register(client: McpClient, { metadata, token }: Probe): Promise<string> {
  const endpoint = String(metadata.registration_endpoint);
  const headers = {
    ...client.headers,
    "content-type": "application/json",
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(client.in_browser && { origin: elsewhere }),
  };
  if (client.in_browser) await preflight(endpoint, client);
  const answer = await ask(endpoint, { method: "POST", headers, body: JSON.stringify(client.registration) });
  const registered = await jsonOf(answer, "registering");
  if (answer.status === 401) failed("needs an initial access token to register: use --token");
  if (answer.status !== 201 || typeof registered.client_id !== "string") {
    failed(`cannot register: ${String(registered.error)} (${String(registered.error_description)})`);
  }
  const wanted = client.registration?.redirect_uris as readonly string[] | undefined;
  const lost = wanted?.filter((uri) => !listOf(registered, "redirect_uris").includes(uri)) ?? [];
  if (lost.length > 0) failed(`loses the redirect URIs ${lost.join(", ")} when it registers`);
  if (client.in_browser && answer.headers.get("access-control-allow-origin") !== "*") {
    failed(
      "runs in a browser and cannot read the response to its registration: Access-Control-Allow-Origin is not *",
    );
  }
  return registered.client_id;
}

async function preflight(endpoint: string, client: McpClient): Promise<void> {
  const wanted = ["content-type", ...Object.keys(client.headers ?? {})];
  const answer = await ask(endpoint, {
    method: "OPTIONS",
    headers: {
      origin: elsewhere,
      "access-control-request-method": "POST",
      "access-control-request-headers": wanted.join(","),
    },
  });
  const allowed = (answer.headers.get("access-control-allow-headers") ?? "").toLowerCase().split(/,\s*/);
  const missing = wanted.filter((name) => !allowed.includes(name));
  if (!answer.ok || missing.length > 0) {
    failed(`may not send ${missing.join(", ") || "anything"} to ${endpoint} from a page of another origin`);
  }
}

async function reachSignIn(
  client_id: string,
  redirect_uri: string,
  { base, metadata }: Probe,
): Promise<void> {
  const verifier = newCredential("", new Date());
  const query = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri,
    state: "doctor",
    code_challenge: sha256(verifier).toString("base64url"),
    code_challenge_method: "S256",
  });
  const answer = await ask(`${String(metadata.authorization_endpoint)}?${query}`, {
    headers: { accept: "text/html" },
  });
  await answer.body?.cancel();
  const location = answer.headers.get("location") ?? "";
  const led = URL.parse(location, base);
  if (led?.origin === base && led.pathname === "/login") return;
  const error = led?.searchParams.get("error");
  failed(
    location === ""
      ? answer.status === 503 && client_id.startsWith("https:")
        ? `the server cannot fetch its document ${client_id}: it has no outbound access, or the host is down`
        : `gets an error page (${answer.status}) with the redirect URI ${redirect_uri}`
      : error
        ? `gets a redirect with the error ${error}`
        : `is redirected to ${location}`,
  );
}
