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

/** Spec 4.5 `grant_types_supported`, in its order, then the grants beyond the specification. */
export const allGrants: readonly Grant[] = Object.values(grants);
