/**
 * The ways in which an answer reaches the client (OAuth 2.0 Multiple Response Type Encoding Practices 2.1,
 * OAuth 2.0 Form Post Response Mode).
 */

import { isWebRedirect } from "../../records/formats/redirect_uris.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import { offersFeature } from "../offered.ts";
import { refuse } from "../refusals/refuse.ts";
import type { AuthorizationServer } from "../server.ts";
import type { IdentifiedClient } from "./identified_client.ts";
import { withParameters } from "./redirect_uri.ts";

interface RedirectOutcome {
  readonly type: "redirect";
  readonly location: string;
}

/** The browser is to post these fields to the redirect URI. */
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
  /** The part of the request that keeps its answer from being sent so. */
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
    // Browsers write every line break of a field as CRLF (HTML, "constructing the entry list").
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

/** `response_modes_supported` (RFC 8414 2). */
export function offeredModeNames(server: AuthorizationServer): string[] {
  return offeredModes(server).map(({ name }) => name);
}

function askedMode({ params }: IdentifiedClient, server: AuthorizationServer): ResponseMode | undefined {
  const asked = params.get("response_mode") ?? query.name;
  return offeredModes(server).find(({ name }) => name === asked);
}

/** Refuses a mode that this server does not offer. Throws an `OAuthError`. */
export function refuseUnknownMode(identified: IdentifiedClient, server: AuthorizationServer): void {
  if (askedMode(identified, server) !== undefined) return;
  const received = identified.params.get("response_mode") ?? "";
  throw refuse("response_mode", { received, offered: offeredModeNames(server) });
}

/** Refuses a mode by which the answer to this request could not arrive. Throws an `OAuthError`. */
export function refuseUnfitMode(identified: IdentifiedClient, server: AuthorizationServer): void {
  const misfit = askedMode(identified, server)?.misfit(identified);
  if (misfit !== undefined) throw refuse(`form_post_${misfit}`);
}

/**
 * The answer in the mode that the request asks for. One that is refused itself is refused by an ordinary
 * redirect.
 */
export function answerInMode(
  identified: IdentifiedClient,
  parameters: Readonly<Record<string, string | undefined>>,
  server: AuthorizationServer,
): AnswerOutcome {
  const asked = askedMode(identified, server);
  const mode = asked === undefined || asked.misfit(identified) !== undefined ? query : asked;
  const sent = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return mode.answer(identified, Object.fromEntries(sent));
}
