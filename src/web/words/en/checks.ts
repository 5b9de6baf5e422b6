import type { AppDemand } from "../../../records/names/profiles.ts";
import type { FigureRisk, RiskKind, RiskLevel } from "../../../records/names/risk_kinds.ts";

export type ChecksWords = {
  lead: string;
  clean: string;
  cleanLead: string;
  unseenSecrets: string;
  levels: Readonly<Record<RiskLevel, string>>;
  about: string;
  source: string;
  edit: string;
  secrets: string;
  profile: {
    title: string;
    fits: string;
    lacks: string;
    demands: Readonly<Record<AppDemand, string>>;
  };
  risks: {
    readonly [Kind in RiskKind]: RiskWords<Kind extends FigureRisk ? (figure: string) => string : string>;
  };
};

/** `why` is a function if the reason contains a number. */
export interface RiskWords<Why = string | ((figure: string) => string)> {
  readonly title: string;
  readonly why: Why;
  readonly instead: string;
}

export const checksWords: ChecksWords = {
  lead: "Settings that work but are risky, most severe first.",
  clean: "No issues",
  cleanLead: "The settings of this app follow OAuth security best practice.",
  unseenSecrets: "You can't see the secrets of this app, so they are not checked here.",
  levels: { danger: "Danger", caution: "Caution", hint: "Worth knowing" },
  about: "Concerns",
  source: "Source",
  edit: "Edit the app",
  secrets: "Secrets of the app",
  profile: {
    title: "Requirements of the profile",
    fits: "The app meets all of them.",
    lacks: "Missing:",
    demands: {
      authentication_methods:
        "The app authenticates with signed assertions (private_key_jwt) and a key of its own in jwks or at jwks_uri. It has no secret and is not public.",
      pushed_requests: "It pushes its authorization requests to /oauth/par.",
      pkce: "It uses PKCE with S256.",
      bound_tokens:
        "Every request carries a DPoP proof. The app's tokens are useless without the key of the proof.",
      token_algorithms: "Its tokens are signed with ES256, PS256 or EdDSA, never with RS256.",
      client_algorithms: "It signs assertions and proofs with PS256, ES256 or EdDSA, never with RS256.",
      issuer_as_audience: "Its assertions name the issuer as their audience, and nothing else.",
      client_audience: "Its client assertions name the issuer as their only audience.",
      longest_code_ttl: "Its codes expire after 60 seconds at most.",
      no_rotation: "Its refresh tokens are not rotated.",
      https_redirects: "Its redirect URIs use https and no loopback host.",
      redirect_uri_once: "Its token request may omit the redirect URI.",
    },
  },
  risks: {
    app_revoked: {
      title: "The app was revoked",
      why: "It gets no tokens, and this cannot be undone.",
      instead: "Register a new app, or delete this one when its history is no longer needed.",
    },
    app_inactive: {
      title: "The app is switched off",
      why: "It gets no tokens, and its earlier tokens no longer work.",
      instead: "Switch it on when it is needed, or delete it when it is not.",
    },
    owner_inactive: {
      title: "Its owner can no longer sign in",
      why: "No active user is responsible for the app.",
      instead: "Assign it to another user; a platform administrator can change the owner.",
    },
    organization_inactive: {
      title: "Its organization is switched off",
      why: "No app of an inactive organization gets tokens.",
      instead: "Switch the organization on, or move the app to another one.",
    },
    http_redirect: {
      title: "Codes travel unencrypted",
      why: "Anyone on the network path can read the code from a plain http address.",
      instead: "Serve the redirect URI over https, and remove the one with http.",
    },
    wildcard_redirect: {
      title: "A redirect URI looks like a pattern",
      why: "Redirect URIs are compared character by character, so a wildcard matches only itself.",
      instead: "List every address in full.",
    },
    scheme_without_dot: {
      title: "A scheme that any app may claim",
      why: "Another app on the device can register a short scheme too and receive the codes.",
      instead: "Use a claimed https address, or a scheme made from your domain, such as com.example.app:/cb.",
    },
    private_scheme: {
      title: "A private-use scheme",
      why: "The operating system does not prove which app the scheme belongs to, so users are asked for consent each time.",
      instead: "Use a claimed https address (App Links, Universal Links) where the platform has them.",
    },
    localhost_redirect: {
      title: "localhost in place of a loopback address",
      why: "The name may resolve to another machine, and the port of the address cannot vary.",
      instead: "Register http://127.0.0.1/… or http://[::1]/…, which match on any port.",
    },
    localhost_any_port: {
      title: "Any port of localhost",
      why: "The name may resolve to another machine, and any program on one of its ports can receive the code. Users are asked for consent each time.",
      instead:
        "Use http://127.0.0.1/… or http://[::1]/…, which always match on any port, and switch localhost_any_port off.",
    },
    development_redirect: {
      title: "A development address among the real ones",
      why: "Any program on a user's machine can listen there and receive codes of the real app.",
      instead: "Register a separate app for development.",
    },
    redirect_with_query: {
      title: "A redirect URI with a query",
      why: "It must be sent exactly like this, and a parameter in it is easily abused as an open redirect.",
      instead: "Put data that must be returned into state, and register the address without a query.",
    },
    shared_host_redirect: {
      title: "A host where anyone can register a name",
      why: "When the name is released, another person may register it and receive the codes.",
      instead: "Use your own domain, and remove addresses of released hosts.",
    },
    no_redirect_uris: {
      title: "Users cannot sign in",
      why: "The code flow is allowed, but there is no address that the browser may return to.",
      instead: "Register a redirect URI, or remove the authorization code grant.",
    },
    unused_redirect_uris: {
      title: "Redirect URIs that are never used",
      why: "The app may not use the code flow, so they have no effect.",
      instead: "Remove them, or allow the authorization code grant.",
    },
    http_post_logout: {
      title: "Signing out returns over plain http",
      why: "Anyone on the network path can show another page instead.",
      instead: "Use an https address in post_logout_redirect_uris.",
    },
    profile_misfit: {
      title: "The app does not meet its profile",
      why: "The app lacks settings that the profile requires, so its requests are refused.",
      instead: "Fix the items in the list above, or remove the profile from the app.",
    },
    profile_overrules: {
      title: "A setting that the profile overrides",
      why: "The profile determines the value, whatever the app's setting says.",
      instead: "Remove it to avoid confusion.",
    },
    unusable_keys: {
      title: "Keys that may not sign",
      why: "They use algorithms that the app or its profile does not allow, such as RS256.",
      instead: "Remove them from jwks, or register them for an algorithm that is allowed.",
    },
    http_keys: {
      title: "Keys over plain http",
      why: "Anyone on the network path can replace the app's keys with their own.",
      instead: "Publish the keys over https, or register them as jwks.",
    },
    keys_missing: {
      title: "The app has no key to sign with",
      why: "The app authenticates with signed assertions, but none of its keys is registered.",
      instead: "Register its public keys as jwks, or the address where it publishes them.",
    },
    keys_elsewhere: {
      title: "The keys are published on another site",
      why: "The address of the public keys is on another site than the redirect URIs. Its operator can act as the app.",
      instead: "Publish the keys on the app's own site, or register them as jwks.",
    },
    endpoint_as_audience: {
      title: "Assertions for the token endpoint",
      why: "RFC 10070 forbids it: another server with a copied address can replay such an assertion here.",
      instead: "Have the library send the issuer as aud, then set client_assertion_audience to issuer.",
    },
    confidential_in_browser: {
      title: "A secret in a browser",
      why: "Users can read everything in a browser page, including the secret.",
      instead:
        "Make the app public, which relies on PKCE; or keep the secret on a server that acts for the page.",
    },
    confidential_native: {
      title: "A secret in an installed app",
      why: "Every user of the app can extract the secret.",
      instead: "Make the app public, which relies on PKCE.",
    },
    public_web: {
      title: "A web app without a secret",
      why: "An app with a server can keep a secret, and a stolen refresh token is useless without it.",
      instead: "Make it confidential; or set its type to spa if it only runs in the browser.",
    },
    public_machine: {
      title: "A machine without a secret",
      why: "The client credentials grant needs a secret. A public app has none and gets no token.",
      instead: "Make it confidential, or remove the client credentials grant.",
    },
    pkce_not_required: {
      title: "PKCE is not required",
      why: "If the app's library leaves PKCE out, the app exchanges even a code that an attacker injected.",
      instead: "Check that the library uses PKCE, then set require_pkce.",
    },
    mixed_grants: {
      title: "People and machines in one app",
      why: "A token for the app itself and one for a user are easily confused.",
      instead: "Register one app for signing people in, and another for client credentials.",
    },
    no_grants: {
      title: "No grant is allowed",
      why: "The app can get no token.",
      instead: "Allow the grant it needs.",
    },
    refresh_alone: {
      title: "Refreshing without signing in",
      why: "Refresh tokens are issued by the code flow, which this app may not use.",
      instead: "Remove the refresh grant, or allow the authorization code grant.",
    },
    public_without_rotation: {
      title: "A stolen refresh token goes unnoticed",
      why: "A public app has no secret, so only rotation detects a copied refresh token.",
      instead: "Turn on refresh token rotation.",
    },
    rotation_off: {
      title: "Refresh token rotation is off",
      why: "With the secret, a copied refresh token works like the original until it expires.",
      instead: "Turn on refresh token rotation.",
    },
    strict_rotation: {
      title: "Concurrent refreshes sign users out",
      why: (figure) =>
        `When a second tab or a retry repeats a refresh within ${figure} seconds of the rotation, every token of that sign-in is revoked.`,
      instead: "Set metadata.refresh_reuse_window to 30: the repeated refresh gets the same response.",
    },
    reuse_window: {
      title: "Used refresh tokens are accepted again",
      why: (figure) =>
        `Within the window of ${figure} seconds, a copied token gets the same response as the original.`,
      instead: "Keep metadata.refresh_reuse_window as short as lost responses allow, or omit it.",
    },
    long_access_token: {
      title: "Long-lived access tokens",
      why: (figure) =>
        `An API that only checks signatures accepts a stolen token until it expires, here after ${figure} seconds (more than an hour).`,
      instead: "Set a lifetime of 5 to 60 minutes, and let the app refresh its tokens.",
    },
    long_refresh_token: {
      title: "Long-lived refresh tokens",
      why: (figure) =>
        `An unused refresh token from an old backup works for ${figure} seconds (more than 90 days).`,
      instead: "Set a lifetime as long as the usual break between two visits, such as 7 to 30 days.",
    },
    first_party_elsewhere: {
      title: "Consent is skipped for another site",
      why: "The app counts as your own, but codes are sent to a host of another site without the user's consent.",
      instead: "Switch off first_party unless you run that site too.",
    },
    first_party_unassured: {
      title: "Consent is skipped for an app that cannot authenticate",
      why: "Any program on the device can use this client_id and get tokens without the user's consent.",
      instead: "Switch off first_party, or use only a claimed https address.",
    },
    sign_in_unreachable: {
      title: "The required sign-in level is unreachable",
      why: "Users cannot set up a second factor or a passkey on this server, so they are sent back without a code.",
      instead: "Switch on the factors that it needs with POSTERN_EXTRA_SIGN_IN, or lower require_acr.",
    },
    no_scopes: {
      title: "No scope is allowed",
      why: "Every request must name a scope, so every request of this app is refused.",
      instead: "Allow the scopes it needs; openid is enough to sign users in.",
    },
    management_scopes: {
      title: "It may manage this server",
      why: "With these scopes, tokens of this app can change records on this server.",
      instead: "Keep only those that it needs, and use a separate app for management.",
    },
    public_management: {
      title: "A public app may manage this server",
      why: "An app without a secret can be impersonated, and tokens with these scopes can change records on this server.",
      instead: "Move them to a confidential app.",
    },
    unknown_scopes: {
      title: "It requests scopes that do not exist",
      why: "Requests with openid named them in the last seven days; they were ignored and not granted.",
      instead: "Remove them from the application's request, or define them on an API that it may request.",
    },
    idle_scopes: {
      title: "Allowed scopes without effect",
      why: "They release no claim here, no API defines them, or the app's grants cannot use them.",
      instead:
        "Remove them from allowed_scopes, define them on an API, or set what they need: a grant, organization_mode or claims.",
    },
    introspection_scope: {
      title: "It may introspect tokens of other apps",
      why: "With token:introspect it can see who owns each token of its organization.",
      instead: "Grant it only to APIs that check tokens.",
    },
    resource_unreadable: {
      title: "Resources that are ignored",
      why: "The value is neither a string nor a list of strings.",
      instead: "Enter an address, or a list of addresses.",
    },
    resource_not_absolute: {
      title: "A resource that is not an absolute URI",
      why: "A resource must be an absolute URI without a fragment, and a request for this one is refused.",
      instead: "Write it in full, such as https://api.example.com.",
    },
    http_resource: {
      title: "Tokens for an API over plain http",
      why: "Anyone on the network path to the API can read the token and use it.",
      instead: "Serve the API over https and register its https address.",
    },
    no_live_secret: {
      title: "No active secret",
      why: "A confidential app without one cannot authenticate and gets no token.",
      instead: "Create a secret, or make the app public when it runs on people's devices.",
    },
    many_secrets: {
      title: "More secrets than a rotation needs",
      why: (figure) => `Each of the ${figure} secrets can leak; two are enough during a rotation.`,
      instead: "Revoke the unused ones.",
    },
    old_secret: {
      title: "A secret older than a year",
      why: "The longer a secret exists, the more copies of it exist.",
      instead: "Create a new one, deploy it, and revoke the old one.",
    },
    endless_secret: {
      title: "A secret that never expires",
      why: "If it leaks, it works forever.",
      instead: "Set an expiry for the next one, and remind the team that runs the app.",
    },
    unused_secret: {
      title: "An unused secret",
      why: "It has not been used for 90 days, so its misuse would hardly be noticed.",
      instead: "Revoke it.",
    },
    expiring_secret: {
      title: "A secret is about to expire",
      why: "Within 14 days the app can no longer authenticate with it.",
      instead: "Create a new one now and deploy it before that.",
    },
  },
};
