import type { Grant } from "../../server.ts";
import { authorizationCode } from "./authorization_code.ts";
import { clientCredentials } from "./client_credentials.ts";
import { jwtBearer } from "./jwt_bearer.ts";
import { refreshToken } from "./refresh_token.ts";

/** Spec 4.5 `grant_types_supported`, in its order, and what goes beyond it. */
export const allGrants: readonly Grant[] = [authorizationCode, refreshToken, clientCredentials, jwtBearer];
