import type { Grant } from "../server.ts";
import { authorizationCode } from "./authorization_code.ts";
import { clientCredentials } from "./client_credentials.ts";
import { refreshToken } from "./refresh_token.ts";

/** Spec 4.5 `grant_types_supported`, in its order. What goes beyond is switched on by configuration (design 6.14). */
export const allGrants: readonly Grant[] = [authorizationCode, refreshToken, clientCredentials];
