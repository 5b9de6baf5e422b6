/**
 * The rules of the formats: how a string, each string of a list, or an object must be written, and how it is
 * stored.
 */

import { type FieldError, type Reason, reason } from "../../errors/field_errors.ts";
import type { Field, Format } from "../definition/field.ts";
import { attributeReaders, attributeWriters, isAttributeName } from "../names/attributes.ts";
import { isEmail } from "../names/email.ts";
import { feedEventTypes } from "../names/feed_events.ts";
import { isObject, isStrings } from "../names/json_shapes.ts";
import { parsePattern } from "../names/linear_pattern.ts";
import {
  allowedGrant,
  grantNames,
  isAddressClientId,
  isReservedClientId,
  isScopeToken,
  longestOwnClientId,
  responseTypes,
} from "../names/names.ts";
import { isInlinePicture } from "../names/picture.ts";
import { identifierReason } from "../names/resource_identifiers.ts";
import { webhookParts } from "../names/webhooks.ts";
import { attributeClaimsErrors } from "./attribute_claims.ts";
import { brandErrors } from "./brand.ts";
import { claimNameReason } from "./claim_names.ts";
import { claimSurfacesErrors } from "./claim_surfaces.ts";
import { descriptionErrors, metadataErrors, resourceError } from "./metadata.ts";
import { openRedirectUriError } from "./open_redirect_uris.ts";
import { audienceErrors } from "./organization_audience.ts";
import { redirectUriError } from "./redirect_uris.ts";
import { defaultScopeReason, resourceScopesErrors } from "./resource_scopes.ts";
import {
  groupNameReason,
  membershipRoleReason,
  permissionWordReason,
  roleNameReason,
  uuidReason,
} from "./role_names.ts";
import { sessionErrors } from "./session_limits.ts";
import { signUpErrors } from "./sign_up.ts";

type Values = Readonly<Record<string, unknown>>;

interface Rule {
  readonly whyNot?: (text: string, record: Values) => Reason | undefined;
  /** Another field on which `whyNot` depends. When that field changes, the rule is checked again. */
  readonly decided_by?: string;
  readonly errors?: (value: Values) => FieldError[];
  readonly stored?: (text: string) => string;
  readonly values?: readonly string[];
  /** Further accepted spellings, each stored as one of `values`. */
  readonly also_taken?: readonly string[];
}

const slugShape = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
/**
 * A domain of two or more labels; an internationalized label must be written as an A-label (RFC 5890
 * 2.3.2.1).
 */
const domainShape = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;
const clientIdShape = /^[\x20-\x7E]+$/;

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  return isHttp && url.username === "" && url.password === "";
}

function isHttpsUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "https:" && url.username === "" && url.password === "" && !text.includes("#");
}

/** A provider may use http on this machine. Requests reach this machine only if the operator allows it. */
function isLoopbackUrl(text: string): boolean {
  const url = URL.parse(text);
  const isHere = url?.hostname === "127.0.0.1" || url?.hostname === "[::1]";
  return isHere && url.protocol === "http:" && url.username === "" && !text.includes("#");
}

/** The URL must consist of printable ASCII, because the URL parser would silently drop line breaks. */
function requestedReason(text: string, isFit: boolean, otherwise: Reason): Reason | undefined {
  if (!/^[\x21-\x7E]+$/.test(text)) return reason("not_printable_ascii");
  return isFit ? undefined : otherwise;
}

function providerUrlReason(text: string): Reason | undefined {
  return requestedReason(text, isHttpsUrl(text) || isLoopbackUrl(text), reason("not_https_url"));
}

/** `internal` is true if a platform administrator allows http and private addresses. */
const isReceiverUrl = (text: string, internal: unknown): boolean =>
  isHttpsUrl(text) || (internal === true && isHttpUrl(text) && !text.includes("#"));

const notAmong = (values: readonly string[], text: string): Reason | undefined =>
  values.includes(text) ? undefined : reason("not_one_of", { values });

const rules: Readonly<Record<Format, Rule>> = {
  email: { whyNot: (text) => (isEmail(text) ? undefined : reason("not_email")) },
  url: { whyNot: (text) => (isHttpUrl(text) ? undefined : reason("not_http_url")) },
  picture: {
    whyNot: (text) => (isInlinePicture(text) || isHttpUrl(text) ? undefined : reason("not_http_url")),
  },
  slug: {
    whyNot: (text) => (slugShape.test(text) ? uuidReason(text) : reason("not_slug")),
  },
  client_id: {
    whyNot(text) {
      if (!clientIdShape.test(text)) return reason("not_client_id");
      if (isAddressClientId(text)) return reason("client_id_is_address");
      if (text.length > longestOwnClientId) return reason("too_long", { characters: longestOwnClientId });
      return isReservedClientId(text) ? reason("reserved_client_id") : undefined;
    },
  },
  redirect_uri: {
    whyNot: (text, { app_type, provenance = "registered" }) =>
      provenance === "registered"
        ? redirectUriError(text, app_type === "native" ? "native" : "web")
        : openRedirectUriError(text),
    decided_by: "app_type",
  },
  // This server sends no request to this URI; the browser opens it. A private-use scheme is therefore valid.
  post_logout_redirect_uri: { whyNot: (text) => redirectUriError(text, "native") },
  https_url: { whyNot: (text) => requestedReason(text, isHttpsUrl(text), reason("not_https_url")) },
  notice_url: {
    whyNot: (text, { backchannel_logout_internal: internal }) =>
      requestedReason(text, isReceiverUrl(text, internal), reason("not_notice_url")),
    decided_by: "backchannel_logout_internal",
  },
  endpoint_url: {
    whyNot: (text, { internal }) =>
      requestedReason(text, isReceiverUrl(text, internal), reason("not_endpoint_url")),
    decided_by: "internal",
  },
  event_type: {
    whyNot: (text) =>
      feedEventTypes.some((type) => type === text)
        ? undefined
        : reason("not_one_of", { values: feedEventTypes }),
  },
  webhook_part: { whyNot: (text) => notAmong(webhookParts, text), values: webhookParts },
  provider_url: { whyNot: providerUrlReason },
  // An issuer has no query (OpenID Connect Discovery 3, RFC 8414 2).
  provider_issuer: {
    whyNot: (text) =>
      providerUrlReason(text) ?? (text.includes("?") ? reason("issuer_with_query") : undefined),
  },
  domain: {
    whyNot: (text) => (domainShape.test(text.toLowerCase()) ? undefined : reason("not_domain")),
    stored: (text) => text.toLowerCase(),
  },
  scope: { whyNot: (text) => (isScopeToken(text) ? undefined : reason("not_scope")) },
  default_scope: {
    whyNot(text, { allowed_scopes }) {
      if (!isScopeToken(text)) return reason("not_scope");
      return isStrings(allowed_scopes) && allowed_scopes.includes(text)
        ? undefined
        : reason("scope_not_allowed");
    },
  },
  grant: {
    whyNot: (text) =>
      allowedGrant(text) === undefined
        ? reason("not_one_of", { values: Object.keys(grantNames) })
        : undefined,
    stored: (text) => allowedGrant(text) ?? text,
    values: Object.keys(grantNames),
    also_taken: Object.values(grantNames),
  },
  response_type: {
    whyNot: (text) =>
      responseTypes.some((known) => known === text) ? undefined : reason("not_response_type"),
    values: responseTypes,
  },
  signature_algorithm: {
    whyNot: (text, { key_type }) =>
      text.startsWith("RS") === (key_type === "rsa")
        ? undefined
        : reason("algorithm_of_other_type", { key_type: String(key_type) }),
  },
  resource_identifier: { whyNot: identifierReason },
  // Checked less strictly than the identifier of a new API, because apps may list identifiers that they used
  // before APIs had records.
  listed_resource: { whyNot: resourceError },
  claim_surfaces: { errors: claimSurfacesErrors },
  attribute_claims: { errors: attributeClaimsErrors },
  attribute_name: {
    whyNot: (text) => (isAttributeName(text) ? undefined : reason("not_attribute_name")),
  },
  attribute_writer: { whyNot: (text) => notAmong(attributeWriters, text), values: attributeWriters },
  attribute_reader: { whyNot: (text) => notAmong(attributeReaders, text), values: attributeReaders },
  attribute_pattern: {
    whyNot: (text) => (parsePattern(text) === undefined ? reason("not_pattern") : undefined),
  },
  claim_name: { whyNot: claimNameReason },
  resource_scopes: { errors: resourceScopesErrors },
  resource_default_scope: {
    whyNot: (text, { scopes }) => defaultScopeReason(text, scopes),
    decided_by: "scopes",
  },
  role_name: { whyNot: roleNameReason },
  group_name: { whyNot: groupNameReason },
  membership_role: { whyNot: membershipRoleReason },
  permission_word: { whyNot: permissionWordReason },
  descriptions_by_language: { errors: (texts) => descriptionErrors("/descriptions", texts) },
  // Fields of these two formats are validated together with the object that contains them.
  colour: {},
  scope_descriptions: {},
  app_metadata: { errors: metadataErrors },
  organization_settings: {
    errors: (settings) => [
      ...brandErrors(settings),
      ...audienceErrors(settings),
      ...signUpErrors(settings),
      ...sessionErrors(settings),
    ],
  },
  search: {},
  prose: {},
  new_password: {},
  current_password: {},
};

export function formatErrors(name: string, { format }: Field, record: Values): FieldError[] {
  if (format === undefined) return [];
  const { whyNot, errors } = rules[format];
  const value = record[name];
  if (isObject(value)) return errors?.(value) ?? [];
  const texts: [path: string, text: string][] = isStrings(value)
    ? value.map((text, index) => [`/${name}/${index}`, text])
    : typeof value === "string"
      ? [[`/${name}`, value]]
      : [];
  return texts.flatMap(([path, text]) => {
    const why = whyNot?.(text, record);
    return why === undefined ? [] : [{ path, ...why }];
  });
}

export function decidedBy({ format }: Field): string | undefined {
  return format && rules[format].decided_by;
}

export function storedText(format: Format | undefined, text: string): string {
  return format === undefined ? text : (rules[format].stored?.(text) ?? text);
}

/** Returns the values that the rule of this format lists, as stored; with `taken`, all accepted spellings. */
export function valuesOfFormat(format: Format | undefined, taken = false): readonly string[] | undefined {
  const { values, also_taken = [] }: Rule = format === undefined ? {} : rules[format];
  return values === undefined || !taken ? values : [...new Set([...values, ...also_taken])];
}
