import { sql } from "kysely";
import type { Organization } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import { arg, statement } from "../database/statement.ts";

export function sessionPolicyRules({ dialect, driver }: Pick<Database, "dialect" | "driver">) {
  const stated = statement<Pick<Organization, "settings">>(
    dialect,
    "organizations",
    () => sql<Pick<Organization, "settings">>`SELECT settings FROM organizations
      WHERE active AND CAST(settings AS TEXT) LIKE '%"session"%'
        AND id IN (SELECT organization_id FROM memberships WHERE user_id = ${arg.uuid("user_id")})`,
  );
  return {
    sessionPoliciesOf: (user_id: string): Promise<Pick<Organization, "settings">[]> =>
      stated.all(driver, { user_id }),
  };
}
