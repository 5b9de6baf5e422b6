import type { AdminContext } from "../admin/access/actor.ts";
import { answerOnce, type StoredAnswer } from "../admin/manage/idempotency.ts";
import { type CreatedRecord, createRecord } from "../admin/manage/manage.ts";
import { requirePermissionToRepeat } from "../admin/manage/repeat_permission.ts";
import type { Resource } from "../admin/resources/resources.ts";
import type { Params } from "../oauth/core/params.ts";

/**
 * Returns the ID by which a repeated submission of a form is recognized; undefined if the form contains no
 * valid ID.
 */
export function formIdIn(params: Params): string | undefined {
  const form_id = params.get("form_id");
  return form_id !== undefined && /^[0-9a-f-]{36}$/.test(form_id) ? form_id : undefined;
}

interface SentForm {
  readonly params: Params;
  readonly form_id: string | undefined;
  readonly path: string;
}

/**
 * Creates the record, or returns the record of an earlier submission of the same form with the same values.
 * After a double click, the user therefore still sees the secret that is shown once. Throws what
 * `createRecord` and `answerOnce` throw.
 */
export async function createOnce(
  admin: AdminContext,
  resource: Resource,
  input: Readonly<Record<string, unknown>>,
  { params, form_id, path }: SentForm,
): Promise<CreatedRecord> {
  if (form_id === undefined) return createRecord(admin, resource, input);
  // The same form ID with other values is a new submission: the user went back in the browser to create
  // another record.
  const key = JSON.stringify([form_id, params.pairs.filter(([name]) => name !== "csrf_token")]);
  const madeBy = ({ body }: StoredAnswer) => JSON.parse(body) as CreatedRecord;
  const { answer } = await answerOnce(
    admin,
    { method: "POST", path, key, body: "" },
    async () => {
      const made = await createRecord(admin, resource, input);
      return { status: 201, headers: {}, body: JSON.stringify(made) };
    },
    async (kept) => {
      await requirePermissionToRepeat(admin, resource, input, madeBy(kept).record.id);
      return undefined;
    },
  );
  return madeBy(answer);
}
