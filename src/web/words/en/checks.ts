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
  /** The risk, the reason and the remedy. */
  risks: {
    readonly [Kind in RiskKind]: RiskWords<Kind extends FigureRisk ? (figure: string) => string : string>;
  };
};

/** What is said of one risk; of a number a sentence that takes it. */
export interface RiskWords<Why = string | ((figure: string) => string)> {
  readonly title: string;
  readonly why: Why;
  readonly instead: string;
}

/** The risky settings of an app. */
export const checksWords: ChecksWords = {
  lead: "Settings that work but are risky, the worst first.",
  clean: "No issues",
  cleanLead: "The settings of this app follow the security practice of OAuth.",
  unseenSecrets: "You can't see the secrets of this app, so they are not checked here.",
  levels: { danger: "Danger", caution: "Caution", hint: "Worth knowing" },
  about: "Concerns",
  source: "Source",
  edit: "Edit the app",
  secrets: "Secrets of the app",
  profile: {
    title: "What the profile demands",
    fits: "The app fits.",
    lacks: "Missing:",
    demands: {
      authentication_methods:
        "The app proves itself by assertions that it signs (private_key_jwt), with a key of its own in jwks or at jwks_uri; no secret, and no public app.",
      pushed_requests: "It pushes its authorization requests to /oauth/par.",
      pkce: "It uses PKCE with S256.",
      bound_tokens:
        "It proves a key beside each request (DPoP), and its tokens are of no use without that key.",
      token_algorithms: "Its tokens are signed by ES256, PS256 or EdDSA; RS256 is not used.",
      client_algorithms: "It signs assertions and proofs by PS256, ES256 or EdDSA, never by RS256.",
      issuer_as_audience: "Its assertions name the issuer as their audience, and nothing else.",
      longest_code_ttl: "Its codes expire after 60 seconds at most.",
      no_rotation: "Its refresh tokens stay as they are.",
      https_redirects: "Its redirect URIs are https, on hosts of the network.",
      redirect_uri_once: "Its token request may leave the redirect URI out.",
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
      why: "Nobody answers for an app whose owner has left.",
      instead: "Assign it to somebody else; a platform administrator can change the owner.",
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
      title: "A scheme that anybody may claim",
      why: "Another app on the device can register a short scheme too and receive the codes.",
      instead:
        "Use a claimed https address, or a scheme made of a domain of yours, such as com.example.app:/cb.",
    },
    private_scheme: {
      title: "A private-use scheme",
      why: "The system does not prove which app it belongs to, so people are asked for consent each time.",
      instead: "Use a claimed https address (App Links, Universal Links) where the platform has them.",
    },
    localhost_redirect: {
      title: "localhost in place of a loopback address",
      why: "The name may resolve elsewhere, and the port of such an address cannot vary.",
      instead: "Register http://127.0.0.1/… or http://[::1]/…, which match on any port.",
    },
    localhost_any_port: {
      title: "Any port of localhost",
      why: "The name may resolve elsewhere, and whatever program answers on a port there receives the code. People are asked for consent each time.",
      instead:
        "Use http://127.0.0.1/… or http://[::1]/…, which match on any port without it, and switch localhost_any_port off.",
    },
    development_redirect: {
      title: "A development address beside the real ones",
      why: "Any program on a person's machine can listen there and receive codes of the real app.",
      instead: "Register an app of its own for development.",
    },
    redirect_with_query: {
      title: "A redirect URI with a query",
      why: "It must be sent exactly like this, and what it carries is easily used to send people on to elsewhere.",
      instead: "Carry what must come back in state, and register the address without a query.",
    },
    shared_host_redirect: {
      title: "A host where anybody can have a name",
      why: "When the name is given up, somebody else may take it and receive the codes.",
      instead: "Use a domain of your own, and remove addresses of hosts that were given up.",
    },
    no_redirect_uris: {
      title: "Nobody can sign in",
      why: "The code flow is allowed, but there is no address that the browser may return to.",
      instead: "Register a redirect URI, or remove the authorization code grant.",
    },
    unused_redirect_uris: {
      title: "Redirect URIs that are never used",
      why: "The app may not use the code flow, so they have no use.",
      instead: "Remove them, or allow the authorization code grant.",
    },
    http_post_logout: {
      title: "Signing out returns over plain http",
      why: "Anyone on the network path can show another page instead.",
      instead: "Use an https address in post_logout_redirect_uris.",
    },
    profile_misfit: {
      title: "It does not fit its profile",
      why: "The profile demands what this app lacks, so its requests are refused.",
      instead: "Change what the list above names, or take the app out of the profile.",
    },
    profile_overrules: {
      title: "A setting that the profile overrules",
      why: "The profile decides on it, whatever the app says.",
      instead: "Remove it, so it does not mislead anybody.",
    },
    unusable_keys: {
      title: "Keys that nothing may be signed with",
      why: "They sign by algorithms that the app or its profile does not allow, such as RS256.",
      instead: "Remove them from jwks, or register them for an algorithm that is allowed.",
    },
    http_keys: {
      title: "Keys over plain http",
      why: "Anyone on the network path can replace the app's keys with their own.",
      instead: "Publish the keys over https, or register them as jwks.",
    },
    keys_missing: {
      title: "It signs, and has no key",
      why: "The app proves itself by assertions that it signs, and no key of it is known here.",
      instead: "Register its public keys as jwks, or the address where it publishes them.",
    },
    keys_elsewhere: {
      title: "The keys are published elsewhere",
      why: "The address of the public keys is on another site than the redirect URIs. Its holder can act as the app.",
      instead: "Publish the keys on the app's own site, or register them as jwks.",
    },
    confidential_in_browser: {
      title: "A secret in a browser",
      why: "Everybody can read what a page in the browser holds, including the secret.",
      instead:
        "Make the app public, which relies on PKCE; or keep the secret on a server that acts for the page.",
    },
    confidential_native: {
      title: "A secret in an installed app",
      why: "Everybody who has the app can take the secret out of it.",
      instead: "Make the app public, which relies on PKCE.",
    },
    public_web: {
      title: "A web app without a secret",
      why: "An app with a server can keep a secret, and a stolen refresh token is useless without it.",
      instead: "Make it confidential; or give it the type spa when it runs in the browser alone.",
    },
    public_machine: {
      title: "A machine without a secret",
      why: "Client credentials are a secret; a public app has none and gets no token that way.",
      instead: "Make it confidential, or remove the client credentials grant.",
    },
    mixed_grants: {
      title: "People and machines in one app",
      why: "A token for the app itself and one for a person are easily taken for each other.",
      instead: "Register one app for signing people in, and another for client credentials.",
    },
    no_grants: {
      title: "No grant is allowed",
      why: "The app can get no token.",
      instead: "Allow the grant it needs.",
    },
    refresh_alone: {
      title: "Refreshing without signing in",
      why: "A refresh token comes from the code flow, which this app may not use.",
      instead: "Remove the refresh grant, or allow the authorization code grant.",
    },
    public_without_rotation: {
      title: "A stolen refresh token goes unnoticed",
      why: "A public app has no secret, so only rotation detects a copied refresh token.",
      instead: "Turn on refresh token rotation.",
    },
    rotation_off: {
      title: "Refresh token rotation is off",
      why: "A copied refresh token, with the secret, works beside the real one until it expires.",
      instead: "Turn on refresh token rotation.",
    },
    strict_rotation: {
      title: "Refreshes at the same time sign people out",
      why: (figure) =>
        `When a second tab or a retry repeats a refresh within ${figure} seconds of the rotation, every token of that sign-in ends.`,
      instead: "Set metadata.refresh_reuse_window to 30: the repeated refresh gets the same answer.",
    },
    reuse_window: {
      title: "Spent refresh tokens are answered again",
      why: (figure) =>
        `Inside the window of ${figure} seconds a copied token gets the same answer as the real one.`,
      instead: "Keep metadata.refresh_reuse_window as short as lost answers allow, or leave it out.",
    },
    long_access_token: {
      title: "Long-lived access tokens",
      why: (figure) =>
        `An API that checks tokens by their signature alone accepts a stolen one until it expires: here ${figure} seconds, more than an hour.`,
      instead: "Set a lifetime of 5 to 60 minutes, and refresh.",
    },
    long_refresh_token: {
      title: "Long-lived refresh tokens",
      why: (figure) =>
        `A person who finds an unused one in an old backup can use it for ${figure} seconds, more than 90 days.`,
      instead: "Set a lifetime as long as people usually stay away, such as 7 to 30 days.",
    },
    first_party_elsewhere: {
      title: "Consent is skipped for another site",
      why: "The app counts as our own, but codes go to a host of another site without the person being asked.",
      instead: "Switch off first_party unless that site is ours too.",
    },
    first_party_unassured: {
      title: "Consent is skipped for an app that cannot prove itself",
      why: "Any program on the device can use this client_id and gets tokens without the person being asked.",
      instead: "Switch off first_party, or use a claimed https address alone.",
    },
    sign_in_unreachable: {
      title: "Nobody can reach the required sign-in level",
      why: "Nobody can set up a second factor or a passkey on this server, so people are sent back without a code.",
      instead: "Switch on what it takes with POSTERN_EXTRA_SIGN_IN, or let require_acr ask for less.",
    },
    no_scopes: {
      title: "No scope is allowed",
      why: "Every request must name a scope, so every request of this app is refused.",
      instead: "Allow the scopes it needs; openid is enough to sign people in.",
    },
    management_scopes: {
      title: "It may manage this server",
      why: "Tokens of this app can change records here, as far as these scopes go.",
      instead: "Keep only those that it needs, and in an app that does nothing else.",
    },
    public_management: {
      title: "A public app may manage this server",
      why: "Anybody can pretend to be an app without a secret, and these scopes can change records here.",
      instead: "Move them to a confidential app.",
    },
    unknown_scopes: {
      title: "It asks for scopes that do not exist",
      why: "Requests with openid named them in the last seven days; they were passed over and not granted.",
      instead: "Remove them from the application's request, or define them on an API that it may ask for.",
    },
    idle_scopes: {
      title: "Allowed scopes that bring nothing",
      why: "They release no claim here, no API defines them, or the app's grants cannot use them.",
      instead: "Remove them from allowed_scopes, define them on an API, or allow the grant that they need.",
    },
    introspection_scope: {
      title: "It may introspect tokens of other apps",
      why: "With token:introspect it can see who owns each token of its organization.",
      instead: "Give it to APIs that check tokens, and to nothing else.",
    },
    resource_unreadable: {
      title: "Resources that are not read",
      why: "The value is neither text nor a list of texts, so it is ignored.",
      instead: "Enter an address, or a list of addresses.",
    },
    resource_not_absolute: {
      title: "A resource that is no absolute address",
      why: "A resource must be an absolute URI without a fragment, and a request for this one is refused.",
      instead: "Write it in full, such as https://api.example.com.",
    },
    http_resource: {
      title: "Tokens for an API over plain http",
      why: "Anyone on the network path to the API can read the token and use it.",
      instead: "Serve the API over https and name it like that.",
    },
    no_live_secret: {
      title: "No active secret",
      why: "A confidential app without one cannot authenticate and gets no token.",
      instead: "Create a secret, or make the app public when it runs on people's devices.",
    },
    many_secrets: {
      title: "More secrets than a changeover needs",
      why: (figure) =>
        `Each of the ${figure} is one that can be lost; two are enough while one replaces the other.`,
      instead: "Revoke those that are not in use.",
    },
    old_secret: {
      title: "A secret older than a year",
      why: "The longer a secret is around, the more copies of it there are.",
      instead: "Create a new one, deploy it, and revoke the old one.",
    },
    endless_secret: {
      title: "A secret that never expires",
      why: "If it leaks, it works for ever.",
      instead: "Set an expiry for the next one, and remind the people who run the app.",
    },
    unused_secret: {
      title: "A secret nobody uses",
      why: "It has not been used for 90 days, so nobody would notice if somebody else had it.",
      instead: "Revoke it.",
    },
    expiring_secret: {
      title: "A secret is about to expire",
      why: "Within 14 days the app can no longer prove itself with it.",
      instead: "Create a new one now and deploy it before that.",
    },
  },
};
