/**
 * Supabase: rows of `auth.users`, as CSV or JSON, with `identities` and `factors` if the query joins them.
 */
import { membersOf } from "../core/members.ts";
import { addPerson, fromBase32, type Totp } from "../core/people.ts";
import { linkedAccount } from "../core/providers.ts";
import type { Source } from "../core/source.ts";

const itsOwn = [
  ...[
    "instance_id",
    "aud",
    "role",
    "invited_at",
    "confirmation_token",
    "confirmation_sent_at",
    "confirmed_at",
  ],
  ...["recovery_token", "recovery_sent_at", "email_change_token_new", "email_change", "email_change_sent_at"],
  ...["email_change_token_current", "email_change_confirm_status", "last_sign_in_at", "updated_at"],
  ...["phone_change", "phone_change_token", "phone_change_sent_at", "reauthentication_token"],
  ...["reauthentication_sent_at", "is_sso_user", "is_anonymous"],
];

export const supabase: Source = {
  name: "supabase",
  signs: ["encrypted_password", "raw_user_meta_data", "raw_app_meta_data"],
  arrays: [],
  begin: (sink, map) => ({
    element(value) {
      let called = "user ?";
      const user = membersOf(value, () => called, sink.lose);
      const email = user.text("email");
      const external_id = user.text("id");
      called = `user ${email ?? external_id ?? "?"}`;
      const lose = (member: string, reason: string) => sink.lose({ object: called, member, reason });
      if (user.moment("deleted_at") !== undefined) {
        lose("", "the user is not imported: deleted in the source");
        return;
      }
      const profile = user.members("raw_user_meta_data");
      const isUnbanned = (user.raw("banned_until") ?? "") === "";
      const banned_until = user.moment("banned_until");
      const linked_accounts = listIn(user.raw("identities")).flatMap((each) => {
        const identity = membersOf(each, called, sink.lose, "identities");
        const alias = identity.text("provider") ?? "?";
        if (["email", "phone"].includes(alias)) return [];
        return linkedAccount({ alias, id: identity.text("provider_id") }, map, lose);
      });
      const isAdded = addPerson(
        {
          external_id,
          email,
          email_verified_at: user.moment("email_confirmed_at"),
          name: profile?.text("full_name") ?? profile?.text("name"),
          avatar_url: profile?.text("avatar_url") ?? profile?.text("picture"),
          // `infinity` is not read as a time; it means that the user is banned forever.
          active: isUnbanned || (banned_until !== undefined && banned_until < map.exported_at),
          created_at: user.moment("created_at"),
          hash: hashOf(user.text("encrypted_password")),
          totp: listIn(user.raw("factors")).flatMap((each) => totpOf(each, called, lose)),
          linked_accounts,
        },
        called,
        sink,
      );
      if (!isAdded) return;
      user.pass(...itsOwn);
      profile?.pass(
        "email",
        "email_verified",
        "phone_verified",
        "sub",
        "iss",
        "provider_id",
        "name",
        "picture",
      );
      profile?.pass("full_name", "avatar_url");
      profile?.end("user attributes are not supported");
      const app = user.members("raw_app_meta_data");
      app?.pass("provider", "providers");
      app?.end("user attributes are not supported");
      for (const name of ["phone", "phone_confirmed_at"]) user.lose(name, "phone numbers are not supported");
      user.lose("is_super_admin", "not imported: appoint platform administrators yourself");
      user.end();
    },
  }),
};

function listIn(value: unknown): unknown[] {
  try {
    const found: unknown = typeof value === "string" && value !== "" ? JSON.parse(value) : value;
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** Converts a hash in Supabase's own format for users from Firebase. */
function hashOf(text: string | undefined): string | undefined {
  const [, scheme, cost = "", salt = "", hash = ""] = text?.split("$") ?? [];
  if (scheme !== "fbscrypt") return text;
  const parameters = new Map(
    cost.split(",").map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)]),
  );
  const { n, r, p, ss = "", sk = "" } = Object.fromEntries(parameters);
  return `$firescrypt$ln=${n},r=${r},p=${p}$${salt}$${hash}$${ss}$${sk}`;
}

function totpOf(value: unknown, called: string, lose: (member: string, reason: string) => void): Totp[] {
  const factor = membersOf(value, called, ({ member, reason }) => lose(member, String(reason)), "factors");
  const type = factor.text("factor_type") ?? "?";
  if (factor.text("status") !== "verified") return [];
  const secret = type === "totp" ? fromBase32(factor.text("secret") ?? "") : undefined;
  const why = type === "totp" ? "its secret is not base32" : "this kind of factor is not supported";
  if (secret === undefined) lose(`factor ${type}`, `${why}: users enroll again`);
  return secret === undefined ? [] : [{ secret, name: factor.text("friendly_name") ?? "" }];
}
