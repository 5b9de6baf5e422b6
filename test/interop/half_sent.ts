import { type Agent, request } from "node:http";
import { basic } from "../support/flows.ts";
import type { ServedProcess } from "../support/process.ts";
import { machine } from "./registrations.ts";

/** A request in progress, whose body is incomplete until `finish` is called. */
export interface HalfSent {
  /** The status of the response. */
  readonly answer: Promise<number>;
  finish(): void;
}

/** Begins a token request of the machine, on a new connection unless the agent keeps one open. */
export async function halfSent(
  { url }: Pick<ServedProcess, "url">,
  agent: Agent | false = false,
): Promise<HalfSent> {
  const body = new URLSearchParams({ grant_type: "client_credentials", scope: "orders:read" }).toString();
  const headers = {
    authorization: basic(machine.client_id, machine.secret),
    "content-type": "application/x-www-form-urlencoded",
    "content-length": String(body.length),
    expect: "100-continue",
  };
  const sending = request(`${url}/oauth/token`, { method: "POST", headers, agent });
  const answer = new Promise<number>((resolve, reject) => {
    sending.on("error", reject);
    sending.on("response", (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
  });
  // The reader of `answer` handles the failure; until then there is no handler.
  answer.catch(() => {});
  // The server sends `100 Continue` once it has read the headers and handles the request.
  await new Promise<void>((resolve, reject) => {
    sending.once("continue", resolve).once("error", reject).flushHeaders();
  });
  return { answer, finish: () => sending.end(body) };
}
