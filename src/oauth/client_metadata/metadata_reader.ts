/** Registrations and client documents are read in the same way (RFC 7591 2). */
import type { OAuthApp } from "../../records/definition/definition.ts";
import { isStrings } from "../../records/names/json_shapes.ts";
import {
  type ClientAuthenticationName,
  clientKeyAlgorithms,
  clientProofs,
} from "../../records/names/names.ts";
import {
  type ClientMembers,
  clientAlgorithm,
  httpsUrl,
  type KeySetError,
  readableName,
  usableKeys,
} from "./members.ts";

/** Each string is the rest of a sentence that begins with the field's name. */
export const memberErrors = {
  not_string: "must be a string",
  not_boolean: "must be true or false",
  not_strings: "must be a list of strings",
  not_https_url: "must be an https URL",
  two_key_sets: "must be absent when jwks is present",
  not_key_set: "must be a JSON Web Key Set with a distinct kid for each key",
} as const;

export type MemberError = { readonly member: string } & (
  | { readonly code: keyof typeof memberErrors | KeySetError }
  | {
      readonly code: "no_code" | "algorithm";
      readonly received: readonly string[];
      readonly supported: readonly string[];
    }
);

type RegisteredKeys = Pick<OAuthApp, "jwks" | "jwks_uri">;

export interface MetadataReader {
  text(name: string): string | undefined;
  list(name: string): readonly string[] | undefined;
  flag(name: string): boolean;
  name(): string | undefined;
  /**
   * A client that names grants without `authorization_code`, or response types without `code`, is refused
   * (PR-25).
   */
  grants(): string[];
  keys(method: ClientAuthenticationName): RegisteredKeys;
  /** Null if the client names no algorithm, or signs no assertions (OpenID Connect Registration 2). */
  algorithm(method: ClientAuthenticationName): OAuthApp["token_endpoint_auth_signing_alg"];
}

/**
 * Returns a reader of these fields. Null counts as an omitted field, because some libraries send it. The
 * reader calls `wrong` for an invalid field, and `wrong` must throw.
 */
export function metadataReader(members: ClientMembers, wrong: (error: MemberError) => never): MetadataReader {
  const said = (name: string): unknown => members[name] ?? undefined;

  function text(member: string): string | undefined {
    const value = said(member);
    return value === undefined || typeof value === "string" ? value : wrong({ code: "not_string", member });
  }

  function list(member: string): readonly string[] | undefined {
    const value = said(member);
    return value === undefined || isStrings(value) ? value : wrong({ code: "not_strings", member });
  }

  return {
    text,
    list,

    flag(member) {
      const value = said(member) ?? false;
      return typeof value === "boolean" ? value : wrong({ code: "not_boolean", member });
    },

    name: () => readableName(text("client_name")),

    grants() {
      const grants = list("grant_types") ?? ["authorization_code"];
      const types = list("response_types") ?? ["code"];
      if (!grants.includes("authorization_code")) {
        const supported = ["authorization_code", "refresh_token"];
        return wrong({ code: "no_code", member: "grant_types", received: grants, supported });
      }
      if (!types.includes("code")) {
        return wrong({ code: "no_code", member: "response_types", received: types, supported: ["code"] });
      }
      return grants.includes("refresh_token") ? ["auth_code", "refresh"] : ["auth_code"];
    },

    keys(method) {
      const [jwks, jwks_uri] = [said("jwks"), text("jwks_uri")];
      const keys = jwks === undefined ? "no_keys" : usableKeys(jwks);
      if (keys === "private_key" || keys === "not_key_set") return wrong({ code: keys, member: "jwks" });
      if (clientProofs[method] !== "key") return { jwks: null, jwks_uri: null };
      if (jwks_uri === undefined) {
        return keys === "no_keys" ? wrong({ code: keys, member: "jwks" }) : { jwks: keys, jwks_uri: null };
      }
      const member = "jwks_uri";
      if (jwks !== undefined) return wrong({ code: "two_key_sets", member });
      return { jwks: null, jwks_uri: httpsUrl(jwks_uri) ?? wrong({ code: "not_https_url", member }) };
    },

    algorithm(method) {
      const member = "token_endpoint_auth_signing_alg";
      const named = text(member);
      if (named === undefined || clientProofs[method] !== "key") return null;
      const supported = clientKeyAlgorithms;
      return clientAlgorithm(named) ?? wrong({ code: "algorithm", member, received: [named], supported });
    },
  };
}
