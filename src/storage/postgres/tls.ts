/** TLS to PostgreSQL, as configured in the database URL (PostgreSQL documentation, libpq, "SSL Support"). */
import { readFileSync } from "node:fs";
import type pg from "pg";

const parameters = ["sslmode", "sslrootcert", "sslcert", "sslkey"] as const;

/**
 * Returns the URL without TLS parameters, and the TLS options of the driver. With a file in `sslrootcert`,
 * `verify-ca` and `require` do not check the host name, as in libpq. Without one, they do, because public
 * authorities issue certificates to anyone.
 */
export function splitTls(url: string): { url: string; ssl?: NonNullable<pg.ClientConfig["ssl"]> } {
  const parsed = new URL(url);
  const input = Object.fromEntries(
    parameters.map((name) => [name, parsed.searchParams.get(name) ?? undefined]),
  );
  if (Object.values(input).every((value) => value === undefined)) return { url };
  for (const name of parameters) parsed.searchParams.delete(name);
  const { sslmode } = input;
  if (sslmode === "disable") return { url: parsed.href, ssl: false };
  const file = (name: (typeof parameters)[number]) => {
    const path = input[name];
    return path === undefined ? undefined : readPem(name, path);
  };
  const ca = input.sslrootcert === "system" ? undefined : file("sslrootcert");
  const ofAnyHost = ca !== undefined && (sslmode === "verify-ca" || sslmode === "require");
  const [cert, key] = [file("sslcert"), file("sslkey")];
  return {
    url: parsed.href,
    ssl: {
      ...(sslmode === "no-verify" && { rejectUnauthorized: false }),
      ...(ca !== undefined && { ca }),
      ...(ofAnyHost && { checkServerIdentity: () => undefined }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    },
  };
}

function readPem(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`${name} of the database's URL: ${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
