import type { ClientLinks } from "../../records/definition/client_links.ts";

export type OpenClientOnPage = {
  /**
   * The host of the `client_id`, in ASCII; undefined if the `client_id` is not the URL of a document that
   * describes the client.
   */
  verified_host: string | undefined;
  client_id: string;
  /** The client's own name; undefined if it has none, or if the name must not be shown. */
  claimed_name: string | undefined;
  links?: Pick<ClientLinks, "policy_uri" | "tos_uri"> | undefined;
  hidden_name?: "deceptive" | "resembles" | undefined;
};
