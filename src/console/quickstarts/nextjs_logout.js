import { NextResponse } from "next/server";
import { getToken } from "next-auth/jwt";

const { OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_POST_LOGOUT_REDIRECT_URI } = process.env;

export async function GET(request) {
  const token = await getToken({ req: request });
  const metadata = await (await fetch(`${OAUTH_ISSUER}/.well-known/openid-configuration`)).json();
  const address = new URL(metadata.end_session_endpoint);
  address.searchParams.set("client_id", OAUTH_CLIENT_ID);
  if (token?.id_token) address.searchParams.set("id_token_hint", token.id_token);
  if (OAUTH_POST_LOGOUT_REDIRECT_URI) {
    address.searchParams.set("post_logout_redirect_uri", OAUTH_POST_LOGOUT_REDIRECT_URI);
  }
  const response = NextResponse.redirect(address);
  for (const { name } of request.cookies.getAll()) {
    if (!name.includes("next-auth.session-token")) continue;
    response.cookies.set(name, "", { maxAge: 0, path: "/", secure: name.startsWith("__Secure-") });
  }
  return response;
}
