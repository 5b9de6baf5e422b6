/** A mail server on loopback that stores received mails. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { after } from "node:test";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { until } from "./until.ts";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The mail as received (RFC 5322). */
  readonly raw: string;
  readonly encrypted: boolean;
}

export interface TestSmtpServer {
  readonly port: number;
  /** The received mails, oldest first. */
  readonly received: readonly ReceivedMail[];
  /** Resolves when `count` mails have arrived; fails after ten seconds. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface SmtpServerOptions extends Pick<SMTPServerOptions, "secure" | "disabledCommands" | "onAuth"> {
  readonly port?: number;
  /** Receives the function that accepts a complete mail; by default it is called immediately. */
  readonly answer?: (done: () => void) => void;
  /** Returns the refusal of a recipient, with a status of RFC 5321; undefined accepts the mail. */
  readonly refusal?: (attempt: number) => { status: number; text: string } | undefined;
}

/** Starts a server that ends with the tests of the file, by default without STARTTLS. */
export async function smtpServer({
  port = 0,
  refusal = () => undefined,
  answer = (done) => done(),
  ...options
}: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  let attempts = 0;
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authOptional: options.onAuth === undefined,
    ...options,
    logger: false,
    onRcptTo(_address, _session, done) {
      attempts += 1;
      const refused = refusal(attempts);
      done(refused && Object.assign(new Error(refused.text), { responseCode: refused.status }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
          encrypted: session.secure,
        });
        answer(() => done());
      });
    },
  });
  // A test of the mail client covers a client that disconnects midway.
  server.on("error", () => {});
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= new Promise<void>((resolve) => server.close(() => resolve()));
    return closing;
  };
  after(close);
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    async arrived(count) {
      await until(() => received.length >= count, `${count} mails come`);
    },
    close,
  };
}

/**
 * Returns a loopback port that refuses connections: the local end of a connection that stays open until the
 * tests of the file have ended, so that no other process can listen there.
 */
export async function deadPort(): Promise<number> {
  const far = createServer().listen(0, "127.0.0.1");
  await once(far, "listening");
  const near = connect((far.address() as AddressInfo).port, "127.0.0.1");
  after(() => {
    near.destroy();
    far.close();
  });
  await once(near, "connect");
  return near.localPort ?? 0;
}

/** Returns the headers of a mail, by lower-case name, and its readable parts. */
export function readMail(raw: string): { headers: ReadonlyMap<string, string>; text: string; html: string } {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const headers = headersOf(head);
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get("content-type") ?? "")?.[1];
  if (boundary === undefined) throw new Error("the mail has no parts");
  const parts = rest.join("\r\n\r\n").split(`--${boundary}`).slice(1, -1).map(partOf);
  const find = (type: string) => parts.find((part) => part.type.startsWith(type))?.body ?? "";
  return { headers, text: find("text/plain"), html: find("text/html") };
}

function headersOf(head: string): Map<string, string> {
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), decodedWords(line.slice(colon + 1).trim())];
    }),
  );
}

function partOf(part: string): { type: string; body: string } {
  const [head = "", ...rest] = part.replace(/^\r\n/, "").split("\r\n\r\n");
  const headers = headersOf(head);
  const body = rest.join("\r\n\r\n");
  const encoding = headers.get("content-transfer-encoding");
  const bytes =
    encoding === "base64"
      ? Buffer.from(body, "base64")
      : encoding === "quoted-printable"
        ? unquoted(body.replace(/=\r\n/g, ""))
        : Buffer.from(body);
  return { type: headers.get("content-type") ?? "", body: bytes.toString().replaceAll("\r\n", "\n") };
}

/** Decodes the encoded words of RFC 2047. */
function decodedWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, body: string) =>
      (kind.toLowerCase() === "b"
        ? Buffer.from(body, "base64")
        : unquoted(body.replaceAll("_", " "))
      ).toString(),
    );
}

function unquoted(text: string): Buffer {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1");
}
