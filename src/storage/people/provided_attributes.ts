/** Stores attributes that a provider's claims determine (docs/attributes.md). */
import { isDeepStrictEqual } from "node:util";
import type { AuditEvent, Membership, Provider, User } from "../../records/definition/definition.ts";
import { recordLock } from "../../records/names/lock_names.ts";
import { attributesOfRow, usernameAttribute, usernameKey } from "../../records/rules/attributes.ts";
import {
  attributesOfProvider,
  type ProvidedValues,
  withProvidedAttributes,
} from "../../records/rules/provided_attributes.ts";
import type { Transaction } from "../database/database.ts";
import type { Verbs } from "../database/verbs.ts";

type Cause = Pick<AuditEvent, "actor_kind"> &
  Partial<Pick<AuditEvent, "actor_id" | "client_ip" | "user_agent" | "request_id">>;

export interface Provided {
  readonly provider: Pick<Provider, "slug" | "attribute_claims" | "organization_id">;
  /** An empty object removes earlier values; undefined changes nothing, because the claims are unknown. */
  readonly values: ProvidedValues | undefined;
  readonly cause: Cause;
  readonly at: Date;
}

type Reads = Pick<Verbs, "find" | "list">;

type Written =
  | { readonly table: "users"; readonly row: User }
  | { readonly table: "memberships"; readonly row: Membership };

async function recordOf(
  reads: Reads,
  user_id: string,
  { organization_id }: Provided["provider"],
): Promise<Written | undefined> {
  if (organization_id === null) {
    const row = await reads.find("users", { id: user_id });
    return row && { table: "users", row };
  }
  const row = await reads.find("memberships", { user_id, organization_id });
  return row && { table: "memberships", row };
}

async function following(
  reads: Reads,
  { table, row }: Written,
  provider: Provided["provider"],
  values: ProvidedValues,
): Promise<User["attributes"]> {
  const owners = new Set([null, provider.organization_id]);
  const definitions = await Promise.all(
    [...owners].map((organization_id) => reads.list("attribute_definitions", { organization_id })),
  );
  const written = attributesOfProvider(provider, definitions.flat());
  const all = attributesOfRow(table, row, definitions.flat());
  const claims = provider.attribute_claims ?? {};
  const attributes = withProvidedAttributes(row, claims, values, written, all);
  if (table === "memberships") return attributes;
  const username_key = usernameKey(attributes);
  if (username_key === null || username_key === row.username_key) return attributes;
  if ((await reads.find("users", { username_key })) === undefined) return attributes;
  const { [usernameAttribute]: _, ...free } = values;
  return withProvidedAttributes(row, claims, free, written, all);
}

export function providedAttributeRules(newId: (now: Date) => string) {
  return {
    async changesProvidedAttributes(
      reads: Reads,
      user_id: string,
      { provider, values }: Pick<Provided, "provider" | "values">,
    ): Promise<boolean> {
      if (provider.attribute_claims === null || values === undefined) return false;
      const record = await recordOf(reads, user_id, provider);
      if (record === undefined) return false;
      return !isDeepStrictEqual(await following(reads, record, provider, values), record.row.attributes);
    },

    /**
     * Writes attributes of the user or, for an organization's provider, of the membership. May throw a
     * UniqueViolation for a username.
     */
    async provideAttributes(
      tx: Transaction,
      user_id: string,
      { provider, values, cause, at }: Provided,
    ): Promise<void> {
      if (provider.attribute_claims === null || values === undefined) return;
      const found = await recordOf(tx, user_id, provider);
      if (found === undefined) return;
      await tx.lock(recordLock(found.table, found.row.id));
      const record = await recordOf(tx, user_id, provider);
      if (record?.row.id !== found.row.id) return;
      const attributes = await following(tx, record, provider, values);
      const [was, is] = [record.row.attributes ?? {}, attributes ?? {}];
      const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
        (name) => !isDeepStrictEqual(was[name], is[name]),
      );
      if (names.length === 0) return;
      const { id } = record.row;
      const changes = { attributes, updated_at: at };
      if (record.table === "memberships") await tx.update("memberships", { id }, changes);
      else await tx.update("users", { id }, { ...changes, username_key: usernameKey(attributes) });
      const had = (values: object) => ({ attributes: names.filter((name) => Object.hasOwn(values, name)) });
      await tx.insert("audit_events", {
        id: newId(at),
        type: record.table === "users" ? "user.updated" : "membership.updated",
        outcome: "success",
        ...cause,
        target_table: record.table,
        target_id: id,
        organization_id: provider.organization_id,
        details: { provider: provider.slug, before: had(was), after: had(is) },
        created_at: at,
      });
    },
  };
}
