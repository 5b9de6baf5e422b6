import {
  type Comments,
  lines,
  type Machine,
  type SignIn,
  type SnippetApp,
  secretName,
} from "./snippet_parts.view.ts";

export function curlSignIn(app: SnippetApp, sign_in: SignIn, comments: Comments): string {
  const { issuer, client_id, resource } = app;
  const query = Object.entries({
    response_type: "code",
    client_id,
    redirect_uri: sign_in.redirect_uri,
    scope: [sign_in.scope, ...(sign_in.scopes_of_apis ?? [])].join(" ").trim(),
    ...(resource !== undefined && { resource }),
  }).map(([name, value]) => `${name}=${inAddress(value)}`);
  const address = `${issuer}/oauth/authorize?${query.join("&")}`;
  return lines(
    readEnvironment(app),
    "verifier=$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')",
    "challenge=$(printf %s \"$verifier\" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')",
    "state=$(openssl rand -hex 16)",
    `echo ${sh(comments.open)}`,
    `echo "${address}&state=$state&code_challenge=$challenge&code_challenge_method=S256"`,
    "",
    `echo ${sh(comments.back)}`,
    "read -r address",
    `code=$(printf %s "$address" | sed -n 's/.*[?&]code=\\([^&]*\\).*/\\1/p')`,
    command([
      `curl -sS ${sh(`${issuer}/oauth/token`)}`,
      ...curlClient(app),
      "  -d grant_type=authorization_code",
      `  --data-urlencode ${sh(`redirect_uri=${sign_in.redirect_uri}`)}`,
      '  -d "code_verifier=$verifier"',
      '  -d "code=$code"',
    ]),
  );
}

export function curlMachine(app: SnippetApp, { scope }: Machine): string {
  return lines(
    readEnvironment(app),
    command([
      `curl -sS ${sh(`${app.issuer}/oauth/token`)}`,
      ...curlClient(app),
      "  -d grant_type=client_credentials",
      `  --data-urlencode ${sh(`scope=${scope}`)}`,
      app.resource === undefined ? undefined : `  --data-urlencode ${sh(`resource=${app.resource}`)}`,
    ]),
  );
}

/**
 * Returns the curl options that identify the client. A confidential client authenticates with `-u` only if
 * its client_id needs no encoding (RFC 6749, section 2.3.1), because curl does not encode it. Otherwise, its
 * client_id and secret are sent in the body.
 */
export function curlClient({
  client_id,
  public: isPublic,
}: Pick<SnippetApp, "client_id" | "public">): string[] {
  if (isPublic) return [`  --data-urlencode ${sh(`client_id=${client_id}`)}`];
  if (/^[\w.~-]+$/.test(client_id)) return [`  -u ${client_id}:"$${secretName}"`];
  return [
    `  --data-urlencode ${sh(`client_id=${client_id}`)}`,
    `  --data-urlencode "client_secret=$${secretName}"`,
  ];
}

export const sh = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export const command = (parts: readonly (string | undefined)[]) =>
  parts.filter((part) => part !== undefined).join(" \\\n");

/**
 * Encodes `!'()*`, too: `encodeURIComponent` leaves these characters, but a shell interprets some of them.
 */
const inAddress = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const readEnvironment = ({ public: isPublic }: SnippetApp) => (isPublic ? undefined : ". ./.env");
