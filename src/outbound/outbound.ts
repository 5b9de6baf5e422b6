/**
 * Outbound requests to hosts that callers name: documents of clients, key sets, notices of sign-out. The only
 * place from which such a request leaves; `biome.json` forbids any other.
 */
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { getCACertificates } from "node:tls";
import { addressBlocks, isPublicAddress, isWithin } from "../records/names/public_addresses.ts";
import { mayBePublic, openTunnel } from "./proxy_tunnel.ts";

/** The parameters of one request. */
export interface OutboundRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** An `https` URL without user information; `http` only to addresses that the operator allowed. */
  readonly url: string;
  /** Media types for the header `Accept`. */
  readonly accept: string;
  /** The header `Authorization`, for a host that has a credential from us. */
  readonly authorization?: string;
  readonly body?: { readonly type: string; readonly text: string };
  /** The header `traceparent` (W3C Trace Context). */
  readonly traceparent?: string;
  /** Further headers, such as a signature of the body. */
  readonly headers?: Readonly<Record<`webhook-${string}`, string>>;
  /** Bytes of the answer's body. */
  readonly max_bytes: number;
  /** Whether the status counts whatever the body is: a longer one is cut, a compressed one dropped. */
  readonly cut?: boolean;
  /** Milliseconds for all of it: resolving, connecting, answering. */
  readonly timeout: number;
}

/** The response, with any status: redirects are not followed. */
export interface OutboundAnswer {
  readonly status: number;
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Why a request was not made, or has no answer. */
export type OutboundErrorKind =
  | "not_a_url"
  | "not_https"
  | "has_user_info"
  | "unresolved"
  | "internal_address"
  | "busy"
  | "timeout"
  | "unreachable"
  | "proxy"
  | "tls"
  | "too_large"
  | "encoded";

/** No answer arrived. The message names the host and the error; it contains nothing of the response. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, host: string, cause?: unknown) {
    super(`${host}: ${kind}`, { cause });
    this.name = "OutboundError";
    this.kind = kind;
  }
}

/** The way out, as a value that is handed to the rooms. */
export interface Outbound {
  /** Makes one request. Throws `OutboundError`. */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
}

export interface OutboundOptions {
  /** CIDR blocks that may be reached although they are not public, and by `http`, too. */
  readonly allow?: readonly string[];
  /** Concurrent requests; more are refused as `busy`. */
  readonly most_at_once?: number;
  /** All addresses of a host name. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Certificates of trusted authorities in addition to those of Node, in PEM. */
  readonly ca?: string;
  /** A forward proxy (`CONNECT`) to everything but the allowed addresses; `http` or `https`. */
  readonly proxy?: URL;
}

/** Headers of an answer, in bytes: large providers send kilobytes of policies and cookies with each. */
const maxHeaderSize = 16_384;

/**
 * The outbound client. Each request resolves its host once, checks every address, and connects to one that it
 * checked. Through a proxy the name is checked in the same way as far as it is known here, and the proxy
 * resolves it again.
 */
export function createOutbound({
  allow = [],
  most_at_once = 120,
  resolve = resolveHost,
  ca: own_ca,
  proxy,
}: OutboundOptions = {}): Outbound {
  const allowed = addressBlocks(allow);
  const ca = own_ca === undefined ? undefined : [...getCACertificates(), own_ca];
  let underWay = 0;

  /** The addresses to connect to. One that leads inside spoils the name: it is the mark of an attack. */
  async function addressesOf({ hostname, host }: URL): Promise<{ addresses: string[]; internal: boolean }> {
    const literal = hostname.replace(/^\[(.*)\]$/, "$1");
    const addresses = isIP(literal) === 0 ? await resolve(hostname) : [literal];
    if (addresses.length === 0) {
      // Behind a proxy, foreign names often do not resolve.
      if (proxy !== undefined && mayBePublic(hostname)) return { addresses: [], internal: false };
      throw new OutboundError("unresolved", host);
    }
    const inside = addresses.filter((address) => !isPublicAddress(address));
    if (inside.some((address) => !isWithin(allowed, address)))
      throw new OutboundError("internal_address", host);
    return { addresses: [...addresses], internal: inside.length === addresses.length };
  }

  async function tunnelTo({ hostname, port, host }: URL, signal: AbortSignal): Promise<Duplex> {
    try {
      return await openTunnel(proxy as URL, `${hostname}:${port || 443}`, { signal, ca });
    } catch (error) {
      if (signal.aborted) throw error;
      throw new OutboundError("proxy", host, error);
    }
  }

  async function send(request: OutboundRequest): Promise<OutboundAnswer> {
    const url = URL.parse(request.url);
    if (url === null) throw new OutboundError("not_a_url", "the address");
    const { protocol, host } = url;
    if (protocol !== "https:" && protocol !== "http:") throw new OutboundError("not_https", host);
    if (url.username !== "" || url.password !== "") throw new OutboundError("has_user_info", host);
    if (underWay >= most_at_once) throw new OutboundError("busy", host);
    underWay += 1;
    const signal = AbortSignal.timeout(request.timeout);
    try {
      const { addresses, internal } = await untilAborted(addressesOf(url), signal);
      if (protocol === "http:" && !internal) throw new OutboundError("not_https", host);
      // Whatever the host does, nothing is waited for beyond the time that there is.
      const socket =
        proxy === undefined || internal ? undefined : await untilAborted(tunnelTo(url, signal), signal);
      return await untilAborted(exchange({ request, url, addresses, signal, ca, socket }), signal);
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (signal.aborted) throw new OutboundError("timeout", host, error);
      throw new OutboundError(isTlsError(error) ? "tls" : "unreachable", host, error);
    } finally {
      underWay -= 1;
    }
  }

  return { send };
}

/** Resolves with the work, or rejects when the signal comes first. */
async function untilAborted<R>(work: Promise<R>, signal: AbortSignal): Promise<R> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

interface Exchange {
  readonly request: OutboundRequest;
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly signal: AbortSignal;
  readonly ca: readonly string[] | undefined;
  /** The tunnel through a proxy. */
  readonly socket: Duplex | undefined;
}

/** Sends the request to the addresses that were checked; no name is looked up again. */
function exchange({ request, url, addresses, signal, ca, socket }: Exchange): Promise<OutboundAnswer> {
  const checked = addresses.map((address) => ({ address, family: isIP(address) }));
  const { method, accept, authorization, body, traceparent, headers } = request;
  const payload = body && Buffer.from(body.text);
  const { promise, resolve, reject } = Promise.withResolvers<OutboundAnswer>();
  const outgoing = (url.protocol === "https:" ? httpsRequest : httpRequest)(
    url,
    {
      method,
      // An agent of its own: no connection is kept, and no proxy of the environment is asked.
      agent: false,
      signal,
      maxHeaderSize,
      lookup: (_hostname, options, callback) => {
        const [first] = checked;
        if (options.all) callback(null, checked);
        else callback(null, first?.address ?? "", first?.family);
      },
      headers: {
        accept,
        "accept-encoding": "identity",
        "user-agent": "Postern",
        ...headers,
        ...(authorization !== undefined && { authorization }),
        ...(traceparent !== undefined && { traceparent }),
        ...(body && payload && { "content-type": body.type, "content-length": payload.length }),
      },
      ...(ca && { ca: [...ca] }),
      ...(socket && { socket }),
    },
    (answer) => {
      readAnswer(answer, url.host, request).then(resolve, (error) => {
        outgoing.destroy();
        reject(error);
      });
    },
  );
  // A host that switches protocols unrequested (101) causes neither an answer nor an error.
  outgoing.once("upgrade", (_answer, socket) => {
    socket.destroy();
    reject(new Error("the host switched protocols"));
  });
  outgoing.on("error", reject);
  outgoing.end(payload);
  return promise;
}

async function readAnswer(
  answer: IncomingMessage,
  host: string,
  { max_bytes, cut = false }: Pick<OutboundRequest, "max_bytes" | "cut">,
): Promise<OutboundAnswer> {
  const { statusCode: status = 0, headers } = answer;
  // A small compressed body may expand to a large one.
  if ((headers["content-encoding"] ?? "identity") !== "identity") {
    if (!cut) throw new OutboundError("encoded", host);
    answer.destroy();
    return { status, headers, body: Buffer.alloc(0) };
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    length += chunk.length;
    if (length > max_bytes && !cut) throw new OutboundError("too_large", host);
    chunks.push(chunk);
    // Leaving the loop closes the connection.
    if (length > max_bytes) break;
  }
  return { status, headers, body: Buffer.concat(chunks).subarray(0, max_bytes) };
}

function isTlsError(error: unknown): boolean {
  const code = (error as { code?: string } | undefined)?.code ?? "";
  return /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/.test(code);
}

/** Waits for DNS, in milliseconds for each of two tries. */
const dnsTimeout = 1000;

const systemHosts =
  process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/**
 * All addresses of a host name; none if it is unknown. The hosts file comes first and is read each time, so
 * that a change needs no restart. DNS is asked directly: `getaddrinfo` would hold threads that sign and hash.
 */
export async function resolveHost(host: string, hostsFile = systemHosts): Promise<readonly string[]> {
  const named = addressesIn(await readFile(hostsFile, "utf8").catch(() => ""), host);
  if (named.length > 0) return named;
  const resolver = new Resolver({ timeout: dnsTimeout, tries: 2 });
  const none = (): string[] => [];
  const found = await Promise.all([resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)]);
  return found.flat();
}

/** The addresses that a hosts file gives this name (hosts(5)). */
function addressesIn(hosts: string, host: string): readonly string[] {
  const wanted = host.toLowerCase().replace(/\.$/, "");
  return hosts.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    return isIP(address) > 0 && names.some((name) => name.toLowerCase() === wanted) ? [address] : [];
  });
}
