import {
  askForAddress,
  type Comments,
  hasOpenid,
  heading,
  indented,
  isPlainHttp,
  js,
  lines,
  type Machine,
  type SignIn,
  type SnippetApp,
  secretName,
  terminal,
} from "./snippet_parts.ts";

export function oauth4webapiSignIn(app: SnippetApp, sign_in: SignIn, comments: Comments): string {
  const openid = hasOpenid(sign_in);
  const options = isPlainHttp(app.issuer) ? ", options" : "";
  const redirect_uri = `const redirect_uri = ${js(sign_in.redirect_uri)};`;
  const redirect = [
    "const checks = {",
    "  verifier: oauth.generateRandomCodeVerifier(),",
    "  state: oauth.generateRandomState(),",
    openid && "  nonce: oauth.generateRandomNonce(),",
    "};",
    "const login = new URL(server.authorization_endpoint);",
    "login.search = new URLSearchParams({",
    "  ...client,",
    "  redirect_uri,",
    '  response_type: "code",',
    `  scope: ${js(sign_in.scope)},`,
    app.resource !== undefined && `  resource: ${js(app.resource)},`,
    "  state: checks.state,",
    openid && "  nonce: checks.nonce,",
    "  code_challenge: await oauth.calculatePKCECodeChallenge(checks.verifier),",
    '  code_challenge_method: "S256",',
    "}).toString();",
  ];
  const exchange = [
    "const answer = oauth.validateAuthResponse(server, client, address, checks.state);",
    "const response = await oauth.authorizationCodeGrantRequest(",
    `  server, client, authentication, answer, redirect_uri, checks.verifier${options},`,
    ");",
    openid
      ? "const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {"
      : "const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);",
    openid && "  expectedNonce: checks.nonce,",
    openid && "  requireIdToken: true,",
    openid && "});",
    "console.log(tokens);",
    openid && `// ${comments.who}`,
    openid && "console.log(oauth.getValidatedIdTokenClaims(tokens));",
  ];
  const head = heading("oauth4webapi@3", "sign_in.mjs", app, comments);
  const server = [...oauth4webapiServer(app, comments), redirect_uri];
  if (app.in_browser) {
    return lines(
      head,
      'import * as oauth from "oauth4webapi";',
      "",
      server,
      "",
      'const kept = sessionStorage.getItem("sign-in");',
      "if (kept === null) {",
      `  // ${comments.leaveInBrowser}`,
      indented(redirect),
      '  sessionStorage.setItem("sign-in", JSON.stringify(checks));',
      "  location.assign(login);",
      "} else {",
      `  // ${comments.return}`,
      '  sessionStorage.removeItem("sign-in");',
      "  const checks = JSON.parse(kept);",
      "  const address = new URL(location.href);",
      indented(exchange),
      "}",
    );
  }
  return lines(
    head,
    terminal,
    'import * as oauth from "oauth4webapi";',
    "",
    server,
    "",
    `// ${comments.leave}`,
    redirect,
    `console.log(${js(comments.open)}, login.href);`,
    "",
    `// ${comments.return}`,
    askForAddress(comments.back),
    exchange,
  );
}

export function oauth4webapiMachine(app: SnippetApp, { scope }: Machine, comments: Comments): string {
  const options = isPlainHttp(app.issuer) ? ", options" : "";
  return lines(
    heading("oauth4webapi@3", "token.mjs", { ...app, in_browser: false }, comments),
    'import * as oauth from "oauth4webapi";',
    "",
    oauth4webapiServer(app, comments),
    "",
    `// ${comments.machine}`,
    "const parameters = new URLSearchParams({",
    `  scope: ${js(scope)},`,
    app.resource !== undefined && `  resource: ${js(app.resource)},`,
    "});",
    "const response = await oauth.clientCredentialsGrantRequest(",
    `  server, client, authentication, parameters${options},`,
    ");",
    "const tokens = await oauth.processClientCredentialsResponse(server, client, response);",
    "console.log(tokens);",
  );
}

function oauth4webapiServer(
  { issuer, client_id, public: isPublic }: SnippetApp,
  comments: Comments,
): string[] {
  const insecure = isPlainHttp(issuer);
  const options = insecure ? ", options" : "";
  return [
    ...(insecure
      ? [`// ${comments.insecure}`, "const options = { [oauth.allowInsecureRequests]: true };"]
      : []),
    `// ${comments.discover}`,
    `const issuer = new URL(${js(issuer)});`,
    `const found = await oauth.discoveryRequest(issuer${options});`,
    "const server = await oauth.processDiscoveryResponse(issuer, found);",
    `const client = { client_id: ${js(client_id)} };`,
    isPublic
      ? "const authentication = oauth.None();"
      : `const authentication = oauth.ClientSecretBasic(process.env.${secretName});`,
  ];
}
