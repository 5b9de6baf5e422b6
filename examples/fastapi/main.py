import os
import secrets
from html import escape
from urllib.parse import urlencode, urlsplit

import uvicorn
from authlib.integrations.starlette_client import OAuth, OAuthError
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from starlette.middleware.sessions import SessionMiddleware

redirect_uri = os.environ["OAUTH_REDIRECT_URI"]
address = urlsplit(redirect_uri)

oauth = OAuth()
oauth.register(
    "postern",
    server_metadata_url=os.environ["OAUTH_ISSUER"] + "/.well-known/openid-configuration",
    client_id=os.environ["OAUTH_CLIENT_ID"],
    client_secret=os.environ.get("OAUTH_CLIENT_SECRET"),
    client_kwargs={"scope": os.environ["OAUTH_SCOPE"], "code_challenge_method": "S256"},
)

app = FastAPI()
# The session is a signed cookie. With several processes, read the key from the environment.
app.add_middleware(
    SessionMiddleware, secret_key=secrets.token_hex(32), https_only=address.scheme == "https"
)


@app.get("/")
async def home(request: Request):
    user = request.session.get("user")
    if user is None:
        return HTMLResponse('<a href="/login">Sign in</a>')
    return HTMLResponse(f'<p>Signed in as {escape(user["name"])}</p><a href="/logout">Sign out</a>')


@app.get("/login")
async def login(request: Request):
    return await oauth.postern.authorize_redirect(request, redirect_uri)


@app.get(address.path)
async def callback(request: Request):
    try:
        token = await oauth.postern.authorize_access_token(request)
    except OAuthError as error:
        return PlainTextResponse(error.description, status_code=400)
    claims = token["userinfo"]
    request.session["user"] = {"sub": claims["sub"], "name": claims.get("name", claims["sub"])}
    return RedirectResponse("/")


@app.get("/logout")
async def logout(request: Request):
    request.session.clear()
    metadata = await oauth.postern.load_server_metadata()
    query = {"client_id": os.environ["OAUTH_CLIENT_ID"]}
    # The page that users see after signing out. It must be a registered post-logout redirect URI.
    if returns_to := os.environ.get("OAUTH_POST_LOGOUT_REDIRECT_URI"):
        query["post_logout_redirect_uri"] = returns_to
    return RedirectResponse(f'{metadata["end_session_endpoint"]}?{urlencode(query)}')


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ.get("PORT", address.port or 8080)))
