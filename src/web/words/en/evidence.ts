import type { EvidenceFact, EvidenceKind } from "../../../records/names/evidence.ts";

/** The meaning of a piece of evidence, and its remedy. */
export type EvidenceWords = Readonly<
  Record<
    EvidenceKind,
    {
      readonly what: string;
      readonly advice: string;
      /** At an endpoint that reads its parameters from the form of a POST alone. */
      readonly adviceInForm?: string;
      /** About a header of the request. */
      readonly adviceInHeader?: string;
    }
  >
>;

export type FactWords = Readonly<Record<EvidenceFact, string>>;

export const evidenceWords: EvidenceWords = {
  redirect_uri: {
    what: "The redirect URI is not one of those registered",
    advice:
      "Register exactly this address for the app, or have the app send one that is registered: every character counts, also a slash at the end, the port, and http or https.",
  },
  code_redirect_uri: {
    what: "The redirect URI is not the one the code was asked for with",
    advice:
      "Send the same redirect_uri at the token endpoint as in the authorization request, character by character.",
  },
  post_logout_redirect_uri: {
    what: "The address to return to after signing out is not registered",
    advice: "Add exactly this address to post_logout_redirect_uris of the app, or send one that is there.",
  },
  client_id: {
    what: "No app has this client_id",
    advice:
      "Compare the client_id in the app's settings with the one shown on its page here; look for spaces and mixed-up environments.",
  },
  client_id_differs: {
    what: "The form names another client than the Authorization header",
    advice:
      "Leave client_id out of the form where the Authorization header names the client, or make both the same.",
  },
  client_document: {
    what: "What the client says of itself cannot be used",
    advice:
      "Open the address that is the client_id: the document there has to meet draft-ietf-oauth-client-id-metadata-document, and the description of the refusal names the rule that it breaks.",
  },
  client_inactive: {
    what: "The app may not be used at present",
    advice:
      "Switch the app or its organization on again; a revoked app stays revoked, and a new one has to take its place.",
  },
  client_authentication: {
    what: "The app did not prove itself in a way that it may use",
    advice:
      "Set the library to one of the methods expected here; an app without a secret uses none, every other its secret.",
  },
  two_methods: {
    what: "The app proved itself in two ways at once",
    advice: "Send the secret either in the Authorization header or in the form, never in both.",
  },
  client_secret: {
    what: "The client secret is not right",
    advice:
      "Create a new secret on the app's page and put it in the app's settings whole, without spaces or line breaks around it.",
  },
  client_secret_expired: {
    what: "Secrets of this app that have expired",
    advice: "If the app still uses one of these, give it a newer one.",
  },
  client_secret_revoked: {
    what: "Secrets of this app that were revoked",
    advice: "If the app still uses one of these, give it a newer one.",
  },
  authorization_header: {
    what: "The Authorization header could not be read",
    advice:
      "Send what is expected here: for a client Basic and base64 of client_id:client_secret, for an access token Bearer and the token, and a token in one place only.",
  },
  scope: {
    what: "More was asked for than is allowed",
    advice: "Ask for fewer scopes, or add the marked ones to the app's allowed scopes.",
  },
  scope_of_user: {
    what: "A scope about a person was asked for where there is none",
    advice:
      "Leave these scopes out: a machine has nobody who signs in. For people use the authorization code grant.",
  },
  scope_lacking: {
    what: "The access token lacks a scope",
    advice: "Ask for the marked scope in the authorization request, so the token carries it.",
  },
  resource: {
    what: "This resource may not be asked for",
    advice:
      "Ask for a resource that is expected here, or let its API be asked for: by more clients, or by listing it at the app.",
  },
  audience: {
    what: "The access token is meant for somebody else",
    advice:
      "Use a token that was asked for without resource here, and the other one at the resource it is for.",
  },
  grant_type: {
    what: "This server does not know the grant type",
    advice: "Send one of the grant types expected here, exactly as listed.",
  },
  allowed_grants: {
    what: "The app may not use this grant",
    advice: "Add the grant to the app's allowed grants, or use one that it has.",
  },
  allowed_response_types: {
    what: "The app may not use this response type",
    advice: "Add code to the app's allowed response types.",
  },
  one_of: {
    what: "A parameter has a value that it cannot have",
    advice: "Send one of the values expected here, exactly as listed.",
  },
  missing: {
    what: "A parameter is missing",
    advice: "Send it once, in the form of a POST or the query of a GET, and not empty.",
    adviceInForm:
      "Send it once, in the form of the POST, and not empty; parameters in the address are not read.",
    adviceInHeader: "Send the header with the request, and not empty.",
  },
  repeated: {
    what: "A parameter was sent more than once",
    advice:
      "Send it once. Look for a library and code of your own that both add it, or for one in the query and one in the form.",
    adviceInForm: "Send it once. Look for a library and code of your own that both add it.",
  },
  malformed: {
    what: "Something could not be read",
    advice:
      "Encode names and values as application/x-www-form-urlencoded, in UTF-8, with a library rather than by hand.",
  },
  not_supported: {
    what: "This server does not take this parameter",
    advice: "Leave it out and send the parameters of the request themselves.",
  },
  content_type: {
    what: "The body is not a form",
    advice: "Send the parameters as application/x-www-form-urlencoded, not as JSON.",
  },
  method: {
    what: "The HTTP method is not taken here",
    advice:
      "Use a method expected here; often a GET was made of a POST by a redirect or by opening the address in a browser.",
  },
  too_large: {
    what: "The request is too large",
    advice: "Send less; look for state that has grown, or for a parameter that holds a whole document.",
  },
  pkce_required: {
    what: "The code challenge of PKCE is missing",
    advice:
      "This app must use PKCE: have the library create a code_verifier and send its S256 code_challenge.",
  },
  pkce_method: {
    what: "The method of the code challenge is not S256",
    advice: "Send code_challenge_method=S256, in capitals; plain is never taken.",
  },
  pkce_challenge: {
    what: "The code challenge is not well-formed",
    advice: "Send the base64url of the SHA-256 of the verifier without padding: 43 characters.",
  },
  pkce_verifier: {
    what: "The code verifier does not go with the code",
    advice:
      "Keep the verifier of each request until its code comes back, and send that one; parallel tabs and several processes need one store for them.",
  },
  length: {
    what: "How long the verifier was",
    advice: "A verifier has 43 to 128 characters out of A–Z a–z 0–9 - . _ ~.",
  },
  unknown_credential: {
    what: "This code or token is not one that was issued here",
    advice:
      "Send it whole and unchanged, as it came; look for decoding twice, for cut-off text, and for another server's token.",
  },
  other_app: {
    what: "The code or token was issued to another app",
    advice:
      "Redeem it with the same client_id that asked for it; look for two environments that share one database or cookie.",
  },
  already_used: {
    what: "The code or token had been used before",
    advice:
      "Each works once. Let one process use it and keep what came back; a code in the browser's history is not worth reloading. If none of your own used it, somebody else has: all tokens that came from it were ended.",
  },
  expired: {
    what: "It was too old",
    advice:
      "Use it within its lifetime: redeem codes at once, refresh tokens before they end, and see that clocks are right.",
  },
  revoked: {
    what: "It had been revoked",
    advice: "Have the person sign in again through the app; the reason says what ended it.",
  },
  ended: {
    what: "The session or consent it belonged to has ended",
    advice:
      "Have the person sign in again through the app; where the app or the person was switched off, switch them on first.",
  },
  user_inactive: {
    what: "The person may not sign in at present",
    advice: "Switch the user on again, and have them sign in again.",
  },
  not_signed_in: {
    what: "Nobody was signed in",
    advice:
      "Send the person through sign-in without prompt=none; browsers that block third-party cookies do not let a hidden frame see a sign-in.",
  },
  auth_age: {
    what: "The sign-in was older than allowed",
    advice: "Ask again without prompt=none, so the person can sign in again, or allow a greater max_age.",
  },
  acr_not_held: {
    what: "The sign-in has not reached the level that the app asks for",
    advice: "Ask again without prompt=none, so the person can prove more.",
  },
  acr_unreachable: {
    what: "The account has nothing with which it could reach the level that the app requires",
    advice:
      "Have the person add a second factor or a passkey to their account, or let the app require less (require_acr).",
  },
  other_user: {
    what: "Another person is signed in than the app expects",
    advice: "Ask again without prompt=none or without id_token_hint, so the person can choose the account.",
  },
  consent: {
    what: "The person has not allowed the app what it asks for",
    advice: "Ask again without prompt=none, so the person can be asked.",
  },
  denied: {
    what: "The person said no",
    advice: "Nothing is broken: tell the person what the app needs the access for, and offer to ask again.",
  },
  consent_form: {
    what: "The answer did not go with the question",
    advice: "Start again at the application; the page had been open in two windows or for too long.",
  },
  pushed_request: {
    what: "The pushed request cannot be used",
    advice:
      "Push a request for each sign-in and send the person on at once, with the client_id that pushed it; each works for one code.",
  },
  push_required: {
    what: "The request was not pushed",
    advice:
      "Send the parameters to /oauth/par first and the person on with client_id and the request_uri of the answer, or switch off that the app must push.",
  },
  foreign_form: {
    what: "The form was not one of this server's, or too old",
    advice: "Reload the page and send the form again; cookies must be allowed for this server.",
  },
  dead_link: {
    what: "The link has expired or was already used",
    advice: "Ask for a new one: each works once and for a limited time.",
  },
  id_token_hint: {
    what: "The id_token_hint isn't valid for this app",
    advice:
      "Send the last id_token that this server issued to this very client, whole; expired ones are taken.",
  },
  sign_in: {
    what: "The sign-in failed",
    advice:
      "The page tells nobody which it was. Help with a forgotten password, or switch the user on, only once you know who asks.",
  },
  throttled: {
    what: "There had been too many attempts",
    advice: "Wait until the time is over; a right password afterwards forgives the wrong ones.",
  },
  upstream: {
    what: "The external provider did not say what it must",
    advice: "Compare the value with the record of the provider here, and with the settings there.",
  },
  assertion: {
    what: "The assertion does not say what it must",
    advice:
      "Create a new assertion for each request: iss and sub the service account, aud this server, exp at most five minutes away, jti new each time.",
  },
  assertion_key: {
    what: "The assertion is not signed with a good key of the service account",
    advice:
      "Compare kid with the keys on the service account's page, and sign with a key that is active there.",
  },
  client_assertion: {
    what: "The client's assertion does not say what it must",
    advice:
      "Create a new assertion for each request: iss and sub the client_id, aud the issuer of this server as one string, exp at most five minutes away, jti new each time.",
  },
  client_assertion_key: {
    what: "The client's assertion is not signed with a key of the app",
    advice:
      "Compare kid with the public keys of the app, or with those at its jwks_uri, and sign with one of them. Without kid exactly one of them must fit alg.",
  },
  proof: {
    what: "The DPoP proof does not say what it must",
    advice:
      "Create a new proof for each request with a library for RFC 9449: typ dpop+jwt, the public key as jwk, a new jti, and with an access token its hash as ath.",
  },
  proof_address: {
    what: "The DPoP proof is for another address",
    advice:
      "Sign the address as clients see it: the base URL of this server with the path of the request, without a query.",
  },
  proof_clock_ahead: {
    what: "The clock of the client is ahead of that of this server",
    advice: "Set the clock of the client, or repeat the request with the nonce of the header DPoP-Nonce.",
  },
  proof_clock_behind: {
    what: "The clock of the client is behind that of this server, or the proof was kept before it was sent",
    advice: "Set the clock of the client, or repeat the request with the nonce of the header DPoP-Nonce.",
  },
  proof_key: {
    what: "The DPoP proof is signed with another key",
    advice:
      "Use one key from the authorization request on, and keep it for as long as the tokens; after its loss the person signs in again.",
  },
};

export const factWords: FactWords = {
  app_inactive: "the app is switched off",
  app_revoked: "the app was revoked",
  organization_inactive: "the organization is switched off",
  unknown: "there is no such record",
  inactive: "switched off",
  ended: "ended meanwhile",
  user_ended: "the person was switched off or changed their password",
  session_ended: "the person signed out, or the session ended",
  consent_ended: "the person withdrew what they had allowed",
  app_ended: "the app or its organization was switched off or revoked",
  service_account_ended: "the service account or its organization was switched off",
  key_pair_ended: "the key that the service account signed with was revoked or deleted",
  revoked: "revoked",
  expired: "expired",
  begins_like_live: "begins like a secret that is good, and differs further on",
  begins_like_expired: "begins like a secret that has expired",
  begins_like_revoked: "begins like a secret that was revoked",
  begins_like_none: "begins like none of the app's secrets",
  not_basic: "not Basic and base64",
  no_colon: "no colon between client_id and secret",
  two_ways: "in the header and in the form",
  not_shaped: "not shaped like one of this server's",
  not_issued: "shaped right, and not known here",
  another_app: "another app",
  not_access_token: "another kind of token",
  absent: "nothing",
  not_asked_for: "a verifier, though no challenge had been sent",
  differs: "a verifier that gives another challenge",
  percent_encoding: "a broken percent-encoding",
  nul: "a NUL character",
  not_utf8: "bytes that are not UTF-8",
  too_many: "too many parameters",
  ended_early: "a body that ended early",
  characters: "characters that are not allowed there, or too few or too many",
  unreadable: "a form that this server did not make",
  other_session: "a form of another sign-in",
  too_old: "a form that is too old",
  answered: "a form that had been answered",
  foreign_or_old: "no token of a form that this browser was shown",
  another_user: "another person",
  not_ours: "no id_token of this server",
  unknown_user: "nobody has this e-mail address",
  inactive_user: "the user is switched off",
  wrong_password: "the password was wrong",
  changed_meanwhile: "the password was changed at that very moment",
  passkey_refused: "the passkey did not pass this check",
  not_a_jwt: "no signed JWT in compact form",
  no_such_account: "there is no such service account",
  no_such_key: "the service account has no key of this kid",
  no_key_fits: "no key of the app fits kid and alg",
  keys_unreachable: "the app's jwks_uri gave no key set",
  unverified: "the signature is not the key's",
  used: "used before",
};
