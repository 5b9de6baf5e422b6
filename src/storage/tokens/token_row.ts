/**
 * The row of a token as the values of an `INSERT … SELECT`, so that what it depends on can be asked in the
 * same statement.
 */
import { sql } from "kysely";
import { fieldsOf, type OAuthApp, type OAuthToken } from "../../records/definition/definition.ts";
import type { Builder, Dialect } from "../dialect.ts";
import { type Arguments, arg, type Statement, statement } from "../statement.ts";
import {
  appIsActive,
  clientKeysAreRegistered,
  keyPairIsActive,
  secretIsActive,
  serviceAccountIsActive,
} from "./grant_conditions.ts";

/** Every column of `oauth_tokens`. */
export const tokenColumns = Object.keys(fieldsOf("oauth_tokens"));

/** The values of the columns, in their order, of the row that is the argument `token`. */
export function tokenValues({ columnType }: Dialect) {
  return tokenColumns.map((name) => {
    const { kind } = fieldsOf("oauth_tokens")[name] ?? { kind: "text" as const };
    return sql`CAST(${arg.of(kind, name, "token")} AS ${sql.raw(columnType[kind])})`.as(name);
  });
}

/** What a machine proved itself with; it must still stand when its token is stored. */
export type MachineProof =
  | { readonly type: "none" }
  | { readonly type: "secret"; readonly secret_id: string }
  | ({ readonly type: "client_key" } & Pick<OAuthApp, "jwks" | "jwks_uri">)
  | { readonly type: "key_pair"; readonly key_pair_id: string };

/** Stores the token of a machine where everything it depends on is active; changes no row otherwise. */
export function machineTokenInserts(
  dialect: Dialect,
): Readonly<Record<MachineProof["type"], Statement<unknown>>> {
  const made_at = arg.time("created_at", "token");
  const app = () => appIsActive(arg.uuid("app_id", "token"), made_at);
  const insert = (conditions: () => readonly ReturnType<typeof appIsActive>[]) =>
    statement(dialect, "oauth_tokens", (builder: Builder) =>
      builder
        .insertInto("oauth_tokens")
        .columns(tokenColumns as never)
        .expression(
          sql`SELECT ${sql.join(tokenValues(dialect))} WHERE ${sql.join([...conditions()], sql` AND `)}` as never,
        ),
    );
  return {
    none: insert(() => [app()]),
    secret: insert(() => [app(), secretIsActive(arg.uuid("proof_id"), made_at)]),
    client_key: insert(() => [
      app(),
      clientKeysAreRegistered(arg.uuid("app_id", "token"), arg.json("jwks"), arg.string("jwks_uri")),
    ]),
    key_pair: insert(() => [
      app(),
      serviceAccountIsActive(arg.uuid("service_account_id", "token"), made_at),
      keyPairIsActive(arg.uuid("proof_id"), made_at),
    ]),
  };
}

/** The arguments of `machineTokenInserts`. */
export function machineTokenArguments(token: OAuthToken, proof: MachineProof): Arguments {
  return { token, ...proofArguments(proof) };
}

function proofArguments(proof: MachineProof): Arguments {
  switch (proof.type) {
    case "none":
      return {};
    case "secret":
      return { proof_id: proof.secret_id };
    case "client_key":
      return { jwks: proof.jwks, jwks_uri: proof.jwks_uri };
    case "key_pair":
      return { proof_id: proof.key_pair_id };
    default:
      return proof satisfies never;
  }
}
