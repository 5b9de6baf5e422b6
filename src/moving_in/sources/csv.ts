/** Any other system: one row per user, with Postern's column names or those in the map. */
import { isObject } from "../../records/names/json_shapes.ts";
import { attributesOf, columnOf } from "../core/attributes.ts";
import { membersOf } from "../core/members.ts";
import { addPerson, fromBase32, joinedName } from "../core/people.ts";
import type { Source } from "../core/source.ts";

const fields = [
  ...["external_id", "id", "email", "email_verified", "email_verified_at", "name", "first_name", "last_name"],
  ...["avatar_url", "active", "created_at", "totp_secret", "password_hash"],
];

/** Names no header of the file, because the first row of a file without headers contains a user's data. */
const noEmail = `no column is named email: rename it, or map it in columns of postern import --map; the other columns are ${fields.filter((name) => name !== "email").join(", ")}, and attributes`;

export const csv: Source = {
  name: "csv",
  signs: [],
  arrays: [],
  columns: fields,
  begin: (sink, map) => ({
    element(value) {
      let called = "user ?";
      const named = Object.entries(isObject(value) ? value : {}).map(([name, cell]) => [
        columnOf(map, name) ?? name,
        cell,
      ]);
      const person = membersOf(Object.fromEntries(named), () => called, sink.lose);
      const email = person.text("email");
      const external_id = person.text("external_id") ?? person.text("id") ?? email;
      called = `user ${email ?? external_id ?? "?"}`;
      if (person.raw("email") === undefined) {
        sink.omit(called, noEmail);
        return;
      }
      const created_at = person.moment("created_at");
      const verified_at = person.moment("email_verified_at");
      const isVerified = person.flag("email_verified") === true;
      const secret = person.text("totp_secret");
      const bytes = secret === undefined ? undefined : fromBase32(secret);
      if (secret !== undefined && bytes === undefined)
        sink.lose({ object: called, member: "totp_secret", reason: "not base32" });
      person.pass("first_name", "last_name");
      addPerson(
        {
          ...{ external_id, email, created_at },
          email_verified_at: verified_at ?? (isVerified ? (created_at ?? map.exported_at) : undefined),
          name: person.text("name") ?? joinedName(person.text("first_name"), person.text("last_name")),
          avatar_url: person.text("avatar_url"),
          active: person.flag("active", false),
          hash: person.text("password_hash"),
          totp: bytes === undefined ? [] : [{ secret: bytes, name: "" }],
          // All other columns: the server reports those that are not attributes.
          attributes: attributesOf(person, (name) => name),
        },
        called,
        sink,
      );
    },
  }),
};
