/** Warnings for the operator about the machine and the files at start. */
import { existsSync, readFileSync, statSync } from "node:fs";
import type { Config } from "../config.ts";
import { argon2Engine } from "../crypto/hashing/argon2id.ts";
import type { Log } from "../ops/log.ts";
import { linkedFile } from "./place_file.ts";

/** The server's own files and listeners take about 40; each connection takes one. */
const enoughDescriptors = 1024;

/** How many descriptors this process may have open, where the system tells it in a file: Linux. */
function descriptorLimit(): number | undefined {
  const path = "/proc/self/limits";
  if (!existsSync(path)) return undefined;
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync(path, "utf8")) ?? [];
  return soft === undefined ? undefined : Number(soft);
}

/**
 * What it means that people may enrol second factors and no mail can be sent, as a sentence; undefined where
 * that is not so.
 */
export function unmailedFactors({
  extra_sign_in,
  mail,
}: Pick<Config, "extra_sign_in" | "mail">): string | undefined {
  if (extra_sign_in.length === 0 || mail !== undefined) return undefined;
  return "POSTERN_EXTRA_SIGN_IN is set and POSTERN_SMTP_URL is not: in a new browser people wait a day before they add a first passkey or authenticator app, no mail tells them of one that was added, and only administrators help who lost theirs; set POSTERN_SMTP_URL and POSTERN_MAIL_FROM";
}

/** Looks before anything is opened. */
export function warnOfMachine(log: Log, { database }: Config): void {
  const descriptors = descriptorLimit();
  if (descriptors !== undefined && descriptors < enoughDescriptors) {
    const sentence = `fewer than ${enoughDescriptors} descriptors: connections beyond them are reset (ulimit -n, LimitNOFILE)`;
    log.warn({ descriptors }, sentence);
  }
  if (argon2Engine().name === "node") {
    log.warn({}, "the native part of @node-rs/argon2 is not installed: a password takes three times as long");
  }
  if (database.kind !== "sqlite") return;
  const journal = `${linkedFile(database.path)}-wal`;
  const bytes = existsSync(journal) ? statSync(journal).size : 0;
  if (bytes > 0) {
    log.info(
      { bytes },
      "the database was not closed, or another process has it open: what is in its write-ahead log is read again",
    );
  }
}
