import { type LevelWithSilent, pino } from "pino";
import { redactFields, redactText } from "./redaction.ts";

/**
 * `code` means an authorization code and is removed, as is every field named after a secret. Use `error` for
 * an error code and `err` for an exception.
 */
type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  fatal(fields: LogFields, message: string): void;
  child(fields: LogFields): Log;
}

interface LogOptions {
  level: LevelWithSilent;
  destination: { write(line: string): void };
  now?: () => Date;
  ids?: (() => { readonly trace_id: string; readonly span_id: string } | undefined) | undefined;
}

/**
 * Returns a log of JSON lines. Secrets (H-7) are removed from fields and message; of `req`, `res` and `err`,
 * only harmless details are logged.
 */
export function createLog({ level, destination, now = () => new Date(), ids }: LogOptions): Log {
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: () => `,"time":"${now().toISOString()}"`,
      // `redactFields` has already reduced the error to a summary, which pino's default serializer would
      // change.
      serializers: { err: (summary: unknown) => summary },
      formatters: { level: (label) => ({ level: label }) },
      ...(ids !== undefined && { mixin: () => ids() ?? {} }),
    },
    destination,
  );
  return logOf(logger);
}

type Level = "debug" | "info" | "warn" | "error" | "fatal";

export type OtherLogger = Readonly<Record<Level, (fields: object, message: string) => void>> & {
  isLevelEnabled?(level: Level): boolean;
  child(fields: object, options?: object): OtherLogger;
};

/**
 * Returns a log that writes to the logger of the embedding program. Secrets (H-7) are removed here as well.
 */
export function logInto(logger: OtherLogger): Log {
  // `redactFields` has already reduced the error to a summary, which pino's default serializer would change.
  return logOf(logger.child({}, { serializers: { err: (summary: unknown) => summary } }));
}

function logOf(logger: OtherLogger): Log {
  const write = (level: Level) => (fields: LogFields, message: string) => {
    if (logger.isLevelEnabled?.(level) === false) return;
    logger[level](redactFields(fields), redactText(message));
  };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    fatal: write("fatal"),
    child: (fields) => logOf(logger.child(redactFields(fields))),
  };
}
