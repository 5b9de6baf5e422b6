import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { OAuthApp, Row } from "../../records/definition/definition.ts";
import { deliveriesKept } from "../../records/names/deliveries.ts";
import { hasPassed, isAhead } from "../../records/names/liveness.ts";
import { isFeatureOn } from "../../records/names/profiles.ts";
import type { AdminContext } from "../access/actor.ts";
import { type Input, invalidRecord } from "../access/errors.ts";
import { changeRecord, type Expected, loadRow, writeEvent } from "../changes/changes.ts";

/**
 * Schedules a delivery for now; a successful delivery is not repeated. Throws 404 `not_found`, 403
 * `forbidden`.
 */
export function retryDelivery(
  context: AdminContext,
  id: string,
  _given: Input,
  expected?: Expected<"deliveries">,
): Promise<Row<"deliveries">> {
  const due_at = context.now();
  const expires_at = new Date(due_at.getTime() + deliveriesKept.waiting);
  return changeRecord(
    context,
    "deliveries",
    id,
    ({ state }) => (state === "done" ? {} : { state: "waiting" as const, due_at, expires_at }),
    { expected, verb: "retried" },
  );
}

/**
 * Minimum time between two test notices to an app, in milliseconds. It limits how many can wait, because each
 * may be retried for a day.
 */
const testPause = 10_000;

/**
 * Queues a logout notice to an app for a user and a session that do not exist. Throws 404 `not_found`, 422
 * `invalid_record` if the app receives no such notices, 429 `throttled` within ten seconds of the last test.
 */
export async function testLogout(
  context: AdminContext,
  id: string,
  _given: Input,
  expected?: Expected<"oauth_apps">,
): Promise<OAuthApp> {
  const at = context.now();
  return context.store.transaction(async (tx) => {
    const app = await loadRow(tx, "oauth_apps", id);
    expected?.(app);
    if (app.backchannel_logout_uri === null || !isFeatureOn("logout_notices", context.switches))
      throw invalidRecord("oauth_apps", [fieldError("/backchannel_logout_uri", "receives_no_notices")]);
    // Test notices are recognized by their subject, the app's id, which no user has.
    const tests = { target_id: app.id, subject_key: app.id };
    const [last] = await tx.list("deliveries", tests, { order_by: "id", descending: true, limit: 1 });
    const isRecent = last !== undefined && !isAhead(last.created_at, at);
    if (isRecent && !hasPassed(new Date(last.created_at.getTime() + testPause), at))
      throw new Problem("throttled", detail("tests_throttled"), [], { retry_after: testPause / 1000 });
    await tx.insert("deliveries", {
      id: context.store.newId(at),
      kind: "logout_token",
      ...tests,
      organization_id: app.organization_id,
      event_id: crypto.randomUUID(),
      due_at: at,
      expires_at: new Date(at.getTime() + deliveriesKept.waiting),
      created_at: at,
    });
    await writeEvent(tx, context, "oauth_apps", app, "logout_tested", {});
    return app;
  });
}
