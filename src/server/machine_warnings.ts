import { existsSync, readFileSync, statSync } from "node:fs";
import type { Config } from "../config.ts";
import { argon2Engine } from "../crypto/hashing/argon2id.ts";
import type { Log } from "../ops/log.ts";
import { linkedFile } from "./files/place_file.ts";

/** Each connection needs a file descriptor. */
const enoughDescriptors = 1024;

function descriptorLimit(): number | undefined {
  const path = "/proc/self/limits";
  if (!existsSync(path)) return undefined;
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync(path, "utf8")) ?? [];
  return soft === undefined ? undefined : Number(soft);
}

/** Returns a warning if users may add second factors and the server cannot send email. */
export function unmailedFactors({
  extra_sign_in,
  mail,
}: Pick<Config, "extra_sign_in" | "mail">): string | undefined {
  if (extra_sign_in.length === 0 || mail !== undefined) return undefined;
  return "POSTERN_EXTRA_SIGN_IN is set but POSTERN_SMTP_URL is not: in a new browser, users wait a day before they can add a first passkey or authenticator app; they are not notified of added ones; and only administrators can help users who lost theirs. Set POSTERN_SMTP_URL and POSTERN_MAIL_FROM";
}

/** Logs warnings about the machine. Call this before the server opens a file or a port. */
export function warnOfMachine(log: Log, { database }: Config): void {
  const descriptors = descriptorLimit();
  if (descriptors !== undefined && descriptors < enoughDescriptors) {
    const sentence = `the process may open fewer than ${enoughDescriptors} file descriptors, and connections beyond the limit are reset: raise it (ulimit -n, LimitNOFILE)`;
    log.warn({ descriptors }, sentence);
  }
  if (argon2Engine().name === "node") {
    log.warn(
      {},
      "the native part of @node-rs/argon2 is not installed: hashing a password takes three times as long",
    );
  }
  if (database.kind !== "sqlite") return;
  const journal = `${linkedFile(database.path)}-wal`;
  const bytes = existsSync(journal) ? statSync(journal).size : 0;
  if (bytes > 0) {
    log.info(
      { bytes },
      "the database was not closed, or another process has it open: its write-ahead log is replayed",
    );
  }
}
