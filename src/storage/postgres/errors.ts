/**
 * Recognizes errors of `pg` and the network that mean that the database is unavailable (PostgreSQL, appendix
 * A).
 */
import { UnavailableError, type UnavailableKind } from "../../errors.ts";
import type { PostgresError } from "./connection.ts";

/** The first match counts. */
const kinds: readonly (readonly [code: string, kind: UnavailableKind])[] = [
  // Unknown role, wrong password or unknown database. Retrying does not help.
  ["28", "refused"],
  ["3D000", "refused"],
  // An unknown prepared statement, because a pooler in transaction mode switched the connection.
  ["26000", "refused"],
  ["42P05", "refused"],
  // A prepared statement whose columns a migration has changed. A new connection prepares it again.
  ["0A000", "slow"],
  // Missing tables or columns: the database was recreated, is being restored, or belongs to another program.
  ["42P01", "gone"],
  ["42703", "gone"],
  // A restore fills tables before it creates the indexes that ON CONFLICT needs.
  ["42P10", "gone"],
  ["42501", "refused"],
  ["55P03", "slow"],
  // Class 55: the database accepts no connections, for example while it is copied, or an object is in use.
  ["55", "away"],
  ["25006", "read_only"],
  ["25P03", "slow"],
  ["25P04", "slow"],
  ["40", "slow"],
  ["72", "slow"],
  ["57014", "slow"],
  ["57", "away"],
  ["08", "away"],
  ["53300", "slow"],
  ["53100", "full"],
  ["53", "slow"],
  ["58", "away"],
  ["F0", "away"],
  ["XX001", "damaged"],
  ["XX002", "damaged"],
  // internal_error, from the server or from a proxy without a better code.
  ["XX", "away"],
  ["ERR_TLS", "refused"],
  ["ERR_SSL", "refused"],
  ["CERT_", "refused"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "refused"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "refused"],
  ["UNABLE_TO_", "refused"],
  ["ECONN", "away"],
  ["EHOST", "away"],
  ["ENET", "away"],
  ["ENOTFOUND", "away"],
  ["EAI_", "away"],
  ["EPIPE", "away"],
  ["ETIMEDOUT", "away"],
];

const messages: readonly (readonly [message: RegExp, kind: UnavailableKind])[] = [
  [/^(query read timeout|timeout exceeded when trying to connect)$/i, "slow"],
  [/^connection terminated|^timeout expired$|not queryable$|^the connection was given up/i, "away"],
  [/does not support SSL connections|^There was an error establishing an SSL connection/, "refused"],
];

const sentences: Readonly<Record<UnavailableKind, string>> = {
  away: "the database cannot be reached",
  slow: "the database does not respond in time",
  read_only: "the database accepts no writes: it is a standby or read-only",
  full: "the database has no space left",
  gone: "the database no longer exists",
  damaged: "the database is damaged",
  refused: "the database refuses this server",
};

export const poolerSentence =
  "PostgreSQL is behind a connection pooler in transaction mode: use session mode or a direct connection, because LISTEN and prepared statements belong to a session";

const certificateSentences: readonly (readonly [code: RegExp, sentence: string])[] = [
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    "its certificate is for another host: connect by the name in the certificate, or with sslmode=verify-ca and sslrootcert",
  ],
  [
    /^(UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$)/,
    "its certificate is signed by an unknown authority: name the certificate file of that authority with sslrootcert in the URL, or skip the check with sslmode=no-verify",
  ],
];

/**
 * PostgreSQL source files in which the error 54000 means that a resource of the whole server is used up. In
 * other files, it means that a statement or value is too large.
 */
const usedUp = /^(?:async|varsup|multixact)\.c$/;

function kindOf(error: unknown): UnavailableKind | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, file } = error as PostgresError;
  if (code === "54000" && usedUp.test(file ?? "")) return "full";
  if (typeof code === "string") {
    const known = kinds.find(([start]) => code.startsWith(start));
    if (known !== undefined) return known[1];
  }
  const said = messages.find(([message]) => message.test(error.message));
  if (said !== undefined) return said[1];
  // Operating system errors: for example no descriptors, a firewall, or a missing socket.
  if ((error as NodeJS.ErrnoException).syscall !== undefined) return "away";
  // The host name has several addresses, each with its own error.
  return error instanceof AggregateError ? error.errors.map(kindOf).find(Boolean) : undefined;
}

/**
 * Returns an UnavailableError if the error means that the database is unavailable, and otherwise the error
 * itself.
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof UnavailableError) return error;
  const kind = kindOf(error);
  if (kind === undefined) return error;
  const { code, message } = error as PostgresError & Error;
  const sentence = code === "26000" || code === "42P05" ? poolerSentence : sentences[kind];
  const why = certificateSentences.find(([fits]) => code !== undefined && fits.test(code))?.[1] ?? message;
  return new UnavailableError(kind, why === "" ? sentence : `${sentence}: ${why}`, error);
}

/** Returns whether the connection itself is broken, not only a statement. */
export function brokeConnection(error: unknown): boolean {
  const { code } = error as PostgresError;
  const kind = kindOf(error);
  if (code !== undefined && /^(?:57014|55P03|40001|40P01|25006|42501)$/.test(code)) return false;
  return (
    kind === "away" ||
    kind === "refused" ||
    (kind === "slow" && code === undefined) ||
    code === "25P03" ||
    code === "25P04" ||
    code === "0A000"
  );
}

/**
 * Returns whether the server stopped responding, so that other connections of the same age may be dead too.
 */
export function fellSilent(error: unknown): boolean {
  return error instanceof Error && /^query read timeout$/i.test(error.message);
}
