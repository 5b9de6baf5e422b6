import type { Source } from "./core/source.ts";
import { auth0 } from "./sources/auth0.ts";
import { clerk } from "./sources/clerk.ts";
import { cognito } from "./sources/cognito.ts";
import { csv } from "./sources/csv.ts";
import { firebase } from "./sources/firebase.ts";
import { keycloak } from "./sources/keycloak.ts";
import { okta } from "./sources/okta.ts";
import { postern } from "./sources/postern.ts";
import { supabase } from "./sources/supabase.ts";
import { zitadel } from "./sources/zitadel.ts";

/** The sources, in the order in which the help of `postern import` lists them. */
export const allSources: readonly Source[] = [
  ...[keycloak, auth0, clerk, firebase, cognito, supabase, okta, zitadel, postern, csv],
];
