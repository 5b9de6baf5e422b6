/** Checks of an authorization request that need no user; their errors are sent to the client. */
import { refuseRepeated, required } from "../core/params.ts";
import { mayUse, rulesFor } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";
import type { IdentifiedClient } from "./identified_client.ts";
import { refuseUnfitMode, refuseUnknownMode } from "./response_modes.ts";

interface RequestCheck {
  readonly must: string;
  /** Whether the check also runs when a request is pushed (RFC 9126 2.1). */
  readonly at_push: boolean;
  check(identified: IdentifiedClient, server: AuthorizationServer, pushed: boolean): void;
}

const requestChecks: readonly RequestCheck[] = [
  {
    must: "RFC 9126 5, 6: where pushed requests are required, no other request is accepted",
    at_push: false,
    check: ({ client: { app } }, server, pushed) => {
      if (!pushed && rulesFor(app, server).pushed_requests) throw refuse("push_required");
    },
  },
  {
    must: "RFC 6749 3.1: parameters MUST NOT be included more than once",
    at_push: true,
    check: ({ params }) => refuseRepeated(params),
  },
  {
    must: "OpenID Connect Core 6.1, 6.2, 7.2.1: each unsupported parameter has its own error",
    at_push: true,
    check: ({ params }) => {
      for (const name of ["request", "request_uri", "registration"] as const)
        if (params.get(name) !== undefined) throw refuse(`${name}_not_supported`);
    },
  },
  {
    must: "RFC 6749 3.1.1: a response_type that is missing or not understood MUST result in an error response",
    at_push: true,
    check: ({ params }) => {
      const received = required(params, "response_type");
      if (received !== "code") throw refuse("response_type", { received });
    },
  },
  {
    must: "RFC 6749 4.1.2.1: unauthorized_client if the client may not request a code",
    at_push: true,
    check: ({ client: { app } }) => {
      if (!app.allowed_response_types.includes("code")) throw refuse("response_type_not_allowed", app);
      if (!mayUse(app, "auth_code")) throw refuse("code_grant_not_allowed", app);
    },
  },
  {
    must: "Multiple Response Type Encoding Practices 2.1: response_mode must be one that the server offers",
    at_push: true,
    check: refuseUnknownMode,
  },
  {
    must: "Form Post Response Mode 2: the response mode must suit redirect_uri and state",
    at_push: true,
    check: refuseUnfitMode,
  },
];

/** Runs the checks in order. Throws an `OAuthError`. */
export function checkRequest(
  identified: IdentifiedClient,
  server: AuthorizationServer,
  at: "push" | { readonly pushed: boolean },
): void {
  for (const { at_push, check } of requestChecks)
    if (at !== "push") check(identified, server, at.pushed);
    else if (at_push) check(identified, server, true);
}
