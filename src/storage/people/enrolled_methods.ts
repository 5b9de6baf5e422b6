import { sql } from "kysely";
import type { User } from "../../records/definition/definition.ts";
import {
  type EnrolledMethods,
  type SecondFactorKind,
  secondFactorKinds,
} from "../../records/names/sign_in_methods.ts";
import { isOfOrganization, signsIn } from "../../records/rules/provider_reach.ts";
import type { Database } from "../database/database.ts";
import { arg, statement } from "../database/statement.ts";
import type { Verbs } from "../database/verbs.ts";

type SecondFactors = Pick<EnrolledMethods, "passkeys" | "security_keys" | "totp">;

const mostOfKind = 100;

export function enrolledRules(database: Database) {
  async function secondFactorsOf(
    user_id: string,
    reads: Pick<Verbs, "list"> = database,
  ): Promise<SecondFactors> {
    const few = { limit: mostOfKind };
    const [keys, apps] = await Promise.all([
      reads.list("passkeys", { user_id }, few),
      reads.list("totp_authenticators", { user_id }, few),
    ]);
    const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
    return {
      passkeys: ids(keys.filter(({ signs_in, uv_initialized }) => signs_in && uv_initialized)),
      security_keys: ids(keys.filter(({ signs_in, uv_initialized }) => !signs_in || !uv_initialized)),
      totp: ids(apps),
    };
  }

  const { dialect, driver } = database;
  const theirs = sql`user_id IN (${dialect.idsOf(arg.json("ids"))})`;
  const kinds = statement<{ user_id: string; kind: SecondFactorKind }>(
    dialect,
    "passkeys",
    () => sql`SELECT DISTINCT user_id,
        CASE WHEN signs_in AND uv_initialized THEN 'passkey' ELSE 'security_key' END AS kind
      FROM passkeys WHERE ${theirs}
      UNION SELECT DISTINCT user_id, 'totp' AS kind FROM totp_authenticators WHERE ${theirs}`,
  );

  return {
    secondFactorsOf,
    async secondFactorKindsOf(
      user_ids: readonly string[],
    ): Promise<ReadonlyMap<string, readonly SecondFactorKind[]>> {
      const rows = user_ids.length === 0 ? [] : await kinds.all(driver, { ids: user_ids });
      const held = Map.groupBy(rows, ({ user_id }) => user_id);
      const kindsOf = (id: string) =>
        secondFactorKinds.filter((kind) => held.get(id)?.some((row) => row.kind === kind));
      return new Map(user_ids.map((id) => [id, kindsOf(id)]));
    },
    async enrolledMethods(
      user: Pick<User, "id" | "password_hash" | "is_platform_admin">,
      reads: Pick<Verbs, "list" | "count"> = database,
    ): Promise<EnrolledMethods> {
      const { id: user_id, password_hash } = user;
      const [factors, recovery_codes, links, providers] = await Promise.all([
        secondFactorsOf(user_id, reads),
        reads.count("recovery_codes", { user_id, used_at: null }),
        reads.list("oauth_accounts", { user_id }, { limit: mostOfKind }),
        reads.list("providers", { active: true }),
      ]);
      const linked = links.flatMap(({ id, provider: slug, provider_id }) => {
        const provider = providers.find((each) => each.id === provider_id);
        return provider === undefined ? [] : [{ id, slug, provider }];
      });
      const isNarrow = linked.some(({ provider }) => isOfOrganization(provider));
      const memberships = isNarrow ? await reads.list("memberships", { user_id }) : [];
      return {
        password: password_hash !== null,
        ...factors,
        recovery_codes,
        providers: linked
          .filter(({ provider }) => signsIn(provider, user, memberships))
          .map(({ id, slug, provider }) => ({
            id,
            slug,
            preset: provider.preset,
            ...(isOfOrganization(provider) && { of_organization: true }),
          })),
      };
    },
  };
}
