import { plural } from "./plural.ts";

const counted = (one: string, other: string) =>
  plural({ one: (figure) => `${figure} ${one}`, other: (figure) => `${figure} ${other}` });

export const impactWords = {
  atLeast: (figure: string) => `at least ${figure}`,
  kinds: {
    tokens: counted("token is revoked immediately", "tokens are revoked immediately"),
    people: counted("person loses access", "people lose access"),
    sessions: counted("session ends", "sessions end"),
    consents: counted("consent is withdrawn", "consents are withdrawn"),
    secrets: counted("secret no longer works", "secrets no longer work"),
    apps: counted("app no longer works", "apps no longer work"),
    members: counted("person is no longer a member", "people are no longer members"),
    key_pairs: counted("key pair no longer works", "key pairs no longer work"),
    api_keys: counted("API key no longer works", "API keys no longer work"),
    service_accounts: counted("service account no longer works", "service accounts no longer work"),
    linked_accounts: counted("linked account is deleted", "linked accounts are deleted"),
    passkeys: counted("passkey is removed", "passkeys are removed"),
    authenticator_apps: counted("authenticator app is removed", "authenticator apps are removed"),
    recovery_codes: counted("recovery code no longer works", "recovery codes no longer work"),
    apis: counted("API is switched off", "APIs are switched off"),
    providers: counted("provider is switched off", "providers are switched off"),
    invitations: counted("invitation is withdrawn", "invitations are withdrawn"),
    holders: counted("member loses the role", "members lose the role"),
    groups: counted("group no longer grants the role", "groups no longer grant the role"),
    group_members: counted("member leaves the group", "members leave the group"),
    left_groups: counted("group loses this member", "groups lose this member"),
  },
};

export type ImpactWords = typeof impactWords;
