/**
 * Mail goes out after the answer to the request: its sender waits neither for the mail to be made nor for it
 * to be sent, and cannot tell from the time whether there is one. Neither an address nor anything of a mail
 * is ever logged.
 */
import type { Transporter } from "nodemailer";

/** One mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The mails sent, waiting and failed since the process started. */
export interface MailLoad {
  /** Not yet sent, those included that are being sent or wait for another attempt. */
  readonly waiting: number;
  /** Given up, dropped, or could not be made. */
  readonly failed: number;
  /** The one that was finished last was not sent. */
  readonly failing: boolean;
}

export interface Mailer {
  /**
   * Makes a mail and sends it, both later; `make` answers undefined when there is none to send. Never throws.
   */
  post(make: () => Promise<Mail | undefined>): void;
  /** Resolves when nothing is under way any more. */
  settled(): Promise<void>;
  /** Tries every waiting mail once more, and resolves when all are sent or given up. */
  close(): Promise<void>;
  load(): MailLoad;
}

type Fields = Readonly<Record<string, unknown>>;

export interface MailOptions {
  readonly log: {
    warn(fields: Fields, message: string): void;
    error(fields: Fields, message: string): void;
  };
  readonly metrics: {
    count(name: "postern_mails_total", labels: { outcome: "sent" | "failed" | "dropped" }): void;
  };
  /** Milliseconds to wait before each further attempt. */
  readonly retry_delays?: readonly number[];
}

export interface SmtpOptions extends MailOptions {
  /** `smtp://user:password@host:587` or `smtps://host:465`; options of nodemailer may be in the query. */
  readonly smtp_url: string;
  /** An address, or `Name <address>`. */
  readonly from: string;
  readonly now: () => Date;
}

/** Half a minute of an unreachable server is bridged; after a longer one the person asks again. */
const usualDelays = [1000, 5000, 25_000];
/** Mails that are made and sent at the same time. */
const atOnce = 4;
/** Mails that wait at most: a flood must not fill the memory. */
const longestQueue = 1000;
/** Milliseconds for the mails under way when the server stops; less than a stopping server gets in all. */
const closingTime = 3500;

/** Mail over SMTP (RFC 5321). */
export async function createMailer({ smtp_url, from, now, ...options }: SmtpOptions): Promise<Mailer> {
  const transport = await smtpTransport(smtp_url);
  return mailQueue(async ({ to, ...content }) => {
    await transport.sendMail({
      ...content,
      from,
      // As an object, so that no part of an address is read as a list of addresses.
      to: { name: "", address: to },
      date: now(),
      // RFC 3834 section 5: no automatic answer is wanted.
      headers: { "Auto-Submitted": "auto-generated" },
    });
  }, options);
}

/**
 * Connects to the mail server, encrypts and authenticates as for a mail, and hangs up without sending one.
 * The fault, as a sentence without its subject; undefined when there is none. Quotes neither the password nor
 * the mail server.
 */
export async function mailServerFault(smtp_url: string): Promise<string | undefined> {
  const transport = await smtpTransport(smtp_url);
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    const { error: code, smtp_status } = factsOf(error);
    const status = smtp_status === undefined ? "" : ` (${String(smtp_status)})`;
    return `${smtpFaults[String(code)] ?? `does not do as it must: ${String(code)}`}${status}`;
  } finally {
    transport.close();
  }
}

/** By the codes of nodemailer and of Node. */
const smtpFaults: Readonly<Record<string, string>> = {
  EAUTH: "does not take the user name and password of POSTERN_SMTP_URL",
  ETLS: "cannot be spoken to encrypted: it offers no STARTTLS, or its certificate is not to be trusted",
  EDNS: "has a name that is not known",
  ENOTFOUND: "has a name that is not known",
  ECONNECTION: "cannot be reached",
  ECONNREFUSED: "cannot be reached: nothing listens there",
  ESOCKET: "cannot be reached, or broke the connection",
  ETIMEDOUT: "did not answer in time",
};

/** nodemailer is loaded here and not before, so that a server without mail does not pay for it. */
async function smtpTransport(smtp_url: string): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const url = new URL(smtp_url);
  // Its lines would name addresses, and the query goes before the options.
  for (const name of ["logger", "debug", "transactionLog"]) url.searchParams.delete(name);
  return createTransport({
    url: url.href,
    ...encryption(url),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * A link that sets a password is as good as the password. On its way to another machine it is encrypted
 * (STARTTLS, RFC 3207) unless the operator says in the URL that it need not be.
 */
function encryption({ hostname, searchParams }: URL): { requireTLS?: true } {
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
  return isHere || searchParams.has("requireTLS") || searchParams.has("ignoreTLS")
    ? {}
    : { requireTLS: true };
}

export interface KeptMail extends Mail {
  readonly kept_at: Date;
}

export interface Outbox extends Mailer {
  /** The newest first. */
  kept(): readonly KeptMail[];
}

/** Mail that stays here, the newest fifty of it: for development. */
export function createOutbox({ now, ...options }: MailOptions & { readonly now: () => Date }): Outbox {
  const kept: KeptMail[] = [];
  const queue = mailQueue(async (mail) => {
    kept.unshift({ ...mail, kept_at: now() });
    kept.length = Math.min(kept.length, 50);
  }, options);
  return { ...queue, kept: () => kept };
}

/** Makes and sends posted mails, a few at a time, each with a few attempts. */
export function mailQueue(
  deliver: (mail: Mail) => Promise<void>,
  { log, metrics, retry_delays = usualDelays }: MailOptions,
): Mailer {
  const waiting: (() => Promise<void>)[] = [];
  const underWay = new Set<Promise<void>>();
  /** Ends the pause before a further attempt. */
  const impatient = new Set<() => void>();
  let running = 0;
  let closing = false;
  let failed = 0;
  let failing = false;

  function finished(outcome: "sent" | "failed" | "dropped"): void {
    metrics.count("postern_mails_total", { outcome });
    failing = outcome !== "sent";
    if (failing) failed += 1;
  }

  function start(): void {
    while (running < atOnce) {
      const job = waiting.shift();
      if (job === undefined) return;
      running += 1;
      track(
        job().finally(() => {
          running -= 1;
          start();
        }),
      );
    }
  }

  function track(work: Promise<void>): void {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  async function attempt(mail: Mail, earlier: number): Promise<void> {
    try {
      await deliver(mail);
      finished("sent");
    } catch (error) {
      const facts = { ...factsOf(error), attempt: earlier + 1 };
      const delay = retry_delays[earlier];
      if (isFinal(error) || delay === undefined || closing) {
        finished("failed");
        log.error(facts, "a mail could not be sent and is given up");
        return;
      }
      log.warn(facts, "a mail could not be sent and will be tried again");
      // Outside the queue, so that others are sent meanwhile.
      track(pause(delay).then(() => attempt(mail, earlier + 1)));
    }
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        impatient.delete(end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      impatient.add(end);
    });
  }

  async function settled(): Promise<void> {
    while (underWay.size > 0) await Promise.allSettled(underWay);
  }

  return {
    post(make) {
      if (waiting.length >= longestQueue) {
        finished("dropped");
        log.warn({ waiting: waiting.length }, "too many mails are waiting; one was not made");
        return;
      }
      waiting.push(async () => {
        let mail: Mail | undefined;
        try {
          mail = await make();
        } catch (err) {
          finished("failed");
          log.error({ err }, "a mail could not be made");
          return;
        }
        if (mail !== undefined) await attempt(mail, 0);
      });
      start();
    },
    settled,
    load: () => ({ waiting: waiting.length + underWay.size, failed, failing }),
    async close() {
      closing = true;
      for (const end of impatient) end();
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closingTime);
      });
      await Promise.race([settled(), deadline]);
      clearTimeout(timer);
    },
  };
}

/**
 * The server of the operator said that another attempt will end the same (RFC 5321 4.2.1: a reply of 5yz).
 */
function isFinal(error: unknown): boolean {
  const { responseCode } = properties(error);
  return typeof responseCode === "number" && responseCode >= 500;
}

/**
 * The facts of a failure that name no person: messages of mail servers quote addresses, and those of
 * nodemailer quote them.
 */
function factsOf(error: unknown): Fields {
  const { code, responseCode, command } = properties(error);
  return {
    error: typeof code === "string" && /^[A-Z_]{1,40}$/.test(code) ? code : "unknown",
    ...(typeof responseCode === "number" && { smtp_status: responseCode }),
    ...(typeof command === "string" && /^[A-Z ]{1,20}$/.test(command) && { smtp_command: command }),
  };
}

function properties(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
