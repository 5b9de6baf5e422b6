import type { ClientLinks } from "../../records/definition/client_links.ts";

/** The proven facts about a self-registered client, and its own claims. */
export type OpenClientOnPage = {
  /** That of the `client_id`, in ASCII, where a document there says so; undefined if none is proven. */
  verified_host: string | undefined;
  client_id: string;
  /** Its own name; undefined if it has none, or if the name must not be shown. */
  claimed_name: string | undefined;
  /** Why a name that it has is not shown. */
  /** The pages that it names as its own, over https. */
  links?: Pick<ClientLinks, "policy_uri" | "tos_uri"> | undefined;
  hidden_name?: "deceptive" | "resembles" | undefined;
};
