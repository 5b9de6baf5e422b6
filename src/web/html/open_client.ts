import type { ClientLinks } from "../../records/definition/client_links.ts";

/** The verified facts about a self-registered client, and its own claims. */
export type OpenClientOnPage = {
  /**
   * The host of the `client_id`, in ASCII, if a document there describes the client; undefined if no host
   * is verified.
   */
  verified_host: string | undefined;
  client_id: string;
  /** The client's own name; undefined if it has none, or if the name must not be shown. */
  claimed_name: string | undefined;
  /** The client's pages at https URLs, by its own claim. */
  links?: Pick<ClientLinks, "policy_uri" | "tos_uri"> | undefined;
  /** Why the client's own name is not shown. */
  hidden_name?: "deceptive" | "resembles" | undefined;
};
