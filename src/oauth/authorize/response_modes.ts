/**
 * How responses are sent to the client (OAuth 2.0 Multiple Response Type Encoding Practices 2.1, OAuth 2.0
 * Form Post Response Mode).
 */
import { readAssertion } from "../../crypto/assertions.ts";
import { OAuthError } from "../../errors.ts";
import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import { isWebRedirect } from "../../records/formats/redirect_uris.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import type { Params } from "../core/params.ts";
import { withParameters } from "../core/redirect_uri.ts";
import { offersFeature } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { recordRefusal, refusalUri } from "../refusals/note_refusal.ts";
import { refuse } from "../refusals/refuse.ts";
import type { IdentifiedClient } from "./identified_client.ts";

interface RedirectOutcome {
  readonly type: "redirect";
  readonly location: string;
}

interface FormPostOutcome {
  readonly type: "form_post";
  readonly client: ClientRecord;
  readonly redirect_uri: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly ui_locales: string | undefined;
}

export type AnswerOutcome = RedirectOutcome | FormPostOutcome;

interface ResponseMode {
  readonly name: "query" | "form_post";
  misfit(identified: IdentifiedClient): "redirect_uri" | "state" | undefined;
  answer(identified: IdentifiedClient, parameters: Readonly<Record<string, string>>): AnswerOutcome;
}

const query: ResponseMode = {
  name: "query",
  misfit: () => undefined,
  answer: ({ redirect_uri }, parameters) => ({
    type: "redirect",
    location: withParameters(redirect_uri, parameters),
  }),
};

const formPost: ResponseMode = {
  name: "form_post",
  misfit({ redirect_uri, params }) {
    if (!isWebRedirect(redirect_uri)) return "redirect_uri";
    // A browser that posts the form changes every line break of a field to CRLF (HTML, "constructing the
    // entry list"). The client would get a different `state`.
    return /[\r\n]/.test(params.get("state") ?? "") ? "state" : undefined;
  },
  answer: ({ client, redirect_uri, params }, fields) => ({
    type: "form_post",
    client,
    redirect_uri,
    fields,
    ui_locales: params.get("ui_locales"),
  }),
};

function offeredModes(server: AuthorizationServer): readonly ResponseMode[] {
  return offersFeature(server, "form_post") ? [query, formPost] : [query];
}

export function offeredModeNames(server: AuthorizationServer): string[] {
  return offeredModes(server).map(({ name }) => name);
}

/**
 * Request objects are refused (OpenID Connect Core 6.1). The error is sent in the `response_mode` that the
 * object names, because the client expects it there.
 */
function modeInRequestObject(params: Params): string | undefined {
  const mode = readAssertion(params.get("request") ?? "")?.claims.response_mode;
  return typeof mode === "string" ? mode : undefined;
}

function requestedMode({ params }: IdentifiedClient, server: AuthorizationServer): ResponseMode | undefined {
  const requested = params.get("response_mode") ?? modeInRequestObject(params) ?? query.name;
  return offeredModes(server).find(({ name }) => name === requested);
}

export function refuseUnknownMode(identified: IdentifiedClient, server: AuthorizationServer): void {
  if (requestedMode(identified, server) !== undefined) return;
  const received = identified.params.get("response_mode") ?? "";
  throw refuse("response_mode", { received, offered: offeredModeNames(server) });
}

/**
 * Refuses a mode in which the response would be lost or changed on its way to the client. Throws an
 * `OAuthError`.
 */
export function refuseUnfitMode(identified: IdentifiedClient, server: AuthorizationServer): void {
  const misfit = requestedMode(identified, server)?.misfit(identified);
  if (misfit !== undefined) throw refuse(`form_post_${misfit}`);
}

function answerInMode(
  identified: IdentifiedClient,
  parameters: Readonly<Record<string, string | undefined>>,
  server: AuthorizationServer,
): AnswerOutcome {
  const requested = requestedMode(identified, server);
  const mode = requested === undefined || requested.misfit(identified) !== undefined ? query : requested;
  const sent = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return mode.answer(identified, Object.fromEntries(sent));
}

/** Returns the successful response for the client. */
export function answerWithCode(
  code: string,
  identified: IdentifiedClient,
  server: AuthorizationServer,
): AnswerOutcome {
  const state = identified.params.get("state");
  return answerInMode(identified, { code, state, iss: server.issuer }, server);
}

interface RefusedAuthorization {
  readonly endpoint: string;
  readonly identified: IdentifiedClient;
  readonly signedIn: SignedIn | undefined;
  readonly origin: RequestOrigin;
}

/**
 * Returns the error response to the client (RFC 6749 4.1.2.1). Rethrows internal errors, which are never sent
 * to clients, and `pushed_used`.
 */
export function answerWithError(
  error: unknown,
  { endpoint, identified, signedIn, origin }: RefusedAuthorization,
  server: AuthorizationServer,
): AnswerOutcome {
  // A used `request_uri` is refused on an error page, never by redirect, even if a concurrent request has
  // just used it.
  if (!(error instanceof OAuthError) || error.kind === "pushed_used") throw error;
  const { client, params } = identified;
  const user_id = signedIn?.user.id;
  error.about(client.app);
  const short_id = recordRefusal({ endpoint, error, user_id, origin }, server);
  const parameters = {
    error: error.code,
    error_description: error.description,
    error_uri: refusalUri(short_id, server),
    state: params.get("state"),
    iss: server.issuer,
  };
  return answerInMode(identified, parameters, server);
}
