"""A client with the Python SDK of the Model Context Protocol.

It signs in, calls the tool, and continues with its refresh token after the access token has expired.
"""

import asyncio
import json
import sys
import time
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata

SECONDS = 20

given = json.loads(sys.stdin.readline())


class Storage:
    """The client's tokens and registration, which a real program would store in a file."""

    def __init__(self):
        self.tokens = None
        self.information = None
        if given.get("client_id"):
            self.information = OAuthClientInformationFull(
                client_id=given["client_id"],
                redirect_uris=[given["redirect_uri"]],
                token_endpoint_auth_method="none",
            )

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.information

    async def set_client_info(self, information):
        self.information = information


async def open_in_browser(address):
    print(f"open {address}", flush=True)


async def browser_sent_back():
    address = await asyncio.to_thread(sys.stdin.readline)
    answer = {name: values[0] for name, values in parse_qs(urlsplit(address.strip()).query).items()}
    if "error" in answer:
        raise SystemExit(f"refused: {answer}")
    return AuthorizationCodeResult(code=answer["code"], state=answer.get("state"), iss=answer.get("iss"))


def provider_with(storage):
    return OAuthClientProvider(
        server_url=given["server"],
        client_metadata=OAuthClientMetadata(
            client_name="Python tools",
            redirect_uris=[given["redirect_uri"]],
            token_endpoint_auth_method="none",
        ),
        storage=storage,
        redirect_handler=open_in_browser,
        callback_handler=browser_sent_back,
        client_metadata_url=given.get("document"),
    )


async def whoami(provider):
    async with httpx2.AsyncClient(auth=provider, timeout=SECONDS) as http_client:
        transport = streamable_http_client(given["server"], http_client=http_client)
        async with Client(transport) as client:
            result = await client.call_tool("whoami", {})
            print("".join(part.text for part in result.content), flush=True)


async def main():
    storage = Storage()
    provider = provider_with(storage)
    await whoami(provider)
    first = storage.tokens
    provider.context.token_expiry_time = time.time() - 1
    await whoami(provider)
    print("refreshed" if storage.tokens.refresh_token not in (None, first.refresh_token) else "not refreshed")


asyncio.run(asyncio.wait_for(main(), SECONDS * 2))
