/** Stores the attributes that a provider writes (OC-7). */
import { isDeepStrictEqual } from "node:util";
import type { AuditEvent, Provider, User } from "../../records/definition/definition.ts";
import { recordLock } from "../../records/names/lock_names.ts";
import { usernameAttribute, usernameKey } from "../../records/rules/attributes.ts";
import { type ProvidedValues, withProvidedAttributes } from "../../records/rules/provided_attributes.ts";
import type { Transaction } from "../database/database.ts";
import type { Verbs } from "../database/verbs.ts";

/** Who caused the change, for the audit trail. */
type Cause = Pick<AuditEvent, "actor_kind"> &
  Partial<Pick<AuditEvent, "actor_id" | "client_ip" | "user_agent" | "request_id">>;

export interface Provided {
  readonly provider: Pick<Provider, "slug" | "attribute_claims">;
  /** Empty removes what the provider wrote; undefined if its claims are unknown. */
  readonly values: ProvidedValues | undefined;
  readonly cause: Cause;
  readonly at: Date;
}

type Reads = Pick<Verbs, "find" | "list">;

export function providedAttributeRules(newId: (now: Date) => string) {
  /** Returns the user's attributes after this sign-in; a username that another user has is left out. */
  async function following(
    reads: Reads,
    user: User,
    claims: Readonly<Record<string, unknown>>,
    values: ProvidedValues,
  ): Promise<User["attributes"]> {
    const definitions = await reads.list("attribute_definitions", { organization_id: null });
    const attributes = withProvidedAttributes(user, claims, values, definitions);
    const username_key = usernameKey(attributes);
    if (username_key === null || username_key === user.username_key) return attributes;
    if ((await reads.find("users", { username_key })) === undefined) return attributes;
    const { [usernameAttribute]: _, ...free } = values;
    return withProvidedAttributes(user, claims, free, definitions);
  }

  return {
    /** Returns whether the claims of a sign-in change the user's attributes. */
    async changesProvidedAttributes(
      reads: Reads,
      user: User,
      { provider, values }: Pick<Provided, "provider" | "values">,
    ): Promise<boolean> {
      const claims = provider.attribute_claims;
      if (claims === null || values === undefined) return false;
      return !isDeepStrictEqual(await following(reads, user, claims, values), user.attributes);
    },

    /**
     * Writes the attributes of a user that the claims of a provider determine. Does nothing for a provider
     * without `attribute_claims`. May throw a unique violation for a username that is taken concurrently.
     */
    async provideAttributes(
      tx: Transaction,
      user_id: string,
      { provider, values, cause, at }: Provided,
    ): Promise<void> {
      const claims = provider.attribute_claims;
      if (claims === null || values === undefined) return;
      await tx.lock(recordLock("users", user_id));
      const user = await tx.find("users", { id: user_id });
      if (user === undefined) return;
      const attributes = await following(tx, user, claims, values);
      const [was, is] = [user.attributes ?? {}, attributes ?? {}];
      const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
        (name) => !isDeepStrictEqual(was[name], is[name]),
      );
      if (names.length === 0) return;
      const username_key = usernameKey(attributes);
      await tx.update("users", { id: user_id }, { attributes, username_key, updated_at: at });
      const had = (values: object) => ({ attributes: names.filter((name) => Object.hasOwn(values, name)) });
      await tx.insert("audit_events", {
        id: newId(at),
        type: "user.updated",
        outcome: "success",
        ...cause,
        target_table: "users",
        target_id: user_id,
        details: { provider: provider.slug, before: had(was), after: had(is) },
        created_at: at,
      });
    },
  };
}
