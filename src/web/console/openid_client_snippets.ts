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

export function openidClientSignIn(app: SnippetApp, sign_in: SignIn, comments: Comments): string {
  const openid = hasOpenid(sign_in);
  const redirect = [
    "const checks = {",
    "  pkceCodeVerifier: client.randomPKCECodeVerifier(),",
    "  expectedState: client.randomState(),",
    openid && "  expectedNonce: client.randomNonce(),",
    "};",
    "const login = client.buildAuthorizationUrl(config, {",
    `  redirect_uri: ${js(sign_in.redirect_uri)},`,
    `  scope: ${js(sign_in.scope)},`,
    app.resource !== undefined && `  resource: ${js(app.resource)},`,
    "  code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),",
    '  code_challenge_method: "S256",',
    "  state: checks.expectedState,",
    openid && "  nonce: checks.expectedNonce,",
    "});",
  ];
  const result = [
    "console.log(tokens);",
    openid && `// ${comments.who}`,
    openid && "console.log(tokens.claims());",
  ];
  const head = heading("openid-client@6", "sign_in.mjs", app, comments);
  const config = openidClientConfig(app, comments);
  if (app.in_browser) {
    return lines(
      head,
      'import * as client from "openid-client";',
      "",
      config,
      'const kept = sessionStorage.getItem("sign-in");',
      "if (kept === null) {",
      `  // ${comments.leaveInBrowser}`,
      indented(redirect),
      '  sessionStorage.setItem("sign-in", JSON.stringify(checks));',
      "  location.assign(login);",
      "} else {",
      `  // ${comments.return}`,
      '  sessionStorage.removeItem("sign-in");',
      "  const address = new URL(location.href);",
      "  const tokens = await client.authorizationCodeGrant(config, address, JSON.parse(kept));",
      indented(result),
      "}",
    );
  }
  return lines(
    head,
    terminal,
    'import * as client from "openid-client";',
    "",
    config,
    "",
    `// ${comments.leave}`,
    redirect,
    `console.log(${js(comments.open)}, login.href);`,
    "",
    `// ${comments.return}`,
    askForAddress(comments.back),
    "const tokens = await client.authorizationCodeGrant(config, address, checks);",
    result,
  );
}

export function openidClientMachine(app: SnippetApp, { scope }: Machine, comments: Comments): string {
  return lines(
    heading("openid-client@6", "token.mjs", { ...app, in_browser: false }, comments),
    'import * as client from "openid-client";',
    "",
    openidClientConfig(app, comments),
    "",
    `// ${comments.machine}`,
    "const tokens = await client.clientCredentialsGrant(config, {",
    `  scope: ${js(scope)},`,
    app.resource !== undefined && `  resource: ${js(app.resource)},`,
    "});",
    "console.log(tokens);",
  );
}

function openidClientConfig(
  { issuer, client_id, public: isPublic }: SnippetApp,
  comments: Comments,
): string[] {
  return [
    `// ${comments.discover}`,
    "const config = await client.discovery(",
    `  new URL(${js(issuer)}),`,
    `  ${js(client_id)},`,
    "  undefined,",
    isPublic ? "  client.None()," : `  client.ClientSecretBasic(process.env.${secretName}),`,
    ...(isPlainHttp(issuer)
      ? [`  // ${comments.insecure}`, "  { execute: [client.allowInsecureRequests] },"]
      : []),
    ");",
  ];
}
