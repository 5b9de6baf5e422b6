import type { ClientRecord } from "../../records/rules/client_record.ts";
import type { Params } from "../core/params.ts";

/** A client and one of its own redirect URIs, to which errors can be sent safely. */
export interface IdentifiedClient {
  readonly client: ClientRecord;
  readonly redirect_uri: string;
  readonly params: Params;
}
