/** The parts of snippets of every kind. */
import type { UseWords } from "../words/en/use.ts";

/** The members of an app that its snippets hold. */
export type SnippetApp = {
  issuer: string;
  client_id: string;
  /** Without a secret. */
  public: boolean;
  /** Signs its assertions, proves keys or must push its requests: no snippet does any of it. */
  proves_keys: boolean;
  /** Runs in the browser and not behind it. */
  in_browser: boolean;
  /** Of the code flow; undefined where the app has none or may not use it. */
  sign_in?: { redirect_uri: string; scope: string } | undefined;
  /** Of client credentials; undefined where the app may not use them. */
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

/** Libraries refuse such an issuer unless they are told. */
export const isPlainHttp = (issuer: string) => issuer.startsWith("http:");

/** A text of these lines; omitted lines leave no gap. */
export function lines(
  ...parts: readonly (string | false | undefined | readonly (string | false | undefined)[])[]
): string {
  return parts
    .flat()
    .filter((line): line is string => typeof line === "string")
    .join("\n");
}

/** The same lines one step further in. */
export function indented(block: readonly (string | false | undefined)[]): string[] {
  return block.flatMap((line) => (typeof line === "string" ? [`  ${line}`] : []));
}

/** Whether an id_token comes with the tokens (OpenID Connect Core 3.1.2.1). */
export const hasOpenid = ({ scope }: { scope: string }) => scope.split(" ").includes("openid");

/** How a script is installed and run; a page of a browser is bundled in its own way. */
export function heading(
  library: string,
  file: string,
  { public: isPublic, in_browser }: SnippetApp,
  comments: Comments,
) {
  if (in_browser) return [`// npm install ${library}`];
  const options = isPublic ? "" : " --env-file=.env";
  const how = isPublic ? comments.install : comments.installWithSecret;
  return [`// ${how}`, `//   npm install ${library}`, `//   node${options} ${file}`];
}

/** The arguments of `askForAddress`. */
export const terminal = 'import { createInterface } from "node:readline/promises";';

/** Asks for the address that the browser came back to. */
export const askForAddress = (question: string) => [
  "const terminal = createInterface({ input: process.stdin, output: process.stdout });",
  `const address = new URL(await terminal.question(${js(`${question} `)}));`,
  "terminal.close();",
];
