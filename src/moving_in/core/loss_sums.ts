import type { Entry, Loss } from "./moved.ts";

export const lossColumns = ["object", "member", "reason"] as const;

/** A hostile file could have many kinds of losses, so all further ones count as one kind. */
const mostKinds = 200;
const mostMembers = 5;
/** Maximum number of losses that `ofClients` lists for one client. The rest are only in the loss file. */
const mostChanges = 100;

export interface LossSums {
  add(loss: Loss, said: string): void;
  sums(): readonly { readonly kind: string; readonly count: number }[];
  /** Returns, for each of these clients, what its developer has to know or change, as lines. */
  ofClients(apps: readonly Entry[]): { readonly client_id: string; readonly changes: readonly string[] }[];
}

export function lossSums(): LossSums {
  const kinds = new Map<string, { count: number; readonly members: Set<string> }>();
  const clients = new Map<string, string[]>();
  return {
    add({ object, member }, said) {
      const [of = ""] = object.split(" ", 1);
      const known = `${of}: ${said}`;
      const key = kinds.has(known) || kinds.size < mostKinds ? known : "others: see the file";
      const kind = kinds.get(key) ?? { count: 0, members: new Set() };
      kinds.set(key, kind);
      kind.count += 1;
      const [path = ""] = member.split(/[ []/, 1);
      // Fields that differ only in a position in a list have one name.
      const name = path.replaceAll(/\/\d+(?=\/|$)/g, "").replaceAll("/", ".");
      if (name !== "" && kind.members.size <= mostMembers) kind.members.add(name);
      if (of !== "client") return;
      const changes = clients.get(object) ?? [];
      clients.set(object, changes);
      if (changes.length < mostChanges) changes.push(`${member}: ${said}`);
      else if (changes.length === mostChanges) changes.push("others: see the file");
    },
    sums: () =>
      [...kinds]
        .map(([kind, { count, members }]) => ({ kind: `${kind}${among(members)}`, count }))
        .sort((one, other) => other.count - one.count),
    ofClients: (apps) =>
      apps.map((app) => {
        const client_id = String(app.client_id);
        return { client_id, changes: [...pkceOf(app), ...(clients.get(`client ${client_id}`) ?? [])] };
      }),
  };
}

function pkceOf({ kind, require_pkce }: Entry): string[] {
  if (kind === "machine") return [];
  return [`PKCE: ${require_pkce === false ? "optional (require_pkce is false)" : "required, with S256"}`];
}

function among(members: ReadonlySet<string>): string {
  const shown = [...members].slice(0, mostMembers);
  if (shown.length === 0) return "";
  return ` (${[...shown, ...(members.size > shown.length ? ["…"] : [])].join(", ")})`;
}
