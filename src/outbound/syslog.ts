/** Sends messages to the operator's syslog server over UDP, TCP or TLS. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect as connectTcp, isIP, isIPv6 } from "node:net";
import { connect as connectTls } from "node:tls";

export interface SyslogAddress {
  readonly transport: "udp" | "tcp" | "tls";
  readonly host: string;
  readonly port: number;
}

/** Bytes; receivers should accept this size (RFC 5426, section 3.2). */
const longestDatagram = 2048;

async function sendDatagrams(
  { host, port }: SyslogAddress,
  messages: readonly string[],
  { timeout }: SyslogOptions,
): Promise<void> {
  const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
  const failed = Promise.withResolvers<never>();
  // Only failures to open a socket are reported here; datagrams are never acknowledged.
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
 * Messages are sent with octet counting (RFC 6587, section 3.4.1; RFC 5425, section 4.3). Syslog has no
 * responses. Delivery is confirmed when the receiver reads everything and then closes the connection too.
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
      // Everything was sent, and the receiver reported no error but keeps the connection open.
      if (signal.aborted && sent) return "left open";
      throw error;
    }
    return "closed";
  } finally {
    socket.destroy();
  }
}

interface SyslogOptions {
  /** Milliseconds for a batch: connecting, sending and closing. */
  readonly timeout: number;
  /** Certificates, in PEM, of the authorities that are trusted instead of the default ones. */
  readonly ca?: string;
}

/**
 * Sends messages in order. Over TCP and TLS, throws unless all were sent and the receiver reported no error.
 * Over UDP, a lost message remains unnoticed.
 */
export async function sendSyslog(
  address: SyslogAddress,
  messages: readonly string[],
  options: SyslogOptions,
): Promise<void> {
  if (address.transport === "udp") await sendDatagrams(address, messages, options);
  else await sendOnConnection(address, messages, options);
}
