import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { presetOf } from "../../providers/presets/all_presets.ts";
import { presetErrors } from "../../providers/presets/preset_errors.ts";
import { type ProviderDraft, wholeDraft } from "../../providers/presets/provider_draft.ts";
import { addressFields } from "../../providers/presets/provider_origin.ts";
import type { NewRow, Provider } from "../../records/definition/definition.ts";
import { type Checked, checkChange, checkNew, isUuid } from "../../records/formats/check.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { providerPresets } from "../../records/names/names.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { assertValid, type Input, invalidRecord, without } from "../access/errors.ts";
import { heldOff } from "../access/own_columns.ts";
import { changeRecord, type Expected, insertRecord, type Transaction } from "../changes/changes.ts";
import { referenceErrors } from "../changes/references.ts";
import { deleteRecord } from "../changes/removal.ts";
import {
  adoptLinks,
  adoptManyLinks,
  awaitsManyLinks,
  hasManyLinks,
  removeManyLinks,
  retireProvider,
  retireSlug,
} from "./provider_links.ts";
import { needsSecret, sealedSecret, secretReason } from "./provider_secrets.ts";

const secret = ["client_secret"] as const;

function presetIn({ preset }: Input): Pick<Provider, "preset"> | undefined {
  const known = providerPresets.find((name) => name === preset);
  return known && { preset: known };
}

function withPresetErrors<R>(
  { errors, record }: Checked<R>,
  whole: ProviderDraft,
  stored?: Provider,
): Checked<R> {
  const fields = new Set(errors.map(({ path }) => path.split("/", 2)[1]));
  const further = fields.has("preset")
    ? []
    : presetErrors(whole, stored).filter(({ path }) => !fields.has(path.split("/", 2)[1]));
  return { errors: [...errors, ...further], record };
}

function withPlainTenants<R extends Partial<Provider>>(record: R, { preset }: Pick<Provider, "preset">): R {
  const { allowed_tenants: tenants } = record;
  if (tenants === undefined || presetOf({ preset }).tenants_are === undefined) return record;
  return { ...record, allowed_tenants: [...new Set(tenants.map((tenant) => tenant.toLowerCase()))] };
}

/** Returns a new provider with the errors of the input; its secret is not checked. */
export function draftProvider({ store, now }: AdminContext, requested: Input): Checked<NewRow<"providers">> {
  const at = now();
  const preset = presetIn(requested);
  const label = preset && presetOf(preset).label;
  const input = requested.label === undefined && label !== undefined ? { ...requested, label } : requested;
  const checked = checkNew("providers", without(input, secret), {
    ...(input.id === undefined ? { id: store.newId(at) } : {}),
    client_secret: "",
    created_at: at,
    updated_at: at,
  });
  if (preset === undefined) return checked;
  const record = withPlainTenants(checked.record, preset);
  return withPresetErrors({ errors: checked.errors, record }, wholeDraft({ ...record, ...preset }));
}

export function draftProviderChange(
  _: AdminContext,
  current: Provider,
  input: Input,
): Checked<Partial<Provider>> {
  const checked = checkChange("providers", current, without(input, secret));
  const whole = { ...current, ...checked.record };
  const record = withPlainTenants(checked.record, whole);
  return withPresetErrors({ errors: checked.errors, record }, { ...whole, ...record }, current);
}

function secretErrors({ client_secret }: Input, of: Pick<Provider, "preset">, isNew: boolean): FieldError[] {
  if (client_secret === undefined) {
    const isMissing = isNew && needsSecret(of);
    return isMissing ? [fieldError("/client_secret", "needed_by_preset", of)] : [];
  }
  if (client_secret === null && !needsSecret(of) && !isNew) return [];
  const why = secretReason(client_secret, of);
  return why === undefined ? [] : [{ path: "/client_secret", ...why }];
}

/** Creates a provider. Throws 422 `invalid_record`, 403 `forbidden`, 409 `conflict` if the slug is in use. */
export async function createProvider(context: AdminContext, requested: Input): Promise<Provider> {
  const { errors, record } = draftProvider(context, requested);
  const missing = await referenceErrors(context, context.store, "providers", record);
  const of = presetIn(requested);
  const ofSecret = of === undefined ? [] : secretErrors(requested, of, true);
  const valid = assertValid("providers", { errors: [...errors, ...missing, ...ofSecret], record });
  const { client_secret } = requested;
  const client_secret_sealed =
    typeof client_secret === "string" ? sealedSecret(context, valid.id, client_secret, valid) : "";
  const { platform } = await permissionsOfActor(context);
  const record_of = valid as Provider;
  const has_many = platform && (await awaitsManyLinks(context, record_of));
  const draft = { ...valid, client_secret: client_secret_sealed, ...(has_many && { active: false }) };
  const made = await insertRecord(context, "providers", draft, async (tx) => {
    if (platform && !has_many) await adoptLinks(tx, record_of);
  });
  if (!has_many || valid.active === false) return made;
  return updateProvider(context, made.id, { active: true });
}

/**
 * Changes a provider (RFC 7396). While linked accounts exist, fields that determine whom they sign in cannot
 * change: 409 `links_exist` (EP-2). Throws 404 `not_found`, 422 `invalid_record`, 403 `forbidden`.
 */
export async function updateProvider(
  context: AdminContext,
  id: string,
  requested: Input,
  expected?: Expected<"providers">,
): Promise<Provider> {
  await adoptBefore(context, id, requested);
  return changeRecord(
    context,
    "providers",
    id,
    async (current, tx) => {
      const { errors, record } = draftProviderChange(context, current, requested);
      const whole = { ...current, ...record };
      const missing = await referenceErrors(context, tx, "providers", record);
      const all = [...errors, ...missing, ...secretErrors(requested, whole, false)];
      if (
        record.preset !== undefined &&
        record.preset !== current.preset &&
        requested.client_secret === undefined
      ) {
        all.push(fieldError("/client_secret", "needed_by_preset", whole));
      }
      if (all.length > 0) throw invalidRecord("providers", all);
      const { client_secret } = requested;
      return {
        ...record,
        ...(typeof client_secret === "string" && {
          client_secret: sealedSecret(context, id, client_secret, whole),
        }),
        ...(client_secret === null && { client_secret: "" }),
        ...(await heldOff(context, "providers", current, requested)),
      };
    },
    {
      expected,
      also: async (tx, current, changes, at) => {
        await refuseRepointing(tx, current, changes);
        if (changes.slug !== undefined) await retireSlug(tx, context, current, at);
      },
    },
  );
}

async function adoptBefore(context: AdminContext, id: string, { active }: Input): Promise<void> {
  if (active !== true || !isUuid(id) || !(await permissionsOfActor(context)).platform) return;
  const provider = await context.store.find("providers", { id: id.toLowerCase() });
  if (provider !== undefined && !provider.active) await adoptManyLinks(context, provider);
}

/**
 * Together with the subject at the provider, these fields determine which external account a linked account
 * refers to.
 */
const fixedByLinks = ["slug", ...addressFields] as const satisfies readonly (keyof Provider)[];

function repointed(current: Provider, changes: Partial<Provider>): readonly string[] {
  const fields = fixedByLinks.filter((name) => changes[name] !== undefined);
  const { settings = current.settings } = changes;
  const isOther = subjectClaim(settings) !== subjectClaim(current.settings);
  return [...fields, ...(isOther ? ["settings/claim_names/subject"] : [])];
}

function subjectClaim({ claim_names }: Provider["settings"]): unknown {
  return isObject(claim_names) ? claim_names.subject : undefined;
}

/** Returns errors for changes after which linked accounts would refer to other external accounts. */
export function repointingErrors(current: Provider, changes: Partial<Provider>, links: number): FieldError[] {
  if (links === 0) return [];
  return repointed(current, changes).map((path) => fieldError(`/${path}`, "fixed_while_linked", { links }));
}

async function refuseRepointing(
  tx: Pick<Transaction, "count">,
  current: Provider,
  changes: Partial<Provider>,
): Promise<void> {
  if (repointed(current, changes).length === 0) return;
  const links = await tx.count("oauth_accounts", { provider_id: current.id });
  const errors = repointingErrors(current, changes, links);
  if (errors.length > 0) throw new Problem("links_exist", detail("provider_linked", { links }), errors);
}

/**
 * Deletes a provider, and its linked accounts if `with_links` is true. Throws 409 `links_exist` if
 * `with_links` is false and there are linked accounts, 404 `not_found`, 403 `forbidden`.
 */
export async function deleteProvider(
  context: AdminContext,
  id: string,
  with_links: boolean,
  expected?: Expected<"providers">,
): Promise<void> {
  const requireNoLinks = async (tx: Pick<Transaction, "count">) => {
    const links = with_links ? 0 : await tx.count("oauth_accounts", { provider_id: id });
    if (links > 0) throw new Problem("links_exist", detail("provider_links_remain", { links }));
  };
  await deleteRecord(context, "providers", id, {
    expected,
    check: requireNoLinks,
    more: {
      isMany: () => hasManyLinks(context, id),
      remove: () => removeManyLinks(context, id, context.now()),
    },
    async remove(tx, current) {
      await requireNoLinks(tx);
      await retireProvider(tx, context, current, context.now());
    },
  });
}
