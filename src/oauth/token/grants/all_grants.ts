import type { AllowedGrant } from "../../../records/names/names.ts";
import type { Grant } from "../../core/server.ts";
import { authorizationCode } from "./authorization_code.ts";
import { clientCredentials } from "./client_credentials.ts";
import { jwtBearer } from "./jwt_bearer.ts";
import { refreshToken } from "./refresh_token.ts";

const grants: Readonly<Record<AllowedGrant, Grant>> = {
  auth_code: authorizationCode,
  refresh: refreshToken,
  client_credentials: clientCredentials,
  jwt_bearer: jwtBearer,
};

/** The grants of `grant_types_supported` in the order of spec 4.5, then those beyond the specification. */
export const allGrants: readonly Grant[] = Object.values(grants);
