import { prefixOf } from "../../../crypto/credentials.ts";
import type { NewRow, OAuthAppSecret } from "../../../records/definition/definition.ts";
import { hasSecret } from "../../../records/rules/client_record.ts";
import type { AdminContext } from "../../access/actor.ts";
import { differing } from "../../changes/changes.ts";
import type { SecretMemory, SecretPair } from "../../manage/manifest_memory.ts";
import type { ManifestMember, PreparedRow, Values } from "../../manage/planned_record.ts";
import { draftSecret, newClientSecret } from "../../records/app_secrets.ts";
import {
  type GivenSecret,
  isActiveSecret,
  mostSecrets,
  readSecrets,
  tooManySecrets,
} from "../../records/given_secrets.ts";
import { isSameForeignHash } from "../../records/password_input.ts";

const part = { table: "oauth_app_secrets", column: "app_id" } as const;

/**
 * The secrets of an app, in plain text or as hashes of another program. If the entry omits the field and the
 * app starts to require a secret (`hasSecret`), the server generates one.
 */
export const secretsMember: ManifestMember<readonly GivenSecret[]> = {
  names: ["secrets"],
  part,

  read({ secrets }, { path, whole, context, collector }) {
    if (secrets === undefined) return undefined;
    const { errors: found, record } = readSecrets(secrets, whole.public === true, {
      actor: context.actor,
      warn: (message) =>
        context.warn?.(`${path}.${message.replace(/^\/secrets\/(\d+)/, "secrets[$1]").replace("/", ".")}`),
    });
    collector.addBelow(path, found);
    return record;
  },

  async compare(input, { current, values }, context) {
    const stored =
      current === undefined ? [] : await context.store.list(part.table, { app_id: String(current.id) });
    const app: Values = { ...current, ...values };
    const app_id = String(app.id);
    return {
      pairs: (input ?? []).flatMap((secret) => likelyPair(secret, stored)),
      async prepare(memory, at) {
        if (app.public === true) {
          const dropped = stored.length > 0;
          return { dropped, hidden: dropped ? ["secrets"] : [] };
        }
        if (input === undefined) {
          const needsFirst = hasSecret(app) && (current === undefined || !hasSecret(current));
          if (!needsFirst) return {};
          const value = newClientSecret(at);
          const row = newSecret(await draftSecret(context, app_id, { value }));
          return {
            rows: [{ ...row, generated: true }],
            hidden: ["secrets"],
            made: [String(app.client_id), value],
          };
        }
        const rows: PreparedRow[] = [];
        const pairs: SecretPair[] = [];
        for (const secret of input) {
          const known = await findKnown(stored, secret, memory, context);
          const row = known ?? (await draftSecret(context, app_id, secret));
          if (secret.hash === undefined) pairs.push({ hash: row.secret_hash, value: secret.value });
          rows.push(known === undefined ? newSecret(row) : changedSecret(known, secret, at));
        }
        const added = rows.filter((row) => row.current === undefined);
        const byId = new Map<unknown, Values>(stored.map((secret) => [secret.id, secret]));
        for (const { current: known, values: row } of rows) {
          byId.set((known ?? row).id, { ...known, ...row });
        }
        const live = [...byId.values()].filter((row) => isActiveSecret(row as OAuthAppSecret, at));
        if (live.length > mostSecrets) throw tooManySecrets(`/apps/${String(app.client_id)}/secrets`);
        const prefixes = [...stored, ...added.map((row) => row.values)].map((row) => row.secret_prefix);
        for (const pair of pairs) {
          // The next `apply` finds the secret of the file by its prefix, so the prefix must be unique.
          if (prefixes.filter((prefix) => prefix === prefixOf(pair.value)).length === 1) memory.note(pair);
        }
        return {
          rows,
          named: rows.map((row) => String((row.current ?? row.values).id)),
          hidden: added.length > 0 ? ["secrets"] : [],
        };
      },
    };
  },
};

function likelyPair({ value, hash }: GivenSecret, stored: readonly OAuthAppSecret[]): SecretPair[] {
  if (hash !== undefined) return [];
  const candidates = stored.filter(({ secret_prefix }) => secret_prefix === prefixOf(value));
  const [only] = candidates;
  return only === undefined || candidates.length > 1 ? [] : [{ hash: only.secret_hash, value }];
}

async function findKnown(
  stored: readonly OAuthAppSecret[],
  { value, hash }: GivenSecret,
  memory: SecretMemory,
  context: AdminContext,
): Promise<OAuthAppSecret | undefined> {
  const prefix = hash === undefined ? prefixOf(value) : "";
  for (const secret of stored) {
    if (secret.secret_prefix !== prefix) continue;
    const { secret_hash } = secret;
    const isSame =
      hash === undefined ? memory.verify(secret_hash, value) : isSameForeignHash(hash, secret_hash, context);
    if (await isSame) return secret;
  }
  return undefined;
}

function newSecret(values: NewRow<typeof part.table>): PreparedRow {
  return { table: part.table, current: undefined, values, part: "secrets", unshown: true };
}

function changedSecret(known: OAuthAppSecret, { expires_at, revoked }: GivenSecret, at: Date): PreparedRow {
  const changesOf = (current: OAuthAppSecret) =>
    differing<typeof part.table>(current, {
      ...(expires_at === undefined ? {} : { expires_at }),
      ...(revoked === undefined || revoked === current.revoked
        ? {}
        : { revoked, revoked_at: revoked ? at : null }),
    });
  return {
    table: part.table,
    current: known,
    values: changesOf(known),
    revise: async (row) => changesOf(row as unknown as OAuthAppSecret),
    part: `secrets[${known.secret_prefix}…]`,
  };
}
