/** The certification plans, and their configuration for Postern. */
import { ada, client, machine, notified, publicSuite, second } from "./postern.ts";

const alias = "postern";

export interface Plan {
  readonly name: string;
  readonly variant: Readonly<Record<string, string>>;
}

const discovered = { server_metadata: "discovery", client_registration: "static_client" };
const receiver = {
  ...discovered,
  ssf_server_metadata: "discovery",
  ssf_auth_mode: "dynamic",
  client_auth_type: "client_secret_basic",
};
const push = { ...receiver, ssf_delivery_mode: "push" };
const poll = { ...receiver, ssf_delivery_mode: "poll" };
const logout = { client_registration: "static_client", response_type: "code" };

export const plans: readonly Plan[] = [
  { name: "oidcc-config-certification-test-plan", variant: {} },
  { name: "oidcc-basic-certification-test-plan", variant: discovered },
  { name: "oidcc-formpost-basic-certification-test-plan", variant: discovered },
  { name: "oidcc-rp-initiated-logout-certification-test-plan", variant: logout },
  { name: "oidcc-backchannel-rp-initiated-logout-certification-test-plan", variant: logout },
  { name: "openid-ssf-transmitter-test-plan", variant: { ...push, ssf_profile: "default" } },
  { name: "openid-ssf-transmitter-test-plan", variant: { ...poll, ssf_profile: "default" } },
  { name: "openid-ssf-transmitter-caep-test-plan", variant: push },
  { name: "openid-ssf-transmitter-caep-test-plan", variant: poll },
];

/** The path below which the suite serves the URLs of its clients. */
export const path = `/test/a/${alias}`;

/** Returns the configuration of a plan for the server at `issuer`. */
export function configurationOf({ name }: Plan, issuer: string) {
  const signals = name.startsWith("openid-ssf-");
  const app = signals ? machine : name.startsWith("oidcc-backchannel-") ? notified : client;
  return {
    alias,
    description: "Postern",
    server: { discoveryUrl: `${issuer}/.well-known/openid-configuration`, login_hint: ada.email },
    client: { client_id: app.client_id, client_secret: app.secret, scope: "ssf.manage" },
    client_secret_post: { client_id: client.client_id, client_secret: client.secret },
    client2: { client_id: second.client_id, client_secret: second.secret },
    ...(signals && {
      ssf: {
        subjects: {
          valid: { format: "email", email: ada.email },
          invalid: { format: "email", email: "unknown@example.com" },
        },
        transmitter: { issuer },
        receiver: { base_url_override: new URL(path, publicSuite).href },
      },
    }),
  };
}
