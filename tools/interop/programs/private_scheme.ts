/** A desktop program whose https callback redirects to a private URI scheme, as with Electron and Expo. */
import assert from "node:assert/strict";
import { complaintsOf } from "../../../test/support/complaints.ts";
import { challenge, verifier } from "../../../test/support/flows.ts";
import { until } from "../../../test/support/until.ts";
import { signInAndAllow, visitor, waitForSignedOut, website } from "./chromium.ts";
import type { Program } from "./program.ts";
import { posternFor, refreshedAtOnce, tokensOf } from "./scenario.ts";

const client_id = "on-a-desk";
const scheme = "com.example.desk";

export const privateScheme: Program = {
  name: "private-scheme",
  needs: [],
  async run(context) {
    const arrived: URL[] = [];
    const origin = await website(context, (request, response) => {
      const url = new URL(request.url ?? "/", origin);
      if (url.pathname === "/favicon.ico") return void response.writeHead(404).end();
      arrived.push(url);
      response.writeHead(302, { location: `${scheme}:${url.pathname}${url.search}` }).end();
    });
    const redirect_uri = `${origin}/callback`;
    const post_logout_redirect_uri = `${origin}/signed-out`;
    const served = await posternFor(context, {
      client_id,
      kind: "native",
      redirect_uris: [redirect_uri],
      post_logout_redirect_uris: [post_logout_redirect_uri],
    });
    const visiting = await visitor(context);
    const page = await visiting.newPage();
    const complaints = complaintsOf(page);
    /** Requests to the scheme, which Chromium passes to the program that registered it. */
    const handedOver: string[] = [];
    const session = await visiting.newCDPSession(page);
    await session.send("Network.enable");
    session.on("Network.requestWillBeSent", ({ request }) => {
      if (request.url.startsWith(`${scheme}:`)) handedOver.push(new URL(request.url).pathname);
    });

    const requested = new URLSearchParams({
      response_type: "code",
      client_id,
      redirect_uri,
      scope: "openid profile",
      state: "s",
      code_challenge: challenge,
      code_challenge_method: "S256",
    });
    await page.goto(`${served.url}/oauth/authorize?${requested}`);
    await signInAndAllow(page);
    await until(() => handedOver.length === 1 || complaints.length > 0, "the browser opens the program");
    assert.deepEqual(complaints, []);
    const code = arrived[0]?.searchParams.get("code") ?? "";
    const form = { grant_type: "authorization_code", client_id, code, redirect_uri, code_verifier: verifier };
    const tokens = await tokensOf(served.url, form);
    const { id_token } = await refreshedAtOnce(served.url, { client_id }, tokens.refresh_token);

    const leaving = new URLSearchParams({ id_token_hint: String(id_token), post_logout_redirect_uri });
    // The navigation ends without a page, because the program handles it.
    await page.goto(`${served.url}/oauth/logout?${leaving}`).catch(() => undefined);
    await until(() => handedOver.length === 2, "the browser continues after signing out");
    assert.deepEqual(handedOver, ["/callback", "/signed-out"]);
    await waitForSignedOut(visiting, served.url);
    assert.deepEqual(complaints, []);
  },
};
