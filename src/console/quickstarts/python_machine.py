import os

import requests

issuer = os.environ["OAUTH_ISSUER"]
form = {
    "grant_type": "client_credentials",
    "client_id": os.environ["OAUTH_CLIENT_ID"],
    "client_secret": os.environ["OAUTH_CLIENT_SECRET"],
    "scope": os.environ["OAUTH_SCOPE"],
}
if "OAUTH_RESOURCE" in os.environ:
    form["resource"] = os.environ["OAUTH_RESOURCE"]

metadata = requests.get(issuer + "/.well-known/openid-configuration", timeout=10).json()
answer = requests.post(metadata["token_endpoint"], data=form, timeout=10)
answer.raise_for_status()

# Request a new token when this one is about to expire.
token = answer.json()
print("access_token:", token["access_token"])
print("expires in", token["expires_in"], "seconds")
