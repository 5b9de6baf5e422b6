/** Records of a server elsewhere, through its management API. */

import type { Resource } from "../admin/manage/resource.ts";
import { ApiProblem, createClient } from "../client/client.ts";
import type { Listing } from "../client/listing.ts";
import { fieldsOf } from "../records/definition/definition.ts";
import { nameColumnOf } from "../records/definition/natural_key.ts";
import type { PublicView } from "../records/definition/view.ts";
import { isUuid } from "../records/formats/check.ts";
import { shortIdOnly } from "./record_names.ts";
import type { Input, RecordSource, SourcePage } from "./record_source.ts";
import type { RemoteAccess } from "./remote_access.ts";
import { WrongUsage } from "./terminal.ts";

/** The methods of a resource type, as far as it has them; the document is their contract. */
interface Group {
  list(options: object): Listing<SourcePage>;
  get(id: string): Promise<PublicView>;
  create(body: Input): Promise<PublicView>;
  update(id: string, body: Input): Promise<PublicView>;
  edit(id: string, change: (record: PublicView) => Input): Promise<PublicView>;
  delete(id: string, options: object): Promise<void>;
  revoke(id: string): Promise<PublicView>;
}

type Client = ReturnType<typeof createClient>;

/** The client of a server, whose notices go to `warn`. Throws `WrongUsage` for an address that is none. */
export function serverAt({ url, credential }: RemoteAccess, warn: (message: string) => void): Client {
  try {
    return createClient({ url, credential, onNotice: warn });
  } catch (error) {
    throw error instanceof TypeError ? new WrongUsage(error.message) : error;
  }
}

const camel = (name: string) => name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
const pascal = (name: string) => camel(`-${name}`);

/** The answer where it is a record. Any server may answer 200, and what it did is then not known. */
function requireRecord(answer: PublicView): PublicView {
  if (typeof answer.id === "string") return answer;
  throw new Error("the server's answer is no record of Postern");
}

export async function remoteRecords(client: Client): Promise<RecordSource> {
  const { resources } = await import("../admin/resources/resources.ts");
  const methodsOf = ({ path }: Resource) =>
    (client as unknown as Record<string, unknown>)[camel(path)] as Group & Record<string, never>;
  const call = (resource: Resource, name: string, ...given: unknown[]): Promise<PublicView> =>
    (methodsOf(resource) as unknown as Record<string, (...given: unknown[]) => Promise<PublicView>>)[name]?.(
      ...given,
    ) ?? Promise.reject(new Error(`this program's client has no ${name} of ${resource.resourceType}`));

  return {
    counting: undefined,
    async idOf(table, name) {
      const resource = resources.find((each) => each.table === table);
      if (resource === undefined) throw new TypeError(`${table} has no resource type`);
      const column = nameColumnOf(table);
      const byId = isUuid(name) ? ["get", name.toLowerCase()] : undefined;
      const byName =
        column === undefined || ["", ".", ".."].includes(name) ? undefined : [`getBy${pascal(column)}`, name];
      const isLasting = column !== undefined && fieldsOf(table)[column]?.immutable === true;
      let missing: unknown;
      for (const look of isLasting ? [byName, byId] : [byId, byName]) {
        const [method, value] = look ?? [];
        if (method === undefined) continue;
        try {
          return String(requireRecord(await call(resource, method, value)).id);
        } catch (error) {
          if (!(error instanceof ApiProblem) || error.code !== "not_found") throw error;
          missing = error;
        }
      }
      throw shortIdOnly(column, name) ?? missing ?? new Error(`there is no ${resource.noun} "${name}"`);
    },
    list: (resource, query) => methodsOf(resource).list(query).page(),
    get: async (resource, id) => requireRecord(await methodsOf(resource).get(id)),
    async create(resource, input) {
      const made = Object.entries(requireRecord(await methodsOf(resource).create(input)));
      const isOnce = ([name]: [string, unknown]) => Object.hasOwn(resource.output ?? {}, name);
      return {
        record: Object.fromEntries(made.filter((each) => !isOnce(each))),
        once: Object.fromEntries(made.filter(isOnce).map(([name, value]) => [name, String(value)])),
      };
    },
    patch(resource, id, input, lists) {
      const { update, edit } = methodsOf(resource);
      if (Object.keys(lists).length === 0) return update(id, input);
      return edit(id, (record) => {
        const changed = Object.entries(lists).map(([name, { add, remove }]) => {
          const before = Array.isArray(record[name]) ? (record[name] as string[]) : [];
          return [name, [...new Set([...before.filter((each) => !remove.includes(each)), ...add])]];
        });
        return { ...input, ...Object.fromEntries(changed) };
      });
    },
    remove: (resource, id, given) => methodsOf(resource).delete(id, given),
    revoke: (resource, id) => methodsOf(resource).revoke(id),
    read: (resource, name, id) => call(resource, `get${pascal(name)}`, id),
    act: (resource, verb, id, given) => call(resource, camel(verb), id, given),
  };
}
