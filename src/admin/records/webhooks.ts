/** Webhook endpoints: created with a secret, resumed, tested, and sent events again (docs/webhooks.md). */
import { randomBytes } from "node:crypto";
import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { Row } from "../../records/definition/definition.ts";
import { checkChange, checkNew, isUuid } from "../../records/formats/check.ts";
import { deliveriesKept } from "../../records/names/deliveries.ts";
import { isFeatureOn } from "../../records/names/profiles.ts";
import { formerSecretTime, mostEndpoints, type WebhookSecrets } from "../../records/names/webhooks.ts";
import { type AdminContext, permissionsOfActor, sealerOf } from "../access/actor.ts";
import { assertValid, type Input, invalidRecord } from "../access/errors.ts";
import {
  type CreatedRow,
  changeRecord,
  type Expected,
  insertRecord,
  loadRow,
  writeEvent,
} from "../changes/changes.ts";
import { referenceErrors } from "../changes/references.ts";
import { recheckPermission } from "../guards/guards.ts";

type Endpoint = Row<"webhook_endpoints">;

const table = "webhook_endpoints";

/** Events that one call sends again. */
const mostReplayed = 1000;

const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

function sealed(context: AdminContext, id: string, secrets: WebhookSecrets): string {
  return sealerOf(context).seal("webhook_secret", JSON.stringify(secrets), id);
}

/**
 * Creates an endpoint that hears of events from now on. Its secret is in this answer alone. Throws 422
 * `invalid_record`, also for more than 20 endpoints of one owner and while no events are told.
 */
export async function createWebhookEndpoint(
  context: AdminContext,
  requested: Input,
): Promise<CreatedRow<"webhook_endpoints">> {
  const { store, now } = context;
  const at = now();
  const id =
    typeof requested.id === "string" && isUuid(requested.id) ? requested.id.toLowerCase() : store.newId(at);
  const secret = newSecret();
  const { errors, record } = checkNew(table, requested, {
    ...(requested.id === undefined ? { id } : {}),
    secrets_sealed: sealed(context, id, { current: secret }),
    position: (await store.feedBounds()).newest,
    created_at: at,
    updated_at: at,
  });
  const missing = await referenceErrors(context, store, table, record as Input);
  const off = isFeatureOn("events", context.switches) ? [] : [fieldError("/url", "needs_events")];
  const { organization_id = null } = record;
  const others = await store.count(table, { organization_id });
  const many =
    others < mostEndpoints ? [] : [fieldError("/url", "too_many_endpoints", { max: mostEndpoints })];
  const draft = assertValid(table, { errors: [...errors, ...missing, ...off, ...many], record });
  return { row: await insertRecord(context, table, draft), once: { secret } };
}

/**
 * Changes an endpoint. One that is activated again continues where it stopped, or with `resume: "now"` at the
 * newest event. Throws 404 `not_found`, 422 `invalid_record`.
 */
export function updateWebhookEndpoint(
  context: AdminContext,
  id: string,
  { resume, ...requested }: Input,
  expected?: Expected<"webhook_endpoints">,
): Promise<Endpoint> {
  return changeRecord(
    context,
    table,
    id,
    async (current, tx) => {
      const { errors, record } = checkChange(table, current, requested);
      const wrong = [undefined, "kept", "now"].includes(resume as string | undefined)
        ? []
        : [fieldError("/resume", "not_one_of", { values: ["kept", "now"] })];
      const changes = assertValid(table, { errors: [...errors, ...wrong], record });
      if (changes.active === false && current.active) await context.store.holdWebhook(tx, id);
      if (changes.active !== true || current.active) return changes;
      const resumed = await context.store.resumeWebhook(
        tx,
        id,
        resume === "now" ? "now" : "kept",
        context.now(),
      );
      return { ...changes, ...resumed, failing_since: null, disabled_reason: null };
    },
    { expected },
  );
}

/** Works on an endpoint that the actor may still write, under its lock, and writes the audit event. */
async function act(
  context: AdminContext,
  id: string,
  verb: string,
  work: (tx: Parameters<typeof loadRow>[0], endpoint: Endpoint, at: Date) => Promise<Endpoint>,
  expected?: Expected<"webhook_endpoints">,
): Promise<Endpoint> {
  const actorPermissions = await permissionsOfActor(context);
  return context.store.transaction(async (tx) => {
    const endpoint = await loadRow(tx, table, id);
    await recheckPermission(tx, actorPermissions, table, endpoint);
    expected?.(endpoint);
    const after = await work(tx, endpoint, context.now());
    await writeEvent(tx, context, table, endpoint, verb, {});
    return after;
  });
}

/** Replaces the secret; the former one signs as well for a day. The new one is in this answer alone. */
export async function rotateWebhookSecret(
  context: AdminContext,
  id: string,
  _given: Input,
  expected?: Expected<"webhook_endpoints">,
): Promise<CreatedRow<"webhook_endpoints">> {
  const secret = newSecret();
  const row = await act(
    context,
    id,
    "secret_rotated",
    async (tx, endpoint, at) => {
      const opened = sealerOf(context).open("webhook_secret", endpoint.secrets_sealed, endpoint.id);
      const { current } = JSON.parse(opened) as WebhookSecrets;
      const former = { secret: current, until: at.getTime() + formerSecretTime };
      const secrets_sealed = sealed(context, endpoint.id, { current: secret, former });
      const [changed] = await tx.change(table, { id: endpoint.id }, { secrets_sealed, updated_at: at });
      return changed ?? endpoint;
    },
    expected,
  );
  return { row, once: { secret } };
}

/** Sends the endpoint an event of the type `ping`. Throws 404 `not_found`. */
export function pingWebhook(
  context: AdminContext,
  id: string,
  _given: Input,
  expected?: Expected<"webhook_endpoints">,
): Promise<Endpoint> {
  return act(
    context,
    id,
    "tested",
    async (tx, endpoint, at) => {
      await tx.insert("deliveries", {
        id: context.store.newId(at),
        kind: "webhook",
        target_id: endpoint.id,
        organization_id: endpoint.organization_id,
        subject_key: crypto.randomUUID(),
        due_at: at,
        expires_at: new Date(at.getTime() + deliveriesKept.waiting),
        created_at: at,
      });
      return endpoint;
    },
    expected,
  );
}

/**
 * Sends events again: one by `event_id`, or those after `after`, of `types` if there are any, a thousand at
 * most. Throws 404 `not_found`, 422 `invalid_record`.
 */
export function replayWebhook(
  context: AdminContext,
  id: string,
  { event_id, after, types }: Input,
  expected?: Expected<"webhook_endpoints">,
): Promise<Endpoint> {
  return act(
    context,
    id,
    "replayed",
    async (tx, endpoint, at) => {
      const { organization_id } = endpoint;
      const mayHear = (event: Row<"events">) =>
        organization_id === null || event.organization_id === organization_id;
      if (typeof event_id === "string" && isUuid(event_id)) {
        const event = await tx.find("events", { id: event_id.toLowerCase() });
        if (event === undefined || !mayHear(event))
          throw invalidRecord(table, [fieldError("/event_id", "no_record", { record: "event" })]);
        await context.store.replayWebhook(tx, endpoint, [event], at);
        return endpoint;
      }
      if (typeof after !== "number" || !Number.isSafeInteger(after) || after < 0)
        throw invalidRecord(table, [fieldError("/after", "required")]);
      const newest = await context.store.newestIn(tx);
      const wanted = Array.isArray(types) && types.length > 0 ? types : endpoint.types;
      let position = after;
      let count = 0;
      while (position < newest && count < mostReplayed) {
        const query = {
          ...{ after: position, limit: mostReplayed - count },
          ...(wanted.length > 0 && { types: wanted }),
          ...(organization_id !== null && { organization_ids: [organization_id] }),
        };
        const part = await context.store.readFeedIn(tx, query, newest);
        count += await context.store.replayWebhook(tx, endpoint, part.events, at);
        position = part.position;
      }
      if (count === 0) throw new Problem("conflict", detail("nothing_to_replay"));
      return endpoint;
    },
    expected,
  );
}
