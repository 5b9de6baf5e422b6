/** The parts of snippets of every kind. */
import type { UseWords } from "../../web/words/en/use.ts";

/** The members of an app that its snippets hold. */
export type SnippetApp = {
  issuer: string;
  client_id: string;
  /** Without a secret. */
  public: boolean;
  /** Signs its assertions, proves keys or must push its requests: no snippet does any of it. */
  proves_keys: boolean;
  /** Runs in the browser and not on a server. */
  in_browser: boolean;
  /** Runs on a device of the person. */
  on_device: boolean;
  /** Its id_tokens are signed by RSA, which some libraries know alone. */
  rsa_id_tokens: boolean;
  /** Code flow; undefined if the app may not use it. */
  sign_in?:
    | { redirect_uri: string; scope: string; post_logout_redirect_uri?: string | undefined }
    | undefined;
  /** Client credentials; undefined if the app may not use them. */
  machine?: { scope: string } | undefined;
  /** The API that tokens are for (RFC 8707). */
  resource?: string | undefined;
};

/** The values of a snippet that signs people in, or gets a token for the app itself. */
export type SignIn = NonNullable<SnippetApp["sign_in"]>;
export type Machine = NonNullable<SnippetApp["machine"]>;

/** The comments of the snippets for their readers. */
export type Comments = UseWords["comments"];

/** The environment variable that the snippets read the secret from. */
export const secretName = "OAUTH_CLIENT_SECRET";

/** A string literal of JavaScript, for any text. */
export const js = (text: string) => JSON.stringify(text);

/** A text of these lines; omitted lines leave no gap. */
export function lines(
  ...parts: readonly (string | false | undefined | readonly (string | false | undefined)[])[]
): string {
  return parts
    .flat()
    .filter((line): line is string => typeof line === "string")
    .join("\n");
}

/** Whether an id_token is issued with the tokens (OpenID Connect Core 3.1.2.1). */
export const hasOpenid = ({ scope }: { scope: string }) => scope.split(" ").includes("openid");
