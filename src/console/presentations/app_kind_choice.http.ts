/** The kind of a new app: what is asked for openly, and what means nothing for it. */

import type { PublicView } from "../../records/definition/view.ts";
import { isAppKind, kindDefaults, signsPeopleIn } from "../../records/rules/app_kinds.ts";
import type { FieldHelp } from "../../web/words/en/field_help.ts";
import type { Presentation } from "./presentation.http.ts";

/** Members about people, which an app that signs nobody in has no use for. */
const aboutPeople = [
  "redirect_uris",
  "post_logout_redirect_uris",
  "public",
  "first_party",
  "refresh_token_ttl",
  "refresh_token_rotation",
  "dpop_bound_refresh_tokens",
  "claims_in_id_token",
  "id_token_signed_response_alg",
  "allowed_response_types",
  "require_pushed_authorization_requests",
  "require_acr",
] as const;

export const appKindChoice: NonNullable<Presentation["chosen"]> = {
  field: "kind",
  unfit(kind) {
    if (!isAppKind(kind)) return [];
    const isNative = kindDefaults[kind].app_type === "native";
    return [
      // It follows from the kind.
      "app_type",
      ...(isNative ? [] : ["localhost_any_port"]),
      ...(signsPeopleIn(kind) ? ["default_scopes"] : aboutPeople),
    ];
  },
  initial(kind) {
    if (!isAppKind(kind)) return {};
    const { metadata, ...columns } = kindDefaults[kind];
    const members = Object.entries(metadata ?? {}).map(([name, value]) => [`metadata.${name}`, value]);
    return { ...columns, ...Object.fromEntries(members) };
  },
  first: (kind) => ["name", isAppKind(kind) && !signsPeopleIn(kind) ? "allowed_scopes" : "redirect_uris"],
  help: (kind, { newApp }) => (isAppKind(kind) ? newApp.help[kind] : undefined),
};

/** The sentences under fields that mean something else for an app of this type, or of a kind just chosen. */
export function appKindHelp(
  { app_type }: PublicView,
  kind: string | undefined,
): Readonly<Record<string, keyof FieldHelp>> {
  return {
    ...(app_type === "native" && {
      redirect_uris: kind === "command_line" ? "command_line_redirect_uris" : "native_redirect_uris",
    }),
    ...(isAppKind(kind) && !signsPeopleIn(kind) && { allowed_scopes: "own_scopes" }),
  };
}
