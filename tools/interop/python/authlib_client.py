"""A client with Authlib: it pushes requests, signs assertions, binds its tokens to a key, and verifies each
algorithm of id_tokens.

Authlib supports neither DPoP nor pushed requests; its JOSE library, joserfc, signs the proofs.
"""

import base64
import hashlib
import json
import secrets
import sys
import time

import requests
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet
from requests.adapters import HTTPAdapter

SECONDS = 20

given = json.loads(sys.stdin.readline())
issuer = given["issuer"]
redirect_uri = given["redirect_uri"]


def browser_sent_back(address):
    print(f"open {address}", flush=True)
    return sys.stdin.readline().strip()


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class ShortAssertion(PrivateKeyJWT):
    """Authlib's own assertion is valid for an hour, and its audience is the token endpoint."""

    alg = "ES256"

    def sign(self, auth, token_endpoint):
        self.claims = {"exp": int(time.time()) + 60}
        return super().sign(auth, issuer)


class ProvingAdapter(HTTPAdapter):
    """Adds a proof to each request (RFC 9449 4.2), with the nonce of the last response that had one."""

    def __init__(self):
        super().__init__()
        self.key = ECKey.generate_key("P-256")
        self.nonce = None

    def send(self, request, **options):
        claims = {
            "jti": secrets.token_urlsafe(16),
            "htm": request.method,
            "htu": request.url.split("?")[0],
            "iat": int(time.time()),
        }
        if self.nonce is not None:
            claims["nonce"] = self.nonce
        authorization = request.headers.get("Authorization", "")
        if authorization.startswith("DPoP "):
            claims["ath"] = b64url(hashlib.sha256(authorization[5:].encode()).digest())
        header = {"alg": "ES256", "typ": "dpop+jwt", "jwk": self.key.as_dict(private=False)}
        request.headers["DPoP"] = jwt.encode(header, claims, self.key)
        response = super().send(request, **options)
        self.nonce = response.headers.get("DPoP-Nonce", self.nonce)
        return response


def add_dpop_token(token, uri, headers, body, placement):
    headers["Authorization"] = f"DPoP {token}"
    return uri, headers, body


asked = 0


def twice(attempt):
    """Repeats the request with a new assertion and a new proof if the response requires a nonce."""
    global asked
    try:
        answer = attempt()
    except AuthlibBaseError as error:
        if error.error != "use_dpop_nonce":
            raise
        asked += 1
        return attempt()
    if isinstance(answer, requests.Response) and "use_dpop_nonce" in (
        answer.headers.get("WWW-Authenticate", "") + answer.text
    ):
        asked += 1
        return attempt()
    return answer


def get(url):
    answer = requests.get(url, timeout=SECONDS)
    answer.raise_for_status()
    return answer.json()


metadata = AuthorizationServerMetadata(get(f"{issuer}/.well-known/oauth-authorization-server"))
assert metadata["issuer"] == issuer
keys = KeySet.import_key_set(get(metadata["jwks_uri"]))


def verified_id_token(tokens, client_id, algorithm, nonce):
    token = jwt.decode(tokens["id_token"], keys, algorithms=[algorithm])
    assert token.header["alg"] == algorithm, token.header
    options = {
        "iss": {"essential": True, "value": issuer},
        "aud": {"essential": True, "value": client_id},
    }
    params = {"nonce": nonce, "client_id": client_id, "access_token": tokens["access_token"]}
    claims = CodeIDToken(token.claims, token.header, options, params)
    claims.validate(leeway=10)
    return claims


def sign_in_with_key():
    client_id = given["signer"]["client_id"]
    proving = ProvingAdapter()
    session = OAuth2Session(
        client_id,
        ECKey.import_key(given["signer"]["jwk"]),
        token_endpoint_auth_method="private_key_jwt",
        scope=given["scope"],
        redirect_uri=redirect_uri,
        code_challenge_method="S256",
        default_timeout=SECONDS,
    )
    session.register_client_auth_method(ShortAssertion())
    session.mount(issuer, proving)
    session.token_auth.SIGN_METHODS = {"dpop": add_dpop_token}
    verifier, nonce = secrets.token_urlsafe(48), secrets.token_urlsafe(16)
    address, state = session.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce
    )
    pushed = twice(
        lambda: session.post(
            metadata["pushed_authorization_request_endpoint"],
            data=address.split("?")[1],
            headers={"Content-Type": "application/x-www-form-urlencoded"},
            auth=session.client_auth("private_key_jwt"),
            withhold_token=True,
        )
    )
    assert pushed.status_code == 201, pushed.text
    query = requests.models.RequestEncodingMixin._encode_params(
        {"client_id": client_id, "request_uri": pushed.json()["request_uri"]}
    )
    answer = browser_sent_back(f"{metadata['authorization_endpoint']}?{query}")
    tokens = twice(
        lambda: session.fetch_token(
            metadata["token_endpoint"],
            authorization_response=answer,
            state=state,
            code_verifier=verifier,
        )
    )
    assert tokens["token_type"] == "DPoP", tokens
    claims = verified_id_token(tokens, client_id, "ES256", nonce)
    refreshed = twice(lambda: session.refresh_token(metadata["token_endpoint"]))
    assert refreshed["refresh_token"] != tokens["refresh_token"]
    userinfo = twice(lambda: session.get(metadata["userinfo_endpoint"]))
    assert userinfo.status_code == 200, userinfo.text
    assert userinfo.json()["sub"] == claims["sub"]
    access = jwt.decode(refreshed["access_token"], keys, algorithms=["RS256"])
    assert access.header["typ"] == "at+jwt"
    assert access.claims["cnf"] == {"jkt": proving.key.thumbprint()}, access.claims
    as_bearer = {"Authorization": f"Bearer {refreshed['access_token']}"}
    stolen = requests.get(metadata["userinfo_endpoint"], headers=as_bearer, timeout=SECONDS)
    assert stolen.status_code == 401, stolen.text
    print(f"bound, nonces asked for: {asked}")


def sign_in_by(algorithm, client_id):
    session = OAuth2Session(
        client_id,
        given["secret"],
        scope="openid",
        redirect_uri=redirect_uri,
        code_challenge_method="S256",
        default_timeout=SECONDS,
    )
    verifier, nonce = secrets.token_urlsafe(48), secrets.token_urlsafe(16)
    address, state = session.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce
    )
    tokens = session.fetch_token(
        metadata["token_endpoint"],
        authorization_response=browser_sent_back(address),
        state=state,
        code_verifier=verifier,
    )
    verified_id_token(tokens, client_id, algorithm, nonce)
    print(f"verified {algorithm}")


sign_in_with_key()
for algorithm in given["algorithms"]:
    sign_in_by(algorithm, algorithm)
