import type { DevAction } from "../../web/pages/dev_page.ts";
import type { DevWords } from "../../web/words/en/dev.ts";
import type { Words } from "../../web/words/words.ts";
import type { FlowClient, FlowRun } from "../flow_run.ts";

export interface DevClient extends FlowClient {
  readonly name: string;
  readonly kind: keyof DevWords["kinds"];
  readonly scope: string;
  /** If false, the client gets tokens for itself. */
  readonly signsPeopleIn: boolean;
}

export interface DevDemo {
  readonly clients: readonly DevClient[];
  readonly users: readonly { readonly email: string; readonly password: string }[];
}

export interface DevRun extends FlowRun {
  client?: DevClient;
}

export function nextActions(run: DevRun, demo: DevDemo, words: Pick<Words, "dev" | "flow">): DevAction[] {
  const post = (label: string, what: string, fields: Record<string, string> = {}): DevAction => ({
    label,
    post: { action: `/dev/${what}`, fields },
  });
  const { token, userinfo, introspect, refresh, revoke } = words.flow.actions;
  const { start, machine, reset } = words.dev.actions;
  const next: DevAction[] = [];
  if (run.code !== undefined) next.push(post(token, "token"));
  if (run.access_token !== undefined) {
    if (run.client?.signsPeopleIn) next.push(post(userinfo, "userinfo"));
    if (run.client?.secret !== undefined) next.push(post(introspect, "introspect"));
    if (run.refresh_token !== undefined) next.push(post(refresh, "refresh"));
    next.push(post(revoke, "revoke"));
  }
  for (const client of demo.clients) {
    const fields = { client_id: client.client_id };
    next.push(
      client.signsPeopleIn
        ? post(start(client.name), "start", fields)
        : post(machine(client.name), "machine", fields),
    );
  }
  if (run.steps.length > 0) next.push(post(reset, "reset"));
  return next;
}
