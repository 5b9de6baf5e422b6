/**
 * Mail goes out after the answer to the request: its sender waits neither for the mail to be made nor for it
 * to be sent, and cannot tell from the time whether there is one. Neither an address nor anything of a mail
 * is ever logged.
 */
import { UnavailableError } from "../errors.ts";
import type { Mail } from "../records/names/notices.ts";

/** The mails sent, waiting and failed since the process started. */
interface MailLoad {
  /** Not yet sent, those included that are being sent or wait for another attempt. */
  readonly waiting: number;
  /** Given up, dropped, or could not be made. */
  readonly failed: number;
  /** The one that was finished last was not sent. */
  readonly failing: boolean;
}

/**
 * Each lane has a queue and places of its own: mails that anybody can cause, with an address alone, keep none
 * waiting that tell people what happened to their account.
 */
type MailLane = "account" | "anybody";

export interface Mailer {
  /**
   * Makes a mail and sends it, both later; `make` answers undefined when there is none to send. It is asked
   * again where the database was away. Never throws.
   */
  post(make: () => Promise<Mail | undefined>, lane?: MailLane): void;
  /**
   * Sends mails that are kept elsewhere: `pass` gives each to `send`, which tries once and says whether the
   * mail server took it. Never throws.
   */
  flushOutbox(pass: (send: (mail: Mail) => Promise<boolean>) => Promise<unknown>): Promise<void>;
  /** Resolves when nothing is under way any more. */
  settled(): Promise<void>;
  /**
   * Tries every waiting mail once more, and resolves when all are sent or given up, or the milliseconds are
   * over.
   */
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
  /** Milliseconds to wait before each further attempt. */
  readonly retry_delays?: readonly number[];
}

/**
 * Seven minutes are bridged: servers that greylist take a mail after five (RFC 6647 2.1). After a longer time
 * the person asks again.
 */
const usualDelays = [1000, 5000, 25_000, 120_000, 300_000];
/** Waits from this number of milliseconds on are for so many mails at most as a queue holds. */
const longDelay = 60_000;
/** Mails of a lane that are made and sent at the same time. */
const atOnce = 4;
/** Mails of a lane that wait at most: a flood must not fill the memory. */
const longestQueue = 1000;

/** Makes and sends posted mails, a few at a time, each with a few attempts. */
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
  const stopping = new Error("the server stops");
  /** Ends the tries of kept mails: another process makes them. */
  const stops = new Set<(reason: Error) => void>();
  /** Ends the pause before a further attempt. */
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

  /** The milliseconds until a further attempt; undefined where there is none. */
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
        log.error({ err }, "a mail could not be made");
        return;
      }
      log.warn({ attempt: earlier + 1 }, "a mail could not be made and will be tried again");
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
        log.error(facts, "a mail could not be sent and is given up");
        return;
      }
      log.warn(facts, "a mail could not be sent and will be tried again");
      // Outside the queue, so that others are sent meanwhile.
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
      // Nothing is wrong with a mail that a stop leaves to the next process.
      if (error === stopping) return false;
      failing = true;
      log.warn(factsOf(error), "a mail could not be sent and is kept for another attempt");
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
      log.warn({ err }, "kept mails could not be sent and will be tried again");
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
        log.warn({ waiting: waiting.length, lane }, "too many mails are waiting; one was not made");
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
      log.error({ mails: left }, "mails were not sent in time and are lost with this stop");
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
