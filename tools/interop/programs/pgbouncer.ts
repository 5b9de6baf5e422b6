/**
 * PgBouncer in front of the database. With transaction pooling, which does not support LISTEN, Postern does
 * not start, and its error names the requirement. With session pooling, users sign in, refresh and sign out.
 */
import assert from "node:assert/strict";
import { post_logout_redirect_uri, redirect_uri } from "../../../test/interop/registrations.ts";
import { challenge, verifier } from "../../../test/support/flows.ts";
import { formBrowser, goThrough } from "../../../test/support/form_browser.ts";
import { behindPgBouncer, pgBouncerProgram } from "../../../test/support/pgbouncer.ts";
import { runPostern } from "../../../test/support/process.ts";
import { debianPackage, type Program } from "./program.ts";
import { assertSignedOut, person, posternFor, refreshedAtOnce, secret, tokensOf } from "./scenario.ts";

const client_id = "pooled";

export const pgBouncer: Program = {
  name: "pgbouncer",
  needs: [debianPackage("pgbouncer", pgBouncerProgram)],
  async run(context) {
    const endings: (() => unknown)[] = [];
    const atEnd = (end: () => unknown) => void endings.unshift(end);

    const refused = await runPostern(["serve", "--port", "0"], {
      environment: await behindPgBouncer("transaction", atEnd),
    });
    assert.equal(refused.code, 1);
    assert.match(refused.out + refused.err, /use session mode or a direct connection/);

    const app = {
      client_id,
      kind: "website",
      secrets: [secret],
      redirect_uris: [redirect_uri],
      post_logout_redirect_uris: [post_logout_redirect_uri],
    };
    const served = await posternFor(context, app, await behindPgBouncer("session", atEnd));
    // PgBouncer is stopped after the server, because the server uses it.
    context.after(async () => {
      for (const end of endings) await end();
    });
    const requested = new URLSearchParams({
      response_type: "code",
      client_id,
      redirect_uri,
      scope: "openid profile",
      code_challenge: challenge,
      code_challenge_method: "S256",
    });
    const browser = formBrowser();
    const back = await goThrough(browser, `${served.url}/oauth/authorize?${requested}`, person);
    const code = back.searchParams.get("code") ?? "";
    const client = { client_id, client_secret: secret };
    const form = { ...client, code, grant_type: "authorization_code", redirect_uri, code_verifier: verifier };
    const tokens = await tokensOf(served.url, form);
    const { id_token } = await refreshedAtOnce(served.url, client, tokens.refresh_token);

    const leaving = new URLSearchParams({ id_token_hint: String(id_token), post_logout_redirect_uri });
    const left = await browser.get(`${served.url}/oauth/logout?${leaving}`);
    assert.equal(left.location, post_logout_redirect_uri);
    await assertSignedOut(browser, served.url);
  },
};
