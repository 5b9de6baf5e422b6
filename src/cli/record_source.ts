/** Where the commands of records read and write: the database, or a server elsewhere. One output for both. */
import type { AdminContext } from "../admin/access/actor.ts";
import type { CreatedRecord } from "../admin/manage/manage.ts";
import type { ListChange } from "../admin/manage/patch_record.ts";
import type { OwnRead, OwnVerb, Resource } from "../admin/manage/resource.ts";
import type { TableName } from "../records/definition/definition.ts";
import type { PublicView } from "../records/definition/view.ts";

export type Input = Readonly<Record<string, unknown>>;

/** A page of records. */
export interface SourcePage {
  readonly data: readonly PublicView[];
  readonly next_cursor: string | null;
  readonly previous_cursor: string | null;
  readonly total?: number;
  readonly total_is_more?: boolean;
}

export interface RecordSource {
  /** The id of the record of this name or id. Throws not found, and `WrongUsage` for the end of an id. */
  idOf(table: TableName, name: string): Promise<string>;
  list(resource: Resource, query: Readonly<Record<string, string>>): Promise<SourcePage>;
  get(resource: Resource, id: string): Promise<PublicView>;
  create(resource: Resource, input: Input): Promise<Pick<CreatedRecord, "record" | "once">>;
  /** Merges the input, and the changes of lists, with the record as it is. */
  patch(
    resource: Resource,
    id: string,
    input: Input,
    lists: Readonly<Record<string, ListChange>>,
  ): Promise<PublicView>;
  remove(resource: Resource, id: string, given: Input): Promise<void>;
  revoke(resource: Resource, id: string): Promise<PublicView>;
  act(resource: Resource, verb: OwnVerb, id: string, given: Input): Promise<PublicView>;
  /** What is read of a record beside its fields. */
  read(resource: Resource, name: OwnRead, id: string): Promise<object>;
  /** For what else ends with a record; undefined where only the server could count it. */
  readonly counting: AdminContext | undefined;
}
