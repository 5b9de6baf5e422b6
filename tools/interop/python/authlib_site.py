"""A website with Authlib: its processes share the tokens of one user, and refresh them concurrently."""

import json
import secrets
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlencode, urlsplit

import requests
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session

SECONDS = 20

given = json.loads(sys.stdin.readline())
metadata = requests.get(
    f"{given['issuer']}/.well-known/openid-configuration", timeout=SECONDS
).json()


def browser_sent_back(address):
    print(f"open {address}", flush=True)
    return sys.stdin.readline().strip()


def session_with(token=None):
    return OAuth2Session(
        given["client_id"],
        given["secret"],
        scope="openid profile email",
        redirect_uri=given["redirect_uri"],
        token_endpoint=metadata["token_endpoint"],
        code_challenge_method="S256",
        token=token,
        default_timeout=SECONDS,
    )


def signed_in():
    session = session_with()
    verifier = secrets.token_urlsafe(48)
    address, state = session.create_authorization_url(
        metadata["authorization_endpoint"],
        code_verifier=verifier,
        nonce=secrets.token_urlsafe(16),
    )
    return session.fetch_token(
        authorization_response=browser_sent_back(address), state=state, code_verifier=verifier
    )


def used_by_a_process(token):
    """Sends a request; before that, Authlib refreshes the expired token."""
    session = session_with({**token, "expires_at": 1})
    userinfo = session.get(metadata["userinfo_endpoint"])
    assert userinfo.status_code == 200, userinfo.text
    return dict(session.token)


token = dict(signed_in())
for _ in range(2):
    with ThreadPoolExecutor(given["at_once"]) as processes:
        refreshed = list(processes.map(used_by_a_process, [token] * given["at_once"]))
    assert all(each["access_token"] != token["access_token"] for each in refreshed)
    print(f"refreshed {len(refreshed)}")
    token = refreshed[-1]

leaving = {
    "id_token_hint": token["id_token"],
    "post_logout_redirect_uri": given["post_logout_redirect_uri"],
    "state": "left",
}
back = browser_sent_back(f"{metadata['end_session_endpoint']}?{urlencode(leaving)}")
assert back.split("?")[0] == given["post_logout_redirect_uri"], back
assert parse_qs(urlsplit(back).query)["state"] == ["left"], back
try:
    session_with(token).refresh_token()
    raise SystemExit("a token of a person who signed out was refreshed")
except OAuthError as error:
    assert error.error == "invalid_grant", error
print("signed out")
