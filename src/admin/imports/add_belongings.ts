import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { hasOwnAddress } from "../../providers/presets/provider_origin.ts";
import type { NewRow, Provider } from "../../records/definition/definition.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { type AdminContext, sealerOf } from "../access/actor.ts";
import type { AdminEvent } from "../changes/audit.ts";
import { type Transaction, writeNew } from "../changes/changes.ts";
import { keyText } from "../manifest/members/entry.ts";
import { type Adding, addMemberships } from "./add_memberships.ts";
import type { Member } from "./carried.ts";
import type { PersonLine } from "./person_line.ts";

interface Added {
  readonly added: readonly Member[];
  readonly losses: readonly FieldError[];
  readonly events: readonly AdminEvent[];
}

type Reads = Pick<Verbs, "find">;

/** Returns the same reads with a cache, because many users of one import refer to the same records. */
export function foundOnce(reads: Reads): Reads {
  const found = new Map<string, Promise<unknown>>();
  return {
    find(table, where) {
      const key = JSON.stringify([table, where]);
      const row = found.get(key) ?? reads.find(table, where);
      found.set(key, row);
      return row as never;
    },
  };
}

/**
 * A name such as `google` in a file from another system means only this server's provider from that preset,
 * not one of an organization.
 */
const isServersPreset = (provider: Provider): boolean =>
  provider.organization_id === null && provider.preset === provider.slug && !hasOwnAddress(provider);

/**
 * Adds the passkeys, linked accounts and memberships of an imported line, and its authenticator apps if the
 * user has none. Existing records are not changed, except that memberships get missing roles.
 */
export async function addBelongings(
  tx: Transaction,
  context: AdminContext,
  line: PersonLine,
  user_id: string,
  adding: Adding,
): Promise<Added> {
  const { store } = context;
  const { at, shared, only_applied } = adding;
  const losses: FieldError[] = [];
  const events: AdminEvent[] = [];
  const added = new Set<Member>();

  const hasApps = line.totp.length > 0 && (await tx.count("totp_authenticators", { user_id })) > 0;
  for (const { secret, name } of hasApps ? [] : line.totp) {
    const id = store.newId(at);
    const secret_sealed = sealerOf(context).seal("totp_authenticator", secret, id);
    await tx.insert("totp_authenticators", {
      ...{ id, user_id, name, secret_sealed, last_step: 0, last_used_at: null, created_at: at },
    });
    added.add("totp");
  }
  for (const { row, path } of line.passkeys) {
    const found = await tx.find("passkeys", { credential_id: row.credential_id });
    if (found?.user_id === user_id) continue;
    if (found !== undefined) losses.push(fieldError(path, "taken"));
    else {
      await tx.insert("passkeys", { ...row, id: store.newId(at), user_id, created_at: at });
      added.add("passkeys");
    }
  }
  for (const { provider: slug, is_preset, provider_user_id, path } of line.linked_accounts) {
    const provider = await shared.find("providers", { slug });
    if (provider === undefined || (is_preset && !isServersPreset(provider))) {
      losses.push(fieldError(`${path}/provider`, "no_record_of_name", { record: "provider", field: "slug" }));
      continue;
    }
    const key = keyText("providers", { slug });
    const isKnown =
      !only_applied ||
      isServersPreset(provider) ||
      (await store.isAppliedAs({ table: "providers", id: provider.id, name: key }, shared));
    if (!isKnown) {
      losses.push(fieldError(`${path}/provider`, "not_applied", { record: "provider" }));
      continue;
    }
    const found = await tx.find("oauth_accounts", { provider: slug, provider_user_id });
    if (found !== undefined && found.user_id !== user_id) losses.push(fieldError(path, "taken"));
    if (found !== undefined) continue;
    const id = store.newId(at);
    const row: NewRow<"oauth_accounts"> = {
      ...{ id, user_id, provider: slug, provider_user_id, provider_id: provider.id },
      ...{ access_token: sealerOf(context).seal("linked_account", "", id), created_at: at, updated_at: at },
    };
    events.push((await writeNew(tx, context, "oauth_accounts", row)).event);
    added.add("linked_accounts");
  }
  const more = await addMemberships(tx, context, line, user_id, adding);
  if (more.added) added.add("memberships");
  return {
    added: [...added],
    losses: [...losses, ...more.losses],
    events: [...events, ...more.events],
  };
}
