/** Messages to a syslog server that the operator named, by UDP, TCP or TLS. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect as connectTcp, isIP, isIPv6 } from "node:net";
import { connect as connectTls } from "node:tls";

export interface SyslogAddress {
  readonly transport: "udp" | "tcp" | "tls";
  readonly host: string;
  readonly port: number;
}

/** Bytes of a datagram; every receiver takes as many (RFC 5426 3.2). */
const longestDatagram = 2048;

/** UDP does not report whether a datagram arrived (RFC 5426). */
async function sendDatagrams(
  { host, port }: SyslogAddress,
  messages: readonly string[],
  { timeout }: SyslogOptions,
): Promise<void> {
  const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
  const failed = Promise.withResolvers<never>();
  // A failure to open a socket is reported only here: the datagram itself is never answered.
  socket.on("error", failed.reject);
  const timer = setTimeout(() => failed.reject(new Error(`not sent within ${timeout} ms`)), timeout);
  try {
    for (const message of messages) {
      const bytes = Buffer.from(message).subarray(0, longestDatagram);
      const sent = new Promise<void>((resolve, reject) =>
        socket.send(bytes, port, host, (error) => (error ? reject(error) : resolve())),
      );
      await Promise.race([sent, failed.promise]);
    }
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}

/**
 * A connection for one batch, with octet counting (RFC 6587 3.4.1, RFC 5425 4.3). Syslog has no answers:
 * delivery is confirmed when the receiver reads to the end, and closes after us.
 */
async function sendOnConnection(
  { transport, host, port }: SyslogAddress,
  messages: readonly string[],
  { timeout, ca }: SyslogOptions,
): Promise<"closed" | "left open"> {
  const name = isIP(host) ? {} : { servername: host };
  const socket =
    transport === "tls" ? connectTls({ host, port, ...name, ...(ca && { ca }) }) : connectTcp({ host, port });
  const signal = AbortSignal.timeout(timeout);
  try {
    await once(socket, transport === "tls" ? "secureConnect" : "connect", { signal });
    const closed = once(socket, "close", { signal });
    socket.resume();
    for (const message of messages) {
      const bytes = Buffer.from(message);
      socket.write(`${bytes.length} `);
      socket.write(bytes);
    }
    let sent = false;
    socket.end(() => {
      sent = true;
    });
    try {
      await closed;
    } catch (error) {
      // Everything was sent and nothing was refused: such a receiver keeps connections open.
      if (signal.aborted && sent) return "left open";
      throw error;
    }
    return "closed";
  } finally {
    socket.destroy();
  }
}

export interface SyslogOptions {
  /** Milliseconds for a batch: connecting, sending, closing. */
  readonly timeout: number;
  /** Certificates of authorities, in PEM, in place of the usual ones. */
  readonly ca?: string;
}

/** Sends messages in order. Throws if they may not have arrived. */
export async function sendSyslog(
  address: SyslogAddress,
  messages: readonly string[],
  options: SyslogOptions,
): Promise<void> {
  if (address.transport === "udp") await sendDatagrams(address, messages, options);
  else await sendOnConnection(address, messages, options);
}
