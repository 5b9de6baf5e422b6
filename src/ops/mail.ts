/** Email over SMTP, and an outbox for development. */
import { PassThrough } from "node:stream";
import type { Transporter } from "nodemailer";
import type { Mail } from "../records/names/notices.ts";
import { factsOf, type Mailer, type MailOptions, mailQueue } from "./mail_queue.ts";

export interface SmtpOptions extends MailOptions {
  /** `smtp://user:password@host:587` or `smtps://host:465`; the query may contain nodemailer options. */
  readonly smtp_url: string;
  /** An email address, or `Name <address>`. */
  readonly from: string;
  readonly now: () => Date;
  /** Returns the email address with its domain as A-labels. */
  readonly mailAddress: (email: string) => string;
  /** Milliseconds for sending the email, and for the mail server's reply to the sent email. */
  readonly sending_time?: number;
  readonly answer_time?: number;
}

/** Milliseconds from connecting to the last byte, even with a slow server. */
const sendingTime = 60_000;
/**
 * In milliseconds. A server that inspects the email may take this long to reply (RFC 5321, section
 * 4.5.3.2.6). With a shorter limit, the email would be sent a second time.
 */
const answerTime = 600_000;

export async function createMailer({
  smtp_url,
  from,
  now,
  mailAddress,
  sending_time = sendingTime,
  answer_time = answerTime,
  ...options
}: SmtpOptions): Promise<Mailer> {
  async function deliver({ to, ...content }: Mail): Promise<void> {
    const transport = await smtpTransport(smtp_url, sending_time + answer_time);
    const given_up = new AbortController();
    const giveUp = () => given_up.abort();
    let deadline = setTimeout(giveUp, sending_time);
    transport.use("stream", ({ message }, done) => {
      message.transform(
        () =>
          new PassThrough({
            flush(end) {
              clearTimeout(deadline);
              if (!given_up.signal.aborted) deadline = setTimeout(giveUp, answer_time);
              end();
            },
          }),
      );
      done();
    });
    try {
      const mail = {
        ...content,
        from,
        // The recipient is an object, because nodemailer would parse a string as a list of addresses.
        to: { name: "", address: mailAddress(to) },
        date: now(),
        // RFC 3834, section 5: suppresses automatic replies.
        headers: { "Auto-Submitted": "auto-generated" },
        signal: given_up.signal,
      };
      await transport.sendMail(mail);
    } catch (error) {
      throw given_up.signal.aborted
        ? Object.assign(new Error("the mail server took too long"), { code: "ETIMEDOUT" })
        : error;
    } finally {
      clearTimeout(deadline);
      transport.close();
    }
  }
  return mailQueue(deliver, options);
}

/**
 * Connects to the mail server with encryption and authentication, and disconnects without sending an email.
 * The returned error quotes neither the password nor the reply of the mail server.
 */
export async function mailServerError(smtp_url: string): Promise<string | undefined> {
  const transport = await smtpTransport(smtp_url);
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    const { error: code, smtp_status } = factsOf(error);
    const status = smtp_status === undefined ? "" : ` (${String(smtp_status)})`;
    return `${smtpErrors[String(code)] ?? `violates the protocol: ${String(code)}`}${status}`;
  } finally {
    transport.close();
  }
}

const smtpErrors: Readonly<Record<string, string>> = {
  EAUTH: "rejects the user name and password of POSTERN_SMTP_URL",
  ETLS: "cannot be reached with encryption: it does not offer STARTTLS, or its certificate is not trusted",
  EDNS: "has an unknown host name",
  ENOTFOUND: "has an unknown host name",
  ECONNECTION: "cannot be reached",
  ECONNREFUSED: "refuses the connection",
  ESOCKET: "cannot be reached, or closed the connection",
  ETIMEDOUT: "did not respond in time",
};

async function smtpTransport(smtp_url: string, socketTimeout = 20_000): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const url = new URL(smtp_url);
  // nodemailer's log lines would contain email addresses, and the query takes precedence over the options.
  for (const name of ["logger", "debug", "transactionLog"]) url.searchParams.delete(name);
  return createTransport({
    url: url.href,
    ...encryption(url),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Email to another machine is encrypted (STARTTLS, RFC 3207), because a password reset link is as powerful as
 * the password. The URL may disable this.
 */
function encryption({ hostname, searchParams }: URL): { requireTLS?: true } {
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
  return isHere || searchParams.has("requireTLS") || searchParams.has("ignoreTLS")
    ? {}
    : { requireTLS: true };
}

interface KeptMail extends Mail {
  readonly kept_at: Date;
}

export interface Outbox extends Mailer {
  /** Returns the emails in the outbox, newest first. */
  kept(): readonly KeptMail[];
}

/** Returns an outbox of the newest emails, for development. */
export function createOutbox({ now, ...options }: MailOptions & { readonly now: () => Date }): Outbox {
  const kept: KeptMail[] = [];
  const queue = mailQueue(async (mail) => {
    kept.unshift({ ...mail, kept_at: now() });
    kept.length = Math.min(kept.length, 50);
  }, options);
  return { ...queue, kept: () => kept };
}
