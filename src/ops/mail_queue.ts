/**
 * Sends emails after the response to the request, so that its timing does not reveal whether an email is
 * sent. Email addresses and contents are never logged.
 */
import { UnavailableError } from "../errors.ts";
import type { Mail } from "../records/names/notices.ts";

interface MailLoad {
  /** Includes emails in progress or waiting for a retry. */
  readonly waiting: number;
  readonly failed: number;
  readonly failing: boolean;
}

/**
 * Emails that anonymous requests can cause have their own queue (`anybody`), so they never delay notices
 * about account changes.
 */
type MailLane = "account" | "anybody";

export interface Mailer {
  /**
   * `make` returns undefined if there is no email to send, and is called again if the database was
   * unavailable. Never throws.
   */
  post(make: () => Promise<Mail | undefined>, lane?: MailLane): void;
  /**
   * Sends emails that are stored in the database. `send` tries once and returns whether the mail server
   * accepted the email. Never throws.
   */
  flushOutbox(pass: (send: (mail: Mail) => Promise<boolean>) => Promise<unknown>): Promise<void>;
  settled(): Promise<void>;
  /** Retries every waiting email once, for at most `maxWait` milliseconds. */
  close(maxWait: number): Promise<void>;
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
  /** In milliseconds. */
  readonly retry_delays?: readonly number[];
}

/**
 * Retries cover seven minutes, because many servers with greylisting accept an email only after five (RFC
 * 6647, section 2.1).
 */
const usualDelays = [1000, 5000, 25_000, 120_000, 300_000];
/**
 * In milliseconds. Before a delay of at least this length, an email is given up if `longestQueue` emails are
 * already waiting for a retry.
 */
const longDelay = 60_000;
const atOnce = 4;
const longestQueue = 1000;

/** Returns a mailer that sends posted emails, a few at a time, each with several attempts. */
export function mailQueue(
  deliver: (mail: Mail) => Promise<void>,
  { log, metrics, retry_delays = usualDelays }: MailOptions,
): Mailer {
  const lanes = {
    account: { waiting: [] as (() => Promise<void>)[], running: 0 },
    anybody: { waiting: [] as (() => Promise<void>)[], running: 0 },
  } satisfies Record<MailLane, unknown>;
  const underWay = new Set<Promise<void>>();
  const passes = new Set<Promise<void>>();
  const stopping = new Error("the server is stopping");
  /** These functions end the attempts at shutdown, so that another process can send the stored emails. */
  const stops = new Set<(reason: Error) => void>();
  const impatient = new Set<() => void>();
  let closing = false;
  let failed = 0;
  let failing = false;

  function finished(outcome: "sent" | "failed" | "dropped"): void {
    metrics.count("postern_mails_total", { outcome });
    failing = outcome !== "sent";
    if (failing) failed += 1;
  }

  function start(lane: (typeof lanes)[MailLane]): void {
    while (lane.running < atOnce) {
      const job = lane.waiting.shift();
      if (job === undefined) return;
      lane.running += 1;
      track(
        job().finally(() => {
          lane.running -= 1;
          start(lane);
        }),
      );
    }
  }

  function track(work: Promise<void>, among = underWay): void {
    among.add(work);
    void work.finally(() => among.delete(work));
  }

  const delayAfter = (earlier: number) => {
    const delay = closing ? undefined : retry_delays[earlier];
    const isFull = delay !== undefined && delay >= longDelay && impatient.size >= longestQueue;
    return isFull ? undefined : delay;
  };

  async function make(content: () => Promise<Mail | undefined>, earlier: number): Promise<void> {
    let mail: Mail | undefined;
    try {
      mail = await content();
    } catch (err) {
      const delay = err instanceof UnavailableError ? delayAfter(earlier) : undefined;
      if (delay === undefined) {
        finished("failed");
        log.error({ err }, "an email could not be composed");
        return;
      }
      log.warn({ attempt: earlier + 1 }, "an email could not be composed and will be retried");
      track(pause(delay).then(() => make(content, earlier + 1)));
      return;
    }
    if (mail !== undefined) await attempt(mail, 0);
  }

  async function attempt(mail: Mail, earlier: number): Promise<void> {
    try {
      await deliver(mail);
      finished("sent");
    } catch (error) {
      const facts = { ...factsOf(error), attempt: earlier + 1 };
      const delay = delayAfter(earlier);
      if (isFinal(error) || delay === undefined) {
        finished("failed");
        log.error(facts, "an email could not be sent; giving up");
        return;
      }
      log.warn(facts, "an email could not be sent and will be retried");
      // The pause is outside the queue, so other emails can be sent in the meantime.
      track(pause(delay).then(() => attempt(mail, earlier + 1)));
    }
  }

  async function sendOnce(mail: Mail): Promise<boolean> {
    if (closing) return false;
    const stop = Promise.withResolvers<never>();
    stops.add(stop.reject);
    try {
      await Promise.race([deliver(mail), stop.promise]);
      finished("sent");
      return true;
    } catch (error) {
      // This is no failure: at shutdown, the email stays stored, and the next process sends it.
      if (error === stopping) return false;
      failing = true;
      log.warn(factsOf(error), "an email could not be sent and stays stored for a retry");
      return false;
    } finally {
      stops.delete(stop.reject);
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

  async function sendAll(pass: Parameters<Mailer["flushOutbox"]>[0]): Promise<void> {
    try {
      await pass(sendOnce);
    } catch (err) {
      log.warn({ err }, "stored emails could not be sent and will be retried");
    }
  }

  async function settled(): Promise<void> {
    while (underWay.size + passes.size > 0) await Promise.allSettled([...underWay, ...passes]);
  }

  const waiting = () => lanes.account.waiting.length + lanes.anybody.waiting.length + underWay.size;

  return {
    post(content, lane = "account") {
      const { waiting } = lanes[lane];
      if (waiting.length >= longestQueue) {
        finished("dropped");
        log.warn({ waiting: waiting.length, lane }, "too many emails are waiting; one was dropped");
        return;
      }
      waiting.push(() => make(content, 0));
      start(lanes[lane]);
    },
    flushOutbox(pass) {
      const work = sendAll(pass);
      track(work, passes);
      return work;
    },
    settled,
    load: () => ({ waiting: waiting(), failed, failing }),
    async close(maxWait) {
      closing = true;
      for (const end of impatient) end();
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, maxWait);
      });
      await Promise.race([settled(), deadline]);
      clearTimeout(timer);
      for (const end of stops) end(stopping);
      await Promise.allSettled(passes);
      const left = waiting();
      if (left === 0) return;
      for (let each = 0; each < left; each++) finished("dropped");
      for (const { waiting } of Object.values(lanes)) waiting.length = 0;
      log.error({ mails: left }, "emails were not sent before the shutdown and are lost");
    },
  };
}

/** A 5yz reply is permanent (RFC 5321, section 4.2.1). */
function isFinal(error: unknown): boolean {
  const { responseCode } = properties(error);
  return typeof responseCode === "number" && responseCode >= 500;
}

/**
 * Returns details of a failure without personal data. Messages of mail servers, which nodemailer quotes, may
 * name email addresses.
 */
export function factsOf(error: unknown): Fields {
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
