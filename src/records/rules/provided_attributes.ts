/** Attributes that a provider writes, from the claims of a sign-in (OC-7). */
import type { AttributeDefinition, Membership, Provider, User } from "../definition/definition.ts";
import type { JsonObject } from "../definition/field.ts";
import { isStrings } from "../names/json_shapes.ts";
import {
  type Attribute,
  areTooLarge,
  attributesOf,
  isForeignAddress,
  usernameAttribute,
  valueOfText,
  valueReason,
} from "./attributes.ts";

/** The claims that a provider sent, keyed by the name of the attribute that each claim sets. */
export type ProvidedValues = Readonly<Record<string, unknown>>;

/**
 * Returns the attributes that a provider may write. An organization's administrators choose the claims, so
 * its provider writes no attribute that they may not read.
 */
export const attributesOfProvider = (
  { organization_id }: Pick<Provider, "organization_id">,
  definitions: readonly AttributeDefinition[],
): readonly Attribute[] =>
  attributesOf(organization_id === null ? "users" : "memberships", organization_id, definitions).filter(
    ({ writers, readers }) =>
      writers.includes("provider") && (organization_id === null || readers.includes("admin")),
  );

/**
 * Converts a claim to the type of its attribute, because many providers send numbers as strings, and single
 * entries without a list.
 */
function valueOfClaim({ value_type }: Attribute, claim: unknown): unknown {
  if (typeof claim === "string") return value_type === "list" ? [claim] : valueOfText({ value_type }, claim);
  return typeof claim === "number" && value_type === "string" ? String(claim) : claim;
}

/**
 * Returns the attributes of a user or membership after a sign-in; null if none is left. `claims` is the
 * provider's `attribute_claims`. `attributes` are those that the provider may write, `all` those of the
 * record. A claim that is missing or invalid removes its attribute, so no value outlives the provider's
 * claim.
 */
export function withProvidedAttributes(
  record: Pick<Membership, "attributes"> & Partial<Pick<User, "email" | "email_verified_at">>,
  claims: Readonly<Record<string, unknown>>,
  provided: ProvidedValues,
  attributes: readonly Attribute[],
  all: readonly Attribute[] = attributes,
): User["attributes"] {
  const written = attributes.filter(({ name }) => Object.hasOwn(claims, name));
  const values = new Map(Object.entries(record.attributes ?? {}));
  for (const attribute of written) {
    const { name, record_type } = attribute;
    values.delete(name);
    if (!Object.hasOwn(provided, name)) continue;
    const value = valueOfClaim(attribute, provided[name]);
    const isUsername = record_type === "users" && name === usernameAttribute;
    const isForeign = isUsername && isForeignAddress(value, record);
    if (valueReason(attribute, value) !== undefined || isForeign) continue;
    values.set(name, value as JsonObject[string]);
    if (areTooLarge(Object.fromEntries(values), [name], all)) values.delete(name);
  }
  return values.size === 0 ? null : Object.fromEntries(values);
}

/** Maximum bytes of the claims of one sign-in, which are stored between its steps. */
const mostClaimBytes = 4096;

const isValue = (claim: unknown): boolean =>
  isStrings(claim) || typeof claim === "boolean" || typeof claim === "string" || Number.isFinite(claim);

/** Returns those claims that can be values, up to `mostClaimBytes`; others count as missing. */
export function boundedClaims(claims: readonly (readonly [string, unknown])[]): ProvidedValues {
  let left = mostClaimBytes;
  const bounded = claims.filter(([name, claim]) => {
    if (!isValue(claim)) return false;
    left -= Buffer.byteLength(JSON.stringify([name, claim]));
    return left >= 0;
  });
  return Object.fromEntries(bounded);
}
