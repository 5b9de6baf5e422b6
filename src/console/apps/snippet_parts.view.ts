import type { UseWords } from "../../web/words/en/use.ts";

export type SnippetApp = {
  issuer: string;
  client_id: string;
  public: boolean;
  /**
   * Whether the app must authenticate without a secret, use DPoP or send pushed authorization requests. No
   * sample supports any of these.
   */
  proves_keys: boolean;
  in_browser: boolean;
  on_device: boolean;
  /** Whether the app's id_tokens are signed with RSA. Some libraries support no other algorithm. */
  rsa_id_tokens: boolean;
  sign_in?:
    | {
        redirect_uri: string;
        scope: string;
        /** Only for programs that send `resource`. Without it, no API accepts the token. */
        scopes_of_apis?: readonly string[] | undefined;
        post_logout_redirect_uri?: string | undefined;
      }
    | undefined;
  machine?: { scope: string } | undefined;
  /** The identifier of the API for which tokens are requested (RFC 8707). */
  resource?: string | undefined;
};

export type SignIn = NonNullable<SnippetApp["sign_in"]>;
export type Machine = NonNullable<SnippetApp["machine"]>;

export type Comments = UseWords["comments"];

export const secretName = "OAUTH_CLIENT_SECRET";

export const js = (text: string) => JSON.stringify(text);

/** Joins lines of code. */
export function lines(
  ...parts: readonly (string | false | undefined | readonly (string | false | undefined)[])[]
): string {
  return parts
    .flat()
    .filter((line): line is string => typeof line === "string")
    .join("\n");
}

/** Returns whether a request with this scope gets an id_token (OpenID Connect Core, section 3.1.2.1). */
export const hasOpenid = ({ scope }: { scope: string }) => scope.split(" ").includes("openid");
