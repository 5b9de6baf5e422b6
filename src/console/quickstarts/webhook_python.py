import base64
import hashlib
import hmac
import json
import time


def verify_webhook(headers, body: bytes, secret: str):
    """Returns the event of a request. Raises ValueError if the request is not authentic."""
    sent_at = headers["webhook-timestamp"]
    if not abs(time.time() - int(sent_at)) < 300:
        raise ValueError("not sent now")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    message = f"{headers['webhook-id']}.{sent_at}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, message, hashlib.sha256)).decode()
    signatures = headers["webhook-signature"].split(" ")
    if not any(hmac.compare_digest(each, expected) for each in signatures):
        raise ValueError("wrong signature")
    return json.loads(body)
