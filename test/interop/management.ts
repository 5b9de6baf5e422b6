/** Calls the management API as a program does, on separate servers. */
import { randomBytes } from "node:crypto";
import { inForm } from "../support/form.ts";
import { postgresDatabase } from "../support/postgres.ts";
import { commandsOn, type Environment, type ServedProcess } from "../support/process.ts";

export type Json = Record<string, unknown>;

export interface ApiAnswer {
  /** The request: method and path. */
  readonly what: string;
  readonly status: number;
  readonly headers: Headers;
  /** The body as received. */
  readonly text: string;
  /** The body as JSON; empty if it is not JSON. */
  readonly json: Json;
}

/** The headers that authenticate a caller. */
export type Proof = Readonly<Record<string, string>>;

export const bearer = (token: string): Proof => ({ authorization: `Bearer ${token}` });

/** Sends one request to a server; a body that is not a string is sent as JSON. */
export async function call(
  url: string,
  method: string,
  path: string,
  { proof = {}, body, headers = {} }: { proof?: Proof; body?: unknown; headers?: Proof } = {},
): Promise<ApiAnswer> {
  const response = await fetch(new URL(path, url), {
    method,
    redirect: "manual",
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...proof, ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    what: `${method} ${path}`,
    status: response.status,
    headers: response.headers,
    text,
    json: asObject(text),
  };
}

function asObject(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

/** Returns the response of a request that must succeed. Throws for any other response. */
export function expectStatus(answer: ApiAnswer, ...statuses: readonly number[]): ApiAnswer {
  if (!statuses.includes(answer.status))
    throw new Error(`${answer.what} answered ${answer.status}, not ${statuses.join(" or ")}: ${answer.text}`);
  return answer;
}

/** A database that several processes can share. */
export interface Place {
  readonly name: "SQLite" | "PostgreSQL";
  /** Returns the environment of the processes, in addition to their folder; `drop` removes the database. */
  open(): Promise<{ environment: Environment; drop(): Promise<void> }>;
}

export const places: readonly Place[] = [
  { name: "SQLite", open: async () => ({ environment: {}, drop: async () => {} }) },
  {
    name: "PostgreSQL",
    async open() {
      const { url, drop } = await postgresDatabase();
      const POSTERN_SECRET_KEY = randomBytes(32).toString("base64");
      return { environment: { POSTERN_DATABASE_URL: url, POSTERN_SECRET_KEY }, drop };
    },
  },
];

/** For tests that do not depend on the database: only SQLite in the short form. */
export const placesInForm: readonly Place[] = inForm(places.slice(0, 1), places);

/** Returns an API key that the operator creates for a user on the command line. */
export async function operatorsKey(
  served: Pick<ServedProcess, "folder" | "environment">,
  user: string,
  scope = "postern:manage",
): Promise<string> {
  const args = ["api-key", "create", "--name", "tests", "--user", user, "--scopes", scope];
  const { key } = await (await commandsOn(served)).json<{ key: string }>(args);
  return key;
}
