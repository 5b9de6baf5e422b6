/**
 * A sample program for an app. A server program reads the app's values from environment variables, so that
 * its code contains no secret. Browser code contains the values, all of which are public.
 */
import type { UseWords } from "../../web/words/en/use.ts";
import { curlMachine, curlSignIn } from "./curl_snippets.view.ts";
import { filledQuickstart, isOfSample, springPlaceholder } from "./quickstart_text.view.ts";
import { type Comments, hasOpenid, type SignIn, type SnippetApp, secretName } from "./snippet_parts.view.ts";

export interface Quickstart {
  readonly stack: keyof UseWords["kinds"];
  readonly hint?: keyof UseWords["hints"] | undefined;
  readonly served_at?: string | undefined;
  /**
   * Shell commands that install and run the program, one per line. Undefined if the text in `files` is itself
   * typed into a shell.
   */
  readonly run?: string | undefined;
  readonly files: readonly { readonly path?: string; readonly text: string }[];
}

interface Stack {
  readonly stack: Quickstart["stack"];
  readonly hint?: Quickstart["hint"];
  readonly served?: true;
  /** Whether the framework's library accepts an id_token only if it is signed with RSA. */
  readonly rsa_alone?: true;
  readonly run: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** `set -a` exports the variables in `.env` to programs that the shell starts. */
const withEnvironment = "set -a; . ./.env; set +a";

const onServers: readonly Stack[] = [
  {
    stack: "express",
    run: ["npm install express openid-client", "node --env-file=.env server.mjs"],
    files: { "server.mjs": "express/server.js" },
  },
  {
    stack: "fastify",
    run: ["npm install fastify @fastify/cookie openid-client", "node --env-file=.env server.mjs"],
    files: { "server.mjs": "fastify/server.js" },
  },
  {
    stack: "nextjs",
    hint: "nextjs",
    run: [
      "npm install next@latest react@latest react-dom@latest next-auth",
      "npm pkg set type=module",
      'echo "NEXTAUTH_SECRET=$(openssl rand -hex 32)" >> .env',
      "npx next dev",
    ],
    files: {
      "auth.js": "nextjs_options.js",
      "app/api/auth/[...nextauth]/route.js": "nextjs_route.js",
      "app/logout/route.js": "nextjs_logout.js",
      "app/layout.jsx": "nextjs_layout.jsx",
      "app/page.jsx": "nextjs_page.jsx",
    },
  },
  {
    stack: "fastapi",
    run: ["pip install fastapi uvicorn authlib httpx itsdangerous", withEnvironment, "python main.py"],
    files: { "main.py": "fastapi/main.py" },
  },
  {
    stack: "go",
    run: ["go mod init example && go mod tidy", withEnvironment, "go run ."],
    files: { "main.go": "go/main.go" },
  },
  {
    stack: "spring",
    run: [
      "curl -sS https://start.spring.io/starter.tgz -d type=maven-project -d dependencies=web,security,oauth2-client | tar -xzf -",
      withEnvironment,
      "PORT={port} ./mvnw spring-boot:run",
    ],
    // `DemoApplication.java` replaces that of start.spring.io; with both classes, the application does not
    // start.
    files: {
      "src/main/resources/application.yaml": "spring.yaml",
      "src/main/java/com/example/demo/DemoApplication.java": "spring.java",
    },
  },
  {
    stack: "dotnet",
    run: [
      "dotnet new web",
      "dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect",
      withEnvironment,
      "dotnet run",
    ],
    files: { "Program.cs": "dotnet.cs" },
  },
  {
    stack: "php",
    hint: "php",
    served: true,
    rsa_alone: true,
    run: ["composer require jumbojett/openid-connect-php", withEnvironment, "php -S {host}:{port} index.php"],
    files: { "index.php": "php.php" },
  },
];

/**
 * `--strictPort` makes an occupied port an error. On another port, the authorization response would not
 * arrive.
 */
const vite = "npx vite --host {host} --port {port} --strictPort";

const inBrowsers: readonly Stack[] = [
  {
    stack: "browser",
    hint: "browser",
    served: true,
    run: ["npm install oidc-client-ts vite", vite],
    files: { "index.html": "browser/index.html", "main.js": "browser/main.js" },
  },
  {
    stack: "react",
    hint: "browser",
    served: true,
    run: ["npm install react react-dom react-oidc-context oidc-client-ts vite", vite],
    files: { "index.html": "react.html", "main.jsx": "react.jsx" },
  },
];

const onLoopback: readonly Stack[] = [
  {
    stack: "node_cli",
    run: ["npm install openid-client", "node --env-file=.env sign_in.mjs"],
    files: { "sign_in.mjs": "node_cli.js" },
  },
];

const asMachines: readonly Stack[] = [
  {
    stack: "node",
    run: ["npm install openid-client", "node --env-file=.env token.mjs"],
    files: { "token.mjs": "node_machine.js" },
  },
  {
    stack: "python",
    run: ["pip install requests", withEnvironment, "python get_token.py"],
    files: { "get_token.py": "python_machine.py" },
  },
  {
    stack: "plain_go",
    run: ["go mod init example && go mod tidy", withEnvironment, "go run ."],
    files: { "main.go": "go_machine.go" },
  },
];

/** The paths of the sample programs in `examples/`, which the npm package must include. */
export const programsOfSamples: readonly string[] = [onServers, inBrowsers, onLoopback, asMachines]
  .flat()
  .flatMap(({ files }) => Object.values(files).filter(isOfSample));

const isLoopback = (uri: string) => /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?=[:/])/.test(uri);

/** Returns the sample programs that sign users in. */
export function signInQuickstarts(app: SnippetApp, comments: Comments): Quickstart[] {
  const { issuer, client_id, sign_in, in_browser, on_device } = app;
  if (sign_in === undefined || app.proves_keys) return [];
  const values = {
    "http://localhost:3000": issuer,
    "browser-example": client_id,
    "http://localhost:8080/": sign_in.redirect_uri,
    "http://localhost:8080/index.html": sign_in.post_logout_redirect_uri ?? "",
    "openid profile email": sign_in.scope,
    "openid,profile,email": sign_in.scope.replaceAll(" ", ","),
    ...literalsForSpring({
      OAUTH_ISSUER: issuer,
      OAUTH_CLIENT_ID: client_id,
      OAUTH_REDIRECT_URI: sign_in.redirect_uri,
    }),
  };
  const byKind = (in_browser ? inBrowsers : on_device ? onLoopback : onServers).filter(
    ({ rsa_alone }) => !rsa_alone || app.rsa_id_tokens,
  );
  const fits = hasOpenid(sign_in) && (!on_device || isLoopback(sign_in.redirect_uri));
  return [
    ...(fits ? byKind.map((stack) => quickstartOf(stack, values, sign_in)) : []),
    { stack: "curl", hint: "shell", files: [{ text: curlSignIn(app, sign_in, comments) }] },
  ];
}

/**
 * Returns replacements for `${NAME}` in the configuration file, for variables whose value contains a
 * placeholder. In an environment variable, Spring would replace that placeholder too.
 */
function literalsForSpring(environment: Readonly<Record<string, string>>): Record<string, string> {
  const replaced = Object.entries(environment).filter(([, text]) => text.includes(springPlaceholder));
  return Object.fromEntries(replaced.map(([name, text]) => [`${springPlaceholder}${name}}`, text]));
}

export function machineQuickstarts(app: SnippetApp): Quickstart[] {
  const { machine } = app;
  if (machine === undefined || app.public || app.proves_keys) return [];
  return [
    ...asMachines.map((stack) => quickstartOf(stack, {})),
    { stack: "curl", hint: "machine", files: [{ text: curlMachine(app, machine) }] },
  ];
}

function quickstartOf(
  { stack, hint, served, run, files }: Stack,
  values: Readonly<Record<string, string>>,
  sign_in?: SignIn,
): Quickstart {
  const shown = Object.entries(files).map(([path, file]) => ({ path, text: filledQuickstart(file, values) }));
  const { hostname, port } = listensAt(sign_in?.redirect_uri);
  return {
    stack,
    hint,
    served_at: served && `http://${hostname}:${port}/`,
    run: run.join("\n").replaceAll("{host}", hostname).replaceAll("{port}", port),
    files: shown,
  };
}

function listensAt(redirect_uri = ""): { readonly hostname: string; readonly port: string } {
  if (!isLoopback(redirect_uri)) return { hostname: "localhost", port: "8080" };
  const { hostname, port } = new URL(redirect_uri);
  return { hostname, port: port || "80" };
}

/** Returns the environment variables of a sample program as a file for `node --env-file` and for shells. */
export function environmentFile(app: SnippetApp, comments: Comments, secret = comments.paste): string {
  const { issuer, client_id, sign_in, machine, resource } = app;
  const values: Record<string, string | undefined> = {
    OAUTH_ISSUER: issuer,
    OAUTH_CLIENT_ID: client_id,
    [secretName]: app.public ? undefined : secret,
    OAUTH_REDIRECT_URI: sign_in?.redirect_uri,
    OAUTH_POST_LOGOUT_REDIRECT_URI: sign_in?.post_logout_redirect_uri,
    OAUTH_SCOPE: (sign_in ?? machine)?.scope || undefined,
    OAUTH_RESOURCE: machine && resource,
  };
  const lines = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [environmentLine(name, value)],
  );
  // Names the variable in a comment, so that developers who register a post-logout redirect URI later can
  // find it.
  const lacks = sign_in !== undefined && !app.on_device && sign_in.post_logout_redirect_uri === undefined;
  if (lacks) lines.push(`# OAUTH_POST_LOGOUT_REDIRECT_URI= (${comments.unregistered})`);
  return lines.join("\n");
}

/**
 * Quotes a value so that shells and Node read the same text and a shell executes nothing in it.
 * Another user may have chosen the value.
 */
function environmentLine(name: string, text: string): string {
  if (/^[\w.:/@%+,~-]+$/u.test(text) || /^\p{L}+$/u.test(text)) return `${name}=${text}`;
  if (!text.includes("'")) return `${name}='${text}'`;
  return /["$`\\!]/.test(text) ? `# ${name}= (quotation marks: set it by hand)` : `${name}="${text}"`;
}
