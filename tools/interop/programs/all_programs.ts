import { airflow } from "./airflow.ts";
import { aspNet } from "./asp_net.ts";
import { authlib } from "./authlib.ts";
import { jupyterHub } from "./jupyterhub.ts";
import { keycloak } from "./keycloak.ts";
import { modAuthOpenidc } from "./mod_auth_openidc.ts";
import { oauth2Proxy } from "./oauth2_proxy.ts";
import { oidcClientTs } from "./oidc_client_ts.ts";
import { pgAdmin } from "./pgadmin.ts";
import { pgBouncer } from "./pgbouncer.ts";
import { privateScheme } from "./private_scheme.ts";
import type { Program } from "./program.ts";
import { synapse } from "./synapse.ts";

export const allPrograms: readonly Program[] = [
  oauth2Proxy,
  modAuthOpenidc,
  authlib,
  jupyterHub,
  synapse,
  pgAdmin,
  keycloak,
  airflow,
  ...oidcClientTs,
  aspNet,
  privateScheme,
  pgBouncer,
];
