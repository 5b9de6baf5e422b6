import { SealError } from "../../crypto/sealing.ts";
import { newWebhookSecret } from "../../crypto/standard_webhooks.ts";
import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { Row } from "../../records/definition/definition.ts";
import { long, omissible, oneOf, strings, time, uuid } from "../../records/definition/field.ts";
import { checkChange, checkMembers, checkNew, isUuid } from "../../records/formats/check.ts";
import { deliveriesKept } from "../../records/names/deliveries.ts";
import { recordLock } from "../../records/names/lock_names.ts";
import { isFeatureOn } from "../../records/names/profiles.ts";
import {
  formerSecretTime,
  mostUntriedOfEndpoint,
  mostWaitingOfEndpoint,
  type WebhookSecrets,
} from "../../records/names/webhooks.ts";
import type { Transaction } from "../../storage/database/database.ts";
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
import { requireReading } from "../guards/webhook_rules.ts";

type Endpoint = Row<"webhook_endpoints">;

const table = "webhook_endpoints";

export const resumeInput = {
  resume: omissible(
    oneOf(
      "what the endpoint receives after reactivation: with `kept`, also the events in the meantime; with `now`, only new events. Default: kept",
      ["kept", "now"],
    ),
  ),
} as const;

export const replayInput = {
  event_id: omissible(uuid("event to resend")),
  after: omissible(long("position after which events are resent", { min: 0 })),
  since: omissible(time("time from which events are resent")),
  types: omissible(
    strings("types of events to resend. Default: those of the endpoint", {
      format: "event_type",
      most: { items: 100, characters: 64 },
    }),
  ),
} as const;

const mostSearched = 1_000_000;

interface Replay {
  readonly event_id?: string;
  readonly after?: number;
  readonly since?: Date;
  readonly types?: readonly string[];
}

function sealed(context: AdminContext, id: string, secrets: WebhookSecrets): string {
  return sealerOf(context).seal("webhook_secret", JSON.stringify(secrets), id);
}

/**
 * Creates a webhook endpoint that receives events from now on. `once.secret` is its secret, which cannot be
 * read again. Throws 422 `invalid_record`.
 */
export async function createWebhookEndpoint(
  context: AdminContext,
  requested: Input,
): Promise<CreatedRow<"webhook_endpoints">> {
  const { store, now } = context;
  const at = now();
  const id =
    typeof requested.id === "string" && isUuid(requested.id) ? requested.id.toLowerCase() : store.newId(at);
  const secret = newWebhookSecret();
  const { errors, record } = checkNew(table, requested, {
    ...(requested.id === undefined ? { id } : {}),
    secrets_sealed: sealed(context, id, { current: secret }),
    position: (await store.feedBounds()).newest,
    created_at: at,
    updated_at: at,
  });
  const missing = await referenceErrors(context, store, table, record as Input);
  const off = isFeatureOn("events", context.switches) ? [] : [fieldError("/url", "needs_events")];
  const draft = assertValid(table, { errors: [...errors, ...missing, ...off], record });
  return { row: await insertRecord(context, table, draft), once: { secret } };
}

/**
 * Changes a webhook endpoint. When it is reactivated, delivery continues with the oldest waiting event or,
 * with `resume: "now"`, with the next new one. Throws 404 `not_found`, 422 `invalid_record`.
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
      const resuming = checkMembers(resumeInput, { resume });
      const changes = assertValid(table, { errors: [...errors, ...resuming.errors], record });
      if (changes.active === false && current.active)
        await context.store.holdDeliveries(tx, { kind: "webhook", target_id: id });
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

/** Every action except a test requires permission to read what the endpoint sends (EV-5). */
async function act(
  context: AdminContext,
  id: string,
  verb: string,
  work: (tx: Transaction, endpoint: Endpoint, at: Date) => Promise<Endpoint>,
  expected?: Expected<"webhook_endpoints">,
): Promise<Endpoint> {
  const actorPermissions = await permissionsOfActor(context);
  return context.store.transaction(async (tx) => {
    await tx.lock(recordLock(table, id));
    const endpoint = await loadRow(tx, table, id);
    await recheckPermission(tx, actorPermissions, table, endpoint);
    if (verb !== "tested") requireReading(actorPermissions, endpoint);
    expected?.(endpoint);
    const after = await work(tx, endpoint, context.now());
    await writeEvent(tx, context, table, endpoint, verb, {});
    return after;
  });
}

function currentSecret(context: AdminContext, { id, secrets_sealed }: Endpoint): string | undefined {
  try {
    const opened = sealerOf(context).open("webhook_secret", secrets_sealed, id);
    return (JSON.parse(opened) as WebhookSecrets).current;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/**
 * Replaces the endpoint's secret and returns the new one, which cannot be read again. For a day, webhooks are
 * also signed with the previous secret, unless it can no longer be decrypted.
 */
export async function rotateWebhookSecret(
  context: AdminContext,
  id: string,
  _given: Input,
  expected?: Expected<"webhook_endpoints">,
): Promise<CreatedRow<"webhook_endpoints">> {
  const secret = newWebhookSecret();
  const row = await act(
    context,
    id,
    "secret_rotated",
    async (tx, endpoint, at) => {
      const current = currentSecret(context, endpoint);
      const former = current && { secret: current, until: at.getTime() + formerSecretTime };
      const secrets_sealed = sealed(context, endpoint.id, { current: secret, ...(former && { former }) });
      const [changed] = await tx.change(table, { id: endpoint.id }, { secrets_sealed, updated_at: at });
      return changed ?? endpoint;
    },
    expected,
  );
  return { row, once: { secret } };
}

async function roomOf({ store }: AdminContext, tx: Transaction, { id }: Endpoint): Promise<number> {
  const { rows } = await store.waitingOfWebhook(tx, id);
  const room = mostWaitingOfEndpoint - rows;
  if (room <= 0) throw new Problem("conflict", detail("too_many_wait", { max: mostWaitingOfEndpoint }));
  return room;
}

/**
 * Queues a `ping` event for the endpoint. Throws 404 `not_found`, 409 `conflict` if a hundred events wait for
 * their first attempt.
 */
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
      const { untried } = await context.store.waitingOfWebhook(tx, endpoint.id);
      if (untried >= mostUntriedOfEndpoint)
        throw new Problem("conflict", detail("too_many_wait", { max: mostUntriedOfEndpoint }));
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

async function eventsToReplay(
  { store }: AdminContext,
  tx: Transaction,
  { organization_id, types }: Endpoint,
  given: Replay,
  room: number,
): Promise<readonly Row<"events">[]> {
  if (given.event_id !== undefined) {
    const event = await tx.find("events", { id: given.event_id });
    const isTheirs = organization_id === null || event?.organization_id === organization_id;
    if (event === undefined || !isTheirs)
      throw invalidRecord(table, [fieldError("/event_id", "no_record", { record: "event" })]);
    return [event];
  }
  const { oldest, newest } = await store.feedBoundsIn(tx);
  const from = given.since === undefined ? given.after : await store.positionAt(tx, given.since);
  let position = Math.max(from ?? newest, oldest - 1);
  const last = position + mostSearched;
  const wanted = given.types?.length ? given.types : types;
  const found: Row<"events">[] = [];
  while (position < Math.min(newest, last) && found.length < room) {
    const query = {
      ...{ after: position, limit: room - found.length },
      ...(wanted.length > 0 && { types: wanted }),
      ...(organization_id !== null && { organization_ids: [organization_id] }),
    };
    const part = await store.readFeedIn(tx, query, newest);
    found.push(...part.events);
    position = part.position;
  }
  return found;
}

/**
 * Queues earlier events again, at most a thousand: the event `event_id`, or events after the position `after`
 * or from the time `since`. `types` selects event types. Throws 404 `not_found`, 422 `invalid_record`, 409
 * `conflict` if no event matches or a thousand already wait.
 */
export function replayWebhook(
  context: AdminContext,
  id: string,
  input: Input,
  expected?: Expected<"webhook_endpoints">,
): Promise<Endpoint> {
  const { errors, record } = checkMembers(replayInput, input);
  const given = record as Replay;
  const named = [given.event_id, given.after, given.since].filter((each) => each != null);
  if (errors.length > 0) throw invalidRecord(table, errors);
  if (named.length !== 1) throw invalidRecord(table, [fieldError("/after", "not_one_beginning")]);
  return act(
    context,
    id,
    "replayed",
    async (tx, endpoint, at) => {
      const room = await roomOf(context, tx, endpoint);
      const events = await eventsToReplay(context, tx, endpoint, given, room);
      if (events.length === 0) throw new Problem("conflict", detail("nothing_to_replay"));
      await context.store.replayWebhook(tx, endpoint, events, at);
      return endpoint;
    },
    expected,
  );
}
