/** The server that a command works on. Commands call its management API in process or over HTTP. */
import { type OwnRead, type OwnVerb, type Resource, spelledVerb } from "../../admin/manage/resource.ts";
import type { Send } from "../../client/exchange.ts";
import type { Call, State } from "../../client/operation_types.ts";
import { ApiProblem } from "../../client/problems.ts";
import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { nameColumnOf } from "../../records/definition/natural_key.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isUuid } from "../../records/formats/check.ts";
import { isStrings } from "../../records/names/json_shapes.ts";
import type { Impact } from "../../storage/listing/impact.ts";
import { WrongUsage } from "../core/terminal.ts";

export type Input = Readonly<Record<string, unknown>>;

interface RecordPage {
  readonly data: readonly PublicView[];
  readonly next_cursor: string | null;
  readonly previous_cursor: string | null;
  readonly total?: number;
  readonly total_is_more?: boolean;
}

/** Values to add to and to remove from a list of strings. Other values keep their order. */
export interface ListChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

interface Given {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Input;
  readonly ifMatch?: State;
  readonly answer?: Call["answer"];
  /**
   * A field that Postern's response to this call always has: another web server may return 200 without having
   * done anything.
   */
  readonly holds?: string;
  /** Set if the call accepts an idempotency key, which makes it safe to repeat. */
  readonly keyed?: true;
}

export interface Server {
  /** Throws `ApiProblem` for a refusal, and `ConnectionError` if no response was received. */
  call<T extends object = PublicView>(
    method: Call["method"],
    path: readonly string[],
    values?: Given,
  ): Promise<T>;
  /**
   * Returns the id of the record with this name or id. Throws if there is none, or if the name is the
   * shortened id that pages show.
   */
  idOf(table: TableName, name: string): Promise<string>;
  list(resource: Resource, query: Readonly<Record<string, string>>): Promise<RecordPage>;
  get(resource: Resource, id: string): Promise<PublicView>;
  /** `once` contains the values that are returned only in this response. */
  create(resource: Resource, input: Input): Promise<{ record: PublicView; once: Record<string, string> }>;
  /** List changes are retried if another writer was faster. */
  patch(
    resource: Resource,
    id: string,
    input: Input,
    lists?: Readonly<Record<string, ListChange>>,
  ): Promise<PublicView>;
  remove(resource: Resource, id: string, values: Input): Promise<void>;
  revoke(resource: Resource, id: string): Promise<PublicView>;
  act(resource: Resource, verb: OwnVerb, id: string, values: Input): Promise<PublicView>;
  read(resource: Resource, name: OwnRead, id: string): Promise<object>;
  /**
   * How many records are deleted or revoked together with this one, by kind; undefined if the server does not
   * report them.
   */
  impact(resource: Resource, id: string): Promise<Impact | undefined>;
  /**
   * The invitation link is returned only if no email was sent. Throws `WrongUsage` if an inviter is given for
   * a remote server, or is missing for a local one.
   */
  inviting(
    inviter: string | undefined,
    work: (server: Server) => Promise<PublicView>,
  ): Promise<{ readonly invitation: PublicView; readonly link?: string }>;
}

const mostAttempts = 20;

const endOfId = /^[0-9a-f]{12}$/i;

/**
 * Returns the server to which `send` sends calls. With `keyed`, calls that accept an idempotency key have
 * one.
 */
export function serverOf(
  send: Send,
  { keyed, inviting }: Pick<Server, "inviting"> & { readonly keyed: boolean },
  resources: readonly Resource[],
): Server {
  async function call<T extends object>(
    method: Call["method"],
    path: readonly string[],
    { query = {}, body, ifMatch, holds, answer = "record", keyed: takesKey }: Given = {},
  ): Promise<T> {
    const steps = path.map(() => "/{step}").join("");
    const called = { method, path: `/api/v1${steps}`, answer, ...(keyed && takesKey && { keyed: takesKey }) };
    const sent = { query, ...(body !== undefined && { body }), ...(ifMatch !== undefined && { ifMatch }) };
    const value = (await send(called, path, sent)) as T;
    if (holds !== undefined && !Object.hasOwn(value, holds))
      throw new Error("the response is not from a Postern server");
    return value;
  }

  const record = { holds: "id" } as const;
  const made = { ...record, keyed: true } as const;
  const get = ({ path }: Resource, id: string) => call<PublicView>("GET", [path, id], record);
  const write = ({ path }: Resource, id: string, body: Input, ifMatch?: State) =>
    call<PublicView>("PATCH", [path, id], { ...record, body, ...(ifMatch && { ifMatch }) });

  return {
    call,
    inviting,
    async idOf(table, name) {
      const resource = resources.find((each) => each.table === table);
      if (resource === undefined) throw new TypeError(`${table} has no resource type`);
      const { path, noun } = resource;
      const column = nameColumnOf(table);
      const byId = isUuid(name) && [path, name.toLowerCase()];
      const byName = column !== undefined &&
        !["", ".", ".."].includes(name) && [path, `by-${column.replaceAll("_", "-")}`, name.toWellFormed()];
      // An immutable name such as a client_id takes precedence over an equal id
      // (docs/decisions/command-line.md).
      const isLasting = column !== undefined && fieldsOf(table)[column]?.immutable === true;
      let missing: unknown = new Error(
        `there is no ${noun} ${column === undefined ? "with the ID " : ""}"${name}"`,
      );
      for (const look of isLasting ? [byName, byId] : [byId, byName]) {
        if (look === false) continue;
        try {
          return String((await call<PublicView>("GET", look, record)).id);
        } catch (error) {
          if (!(error instanceof ApiProblem) || error.code !== "not_found") throw error;
          missing = error;
        }
      }
      if (column === undefined && endOfId.test(name))
        throw new WrongUsage(
          `"${name}" is a shortened ID, as pages show it: use the full ID from the address of its page`,
        );
      throw missing;
    },
    list: ({ path }, query) => call("GET", [path], { query, answer: "page" }),
    get,
    async create({ path, output = {} }, body) {
      const answer = Object.entries(await call<PublicView>("POST", [path], { ...made, body }));
      const isOnce = ([name]: [string, unknown]) => Object.hasOwn(output, name);
      return {
        record: Object.fromEntries(answer.filter((each) => !isOnce(each))),
        once: Object.fromEntries(answer.filter(isOnce).map(([name, value]) => [name, String(value)])),
      };
    },
    async patch(resource, id, input, lists = {}) {
      if (Object.keys(lists).length === 0) return write(resource, id, input);
      for (let attempt = 1; ; attempt += 1) {
        const seen = await get(resource, id);
        const changed = Object.entries(lists).map(([name, { add, remove }]) => {
          const before = isStrings(seen[name]) ? seen[name] : [];
          return [name, [...new Set([...before.filter((each) => !remove.includes(each)), ...add])]];
        });
        try {
          return await write(resource, id, { ...input, ...Object.fromEntries(changed) }, seen);
        } catch (error) {
          if (!(error instanceof ApiProblem) || error.code !== "stale" || attempt === mostAttempts)
            throw error;
        }
      }
    },
    async remove({ path }, id, values) {
      const query = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
      await call("DELETE", [path, id], { query, answer: "nothing" });
    },
    revoke: ({ path }, id) => call("POST", [path, id, "revoke"], made),
    act: ({ path }, verb, id, body) => call("POST", [path, id, spelledVerb(verb)], { ...made, body }),
    read: ({ path }, name, id) => call("GET", [path, id, spelledVerb(name)]),
    async impact({ path }, id) {
      try {
        return await call("GET", [path, id, "impact"]);
      } catch (error) {
        // A server that is too old has no such endpoint. A forbidden action itself is refused later, when it
        // is attempted.
        if (error instanceof ApiProblem && error.status < 500) return undefined;
        throw error;
      }
    },
  };
}
