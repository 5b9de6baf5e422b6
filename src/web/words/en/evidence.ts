import type { EvidenceFact, EvidenceKind } from "../../../records/names/evidence.ts";

export type EvidenceWords = Readonly<
  Record<
    EvidenceKind,
    {
      readonly what: string;
      readonly advice: string;
      /** For endpoints that read parameters only from the body of a POST request. */
      readonly adviceInForm?: string;
      /** If the evidence is the `Authorization` header. */
      readonly adviceInHeader?: string;
    }
  >
>;

export type FactWords = Readonly<Record<EvidenceFact, string>>;

export const evidenceWords: EvidenceWords = {
  redirect_uri: {
    what: "The redirect URI is not registered",
    advice:
      "Register exactly this URI for the app, or have the app send a registered one. Every character counts, including a trailing slash, the port, and http or https.",
  },
  code_redirect_uri: {
    what: "The redirect URI differs from the authorization request",
    advice:
      "Send the same redirect_uri at the token endpoint as in the authorization request, character by character.",
  },
  post_logout_redirect_uri: {
    what: "The post-logout redirect URI is not registered",
    advice: "Add exactly this URI to post_logout_redirect_uris of the app, or send one that is listed there.",
  },
  client_id: {
    what: "No app has this client_id",
    advice:
      "Compare the client_id in the app's settings with the one shown on its page here; look for spaces and mixed-up environments.",
  },
  client_id_differs: {
    what: "The form and the Authorization header name different clients",
    advice:
      "Leave client_id out of the form if the Authorization header names the client, or send the same value in both.",
  },
  client_document: {
    what: "The client metadata document cannot be used",
    advice:
      "Open the client_id in a browser. The document there must follow draft-ietf-oauth-client-id-metadata-document; the description of the refusal names the rule that it breaks.",
  },
  client_inactive: {
    what: "The app is not active",
    advice: "Switch the app or its organization on again. A revoked app stays revoked: create a new one.",
  },
  client_authentication: {
    what: "The client used an authentication method it is not registered for",
    advice: "Set the library to one of the methods expected here. An app without a secret uses none.",
  },
  two_methods: {
    what: "The client used two authentication methods at once",
    advice: "Send the secret either in the Authorization header or in the form, never in both.",
  },
  client_secret: {
    what: "The client secret is wrong",
    advice:
      "Create a new secret on the app's page and copy it completely into the app's settings, without surrounding spaces or line breaks.",
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
      "A client sends Basic and the base64 of client_id:client_secret. An access token is sent as Bearer and the token, in one place only.",
  },
  scope: {
    what: "The request exceeds the allowed scopes",
    advice: "Request fewer scopes, or add the marked ones to the app's allowed scopes.",
  },
  scope_of_user: {
    what: "A scope that needs a user was requested without one",
    advice:
      "Leave these scopes out: no user signs in with this grant. For users, use the authorization code grant.",
  },
  scope_lacking: {
    what: "The access token lacks a scope",
    advice: "Request the marked scope in the authorization request, so the token contains it.",
  },
  resource: {
    what: "The client may not request tokens for this resource",
    advice:
      "Request one of the resources expected here. To allow this one, open the API to more clients, or list it in the app's resources.",
  },
  audience: {
    what: "The access token is for another audience",
    advice:
      "Send a token that was requested without the resource parameter. The token that was sent works only at the resource that it was issued for.",
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
    what: "A parameter has an invalid value",
    advice: "Send one of the values expected here, exactly as listed.",
  },
  missing: {
    what: "A parameter is missing",
    advice: "Send it once, with a value, in the form of a POST or the query of a GET.",
    adviceInForm: "Send it once, with a value, in the form of the POST. Parameters in the URL are not read.",
    adviceInHeader: "Send the header, with a value, in the request.",
  },
  repeated: {
    what: "A parameter was sent more than once",
    advice:
      "Send it once. Often a library and your own code both add it, or it is in both the query and the form.",
    adviceInForm: "Send it once. Often a library and your own code both add it.",
  },
  malformed: {
    what: "The request could not be parsed",
    advice:
      "Encode names and values as application/x-www-form-urlencoded, in UTF-8, with a library rather than by hand.",
  },
  not_supported: {
    what: "This server does not support this parameter",
    advice: "Leave it out, and send each parameter of the request directly.",
  },
  content_type: {
    what: "The body is not a form",
    advice: "Send the parameters as application/x-www-form-urlencoded, not as JSON.",
  },
  method: {
    what: "The HTTP method is not allowed here",
    advice:
      "Use a method expected here. A redirect, or opening the URL in a browser, often turns a POST into a GET.",
  },
  too_large: {
    what: "The request is too large",
    advice: "Send less. Often the parameter state has grown, or a parameter contains a whole document.",
  },
  pkce_required: {
    what: "The PKCE code challenge is missing",
    advice:
      "This app must use PKCE: have the library create a code_verifier and send its S256 code_challenge.",
  },
  pkce_method: {
    what: "The method of the code challenge is not S256",
    advice: "Send code_challenge_method=S256, in capitals. The method plain is never accepted.",
  },
  pkce_challenge: {
    what: "The code challenge is not well-formed",
    advice: "Send the SHA-256 of the verifier in base64url without padding: 43 characters.",
  },
  pkce_verifier: {
    what: "The code verifier does not match the code",
    advice:
      "Store the verifier of each request until its code arrives, and send that one. Parallel tabs and several processes need a shared store.",
  },
  length: {
    what: "The value has the wrong length",
    advice:
      "A code verifier has 43 to 128 characters from A–Z a–z 0–9 - . _ ~. A dpop_jkt has 43 characters in base64url.",
  },
  unknown_credential: {
    what: "This server does not know the code or token: it never issued it, or deleted it after it expired",
    advice:
      "Send it in time, complete and unchanged. Check for double decoding, truncated text, and tokens from another server.",
  },
  other_app: {
    what: "The code or token was issued to another app",
    advice:
      "Redeem it with the client_id that requested it. Often two environments share a database or cookie.",
  },
  already_used: {
    what: "The code or token was already used",
    advice:
      "Each works once. Let one process redeem it and store the response; a code from the browser history does not work again. If your app did not redeem it, it may be stolen: all tokens issued from it were revoked.",
  },
  expired: {
    what: "The code, token or request has expired",
    advice:
      "Use it within its lifetime: redeem codes immediately, use refresh tokens before they expire, and check that the clocks are correct.",
  },
  revoked: {
    what: "The code or token was revoked",
    advice:
      "Have the user sign in again through the app. The reason for the revocation is shown under “Received”.",
  },
  ended: {
    what: "The session, consent or record that it depends on is no longer active",
    advice:
      "Have the user sign in again through the app. If the app or the user was switched off, switch it on first.",
  },
  user_inactive: {
    what: "The user is not active",
    advice: "Switch the user on again, then have them sign in again.",
  },
  not_signed_in: {
    what: "The user was not signed in",
    advice:
      "Send the user to sign in without prompt=none. In browsers that block third-party cookies, a hidden frame cannot see the sign-in.",
  },
  auth_age: {
    what: "The sign-in was older than allowed",
    advice:
      "Send the request again without prompt=none, so the user can sign in again, or with a greater max_age.",
  },
  acr_not_held: {
    what: "The sign-in does not meet the authentication level that the app requests",
    advice: "Send the request again without prompt=none, so the user can authenticate at a higher level.",
  },
  acr_unreachable: {
    what: "The user has no authenticator that meets the level that the app requires",
    advice:
      "Have the user add a second factor or a passkey, or lower the level that the app requires (require_acr).",
  },
  other_user: {
    what: "The signed-in user is not the one that the app expects",
    advice:
      "Send the request again without prompt=none or without id_token_hint, so the user can choose the account.",
  },
  organization: {
    what: "The user is not a member of the requested organization, or has to choose one",
    advice:
      "Name an organization of the user by its ID or slug, or send the request again without prompt=none, so the user can choose.",
    adviceInForm: "Name an organization of the user by its ID or slug.",
  },
  not_admitted: {
    what: "The app does not admit this user",
    advice:
      "Add the user to an organization that the app admits, with a role or group that it requires, or change who_may_sign_in or organization_mode of the app.",
  },
  consent: {
    what: "The user has not consented to the request",
    advice: "Send the request again without prompt=none, so the user can consent.",
    adviceInForm: "Send the user to /oauth/authorize with the same organization, so they can consent.",
  },
  denied: {
    what: "The user denied the request",
    advice:
      "Nothing is broken. Explain to the user what the app needs the access for, and offer to try again.",
  },
  consent_form: {
    what: "The consent form did not match the request",
    advice: "Start again from the application. The page was open in two windows, or for too long.",
  },
  pushed_request: {
    what: "The pushed request cannot be used",
    advice:
      "Push a new request for each sign-in, and redirect the user immediately with the client_id that pushed it. Each pushed request can be used for one code only.",
  },
  push_required: {
    what: "The request was not pushed",
    advice:
      "Send the parameters to /oauth/par first, then redirect the user with client_id and the returned request_uri. Or switch off the app's setting that requires pushed requests.",
  },
  foreign_form: {
    what: "The form was not from this server, or has expired",
    advice: "Reload the page and send the form again. The browser must accept cookies from this server.",
  },
  dead_link: {
    what: "The link has expired or was already used",
    advice: "Request a new one: each works once and for a limited time.",
  },
  id_token_hint: {
    what: "The id_token_hint is not valid for this app",
    advice:
      "Send the complete ID token that this server last issued to this client. An expired one is accepted.",
  },
  sign_in: {
    what: "The sign-in failed",
    advice:
      "The sign-in page does not show the reason. Before you help with a forgotten password or switch the user on, verify who is asking.",
  },
  throttled: {
    what: "There were too many attempts",
    advice: "Wait for the time shown. A correct password then resets the count.",
  },
  upstream: {
    what: "The external provider sent an unexpected response",
    advice: "Compare the value with the provider's record here and with the settings at the provider.",
  },
  assertion: {
    what: "The assertion is not valid",
    advice:
      "Create a new assertion for each request: iss and sub are the service account, aud is this server, exp is at most five minutes ahead, and jti is unique.",
  },
  assertion_key: {
    what: "The assertion is not signed with a valid key of the service account",
    advice: "Compare kid with the keys on the service account's page, and sign with an active key.",
  },
  client_assertion: {
    what: "The client assertion is not valid",
    advice:
      "Create a new assertion for each request: iss and sub are the client_id, aud is the issuer of this server as a single string, exp is at most five minutes ahead, and jti is unique.",
  },
  client_assertion_key: {
    what: "The client assertion is not signed with a key of the app",
    advice:
      "Compare kid with the app's public keys, or with those at its jwks_uri, and sign with one of them. Without kid, exactly one key must match alg.",
  },
  proof: {
    what: "The DPoP proof is not valid",
    advice:
      "Create a new proof for each request with a library for RFC 9449: typ dpop+jwt, the public key as jwk, and a unique jti. If the request has an access token, ath is its hash.",
  },
  proof_address: {
    what: "The DPoP proof is for another URI",
    advice:
      "Sign the URI as clients see it: the base URL of this server with the path of the request, without the query.",
  },
  proof_clock_ahead: {
    what: "The client's clock is ahead of this server's clock",
    advice: "Correct the client's clock, or repeat the request with the nonce from the DPoP-Nonce header.",
  },
  proof_clock_behind: {
    what: "The client's clock is behind this server's clock, or the proof was created long before it was sent",
    advice: "Correct the client's clock, or repeat the request with the nonce from the DPoP-Nonce header.",
  },
  proof_key: {
    what: "The DPoP proof is signed with another key",
    advice:
      "Use the same key for the authorization request and for all later requests, and keep it as long as the tokens. If the key is lost, the user must sign in again.",
  },
};

export const factWords: FactWords = {
  app_inactive: "the app is switched off",
  app_revoked: "the app was revoked",
  organization_inactive: "the organization is switched off",
  unknown: "the record does not exist",
  inactive: "switched off",
  ended: "ended",
  user_ended: "the user was switched off or changed the password",
  session_ended: "the user signed out, or the session ended",
  consent_ended: "the user withdrew the consent",
  membership_ended: "the user is no longer a member of the organization, or the organization is switched off",
  app_ended: "the app or its organization was switched off or revoked",
  service_account_ended: "the service account or its organization was switched off",
  key_pair_ended: "the key that the service account signed with was revoked or deleted",
  revoked: "revoked",
  expired: "expired",
  begins_like_live: "begins like a valid secret, but differs later",
  begins_like_expired: "begins like a secret that has expired",
  begins_like_revoked: "begins like a secret that was revoked",
  begins_like_none: "does not begin like any of the app's secrets",
  not_basic: "not Basic and base64",
  no_colon: "no colon between client_id and secret",
  two_ways: "in the header and in the form",
  not_shaped: "not in the format of this server's codes and tokens",
  not_issued: "in the right format, but unknown",
  another_app: "another app",
  not_access_token: "another kind of token",
  absent: "nothing",
  not_asked_for: "a verifier, although no challenge was sent",
  differs: "a verifier for another challenge",
  percent_encoding: "invalid percent-encoding",
  nul: "a NUL character",
  not_utf8: "bytes that are not UTF-8",
  too_many: "too many parameters",
  ended_early: "a request body that ended early",
  characters: "invalid characters, or too few or too many",
  unreadable: "a form that is not from this server",
  other_session: "a form from another session",
  too_old: "a form that has expired",
  answered: "a form that was already submitted",
  foreign_or_old: "no form token that was issued to this browser",
  another_user: "another user",
  not_ours: "not an ID token of this server",
  unknown_user: "no user has this email address",
  inactive_user: "the user is switched off",
  wrong_password: "wrong password",
  changed_meanwhile: "the password was changed at the same time",
  foreign_password_over: "the password is correct, but imported passwords no longer work",
  passkey_refused: "the passkey did not pass this check",
  not_a_jwt: "not a signed JWT in compact serialization",
  no_such_account: "the service account does not exist",
  no_such_key: "the service account has no key with this kid",
  no_key_fits: "no key of the app matches kid and alg",
  keys_unreachable: "the app's jwks_uri returned no key set",
  unverified: "the signature does not match the key",
  used: "already used",
};
