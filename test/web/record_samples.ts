/** Fields and records of every kind, for the record pages of the console. */

import type { FieldControl, ListedRecord, ShownField } from "../../src/console/fields/fields.view.ts";
import type { ConsoleLocale } from "../../src/console/frame/console_frame.view.ts";
import type { Reason } from "../../src/errors/field_errors.ts";
import { resourceTypes } from "../../src/records/definition/permissions.ts";
import type { ManagementLocale } from "../../src/web/words/page_locale.ts";
import { aReader, aViewer } from "./reader.ts";

/** Returns a platform administrator as the reader of a page. */
export function aConsoleReader(locale: ManagementLocale = aReader(), name = "Ada"): ConsoleLocale {
  return { ...locale, viewer: aViewer(name, resourceTypes) };
}

/**
 * Returns a displayed field of every kind, with `text` wherever other users' text appears. The layout of a
 * value depends on its length, so tests of the layout choose another value.
 */
export function shownFields(text: string, address: string): ShownField[] {
  const of = (
    name: string,
    kind: ShownField["kind"],
    value: unknown,
    more: Partial<ShownField> = {},
  ): ShownField => ({
    name,
    kind,
    required: false,
    value,
    ...more,
  });
  return [
    of("name", "string", text, { plain: "line" }),
    of("description", "string", `${text} ${text}`, { plain: "lines" }),
    of("client_id", "string", text),
    of("app_type", "string", "native"),
    of("outcome", "string", "failure"),
    of("owner_id", "uuid", text, { label: text, href: address }),
    of("organization_id", "uuid", text, { href: address }),
    of("family_id", "uuid", text),
    of("redirect_uris", "json", [address, "https://42.example/7"], { shape: "strings" }),
    of("allowed_scopes", "json", ["1", "2", "3", "4", "5", "6", "7"], { shape: "strings" }),
    of("scopes", "json", [text, "7".repeat(50)], { shape: "strings" }),
    of("allowed_grants", "json", ["auth_code", "refresh", "7"], { shape: "strings" }),
    of("audience", "json", [], { shape: "strings" }),
    of("access_token_ttl", "int", 86_400, { unit: "seconds" }),
    of("refresh_token_ttl", "int", 42, { unit: "seconds" }),
    of("public", "bool", true),
    of("first_party", "bool", false),
    of("metadata", "json", { [text]: text }, { shape: "object" }),
    of("evidence", "json", [{ [text]: text, 7: "7".repeat(300) }], { shape: "objects" }),
    of("public_key_pem", "text", `${text}\n${"7".repeat(300)}`),
    of("revoked_at", "time", null),
    of("created_at", "time", new Date(0).toISOString()),
    of(text, "string", text),
  ];
}

/** Returns records as a list shows them. */
export function listedRecords(
  text: string,
  address: string,
  fields = shownFields(text, address),
): ListedRecord[] {
  return [
    { name: text, href: address, state: "active", fields },
    { name: text, state: "expired", fields: [] },
  ];
}

/** Returns a field of every kind in a form, each with this error. */
export function fieldControls(text: string, error?: Reason): FieldControl[] {
  const of = (name: string, kind: FieldControl["kind"], more: Partial<FieldControl> = {}): FieldControl => ({
    name,
    kind,
    required: false,
    value: text,
    ...(error === undefined ? {} : { error: { path: `/${name}`, ...error } }),
    ...more,
  });
  return [
    of("name", "string", { plain: "line", required: true, max_length: 255 }),
    of("description", "string", { plain: "lines" }),
    of("logo_url", "string", { format: "url" }),
    of("app_type", "string", { values: ["web", "native"], value: "native", required: true }),
    of("plan", "string", { values: ["free", "pro"], value: "" }),
    of("organization_id", "uuid"),
    of("role", "string", { one_of: ["owner", "member"], value: "member", required: true }),
    of("redirect_uris", "json", { shape: "strings", value: [text, text] }),
    of("allowed_grants", "json", {
      shape: "strings",
      many_of: ["auth_code", "refresh"],
      value: ["refresh", text],
    }),
    of("allowed_scopes", "json", {
      shape: "strings",
      grid: {
        prefix: "postern:",
        offered: ["postern:users:read", "postern:apps:read", "postern:apps:write"],
      },
      value: ["postern:apps:write", text],
    }),
    of("access_token_ttl", "int", { min: 1, max: 31_536_000, value: "15 min", unit: "seconds" }),
    of("first_party", "bool", { value: true }),
    of("public", "bool", { value: false }),
    of("metadata", "json", { shape: "object", value: `{"${text}": 1}` }),
    of("expires_at", "time", { value: "2026-01-31T12:00:00.000Z" }),
    of("email", "string", { format: "email" }),
    of("password", "string", { sensitive: true, format: "new_password" }),
    of("current_password", "string", { sensitive: true, format: "current_password" }),
    of("value", "string", { sensitive: true }),
    of("public_key_pem", "text"),
    of("scopes", "string", { help: "permissions" }),
  ];
}

/** Returns the filters of a list: a search, and so many others that they are folded. */
export function filterFields(text: string, error?: Reason): FieldControl[] {
  const of = (name: string, kind: FieldControl["kind"], more: Partial<FieldControl> = {}): FieldControl => ({
    name,
    kind,
    required: false,
    value: "",
    ...more,
  });
  return [
    of("q", "string", { format: "search", value: text }),
    of("app_type", "string", { values: ["web", "native"] }),
    of("active", "bool", {
      value: "true",
      ...(error === undefined ? {} : { error: { path: "/active", ...error } }),
    }),
    of("owner_id", "uuid"),
    of("created_from", "time", { value: "2026-01-31T12:00" }),
  ];
}
