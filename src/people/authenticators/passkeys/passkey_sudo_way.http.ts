import { originOf } from "../../../http/request_origin.ts";
import type { SudoWay } from "../sudo/sudo_way.http.ts";
import { passkeyFactor } from "./passkey_factor.view.ts";
import { postCounterNotice } from "./passkey_notices.http.ts";
import { askForFactor } from "./passkey_questions.ts";
import { passkeySite } from "./passkey_site.ts";
import { provePasskey } from "./prove_passkey.ts";

const name = "sudo_passkey";

/** A passkey or security key of the account. */
export const passkeyWay: SudoWay = {
  kinds: ["passkey"],
  fields: [name],
  guessable: false,
  async part({ signedIn, locale }, wrong, { server, identity }) {
    const site = passkeySite(server.issuer);
    if (site === undefined) return undefined;
    const asked = { holder: signedIn.session.id, site };
    const options = await askForFactor("sudo", signedIn.user, asked, identity);
    return options && passkeyFactor({ options, name, failure: wrong ? "refused" : undefined }, locale);
  },
  async prove({ signedIn, proof, request }, context) {
    const { server, identity } = context;
    const site = passkeySite(server.issuer);
    if (site === undefined) return "wrong";
    const { user, session } = signedIn;
    const outcome = await provePasskey(
      {
        purpose: "sudo",
        holder: session.id,
        answer: proof.get(name) ?? "",
        user,
        origin: originOf(request),
      },
      site,
      identity,
    );
    postCounterNotice(outcome, request, context);
    return outcome.type === "proved" ? { method: outcome.method } : "wrong";
  },
};
