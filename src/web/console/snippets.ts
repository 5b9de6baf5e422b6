/**
 * Code to paste that uses one app: filled with its values, and with the name of its secret in place of the
 * secret.
 */
import type { UseWords } from "../words/en/use.ts";
import { curlMachine, curlSignIn } from "./curl_snippets.ts";
import { oauth4webapiMachine, oauth4webapiSignIn } from "./oauth4webapi_snippets.ts";
import { openidClientMachine, openidClientSignIn } from "./openid_client_snippets.ts";
import { type Comments, type SnippetApp, secretName } from "./snippet_parts.ts";

export type Snippet = {
  kind: keyof UseWords["kinds"];
  hint: keyof UseWords["hints"];
  text: string;
};

/** The snippets that sign people in; none where the app cannot, or needs keys of its own. */
export function signInSnippets(app: SnippetApp, comments: Comments): Snippet[] {
  const { sign_in, in_browser } = app;
  if (sign_in === undefined || app.proves_keys) return [];
  const hint = in_browser ? "browser" : "terminal";
  return [
    { kind: "openid_client", hint, text: openidClientSignIn(app, sign_in, comments) },
    { kind: "oauth4webapi", hint, text: oauth4webapiSignIn(app, sign_in, comments) },
    { kind: "curl", hint: "shell", text: curlSignIn(app, sign_in, comments) },
  ];
}

/** The snippets that get a token for the app itself; none where it cannot. */
export function machineSnippets(app: SnippetApp, comments: Comments): Snippet[] {
  const { machine } = app;
  if (machine === undefined || app.public || app.proves_keys) return [];
  return [
    { kind: "openid_client", hint: "machine", text: openidClientMachine(app, machine, comments) },
    { kind: "oauth4webapi", hint: "machine", text: oauth4webapiMachine(app, machine, comments) },
    { kind: "curl", hint: "machine", text: curlMachine(app, machine) },
  ];
}

/** The environment of an application, as a file for `node --env-file` and for a shell. */
export function environmentSnippet(app: SnippetApp, comments: Comments): Snippet {
  const { issuer, client_id, sign_in, machine, resource } = app;
  const values: Record<string, string | undefined> = {
    OAUTH_ISSUER: issuer,
    OAUTH_CLIENT_ID: client_id,
    [secretName]: app.public ? undefined : comments.paste,
    OAUTH_REDIRECT_URI: sign_in?.redirect_uri,
    OAUTH_SCOPE: (sign_in ?? machine)?.scope,
    OAUTH_RESOURCE: resource,
  };
  const lines = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${environmentValue(value)}`],
  );
  return { kind: "environment", hint: "environment", text: lines.join("\n") };
}

/** Read alike by a shell and by Node; a value that holds every quotation mark there is, is beyond both. */
function environmentValue(text: string): string {
  if (/^[\w.:/@%+,~-]+$/u.test(text) || /^\p{L}+$/u.test(text)) return text;
  if (!text.includes("'")) return `'${text}'`;
  return /["$`\\]/.test(text) ? `\`${text}\`` : `"${text}"`;
}
