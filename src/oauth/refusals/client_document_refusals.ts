import { evidence } from "../../records/names/evidence.ts";
import { type IdentifierError, longestIdentifier } from "../client_metadata/client_identifier.ts";
import {
  type DocumentError,
  documentErrorText,
  identifierErrors,
} from "../client_metadata/document_errors.ts";
import { refusalsOf, type Texts } from "./catalogued.ts";

type Address = Texts<"client_id">;

export interface Later {
  readonly retry_after: number;
}

const later = { retry_after: ({ retry_after }: Later) => retry_after };

const unfit = refusalsOf("invalid_client", 400);

/** Refusals of client metadata documents (draft-ietf-oauth-client-id-metadata-document). */
export const clientDocumentRefusals = {
  client_identifier: unfit(
    ({ error }: Address & { readonly error: IdentifierError }) => `client_id ${identifierErrors[error]}`,
    ({ client_id }) => evidence("client_document", "client_id", client_id.slice(0, longestIdentifier)),
  ),
  client_host_refused: unfit(
    "this server does not allow clients whose client_id is on this host",
    ({ client_id }: Address) =>
      evidence("client_document", "client_id", client_id.slice(0, longestIdentifier)),
  ),
  client_document_unfit: unfit(
    ({ error }: Address & { readonly error: DocumentError }) => documentErrorText(error),
    ({ error, client_id }) => evidence("client_document", error.member ?? "client_id", client_id),
  ),
  client_document_gone: unfit(
    "no client metadata document exists at the client_id URL",
    ({ client_id }: Address) => evidence("client_document", "client_id", client_id),
  ),
  client_document_unavailable: refusalsOf("temporarily_unavailable")(
    "the client metadata document cannot be fetched right now; try again later",
    ({ retry_after }: Later) => evidence("throttled", "Retry-After", String(retry_after)),
    later,
  ),
  client_document_throttled: refusalsOf("temporarily_unavailable", 429)(
    "the server accepts no more new clients with metadata documents at the moment; try again later",
    ({ retry_after }: Later) => evidence("throttled", "Retry-After", String(retry_after)),
    later,
  ),
};
