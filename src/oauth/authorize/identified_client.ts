import type { ClientRecord } from "../../records/rules/client_record.ts";
import type { Params } from "../core/params.ts";

/** A client and a redirect URI that belong together: from here on there is somewhere safe to redirect. */
export interface IdentifiedClient {
  readonly client: ClientRecord;
  readonly redirect_uri: string;
  /** Every later step reads these, wherever the request was sent. */
  readonly params: Params;
}
