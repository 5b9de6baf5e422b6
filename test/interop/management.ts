/** The management API as a program uses it, on servers of their own. */
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
  /** The body as it came. */
  readonly text: string;
  /** The body read as JSON; empty where it is none. */
  readonly json: Json;
}

/** How a caller proves itself: headers. */
export type Proof = Readonly<Record<string, string>>;

export const bearer = (token: string): Proof => ({ authorization: `Bearer ${token}` });

/** One request to a server; a body that is no text is sent as JSON. */
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

/** The answer of a request that must succeed. Throws with any other answer. */
export function expectStatus(answer: ApiAnswer, ...statuses: readonly number[]): ApiAnswer {
  if (!statuses.includes(answer.status))
    throw new Error(`${answer.what} answered ${answer.status}, not ${statuses.join(" or ")}: ${answer.text}`);
  return answer;
}

/** A database that several processes can share. */
export interface Place {
  readonly name: "SQLite" | "PostgreSQL";
  /** Environment of the processes, in addition to their folder; `drop` removes it. */
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

/** For what does not depend on the database: SQLite alone in the short form. */
export const placesInForm: readonly Place[] = inForm(places.slice(0, 1), places);

/** An API key that the operator makes at the command line for a user. */
export async function operatorsKey(
  served: Pick<ServedProcess, "folder" | "environment">,
  user: string,
  scope = "postern:manage",
): Promise<string> {
  const args = ["api-key", "create", "--name", "tests", "--user", user, "--scopes", scope];
  const { key } = await (await commandsOn(served)).json<{ key: string }>(args);
  return key;
}
