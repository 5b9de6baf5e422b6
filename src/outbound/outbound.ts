/**
 * Outbound requests to hosts that clients or administrators name. Only this module sends such requests;
 * `biome.json` forbids them in other modules.
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

export interface OutboundRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /**
   * An `https` URL without user information; `http` only for a host whose addresses are all private and
   * allowed by the operator.
   */
  readonly url: string;
  readonly accept: string;
  /** Set only for a host that issued a credential to this server. */
  readonly authorization?: string;
  readonly body?: { readonly type: string; readonly text: string };
  readonly traceparent?: string;
  readonly headers?: Readonly<Record<`webhook-${string}`, string>>;
  readonly max_bytes: number;
  /** Whether the caller needs only the status, so that the body cannot make the request fail. */
  readonly cut?: boolean;
  /** Milliseconds for the complete request: name resolution, connection and response. */
  readonly timeout: number;
}

/** Redirects are not followed, so `status` may be 3xx. */
export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
  /** Why the body is incomplete; set only if `cut` allows that. */
  readonly dropped?: "too_large" | "encoded" | "unfinished";
}

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

/** The message names the host and the error, and contains nothing from the response. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind;
  readonly host: string;

  constructor(kind: OutboundErrorKind, host: string, cause?: unknown) {
    super(`${host}: ${kind}`, { cause });
    this.name = "OutboundError";
    this.kind = kind;
    this.host = host;
  }
}

export interface Outbound {
  /** Throws `OutboundError`. */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
}

export interface OutboundOptions {
  /** CIDR blocks that may be reached although they are not public, even with `http`. */
  readonly allow?: readonly string[];
  /** Maximum number of concurrent requests. Further ones are rejected as `busy`. */
  readonly most_at_once?: number;
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Certificates, in PEM, of authorities that are trusted in addition to those of Node.js. */
  readonly ca?: string;
  /** A forward proxy (`CONNECT`) for everything except the allowed IP addresses. */
  readonly proxy?: URL;
}

/** Maximum bytes of the response headers, in which large providers send kilobytes of policies and cookies. */
const maxHeaderSize = 16_384;

/**
 * Bytes that a host may send before the response headers end (`mostBefore`), and in addition to the body
 * (`mostAround`). Node.js limits headers, but not blank lines, interim responses (103), chunk extensions or
 * leading zeros of chunk sizes.
 */
const mostBefore = 2 * maxHeaderSize;
const mostAround = 262_144;
/**
 * Many small segments cost more processor time than a large one, so each counts for at least this number of
 * bytes.
 */
const leastOfRead = 256;

/**
 * Returns the outbound client. Without a proxy, each request resolves its host once, checks every address,
 * and connects to a checked one. A proxy resolves the name again.
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

  /**
   * A single internal address that is not allowed makes the whole name invalid, because it may be an attack.
   */
  async function addressesOf({ hostname, host }: URL): Promise<{ addresses: string[]; internal: boolean }> {
    const literal = hostname.replace(/^\[(.*)\]$/, "$1");
    const addresses = isIP(literal) === 0 ? await resolve(hostname) : [literal];
    if (addresses.length === 0) {
      // With a proxy, public names often do not resolve locally.
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
      const socket =
        proxy === undefined || internal ? undefined : await untilAborted(tunnelTo(url, signal), signal);
      const answer = exchange({ request, url, addresses, signal, ca, socket });
      // With `cut`, `exchange` ends at the signal on its own, and returns the bytes that have arrived.
      return await (request.cut ? answer : untilAborted(answer, signal));
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (signal.aborted) throw new OutboundError("timeout", host, error);
      throw new OutboundError(kindOf(error), host, error);
    } finally {
      underWay -= 1;
    }
  }

  return { send };
}

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
  readonly socket: Duplex | undefined;
}

function exchange({ request, url, addresses, signal, ca, socket }: Exchange): Promise<OutboundAnswer> {
  const checked = addresses.map((address) => ({ address, family: isIP(address) }));
  const { method, accept, authorization, body, traceparent, headers } = request;
  const payload = body && Buffer.from(body.text);
  const { promise, resolve, reject } = Promise.withResolvers<OutboundAnswer>();
  let received: IncomingMessage | undefined;
  const outgoing = (url.protocol === "https:" ? httpsRequest : httpRequest)(
    url,
    {
      method,
      // Without an agent, no connection is kept and no proxy from the environment is used.
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
      received = answer;
      readAnswer(answer, url.host, request).then(resolve, (error) => {
        outgoing.destroy();
        reject(error);
      });
    },
  );
  outgoing.once("socket", (connection) => {
    let read = 0;
    connection.on("data", (chunk: Buffer) => {
      read += Math.max(chunk.length, leastOfRead);
      // In chunked encoding, a chunk of one byte takes six bytes, so valid responses may be larger than
      // their body.
      const most = received === undefined ? mostBefore : mostAround + 8 * request.max_bytes;
      if (read > most) (received ?? outgoing).destroy(new OutboundError("too_large", url.host));
    });
  });
  // If the host switches protocols without being asked (101), Node.js reports neither a response nor an
  // error.
  outgoing.once("upgrade", (_answer, socket) => {
    socket.destroy();
    reject(new Error("the host switched protocols"));
  });
  outgoing.on("error", (error) => {
    // Once the response headers have arrived, `readAnswer` reports two kinds of errors itself: a response
    // that is too large, and with `cut` any error.
    if (received !== undefined && request.cut) received.destroy(error);
    else if (received === undefined || !(error instanceof OutboundError)) reject(error);
  });
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
    return { status, headers, body: Buffer.alloc(0), dropped: "encoded" };
  }
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // Leaving the loop closes the connection.
    for await (const chunk of answer) {
      length += chunk.length;
      chunks.push(chunk);
      if (length > max_bytes) throw new OutboundError("too_large", host);
    }
  } catch (error) {
    if (!cut) throw error;
    const dropped = error instanceof OutboundError ? "too_large" : "unfinished";
    return { status, headers, body: Buffer.concat(chunks).subarray(0, max_bytes), dropped };
  }
  return { status, headers, body: Buffer.concat(chunks) };
}

function kindOf(error: unknown): OutboundErrorKind {
  const code = (error as { code?: string } | undefined)?.code ?? "";
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/.test(code)) return "tls";
  return code === "HPE_HEADER_OVERFLOW" ? "too_large" : "unreachable";
}

const dnsTimeout = 1000;

const systemHosts =
  process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/**
 * Returns all addresses of a host name. The hosts file takes precedence and is read each time, so changes
 * need no restart. DNS is queried directly: `getaddrinfo` would block threads that sign and hash.
 */
export async function resolveHost(host: string, hostsFile = systemHosts): Promise<readonly string[]> {
  const named = addressesIn(await readFile(hostsFile, "utf8").catch(() => ""), host);
  if (named.length > 0) return named;
  const resolver = new Resolver({ timeout: dnsTimeout, tries: 2 });
  const none = (): string[] => [];
  const found = await Promise.all([resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)]);
  return found.flat();
}

function addressesIn(hosts: string, host: string): readonly string[] {
  const wanted = host.toLowerCase().replace(/\.$/, "");
  return hosts.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    return isIP(address) > 0 && names.some((name) => name.toLowerCase() === wanted) ? [address] : [];
  });
}
