/**
 * Clerk: the CSV file of its dashboard, or users from its Backend API, which returns no password digests.
 */
import { isObject } from "../../records/names/json_shapes.ts";
import { type Members, membersOf } from "../core/members.ts";
import type { ImportMap } from "../core/moved.ts";
import { addPerson, type FoundPerson, fromBase32, joinedName } from "../core/people.ts";
import { linkedAccount } from "../core/providers.ts";
import type { Source } from "../core/source.ts";

const asIs: ReadonlySet<string> = new Set([
  ...["argon2i", "argon2id", "bcrypt", "bcrypt_sha256_django", "ldap_ssha", "md5_phpass", "phpass"],
  "pbkdf2_sha256_django",
]);

const base64 = (hex: string): string => Buffer.from(hex, "hex").toString("base64");
const isHex = (text: string, bytes: number) => new RegExp(`^[0-9a-f]{${bytes * 2}}$`, "i").test(text);

function hashOf(hasher: string, digest: string): string | undefined {
  if (asIs.has(hasher)) return digest;
  const parts = digest.split("$");
  const [, iterations = "", salt = "", hash = ""] = parts;
  switch (hasher) {
    case "md5":
      return isHex(digest, 16) ? `$md5$${base64(digest)}` : undefined;
    case "sha256":
      return isHex(digest, 32) ? `$sha256$${base64(digest)}` : undefined;
    case "pbkdf2_sha256":
    case "pbkdf2_sha512":
      // Both the salt and the hash are base64, whereas Django's own hashes contain the salt as text.
      return parts.length === 4 ? `$${hasher.replace("_", "-")}$i=${iterations}$${salt}$${hash}` : undefined;
    case "pbkdf2_sha1":
      return parts.length === 4 ? `pbkdf2:sha1:${iterations}$${salt}$${hash}` : undefined;
    case "scrypt_werkzeug":
      return digest;
    case "scrypt_firebase": {
      const [hash = "", salt = "", key = "", separator = "", rounds = "", memory = ""] = parts;
      return parts.length === 6
        ? `$firescrypt$ln=${memory},r=${rounds},p=1$${salt}$${hash}$${separator}$${key}`
        : undefined;
    }
    default:
      return undefined;
  }
}

export const clerk: Source = {
  name: "clerk",
  signs: ["primary_email_address", "primary_email_address_id", "password_hasher"],
  arrays: [],
  begin: (sink, map) => ({
    element(value) {
      let called = "user ?";
      const user = membersOf(value, () => called, sink.lose);
      const isOfApi = isObject(value) && Array.isArray(value.email_addresses);
      const external_id = user.text("id");
      const found = isOfApi ? ofApi(user, map) : ofFile(user);
      const email = found.email ?? found.further[0];
      called = `user ${email ?? external_id ?? "?"}`;
      const lose = (member: string, reason: string) => sink.lose({ object: called, member, reason });
      const digest = user.text("password_digest");
      const hasher = user.text("password_hasher") ?? "?";
      const hash = digest && hashOf(hasher, digest);
      if (digest !== undefined && hash === undefined)
        lose(
          "password_digest",
          hasher === "awscognito"
            ? "the password is still at Cognito: users need a new one"
            : "this password_hasher is not supported",
        );
      const secret = user.text("totp_secret");
      const bytes = secret === undefined ? undefined : fromBase32(secret);
      if (secret !== undefined && bytes === undefined) lose("totp_secret", "not base32");
      const isAdded = addPerson(
        {
          external_id,
          email,
          email_verified_at: found.verified ? (found.created_at ?? map.exported_at) : undefined,
          name: joinedName(user.text("first_name"), user.text("last_name")),
          avatar_url: user.text("image_url"),
          active: user.flag("banned", true) !== true,
          created_at: found.created_at,
          hash,
          totp: bytes === undefined ? [] : [{ secret: bytes, name: "" }],
          linked_accounts: user.list("external_accounts").flatMap((each) => {
            const account = membersOf(each, called, sink.lose, "external_accounts");
            const kind = account.text("provider") ?? "?";
            return linkedAccount(
              { alias: kind.replace(/^oauth_/, ""), kind, id: account.text("provider_user_id") },
              map,
              lose,
            );
          }),
        },
        called,
        sink,
      );
      if (!isAdded) return;
      for (const further of found.further)
        if (further !== email) lose(`email ${further}`, "only one email address per user is supported");
      user.pass(
        "object",
        "password_enabled",
        "two_factor_enabled",
        "totp_enabled",
        "has_image",
        "profile_image_url",
      );
      user.pass(
        "primary_email_address_id",
        "primary_phone_number_id",
        "primary_web3_wallet_id",
        "updated_at",
      );
      user.pass(
        "last_sign_in_at",
        "last_active_at",
        "locked",
        "verification_attempts_remaining",
        "email_addresses",
      );
      user.pass("delete_self_enabled", "create_organization_enabled", "mfa_enabled_at", "mfa_disabled_at");
      user.lose("passkeys", "Clerk does not export public keys: users enroll again");
      user.pass("backup_codes_enabled");
      for (const name of ["backup_code_enabled", "backup_codes"])
        user.lose(name, "recovery codes are not imported: users generate new ones");
      for (const name of ["public_metadata", "private_metadata", "unsafe_metadata"])
        user.lose(name, "user attributes are not supported");
      user.lose("username", "usernames are not supported: users sign in with their email address");
      user.end();
    },
  }),
};

interface Addresses extends Pick<FoundPerson, "email" | "created_at"> {
  readonly verified: boolean;
  readonly further: readonly string[];
}

const listed = (text: string | undefined) => text?.split(/[,|;\s]+/).filter((each) => each !== "") ?? [];

function ofFile(user: Members): Addresses {
  const email = user.text("primary_email_address");
  const verified = listed(user.text("verified_email_addresses"));
  // Older files have one column of email addresses, which does not say whether they are verified.
  const others = ["unverified_email_addresses", "email_addresses"].map((name) => listed(user.text(name)));
  const further = [verified, ...others].flat();
  const first = email ?? further[0];
  return {
    email: first,
    created_at: user.moment("created_at"),
    verified: first !== undefined && verified.includes(first),
    further,
  };
}

function ofApi(user: Members, map: ImportMap): Addresses {
  const addresses = user.list("email_addresses").flatMap((each) => {
    const address = membersOf(each, "user", () => {}, "email_addresses");
    const email = address.text("email_address");
    const verified = address.members("verification")?.text("status") === "verified";
    return email === undefined ? [] : [{ email, verified, id: address.text("id") }];
  });
  const primary = user.text("primary_email_address_id");
  const first = addresses.find(({ id }) => id === primary) ?? addresses[0];
  return {
    email: first?.email,
    created_at: user.moment("created_at") ?? map.exported_at,
    verified: first?.verified === true,
    further: addresses.map(({ email }) => email),
  };
}
