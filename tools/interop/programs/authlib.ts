/** Authlib, whose sessions refresh automatically. Four sessions share one user's tokens. */
import assert from "node:assert/strict";
import { post_logout_redirect_uri, redirect_uri } from "../../../test/interop/registrations.ts";
import { formBrowser } from "../../../test/support/form_browser.ts";
import { runPythonClient } from "../python/python_client.ts";
import { pythonWithPackages } from "../python/python_environment.ts";
import { hasPython, type Program } from "./program.ts";
import { assertSignedOut, atOnce, person, posternFor, secret } from "./scenario.ts";

const client_id = "authlib";

export const authlib: Program = {
  name: "authlib",
  needs: [hasPython],
  async run(context) {
    const served = await posternFor(context, {
      client_id,
      kind: "website",
      secrets: [secret],
      redirect_uris: [redirect_uri],
      post_logout_redirect_uris: [post_logout_redirect_uri],
    });
    const input = {
      issuer: served.url,
      client_id,
      secret,
      redirect_uri,
      post_logout_redirect_uri,
      at_once: atOnce,
    };
    const browser = formBrowser();
    const written = await runPythonClient(
      await pythonWithPackages(),
      "authlib_site.py",
      input,
      person,
      browser,
    );
    assert.deepEqual(written, [`refreshed ${atOnce}`, `refreshed ${atOnce}`, "signed out"]);
    await assertSignedOut(browser, served.url);
  },
};
