import type { UseWords } from "../../web/words/en/use.ts";

/** The members of an app that its snippets contain. */
export type SnippetApp = {
  issuer: string;
  client_id: string;
  /** Whether the app has no secret. */
  public: boolean;
  /** Whether it signs assertions, proves keys or must push its requests: no snippet supports these. */
  proves_keys: boolean;
  /** Whether it runs in the browser and not on a server. */
  in_browser: boolean;
  on_device: boolean;
  /** Whether its id_tokens are signed with RSA, the only algorithm that some libraries support. */
  rsa_id_tokens: boolean;
  /** The authorization code flow; undefined if the app may not use it. */
  sign_in?:
    | { redirect_uri: string; scope: string; post_logout_redirect_uri?: string | undefined }
    | undefined;
  /** The client credentials grant; undefined if the app may not use it. */
  machine?: { scope: string } | undefined;
  /** The API that tokens are issued for (RFC 8707). */
  resource?: string | undefined;
};

export type SignIn = NonNullable<SnippetApp["sign_in"]>;
export type Machine = NonNullable<SnippetApp["machine"]>;

export type Comments = UseWords["comments"];

/** The environment variable that the snippets read the secret from. */
export const secretName = "OAUTH_CLIENT_SECRET";

export const js = (text: string) => JSON.stringify(text);

/** Joins these lines; omitted lines leave no gap. */
export function lines(
  ...parts: readonly (string | false | undefined | readonly (string | false | undefined)[])[]
): string {
  return parts
    .flat()
    .filter((line): line is string => typeof line === "string")
    .join("\n");
}

/** Returns whether an id_token is issued with the tokens (OpenID Connect Core 3.1.2.1). */
export const hasOpenid = ({ scope }: { scope: string }) => scope.split(" ").includes("openid");
