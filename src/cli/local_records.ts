/** Records of the database of this machine, written by the functions that the management API calls, too. */
import type { AdminContext } from "../admin/access/actor.ts";
import { idOf } from "./record_names.ts";
import type { RecordSource } from "./record_source.ts";

export async function localRecords(context: AdminContext): Promise<RecordSource> {
  const [{ listRecords }, manage, { patchRecord }] = await Promise.all([
    import("../admin/manage/list_records.ts"),
    import("../admin/manage/manage.ts"),
    import("../admin/manage/patch_record.ts"),
  ]);
  return {
    counting: context,
    idOf: (table, name) => idOf(context, table, name),
    list: (resource, query) => listRecords(context, resource, query),
    get: (resource, id) => manage.getRecord(context, resource, id),
    create: (resource, input) => manage.createRecord(context, resource, input),
    patch: (resource, id, input, lists) => patchRecord(context, resource, id, input, undefined, lists),
    async remove(resource, id, given) {
      await manage.removeRecord(context, resource, id, undefined, given);
    },
    revoke: (resource, id) => manage.revokeRecord(context, resource, id),
    read: (resource, name, id) => manage.readOfRecord(context, resource, name, id),
    act: (resource, verb, id, given) => manage.actOnRecord(context, resource, verb, id, given),
  };
}
