import { type AccountEventKind, accountEventKind } from "../../records/definition/account_events.ts";
import type { AuditEvent, User } from "../../records/definition/definition.ts";
import type { IdentityContext } from "./context/context.ts";

interface AccountEvent {
  readonly id: string;
  readonly kind: AccountEventKind;
  readonly at: Date;
  readonly by_other: boolean;
  readonly client_ip: string | null;
  readonly user_agent: string | null;
}

const mostRead = 200;

/** Returns the newest events of an account that its user may see. */
export async function recentAccountEvents(
  { id }: Pick<User, "id">,
  most: number,
  { store }: Pick<IdentityContext, "store">,
): Promise<AccountEvent[]> {
  const newest = { order_by: "id", descending: true, limit: mostRead } as const;
  const [own, done_to] = await Promise.all([
    store.list("audit_events", { actor_id: id, actor_kind: "user" }, newest),
    store.list("audit_events", { target_id: id, target_table: "users" }, newest),
  ]);
  const about = (event: AuditEvent) =>
    event.target_table !== "users" || event.target_id === null || event.target_id === id;
  const each = new Map([...own.filter(about), ...done_to].map((event) => [event.id, event]));
  return [...each.values()]
    .flatMap((event): AccountEvent[] => {
      const kind = accountEventKind(event);
      if (kind === undefined) return [];
      const by_other = event.actor_kind !== "user" || event.actor_id !== id;
      const { client_ip, user_agent } = by_other ? { client_ip: null, user_agent: null } : event;
      return [{ id: event.id, kind, at: event.created_at, by_other, client_ip, user_agent }];
    })
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, most);
}
