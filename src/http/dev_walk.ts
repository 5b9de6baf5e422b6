/** The state of one newcomer's walk through the code flow: what was sent, what came back, what can be done next. */
import type { DevAction, DevStep } from "../web/dev_page.ts";
import type { DevWords } from "../web/words/dev.ts";

/** A client of the demo data, with the secret that its application would hold. */
export interface DevClient {
  readonly client_id: string;
  readonly name: string;
  readonly kind: keyof DevWords["kinds"];
  readonly secret?: string;
  readonly scope: string;
  /** Whether it takes part in the code flow; a machine does not. */
  readonly signsPeopleIn: boolean;
}

export interface DevDemo {
  readonly clients: readonly DevClient[];
  readonly users: readonly { readonly email: string; readonly password: string }[];
}

export interface Walk {
  steps: DevStep[];
  client?: DevClient;
  verifier?: string;
  state?: string;
  code?: string;
  access_token?: string;
  refresh_token?: string;
}

/** What the newcomer may do next, the most natural thing first. */
export function nextActions(walk: Walk, demo: DevDemo, words: DevWords["actions"]): DevAction[] {
  const post = (label: string, what: string, fields: Record<string, string> = {}): DevAction => ({
    label,
    post: { action: `/dev/${what}`, fields },
  });
  const next: DevAction[] = [];
  if (walk.code !== undefined) next.push(post(words.token, "token"));
  if (walk.access_token !== undefined) {
    if (walk.client?.signsPeopleIn) next.push(post(words.userinfo, "userinfo"));
    if (walk.client?.secret !== undefined) next.push(post(words.introspect, "introspect"));
    if (walk.refresh_token !== undefined) next.push(post(words.refresh, "refresh"));
    next.push(post(words.revoke, "revoke"));
  }
  for (const client of demo.clients) {
    const fields = { client_id: client.client_id };
    next.push(
      client.signsPeopleIn
        ? post(words.start(client.name), "start", fields)
        : post(words.machine(client.name), "machine", fields),
    );
  }
  if (walk.steps.length > 0) next.push(post(words.reset, "reset"));
  return next;
}

/** The claims of a JWT as readable JSON; undefined for anything else. */
export function decodedClaims(token: unknown): string | undefined {
  const payload = typeof token === "string" ? token.split(".")[1] : undefined;
  if (payload === undefined) return undefined;
  return JSON.stringify(JSON.parse(Buffer.from(payload, "base64url").toString()), undefined, 2);
}
