import type { OAuthApp } from "../../records/definition/definition.ts";
import type { Kind } from "../../records/definition/field.ts";
import { membersInMetadata } from "../../records/formats/metadata.ts";
import type { Dialect } from "../database/dialect.ts";
import type { Connection } from "../database/driver.ts";
import { firstId } from "../database/ids.ts";

export const membersOfApps = (t: Readonly<Record<Kind, string>>): string => `
ALTER TABLE oauth_apps ADD COLUMN post_logout_redirect_uris ${t.json} NOT NULL DEFAULT '[]';
ALTER TABLE oauth_apps ADD COLUMN default_scopes ${t.json};
ALTER TABLE oauth_apps ADD COLUMN token_endpoint_auth_method ${t.string};
ALTER TABLE oauth_apps ADD COLUMN jwks ${t.json};
ALTER TABLE oauth_apps ADD COLUMN jwks_uri ${t.string};
ALTER TABLE oauth_apps ADD COLUMN id_token_signed_response_alg ${t.string};
ALTER TABLE oauth_apps ADD COLUMN claims_in_id_token ${t.bool} NOT NULL DEFAULT TRUE;
`;

const appsAtOnce = 1000;

/** Copies values from the apps' `metadata` to the new columns. */
export async function carryMembersOver(connection: Connection, dialect: Dialect): Promise<void> {
  const [first, second, third] = dialect.name === "postgres" ? ["$1", "$2", "$3"] : ["?", "?", "?"];
  for (let after = firstId; ; ) {
    const rows = await connection.all(
      `SELECT id, metadata FROM oauth_apps WHERE id > ${first} AND metadata IS NOT NULL ORDER BY id LIMIT ${second}`,
      [dialect.encode("uuid", after), appsAtOnce],
    );
    for (const row of rows) {
      after = dialect.decode("uuid", row.id) as string;
      const said = membersInMetadata(dialect.decode("json", row.metadata) as OAuthApp["metadata"]);
      const { post_logout_redirect_uris = [], default_scopes = null } = said;
      if (post_logout_redirect_uris.length === 0 && default_scopes === null) continue;
      await connection.run(
        `UPDATE oauth_apps SET post_logout_redirect_uris = ${first}, default_scopes = ${second} WHERE id = ${third}`,
        [
          dialect.encode("json", post_logout_redirect_uris),
          default_scopes && dialect.encode("json", default_scopes),
          row.id,
        ],
      );
    }
    if (rows.length < appsAtOnce) break;
  }
}
