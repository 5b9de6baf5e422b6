import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { NewRow, OAuthConsent } from "../../records/definition/definition.ts";
import { type Checked, checkChange, checkNew, isUuid } from "../../records/formats/check.ts";
import { stateOfConsent } from "../../records/names/liveness.ts";
import { userLock } from "../../records/names/lock_names.ts";
import type { RevokedReason } from "../../records/names/names.ts";
import type { AdminContext } from "../access/actor.ts";
import { assertValid, type Input, notFound, withoutServerSet } from "../access/errors.ts";
import { changeRecord, type Expected, insertRecord, type Transaction } from "../changes/changes.ts";
import { referenceErrors } from "../changes/references.ts";
import { deleteRecord } from "../changes/removal.ts";

/** Returns a new consent with the errors of the input. */
export function draftConsent({ store, now }: AdminContext, input: Input): Checked<NewRow<"oauth_consents">> {
  const at = now();
  return checkNew(
    "oauth_consents",
    { granted_at: at, ...input },
    { ...(input.id === undefined ? { id: store.newId(at) } : {}), created_at: at, updated_at: at },
  );
}

/** A change may not add scopes, because users widen a consent only on the consent page. */
function draftConsentChange(current: OAuthConsent, input: Input): Checked<Partial<OAuthConsent>> {
  const { errors, record } = checkChange("oauth_consents", current, input);
  const moved = (["user_id", "app_id"] as const).filter(
    (name) => record[name] !== undefined && record[name] !== current[name],
  );
  const wider = (record.scopes ?? []).flatMap((scope, index) =>
    current.scopes.includes(scope) ? [] : [fieldError(`/scopes/${index}`, "not_in_consent")],
  );
  return {
    errors: [...errors, ...moved.map((name) => fieldError(`/${name}`, "fixed")), ...wider],
    record,
  };
}

/**
 * Returns the change that a manifest makes to a consent. The change is empty if the user withdrew the
 * consent.
 */
export function draftConsentAgain(
  { warn }: Pick<AdminContext, "warn">,
  current: OAuthConsent,
  input: Input,
): Checked<Partial<OAuthConsent>> {
  if (stateOfConsent(current) === "active") return draftConsentChange(current, input);
  warn?.(": the user withdrew this consent, so it stays withdrawn");
  return { errors: [], record: {} };
}

export const consentWriting = {
  async also(
    tx: Transaction,
    { before, after }: { readonly before: OAuthConsent | undefined; readonly after: OAuthConsent },
    at: Date,
    context: AdminContext,
  ): Promise<void> {
    if (before !== undefined && before.scopes.length > after.scopes.length)
      await narrowConsent(tx, context, after, at);
  },
  remove: (tx: Transaction, consent: OAuthConsent, at: Date, context: AdminContext): Promise<void> =>
    removeConsent(tx, context, consent, at),
  finish: (consent: OAuthConsent, { store }: AdminContext): Promise<void> => store.finishNarrowing(consent),
};

export const consentServerSet = [
  "granted",
  "granted_at",
  "last_used_at",
  "revoked",
  "revoked_at",
  "revoked_reason",
] as const;

const withdrawn: RevokedReason = "consent_withdrawn";

async function getConsent({ store }: Pick<AdminContext, "store">, id: string): Promise<OAuthConsent> {
  const consent = isUuid(id) ? await store.find("oauth_consents", { id: id.toLowerCase() }) : undefined;
  if (consent === undefined) throw notFound("oauth_consents", id);
  return consent;
}

/**
 * Records a consent that a user gave outside this server. Throws 403 `forbidden` unless the actor is a
 * platform administrator. Throws 422 `invalid_record`, 409 `conflict` if the user already has a consent for
 * the app.
 */
export async function createConsent(context: AdminContext, requested: Input): Promise<OAuthConsent> {
  const own = withoutServerSet(requested, consentServerSet);
  const { errors, record } = draftConsent(context, own.input);
  const missing = await referenceErrors(context, context.store, "oauth_consents", record);
  const draft = assertValid("oauth_consents", { errors: [...own.errors, ...errors, ...missing], record });
  return insertRecord(context, "oauth_consents", draft);
}

/**
 * Removes scopes from a consent and ends tokens that contain them. Throws 404 `not_found`, 422
 * `invalid_record` if the change adds scopes, 409 `revoked` if the consent was withdrawn.
 */
export async function updateConsent(
  context: AdminContext,
  id: string,
  requested: Input,
  expected?: Expected<"oauth_consents">,
  known?: OAuthConsent,
): Promise<OAuthConsent> {
  const { store } = context;
  const seen = known ?? (await getConsent(context, id));
  const consent = await changeRecord(
    context,
    "oauth_consents",
    seen.id,
    (current) => {
      if (stateOfConsent(current) !== "active") {
        throw new Problem("revoked", detail("consent_withdrawn"));
      }
      const own = withoutServerSet(requested, consentServerSet);
      const { errors, record } = draftConsentChange(current, own.input);
      return assertValid("oauth_consents", { errors: [...own.errors, ...errors], record });
    },
    {
      expected,
      locks: [userLock(seen.user_id)],
      async also(tx, current, { scopes }, at) {
        if (scopes !== undefined) await narrowConsent(tx, context, current, at);
      },
    },
  );
  await store.finishNarrowing(consent);
  return consent;
}

/** Call `finishNarrowing` after the commit to revoke the tokens with removed scopes. */
async function narrowConsent(
  tx: Transaction,
  { store }: Pick<AdminContext, "store">,
  consent: OAuthConsent,
  at: Date,
): Promise<void> {
  await store.keepNarrowed(tx, consent, at);
  await store.removeCodesOfApp(tx, consent, at);
}

/**
 * Withdraws a consent. The same commit ends the tokens and codes that depend on it. Throws 404 `not_found`.
 */
export async function revokeConsent(
  context: AdminContext,
  id: string,
  expected?: Expected<"oauth_consents">,
): Promise<OAuthConsent> {
  const seen = await getConsent(context, id);
  const revoked_at = context.now();
  const consent = await changeRecord(
    context,
    "oauth_consents",
    seen.id,
    ({ revoked }) => (revoked ? {} : { revoked: true, revoked_at, revoked_reason: withdrawn }),
    {
      expected,
      verb: "revoked",
      details: { user_id: seen.user_id, app_id: seen.app_id },
      locks: [userLock(seen.user_id)],
      also: (tx, current, _, at) => context.store.endGivenToApp(tx, current, at),
    },
  );
  await context.store.markSomeTokens(consent);
  return consent;
}

export async function deleteConsent(
  context: AdminContext,
  id: string,
  expected?: Expected<"oauth_consents">,
): Promise<void> {
  const seen = await getConsent(context, id);
  await deleteRecord(context, "oauth_consents", seen.id, {
    expected,
    locks: [userLock(seen.user_id)],
    remove: (tx, current) => removeConsent(tx, context, current, context.now()),
  });
  await context.store.markSomeTokens(seen);
}

/** Call it in a transaction that holds the user's lock. */
async function removeConsent(
  tx: Transaction,
  { store }: Pick<AdminContext, "store">,
  consent: OAuthConsent,
  at: Date,
): Promise<void> {
  await store.endGivenToApp(tx, consent, at);
  await tx.remove("oauth_consents", { id: consent.id });
}
