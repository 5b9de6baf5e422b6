/** All kinds of list requests, each for a page of 50 by a platform administrator. */
import { client, seldom_client } from "./contender.ts";

export interface ListShape {
  readonly name: string;
  /**
   * The path of the list, with its query. `{client}` and `{seldom}` are replaced by the IDs of the apps in
   * `namedClients`.
   */
  readonly target: string;
  /**
   * If set, the measurement first follows `next_cursor` through some pages of 200, and then requests the next
   * or the previous page.
   */
  readonly deep?: "next" | "previous";
}

const sorted = (list: string, orders: readonly string[]): ListShape[] =>
  orders.map((order) => {
    const [sort = "", direction = "asc"] = order.split(" ");
    return { name: `${list} by ${order}`, target: `/${list}?sort=${sort}&order=${direction}` };
  });

export const listShapes: readonly ListShape[] = [
  ...sorted("users", ["created_at desc", "name", "name desc", "email", "last_login_at desc"]),
  { name: "users, active, by name", target: "/users?active=true&sort=name" },
  { name: "users, inactive, by created_at desc", target: "/users?active=false&sort=created_at&order=desc" },
  { name: "users with a part of a word, 1 in 16", target: "/users?q=dqvis" },
  { name: "users with the same part, by name", target: "/users?q=dqvis&sort=name" },
  { name: "users with a part of every email", target: "/users?q=xampl" },
  { name: "users with a part of few words", target: "/users?q=9995" },
  { name: "users with no such word", target: "/users?q=zzzzq" },
  { name: "users, total", target: "/users?total=true" },
  { name: "users, inactive, total", target: "/users?active=false&total=true" },
  { name: "users by name, next page deep in", target: "/users?sort=name", deep: "next" },
  { name: "users by name, previous page deep in", target: "/users?sort=name", deep: "previous" },
  ...sorted("apps", ["created_at desc", "name", "client_id"]),
  { name: "apps with a part of a word, 1 in 8", target: "/apps?q=andle&sort=name" },
  { name: "apps with a part of few words", target: "/apps?q=9995" },
  { name: "apps, total", target: "/apps?total=true" },
  ...sorted("tokens", ["created_at desc", "created_at"]),
  { name: "tokens of an app, newest first", target: "/tokens?app_id={client}&sort=created_at&order=desc" },
  { name: "tokens of an app with few, by last use", target: "/tokens?app_id={seldom}&sort=last_used_at" },
  { name: "tokens, revoked", target: "/tokens?revoked=true" },
  { name: "tokens by the name of their app", target: "/tokens?q=seldo" },
  { name: "tokens, total", target: "/tokens?total=true" },
  { name: "tokens, next page deep in", target: "/tokens?sort=created_at&order=desc", deep: "next" },
  ...sorted("sessions", ["created_at desc"]),
  { name: "sessions by an address", target: "/sessions?q=192.0.2.77" },
  { name: "sessions, total", target: "/sessions?total=true" },
  ...sorted("audit-events", ["created_at desc", "created_at"]),
  { name: "audit events of a type", target: "/audit-events?type=app.created" },
  { name: "audit events, total", target: "/audit-events?total=true" },
  { name: "audit events, previous page deep in", target: "/audit-events?limit=50", deep: "previous" },
];

/** The apps whose IDs replace placeholders in targets. */
export const namedClients = { client: client.client_id, seldom: seldom_client.client_id } as const;
